"""Sentences for the events of a construction; an event that the sentence of a neighbouring event covers has none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from cpsconv.construction import events as e
from cpsconv.construction.block import Block, Placed, Variable
from cpsconv.construction.events import Ending
from cpsconv.explain.algorithm_lines import STRATEGY_LINES, Line
from cpsconv.explain.cfg_state import CfgState
from cpsconv.explain.labels import Labels
from cpsconv.explain.reconstruction_sentences import reconstruction_clause
from cpsconv.ir import ABORT, Branch, Call, Continuation, Effect, Function, Primitive, Switch, Undef, Value

T = TypeVar("T")

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
        if _is_covered(event, before, after):
            return None
        found = (
            reconstruction_clause(event, self.labels, self.state, self._value)
            or self._by_front_end(event, after)
            or self._in_look_up(event, before)
            or self._about_parameter(event)
        )
        return found if not found or self.strategy in STRATEGY_LINES else (None, *found[1:])

    # ------------------------------------------------------------------------------------ requests of the front end

    def _by_front_end(self, event: e.Event, after: e.Event | None) -> _Clause | None:
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
            case e.Read(variable, block):
                return self._read(variable, block, after)
            case e.Write(variable, block, value):
                return Line.WRITE, block, self._write(variable, value)
            case e.Answer(variable, block, value):
                return Line.ASK, block, f"so {self.labels.variable(variable)} in {block_of(block)} is {value_of(value)}"
            case e.Seal(block):
                return Line.SEAL, block, f"seal {block_of(block)}: {self._predecessor_clause(block)}"
            case e.Unreachable(block):
                known = self.state.blocks[block.continuation]
                return Line.UNREACHABLE, known, f"{block_of(block)} is unreachable: dropped"
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
        value = self.labels.value
        targets = dict.fromkeys(target for target, _ in ending.edges)
        ((first, arguments), *_) = ending.edges
        if ending.kind is Call:
            (callee,) = ending.fixed
            assert isinstance(callee, Function)
            return f"call {self.labels.application(callee, ending.operands)} and continue in {value(first)}"
        if ending.kind in (Branch, Switch):
            return f"{ending.kind.__name__.lower()} on {value(ending.operands[0])} to {_listed(targets, value, 'or')}"
        if isinstance(first, Continuation) and first in self.state.blocks:
            return f"jump to {value(first)}"
        return f"call {self.labels.application(first, arguments)}"

    def _predecessor_clause(self, block: Block) -> str:
        count = len({*self.state.predecessors[block]})
        if not count:
            return "it has no predecessors"
        verb = "its only predecessor is" if count == 1 else "its predecessors are"
        return f"{verb} {self._predecessors(block)}"

    def _predecessors(self, block: Block) -> str:
        """The names of the predecessors, without repetition: two edges may start in the same block."""
        return _listed(dict.fromkeys(self.state.predecessors[block]), self.labels.block)

    def _counts(self) -> str:
        placed, removed = self.state.placed, self.state.removed
        parameters = "parameter was" if placed == 1 else "parameters were"
        return f"the construction is complete: {placed} {parameters} placed, {removed} of them removed"

    # ---------------------------------------------------------------------------------------------------- look-ups

    def _in_look_up(self, event: e.Event, before: e.Event | None) -> _Clause | None:
        block_of, predecessors_of = self.labels.block, self._predecessors
        match event:
            case e.Walk():
                return self._walk(event)
            case e.Postpone(parameter):
                postponed = f"{self.labels.value(parameter)} denotes the result until the graph is complete"
                return Line.ASK, parameter.block, f"postpone the look-up in {block_of(parameter.block)}: {postponed}"
            case e.Place(parameter):
                return self._placing_line(parameter, before), parameter.block, f"place {self._parameter(parameter)}"
            case e.Mark(_, join):
                return Line.MARK, join, f"mark {block_of(join)}, a join of {predecessors_of(join)}"
            case e.Cycle(_, join):
                return Line.CYCLE, join, f"reach {block_of(join)} again, which is marked"
            case e.Visit(_, join):
                return Line.VISIT, join, f"visit {block_of(join)}, a join of {predecessors_of(join)}"
            case e.Agree(variable, join, value):
                agreed = f"{self.labels.variable(variable)} is {self._value(value)}"
                return Line.AGREE, join, f"all predecessors of {block_of(join)} agree: {agreed}"
            case e.Inherit(variable, join, value):
                return Line.INHERIT, join, f"only {self._value(value)} reaches {block_of(join)}"
            case e.Component():
                return self._component(event)
        return None

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
        name = self.labels.block
        return f"from {name(passed[0])}{' via ' if len(passed) > 1 else ''}{_listed(passed[1:], name)}"

    def _is_undefined(self, walk: e.Walk) -> bool:
        """Whether the look-up, not a declaration, created the undefined value, since nothing is written there."""
        if not isinstance(walk.value, Undef) or (walk.end, walk.variable) in self.state.written:
            return False
        return walk.end in walk.passed or not self.state.predecessors[walk.end]

    def _component(self, event: e.Component) -> _Clause:
        entering = [*dict.fromkeys(value for values in event.entering for value in values)]
        line = Line.MORE_ENTER if len(entering) > 1 else Line.ONE_ENTERS if entering else Line.NONE_ENTERS
        reached = _listed(event.joins, self.labels.block)
        if len(event.joins) > 1:
            reached = f"the cycle of {reached} from outside"
        if len(entering) == 1:
            return line, event.joins[-1], f"only {self._value(entering[0])} reaches {reached}"
        values = f"{self._distinct(entering)} reach" if entering else "no value reaches"
        return line, event.joins[-1], f"{values} {reached}"

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
        shown = [self._value(value) for value in values[:_MAX_LISTED]]
        remark = " (different values, though equal constants)" if len(shown) > len({*shown}) else ""
        return f"{_listed(values, self._value)}{remark}"

    def _parameter(self, parameter: Placed) -> str:
        home, variable = self.labels.block(parameter.block), self.labels.variable(parameter.variable)
        return f"the parameter {self.labels.value(parameter)} of {home}, for {variable}"

    def _placing_line(self, parameter: Placed, before: e.Event | None) -> Line:
        if self.strategy == "marker":
            return Line.CYCLE if isinstance(before, e.Cycle) else Line.DIFFER
        if self.strategy == "scc":
            return Line.MORE_ENTER if parameter.block in self.state.entered else Line.INHERIT
        return Line.PLACE_FIRST

    def _about_parameter(self, event: e.Event) -> _Clause | None:
        name_of = self.labels.value
        match event:
            case e.Proxy(parameter):
                block = parameter.block
                placed = f"place a proxy, {self._parameter(parameter)}"
                return Line.PROXY, block, f"{self.labels.block(block)} is not sealed: {placed}"
            case e.Complete(parameter, arguments):
                line = Line.COMPLETE_PROXY if parameter in self.state.proxies else Line.ARGUMENTS
                given = self._arguments(parameter.block, arguments)
                return line, parameter.block, f"{name_of(parameter)} gets {given}"
            case e.Keep(parameter, witnesses):
                return Line.KEEP, parameter.block, f"{name_of(parameter)} receives {self._distinct(witnesses)}: kept"
            case e.Remove(parameter, value, again):
                replaced = f"{name_of(parameter)} is trivial: replaced by {self._value(value)}"
                then = f"; re-examine {_listed(again, name_of)}" if again else ""
                return Line.REMOVE, parameter.block, replaced + then
            case e.Unused(function, parameters):
                verb = "is" if len(parameters) == 1 else "are"
                entry = self.state.blocks[function]
                return Line.UNUSED, entry, f"{_listed(parameters, name_of)} {verb} not used: removed"
            case e.Redundant(function, pairs):
                entry = self.state.blocks[function]
                return Line.REDUNDANT, entry, f"{_listed(pairs.items(), self._always)}: removed"
        return None

    def _arguments(self, block: Block, arguments: Sequence[Value]) -> str:
        def passed(pair: tuple[Value, Block]) -> str:
            return f"{self.labels.value(pair[0])} from {self.labels.block(pair[1])}"

        return _listed(zip(arguments, self.state.predecessors[block], strict=True), passed)

    def _always(self, replaced: tuple[Value, Value]) -> str:
        return f"{self.labels.value(replaced[0])} is always {self._value(replaced[1])}"


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


def _listed(items: Iterable[T], shown: Callable[[T], str] = str, word: str = "and") -> str:
    """``a, b and c``; at most `_MAX_LISTED` of the items, and the number of the others."""
    rest = iter(items)
    texts = [shown(item) for item in islice(rest, _MAX_LISTED)]
    if more := sum(1 for _ in rest):
        return f"{', '.join(texts)} {word} {more} more"
    *most, last = texts or [""]
    return f"{', '.join(most)} {word} {last}" if most else last
