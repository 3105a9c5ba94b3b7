"""What each step of a construction is told as: a sentence, or none where that of the event beside it says it all."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cpsconv.construction import events as e
from cpsconv.construction.block import Block, Placed, Variable
from cpsconv.construction.events import Ending
from cpsconv.explain.construction.algorithm_lines import Line
from cpsconv.explain.construction.cfg_state import Standing
from cpsconv.explain.construction.labels import Labels
from cpsconv.ir import ABORT, Branch, Call, Continuation, Effect, Function, Primitive, Switch, Undef, Value

_MOST_LISTED = 6  # values or continuations in one sentence

Told = tuple[Line, Block, str]
"""What a step carries out, which block it is about, and the words for it."""


class Sentences:
    """Words for the events of one function. `standing` is how that stands after the event that is to be told."""

    def __init__(self, function: Function, labels: Labels, standing: Standing, strategy: str) -> None:
        self.function = function
        self.labels = labels
        self.standing = standing
        self.strategy = strategy

    def told(self, event: e.Event, before: e.Event | None, after: e.Event | None) -> Told | None:
        """What `event` is told as, between the events before and after it."""
        return None if _is_told_beside(event, before, after) else self._told(event, before, after)

    def _told(self, event: e.Event, before: e.Event | None, after: e.Event | None) -> Told | None:
        match event:
            case e.Read(variable, block):
                return self._read(variable, block, after)
            case e.Walk():
                return self._walk(event)
            case e.Place(parameter):
                return self._reason(parameter, before), parameter.block, f"place {self._parameter(parameter)}"
            case e.Postpone(parameter):
                then = f"{self.labels.value(parameter)} stands for its result"
                told = f"the look-up in {self.labels.block(parameter.block)} waits for the complete graph: {then}"
                return Line.PLACE, parameter.block, told
            case e.Proxy() | e.Complete() | e.Keep() | e.Remove():
                return self._about_parameter(event)
            case e.Mark() | e.Cycle() | e.Agree() | e.Visit() | e.Inherit():
                return self._at_join(event)
            case e.Component():
                return self._component(event)
            case e.Unused() | e.Redundant():
                return self._afterwards(event)
        return self._asked_for(event)

    # ------------------------------------------------------------------------------------ what the front end asks for

    def _asked_for(self, event: e.Event) -> Told | None:
        block_of, value_of = self.labels.block, self._value
        match event:
            case e.Open(_, block):
                return Line.ENTER, block, f"open {block_of(block)}: nothing leads to its entry, so that is sealed"
            case e.Create(block):
                return Line.CREATE, block, f"a new continuation: {block_of(block)}"
            case e.Enter(block):
                return Line.ENTER, block, f"enter {block_of(block)}"
            case e.Compute(block, statement):
                return Line.COMPUTE, block, f"compute {self.labels.statement(statement)}"
            case e.Simplify(block, op, operands, value):
                return Line.SIMPLIFY, block, f"{self.labels.operation(op, operands, value.type)} is {value_of(value)}"
            case e.Decide(block, _, constant):
                return Line.DECIDE, block, f"the way is known, {value_of(constant)}: no other gets an edge"
            case e.Fill(block, ending):
                return Line.FILL, block, self._fill(block, ending)
            case e.Write(variable, block, value):
                return Line.WRITE, block, self._write(variable, value)
            case e.Answer(variable, block, value):
                told = f"so {self.labels.variable(variable)} in {block_of(block)} is {value_of(value)}"
                return Line.ASK, block, told
            case e.Seal(block):
                return Line.SEAL, block, f"seal {block_of(block)}: {self._led_to_by(block)}"
            case e.Unreachable(block):
                return Line.UNREACHABLE, block, f"nothing leads to {block_of(block)}: it is dropped"
            case e.Close(function):
                return Line.CLOSE, self.standing.blocks[function], self._counts()
        return None

    def _write(self, variable: Variable, value: Value) -> str:
        if isinstance(value, Undef) and value.span is variable.span:
            return f"declare {self.labels.variable(variable)}: it is undefined as yet"
        return f"write {self.labels.variable(variable)}: from here on it is {self._value(value)}"

    def _read(self, variable: Variable, block: Block, after: e.Event | None) -> Told:
        asked = f"read {self.labels.variable(variable)} in {self.labels.block(block)}"
        if isinstance(after, e.Answer):
            return Line.FOUND, block, f"{asked}: it is {self._value(after.value)}"
        return Line.ASK, block, f"{asked}: it has no value there yet"

    def _fill(self, block: Block, ending: Ending) -> str:
        ((target, _), *_) = ending.edges
        if target is ABORT and not self.standing.predecessors[block] and block.continuation is not self.function:
            return f"what stands in {self.labels.block(block)} is dead, and not built: it is filled by a mere end"
        return f"{self._transfer(ending)}: {self.labels.block(block)} is filled"

    def _transfer(self, ending: Ending) -> str:
        targets = [self.labels.target(target) for target, _ in ending.edges]
        if ending.kind is Call:
            (callee,) = ending.fixed
            assert isinstance(callee, Function)
            return f"call {self.labels.application(callee, ending.operands)} and go on in {targets[0]}"
        if ending.kind in (Branch, Switch):
            word = "branch" if ending.kind is Branch else "switch"
            return f"{word} on {self.labels.value(ending.operands[0])} to {_listed(dict.fromkeys(targets), 'or')}"
        ((target, arguments),) = ending.edges
        if isinstance(target, Continuation) and target in self.standing.blocks:
            return f"jump to {targets[0]}"
        return f"call {self.labels.application(target, arguments)}"

    def _led_to_by(self, block: Block) -> str:
        predecessors = self._predecessors(block)
        if not predecessors:
            return "nothing leads to it, and nothing will"
        return f"{_listed(predecessors)} {'leads' if len(predecessors) == 1 else 'lead'} to it, and nothing else will"

    def _predecessors(self, block: Block) -> list[str]:
        return [self.labels.block(each) for each in dict.fromkeys(self.standing.predecessors[block])]

    def _counts(self) -> str:
        placed, removed = self.standing.placed, self.standing.removed
        parameters = "parameter was" if placed == 1 else "parameters were"
        return f"construction is done: {placed} {parameters} placed on the way, {removed} of them removed"

    # ---------------------------------------------------------------------------------------------------- look-ups

    def _walk(self, walk: e.Walk) -> Told:
        end = self.labels.block(walk.end)
        went = f"go back {self._way(walk.passed)} to {end}" if walk.passed else f"look at {end}"
        if walk.value is None:
            return self._line(walk), walk.end, went if walk.passed else f"come to {end} again, which is being asked"
        if self._is_undefined(walk):
            return Line.UNDEFINED, walk.end, f"{went}: nothing was written on any way there, so it is undefined"
        found = f"there {self.labels.variable(walk.variable)} is {self._value(walk.value)}"
        return self._line(walk), walk.end, f"{went}: {found}"

    def _line(self, walk: e.Walk) -> Line:
        if not walk.passed and walk.value is not None:
            return Line.FOUND
        return Line.WALK if self.standing.sealed.issuperset(walk.passed) else Line.WALK_OPEN

    def _way(self, passed: Sequence[Block]) -> str:
        start, *others = [self.labels.block(block) for block in passed]
        return f"from {start}{' by way of ' if others else ''}{_listed(others)}"

    def _is_undefined(self, walk: e.Walk) -> bool:
        """Whether the value was made up, where nothing was written: by the look-up, and not by a declaration."""
        if not isinstance(walk.value, Undef) or (walk.end, walk.variable) in self.standing.written:
            return False
        return walk.end in walk.passed or not self.standing.predecessors[walk.end]

    def _at_join(self, event: e.Mark | e.Cycle | e.Agree | e.Visit | e.Inherit) -> Told:
        join = self.labels.block(event.join)
        match event:
            case e.Mark():
                return Line.MARK, event.join, f"mark {join}, a join of {self._joined(event.join)}"
            case e.Cycle():
                return Line.CYCLE, event.join, f"come back to {join}, which is marked"
            case e.Visit():
                return Line.VISIT, event.join, f"come to {join}, a join of {self._joined(event.join)}"
            case e.Agree(variable, _, value):
                told = f"all that lead to {join} agree: {self.labels.variable(variable)} is {self._value(value)}"
                return Line.AGREE, event.join, told
            case e.Inherit(variable, _, value):
                told = f"all that comes to {join} is {self._value(value)}"
                return Line.INHERIT, event.join, told

    def _joined(self, block: Block) -> str:
        """What leads to a join; a single block can, by two edges."""
        return _listed(self._predecessors(block))

    def _component(self, event: e.Component) -> Told:
        entering = dict.fromkeys(value for values in event.entering for value in values)
        line = Line.MORE_ENTER if len(entering) > 1 else Line.ONE_ENTERS if entering else Line.NONE_ENTERS
        joins = _listed([self.labels.block(join) for join in event.joins])
        values = self._different([*entering])
        what = "what comes to" if len(event.joins) == 1 else "what comes from outside to the cycle of"
        return line, event.joins[-1], f"{what} {joins} is {values or 'nothing'}"

    # -------------------------------------------------------------------------------------------------- parameters

    def _value(self, value: Value) -> str:
        """A value that a variable has; with its home, since a parameter is often called as the variable is."""
        if isinstance(value, Undef):
            return "undefined"
        if home := self.labels.home(value):
            return f"the parameter {self.labels.value(value)} of {home}"
        if isinstance(value, (Primitive, Effect)) and self.labels.is_named(value):
            return f"{self.labels.value(value)} ({self.labels.computation(value)})"
        return self.labels.value(value)

    def _different(self, values: Sequence[Value]) -> str:
        """Values, each with its home; with a word on it where they look the same."""
        told = [self._value(value) for value in values]
        apart = ", which are two values, though equal constants" if len(told) > len({*told}) else ""
        return f"{_listed(told)}{apart}"

    def _parameter(self, parameter: Placed) -> str:
        home, variable = self.labels.block(parameter.block), self.labels.variable(parameter.variable)
        return f"the parameter {self.labels.value(parameter)} of {home}, for {variable}"

    def _reason(self, parameter: Placed, before: e.Event | None) -> Line:
        if self.strategy == "basic":
            return Line.PLACE_FIRST
        if self.strategy == "marker":
            return Line.CYCLE if isinstance(before, e.Cycle) else Line.DIFFER
        if self.strategy == "scc":
            return Line.MORE_ENTER if parameter.block in self.standing.entered else Line.INHERIT
        return Line.PLACE

    def _about_parameter(self, event: e.Proxy | e.Complete | e.Keep | e.Remove) -> Told:
        parameter = event.parameter
        name, block = self.labels.value(parameter), parameter.block
        match event:
            case e.Proxy():
                placed = f"place a proxy, {self._parameter(parameter)}"
                return Line.PROXY, block, f"{self.labels.block(block)} is not sealed: {placed}"
            case e.Complete(_, arguments):
                line = Line.COMPLETE_PROXY if parameter in self.standing.proxies else Line.ARGUMENTS
                return line, block, f"{name} gets {self._arguments(block, arguments)}"
            case e.Keep(_, witnesses):
                return Line.KEEP, block, f"{name} receives {self._different(witnesses)}: it stays"
            case e.Remove(_, value, again):
                then = f"; examine {_listed([self.labels.value(each) for each in again])}" if again else ""
                return Line.REMOVE, block, f"{name} is trivial: {self._value(value)} stands for it from now on{then}"

    def _arguments(self, block: Block, arguments: Sequence[Value]) -> str:
        pairs = zip(self.standing.predecessors[block], arguments, strict=True)
        return _listed([f"{self.labels.value(value)} from {self.labels.block(source)}" for source, value in pairs])

    def _afterwards(self, event: e.Unused | e.Redundant) -> Told:
        entry = self.standing.blocks[event.function]
        match event:
            case e.Unused(_, parameters):
                names = _listed([self.labels.value(parameter) for parameter in parameters])
                return Line.UNUSED, entry, f"nothing uses {names}: removed"
            case e.Redundant(_, replaced):
                told = [f"{self.labels.value(each)} is always {self._value(same)}" for each, same in replaced.items()]
                return Line.REDUNDANT, entry, f"{_listed(told)}: removed"


def _is_told_beside(event: e.Event, before: e.Event | None, after: e.Event | None) -> bool:
    """Whether the event before or after says it all."""
    match event:
        case e.Answer():
            return isinstance(before, e.Read)
        case e.Walk(_, (), end, None):
            return _block_of(after) is end
    return False


def _block_of(event: e.Event | None) -> Block | None:
    """Where a look-up goes on."""
    match event:
        case e.Mark(_, join) | e.Cycle(_, join) | e.Visit(_, join):
            return join
        case e.Place(parameter) | e.Proxy(parameter):
            return parameter.block
    return None


def _listed(items: Collection[str], word: str = "and") -> str:
    """``a, b and c``; of many, the first ones."""
    shown = [*items][:_MOST_LISTED]
    if len(items) > len(shown):
        return f"{', '.join(shown)} {word} {len(items) - len(shown)} more"
    *most, last = shown or [""]
    return f"{', '.join(most)} {word} {last}" if most else last
