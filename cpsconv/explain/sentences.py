"""Sentences for the events of a construction; an event that the sentence of a neighbouring event covers has none."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from cpsconv.construction import events as e
from cpsconv.construction.block import Block, Placed, Variable
from cpsconv.construction.events import Ending
from cpsconv.explain.algorithm_lines import STRATEGY_LINES, Line
from cpsconv.explain.cfg_state import CfgState
from cpsconv.explain.labels import Labels
from cpsconv.ir import ABORT, Branch, Call, Continuation, Effect, Function, Primitive, Switch, Undef, Value

_MAX_LISTED = 6  # values or continuations in one sentence

_Clause = tuple[Line, Block, str]
"""The line that an event carries out, the block that it is about, and the sentence."""


@dataclass(frozen=True)
class Sentences:
    """Sentences for the events of one function. `state` is the state of the function after the current event."""

    function: Function
    labels: Labels
    state: CfgState
    strategy: str

    def clause(
        self, event: e.Event, before: e.Event | None, after: e.Event | None
    ) -> tuple[Line | None, Block, str] | None:
        """The line, block and sentence for `event`, which occurs between the events before and after it.

        The line is None for a strategy without a listing; the sentences are the same for all strategies.
        """
        if _is_covered(event, before, after) or not (found := self._clause(event, before, after)):
            return None
        return found if self.strategy in STRATEGY_LINES else (None, *found[1:])

    def _clause(self, event: e.Event, before: e.Event | None, after: e.Event | None) -> _Clause | None:
        match event:
            case e.Read(variable, block):
                return self._read(variable, block, after)
            case e.Walk():
                return self._walk(event)
            case e.Place(parameter):
                return self._placing_line(parameter, before), parameter.block, f"place {self._parameter(parameter)}"
            case e.Postpone(parameter):
                postponed = f"{self.labels.value(parameter)} denotes the result until the graph is complete"
                block = parameter.block
                return Line.ASK, block, f"postpone the look-up in {self.labels.block(block)}: {postponed}"
            case e.Proxy() | e.Complete() | e.Keep() | e.Remove():
                return self._about_parameter(event)
            case e.Mark() | e.Cycle() | e.Agree() | e.Visit() | e.Inherit():
                return self._at_join(event)
            case e.Component():
                return self._component(event)
            case e.Unused() | e.Redundant():
                return self._afterwards(event)
        return self._by_front_end(event)

    # ------------------------------------------------------------------------------------ requests of the front end

    def _by_front_end(self, event: e.Event) -> _Clause | None:
        block_of, value_of = self.labels.block, self._value
        match event:
            case e.Open(_, block):
                return Line.ENTER, block, f"open {block_of(block)}: its entry has no predecessors, so it is sealed"
            case e.Create(block):
                return Line.CREATE, block, f"create the continuation {block_of(block)}"
            case e.Enter(block):
                return Line.ENTER, block, f"enter {block_of(block)}"
            case e.Compute(block, statement):
                return Line.COMPUTE, block, f"compute {self.labels.statement(statement)}"
            case e.Simplify(block, op, operands, value):
                return Line.SIMPLIFY, block, f"{self.labels.operation(op, operands, value.type)} is {value_of(value)}"
            case e.Decide(block, _, constant):
                return Line.DECIDE, block, f"the outcome {value_of(constant)} is known: no other outcome gets an edge"
            case e.Fill(block, ending):
                return Line.FILL, block, self._fill(block, ending)
            case e.Write(variable, block, value):
                return Line.WRITE, block, self._write(variable, value)
            case e.Answer(variable, block, value):
                return Line.ASK, block, f"so {self.labels.variable(variable)} in {block_of(block)} is {value_of(value)}"
            case e.Seal(block):
                return Line.SEAL, block, f"seal {block_of(block)}: {self._predecessor_clause(block)}"
            case e.Unreachable(block):
                return Line.UNREACHABLE, block, f"{block_of(block)} is unreachable: dropped"
            case e.Close(function):
                return Line.CLOSE, self.state.blocks[function], self._counts()
        return None

    def _write(self, variable: Variable, value: Value) -> str:
        if isinstance(value, Undef) and value.span is variable.span:
            return f"declare {self.labels.variable(variable)}: it is undefined"
        return f"write {self.labels.variable(variable)}: its value is now {self._value(value)}"

    def _read(self, variable: Variable, block: Block, after: e.Event | None) -> _Clause:
        read = f"read {self.labels.variable(variable)} in {self.labels.block(block)}"
        if isinstance(after, e.Answer):
            return Line.FOUND, block, f"{read}: it is {self._value(after.value)}"
        return Line.ASK, block, f"{read}: it has no value there yet"

    def _fill(self, block: Block, ending: Ending) -> str:
        ((target, _), *_) = ending.edges
        if target is ABORT and not self.state.predecessors[block] and block.continuation is not self.function:
            return f"{self.labels.block(block)} is unreachable: its statements are not converted, and it is filled"
        return f"{self._transfer(ending)}: {self.labels.block(block)} is filled"

    def _transfer(self, ending: Ending) -> str:
        targets = [self.labels.value(target) for target, _ in ending.edges]
        if ending.kind is Call:
            (callee,) = ending.fixed
            assert isinstance(callee, Function)
            return f"call {self.labels.application(callee, ending.operands)} and continue in {targets[0]}"
        if ending.kind in (Branch, Switch):
            word = "branch" if ending.kind is Branch else "switch"
            return f"{word} on {self.labels.value(ending.operands[0])} to {_listed(dict.fromkeys(targets), 'or')}"
        ((target, arguments),) = ending.edges
        if isinstance(target, Continuation) and target in self.state.blocks:
            return f"jump to {targets[0]}"
        return f"call {self.labels.application(target, arguments)}"

    def _predecessor_clause(self, block: Block) -> str:
        predecessors = self._predecessors(block)
        if not predecessors:
            return "it has no predecessors"
        if len(predecessors) == 1:
            return f"its only predecessor is {predecessors[0]}"
        return f"its predecessors are {_listed(predecessors)}"

    def _predecessors(self, block: Block) -> list[str]:
        """The names of the predecessors, without repetition: two edges may start in the same block."""
        return [self.labels.block(each) for each in dict.fromkeys(self.state.predecessors[block])]

    def _counts(self) -> str:
        placed, removed = self.state.placed, self.state.removed
        parameters = "parameter was" if placed == 1 else "parameters were"
        return f"the construction is complete: {placed} {parameters} placed, {removed} of them removed"

    # ---------------------------------------------------------------------------------------------------- look-ups

    def _walk(self, walk: e.Walk) -> _Clause:
        end = self.labels.block(walk.end)
        to_end = f"go back {self._path(walk.passed)} to {end}" if walk.passed else f"look in {end}"
        if walk.value is None:
            text = to_end if walk.passed else f"reach {end} again, whose look-up is in progress"
            return self._walk_line(walk), walk.end, text
        if self._is_undefined(walk):
            return Line.UNDEFINED, walk.end, f"{to_end}: no path to there writes the variable, so it is undefined"
        found = f"{self.labels.variable(walk.variable)} is {self._value(walk.value)} there"
        return self._walk_line(walk), walk.end, f"{to_end}: {found}"

    def _walk_line(self, walk: e.Walk) -> Line:
        if not walk.passed and walk.value is not None:
            return Line.FOUND
        return Line.WALK if self.state.sealed.issuperset(walk.passed) else Line.WALK_OPEN

    def _path(self, passed: Sequence[Block]) -> str:
        start, *others = [self.labels.block(block) for block in passed]
        return f"from {start}{' via ' if others else ''}{_listed(others)}"

    def _is_undefined(self, walk: e.Walk) -> bool:
        """Whether the look-up, not a declaration, created the undefined value, since nothing is written there."""
        if not isinstance(walk.value, Undef) or (walk.end, walk.variable) in self.state.written:
            return False
        return walk.end in walk.passed or not self.state.predecessors[walk.end]

    def _at_join(self, event: e.Mark | e.Cycle | e.Agree | e.Visit | e.Inherit) -> _Clause:
        join, predecessors = self.labels.block(event.join), _listed(self._predecessors(event.join))
        match event:
            case e.Mark():
                return Line.MARK, event.join, f"mark {join}, a join of {predecessors}"
            case e.Cycle():
                return Line.CYCLE, event.join, f"reach {join} again, which is marked"
            case e.Visit():
                return Line.VISIT, event.join, f"visit {join}, a join of {predecessors}"
            case e.Agree(variable, _, value):
                text = f"all predecessors of {join} agree: {self.labels.variable(variable)} is {self._value(value)}"
                return Line.AGREE, event.join, text
            case e.Inherit(variable, _, value):
                return Line.INHERIT, event.join, f"only {self._value(value)} reaches {join}"

    def _component(self, event: e.Component) -> _Clause:
        entering = [*dict.fromkeys(value for values in event.entering for value in values)]
        line = Line.MORE_ENTER if len(entering) > 1 else Line.ONE_ENTERS if entering else Line.NONE_ENTERS
        joins = _listed([self.labels.block(join) for join in event.joins])
        reached = joins if len(event.joins) == 1 else f"the cycle of {joins} from outside"
        values, verb = (self._distinct(entering), "reach") if len(entering) > 1 else ("no value", "reaches")
        if len(entering) == 1:
            values = f"only {self._value(entering[0])}"
        return line, event.joins[-1], f"{values} {verb} {reached}"

    # -------------------------------------------------------------------------------------------------- parameters

    def _value(self, value: Value) -> str:
        """The value of a variable; a parameter with its continuation, since it often has the name of the variable."""
        if isinstance(value, Undef):
            return "undefined"
        if home := self.labels.home(value):
            return f"the parameter {self.labels.value(value)} of {home}"
        if isinstance(value, (Primitive, Effect)) and self.labels.is_named(value):
            return f"{self.labels.value(value)} ({self.labels.computation(value)})"
        return self.labels.value(value)

    def _distinct(self, values: Sequence[Value]) -> str:
        """Different values, with a remark if some of them look the same."""
        texts = [self._value(value) for value in values]
        remark = " (different values, though equal constants)" if len(texts) > len({*texts}) else ""
        return f"{_listed(texts)}{remark}"

    def _parameter(self, parameter: Placed) -> str:
        home, variable = self.labels.block(parameter.block), self.labels.variable(parameter.variable)
        return f"the parameter {self.labels.value(parameter)} of {home}, for {variable}"

    def _placing_line(self, parameter: Placed, before: e.Event | None) -> Line:
        if self.strategy == "marker":
            return Line.CYCLE if isinstance(before, e.Cycle) else Line.DIFFER
        if self.strategy == "scc":
            return Line.MORE_ENTER if parameter.block in self.state.entered else Line.INHERIT
        return Line.PLACE_FIRST

    def _about_parameter(self, event: e.Proxy | e.Complete | e.Keep | e.Remove) -> _Clause:
        parameter = event.parameter
        name, block = self.labels.value(parameter), parameter.block
        match event:
            case e.Proxy():
                placed = f"place a proxy, {self._parameter(parameter)}"
                return Line.PROXY, block, f"{self.labels.block(block)} is not sealed: {placed}"
            case e.Complete(_, arguments):
                line = Line.COMPLETE_PROXY if parameter in self.state.proxies else Line.ARGUMENTS
                return line, block, f"{name} gets {self._arguments(block, arguments)}"
            case e.Keep(_, witnesses):
                return Line.KEEP, block, f"{name} receives {self._distinct(witnesses)}: kept"
            case e.Remove(_, value, again):
                then = f"; re-examine {_listed([self.labels.value(each) for each in again])}" if again else ""
                return Line.REMOVE, block, f"{name} is trivial: replaced by {self._value(value)}{then}"

    def _arguments(self, block: Block, arguments: Sequence[Value]) -> str:
        pairs = zip(self.state.predecessors[block], arguments, strict=True)
        return _listed([f"{self.labels.value(value)} from {self.labels.block(source)}" for source, value in pairs])

    def _afterwards(self, event: e.Unused | e.Redundant) -> _Clause:
        entry = self.state.blocks[event.function]
        match event:
            case e.Unused(_, parameters):
                names = _listed([self.labels.value(parameter) for parameter in parameters])
                return Line.UNUSED, entry, f"{names} {'is' if len(parameters) == 1 else 'are'} not used: removed"
            case e.Redundant(_, replaced):
                texts = [f"{self.labels.value(each)} is always {self._value(same)}" for each, same in replaced.items()]
                return Line.REDUNDANT, entry, f"{_listed(texts)}: removed"


def _is_covered(event: e.Event, before: e.Event | None, after: e.Event | None) -> bool:
    """Whether the sentence of the event before or after covers `event`."""
    match event:
        case e.Answer():
            return isinstance(before, e.Read)
        case e.Walk(_, (), end, None):
            return _block_of(after) is end
    return False


def _block_of(event: e.Event | None) -> Block | None:
    """The block in which a look-up continues."""
    match event:
        case e.Mark(_, join) | e.Cycle(_, join) | e.Visit(_, join):
            return join
        case e.Place(parameter) | e.Proxy(parameter):
            return parameter.block
    return None


def _listed(items: Collection[str], word: str = "and") -> str:
    """``a, b and c``; at most `_MAX_LISTED` items, and the number of the others."""
    shown = [*items][:_MAX_LISTED]
    if len(items) > len(shown):
        return f"{', '.join(shown)} {word} {len(items) - len(shown)} more"
    *most, last = shown or [""]
    return f"{', '.join(most)} {word} {last}" if most else last
