"""The narration of a construction: a step for each event that has a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import get_args

from cpsconv.core.construction import events as e
from cpsconv.core.construction.block import Block, Placed, Variable
from cpsconv.core.ir import Function, Program
from cpsconv.core.source import DiagnosticError, Span, error
from cpsconv.lab.explain.algorithm_lines import Line
from cpsconv.lab.explain.algorithm_sentences import is_covered
from cpsconv.lab.explain.cfg_state import CfgState
from cpsconv.lab.explain.labels import Labels
from cpsconv.lab.explain.sentences import Sentences

MAX_EVENTS = 500_000
"""The most events that are explained. Inputs of less than 100 kB have more only if look-ups take quadratic time."""

_OF_FUNCTION = (e.Open, e.Unused, e.RedundancyCheck, e.Redundant, e.Redirect, e.Reconstruct)
"""The events that name their function. Those between them belong to the same function."""


_DETAILS = tuple({*get_args(e.LookUpEvent)} - {e.Proxy, e.Postpone, e.Place, e.Resume, e.Remove})
"""The events of look-ups on which no name depends. Their number can be quadratic."""


class Collector:
    """An observer that collects `events`: of all functions, or of those called `function`.

    If only the steps for a `variable` are wanted, most details of look-ups of other variables are omitted. `omitted`
    has the number of steps that follow a collected event, by its ``id``. In a sequence of details, the first and the
    last one are collected, so that the events about the variable keep their neighbours.

    Raises `DiagnosticError` if more than `MAX_EVENTS` are collected.
    """

    def __init__(self, function: str | None = None, variable: str | None = None) -> None:
        self.events: list[e.Event] = []
        self.omitted: Counter[int] = Counter()
        self._function = function
        self._variable = variable
        self._is_wanted = True
        self._is_detailed = False  # whether the last event that is not a record is a detail

    def __call__(self, event: e.Event) -> None:
        """Collect the event."""
        if isinstance(event, _OF_FUNCTION):
            self._is_wanted = self._function in (None, event.function.name)
        if self._is_wanted and not (self._variable is not None and self._replaces(event)):
            self.events.append(event)
            if len(self.events) > MAX_EVENTS:
                message = f"the construction has more than {MAX_EVENTS:,} steps: too many to explain"
                raise DiagnosticError([error(message, help=self._help(), rule="too-large")])

    def _help(self) -> str | None:
        if not self._function:
            return "explain one function: FILE:FUNCTION"
        return None if self._variable else "explain the steps for one variable: --variable NAME"

    def _replaces(self, event: e.Event) -> bool:
        """Whether the event is omitted, or replaces the last one, which is then omitted."""
        is_detail = self._is_detail(event)
        if isinstance(event, e.Record):
            return is_detail and self._is_detailed
        self._is_detailed = is_detail
        if not is_detail or len(self.events) < 2:
            return False
        first, last = self.events[-2:]
        if isinstance(first, e.Walk) and first.value is None:  # the event after it may cover its sentence
            return False
        if not all(self._is_detail(each) and not isinstance(each, e.Record) for each in (first, last)):
            return False
        self.omitted[id(first)] += not (isinstance(last, e.Walk) and is_covered(last, event))
        self.events[-1] = event
        return True

    def _is_detail(self, event: e.Event) -> bool:
        """Whether the event is a detail of a look-up of another variable."""
        if not isinstance(event, _DETAILS):
            return False
        variable = _variable(event)
        return variable is not None and variable.name != self._variable


@dataclass(frozen=True, slots=True)
class Step:
    """One step: the event, a sentence about it, and the algorithm lines that it carries out, the main one first.

    `records` are the definitions that a look-up records with the step; the sentence and the lines include them. `lines`
    is empty for a strategy without a listing. `block` is the continuation that the step is about; `filled` and
    `sealed` are its state afterwards. `variable` is the variable that is read, written or looked up, `span` the part of
    the source that the front end is converting. A step is `within` a look-up or the sealing of a continuation.
    """

    event: e.Event
    records: Sequence[e.Record]
    text: str
    lines: Sequence[Line]
    block: Block
    filled: bool
    sealed: bool
    variable: Variable | None
    span: Span | None
    within: bool


@dataclass(frozen=True, slots=True)
class Narration:
    """The construction of a function: its events, the names used in its steps, and the state at the `end`.

    `omitted` has the number of steps without an event here that follow an event, by its ``id``.
    """

    function: Function
    strategy: str
    events: Sequence[e.Event]
    labels: Labels
    end: CfgState
    omitted: Mapping[int, int] = field(default_factory=dict)

    @property
    def steps(self) -> list[Step]:
        """All steps, in order."""
        return [*self.each_step()]

    def each_step(self, *, inner: bool = True) -> Iterator[Step]:
        """The steps, one at a time, for a construction of many: one for each event that has a sentence.

        Without the `inner` ones, those within a look-up or the sealing of a continuation are omitted.
        """
        return (step for _, step in self._numbered(inner=inner))

    def _numbered(self, *, inner: bool = True) -> Iterator[tuple[int, Step]]:
        """The steps with their numbers, from 1."""
        sentences = Sentences(self.function, self.labels, CfgState(), self.strategy)
        within = False
        number = 0
        before: e.Event | None = None
        groups = _with_records(self.events)
        spans = _spans([event for event, _ in groups])
        for (event, records), (after, _), span in zip(groups, [*groups[1:], (None, ())], spans, strict=True):
            sentences.state.apply(event)
            within = isinstance(event, _INNER) and (within or isinstance(before, _OUTER) or isinstance(event, e.Resume))
            if (inner or not within) and (found := sentences.sentence(event, records, before, after)):
                lines, block, text = found
                filled, sealed = block in sentences.state.filled, block in sentences.state.sealed
                number += 1
                yield number, Step(event, records, text, lines, block, filled, sealed, _variable(event), span, within)
            for record in records:
                sentences.state.apply(record)
            before = event
            number += self.omitted.get(id(event), 0)

    def steps_about(self, variable: str | None = None) -> Iterator[tuple[int, Step]]:
        """The steps with their numbers, from 1; only those about variables of that name, if one is given."""
        for number, step in self._numbered():
            if variable is None or (step.variable and step.variable.name == variable):
                yield number, step

    def variables(self) -> set[str]:
        """The names of the variables that the steps are about."""
        return {variable.name for event in self.events if (variable := _variable(event))}


def narrate(
    program: Program, events: Sequence[e.Event], strategy: str, omitted: Mapping[int, int] | None = None
) -> list[Narration]:
    """The narration for each function of a program, from the events of its construction, and the `omitted` steps."""
    names = program.global_names
    narrations = []
    for function, own in _by_function(events).items():
        end = CfgState()
        for event in own:
            end.apply(event)
        narrations.append(Narration(function, strategy, own, Labels(function, names, own), end, omitted or {}))
    return narrations


def _by_function(events: Sequence[e.Event]) -> dict[Function, list[e.Event]]:
    """The events of each function, in order."""
    found: dict[Function, list[e.Event]] = {}
    for event in events:
        if isinstance(event, _OF_FUNCTION):
            current = found.setdefault(event.function, [])
        current.append(event)
    return found


_OUTER = (e.Read, e.Seal)
_INNER = get_args(e.LookUpEvent)


def _with_records(events: Sequence[e.Event]) -> list[tuple[e.Event, Sequence[e.Record]]]:
    """The events, each with the records that follow it."""
    groups: list[tuple[e.Event, Sequence[e.Record]]] = []
    for event in events:
        if isinstance(event, e.Record):
            main, records = groups[-1]
            groups[-1] = main, (*records, event)
        else:
            groups.append((event, ()))
    return groups


def _variable(event: e.Event) -> Variable | None:
    parameter: Placed | None = getattr(event, "parameter", None)
    variable: Variable | None = parameter.variable if parameter else getattr(event, "variable", None)
    return variable


def _spans(events: Sequence[e.Event]) -> list[Span | None]:
    """The span that the front end is converting at each event: the last one reported; for a new block, the next one."""
    spans = [_span(event) for event in events]
    following: Span | None = None
    for index in reversed(range(len(events))):
        following = spans[index] or following
        if isinstance(events[index], e.Create):
            spans[index] = following
    for index in range(1, len(events)):
        spans[index] = spans[index] or spans[index - 1]
    return spans


def _span(event: e.Event) -> Span | None:
    """The span that the event reports, if it reports one."""
    match event:
        case e.Read(_, _, span) | e.Write(_, _, _, span) | e.Fill(_, _, span) | e.Simplify(_, _, _, _, span):
            return span
        case e.Redirect(_, _, _, _, _, span) | e.Replace(_, _, _, _, span):
            return span
        case e.Open(function) | e.Close(function):
            return function.span
        case e.Enter(block):
            return block.continuation.span
        case e.Compute(_, statement):
            return statement.span
    return None
