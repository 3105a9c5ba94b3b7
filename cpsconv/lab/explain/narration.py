"""The narration of a construction: a step for each event that has a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from cpsconv.core.construction import events as e
from cpsconv.core.construction.block import Block, Variable
from cpsconv.core.ir import Function, Program
from cpsconv.core.source import Span
from cpsconv.lab.explain.algorithm_lines import Line, reconstruction_strategy
from cpsconv.lab.explain.cfg_state import CfgState
from cpsconv.lab.explain.collector import OF_FUNCTION, Collected, Omission, variable_of
from cpsconv.lab.explain.labels import Labels
from cpsconv.lab.explain.sentences import Sentences


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

    @property
    def kind(self) -> str:
        """The kind of the event, such as ``place``."""
        return type(self.event).__name__.lower()


@dataclass(frozen=True, slots=True)
class Narration:
    """The construction of a function: its events, the names used in its steps, and the state at the `end`."""

    function: Function
    strategy: str
    events: Sequence[Collected]
    labels: Labels
    end: CfgState

    @property
    def steps(self) -> list[Step]:
        """All steps, in order."""
        return [*self.each_step()]

    @property
    def is_threaded(self) -> bool:
        """Whether jumps were threaded."""
        return any(isinstance(event, e.Redirect) for event in self.events)

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
        before: Collected | None = None
        groups = _with_records(self.events)
        spans = _spans([event for event, _ in groups])
        for (event, records), (after, _), span in zip(groups, [*groups[1:], (None, ())], spans, strict=True):
            if isinstance(event, e.Reconstruct):
                strategy = reconstruction_strategy(self.strategy)
                sentences = Sentences(self.function, self.labels, sentences.state, strategy)
            sentences.state.apply(event)
            if isinstance(event, Omission):
                number += event.steps
                continue
            within = isinstance(event, e.LookUpEvent) and (
                within or isinstance(before, _OUTER) or isinstance(event, e.Resume)
            )
            if (inner or not within) and (found := sentences.sentence(event, records, before, after)):
                lines, block, text = found
                filled, sealed = block in sentences.state.filled, block in sentences.state.sealed
                number += 1
                yield number, Step(event, records, text, lines, block, filled, sealed, variable_of(event), span, within)
            for record in records:
                sentences.state.apply(record)
            before = event

    def steps_about(self, variable: str | None = None) -> Iterator[tuple[int, Step]]:
        """The steps with their numbers, from 1; only those about variables of that name, if one is given."""
        for number, step in self._numbered():
            if variable is None or (step.variable and step.variable.name == variable):
                yield number, step

    def variables(self) -> set[str]:
        """The names of the variables that the steps are about."""
        return {variable.name for event in self.events if (variable := variable_of(event))}


def narrate(program: Program, events: Sequence[Collected], strategy: str) -> list[Narration]:
    """The narration for each function of a program, from the events of its construction."""
    names = program.global_names
    narrations = []
    for function, own in _by_function(events).items():
        end = CfgState()
        for event in own:
            end.apply(event)
        narrations.append(Narration(function, strategy, own, Labels(function, names, own), end))
    return narrations


def _by_function(events: Sequence[Collected]) -> dict[Function, list[Collected]]:
    """The events of each function, in order."""
    found: dict[Function, list[Collected]] = {}
    for event in events:
        if isinstance(event, OF_FUNCTION):
            current = found.setdefault(event.function, [])
        current.append(event)
    return found


_OUTER = (e.Read, e.Seal)


def _with_records(events: Sequence[Collected]) -> list[tuple[Collected, Sequence[e.Record]]]:
    """The events, each with the records that follow it."""
    groups: list[tuple[Collected, Sequence[e.Record]]] = []
    for event in events:
        if isinstance(event, e.Record):
            main, records = groups[-1]
            groups[-1] = main, (*records, event)
        else:
            groups.append((event, ()))
    return groups


def _spans(events: Sequence[Collected]) -> list[Span | None]:
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


def _span(event: Collected) -> Span | None:
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
