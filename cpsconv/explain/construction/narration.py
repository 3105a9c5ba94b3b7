"""The construction of a function, told step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from cpsconv.construction import events as e
from cpsconv.construction.block import Block, Variable
from cpsconv.explain.construction.algorithm_lines import Line
from cpsconv.explain.construction.cfg_state import Standing
from cpsconv.explain.construction.labels import Labels
from cpsconv.explain.construction.sentences import Sentences
from cpsconv.ir import Function, Program
from cpsconv.source import Span


@dataclass(frozen=True, slots=True)
class Step:
    """One step: what happened, said in words; and the line of an algorithm that it carries out.

    `block` is the continuation that it is about; `filled` and `sealed` tell how that stands afterwards. `variable` is
    what is read, written or looked up. `span` is what the front end was working on. `within` tells that the step is
    part of a look-up, or of a sealing.
    """

    event: e.Event
    text: str
    line: Line
    block: Block
    filled: bool
    sealed: bool
    variable: Variable | None
    span: Span | None
    within: bool


@dataclass(frozen=True, slots=True)
class Telling:
    """The construction of a function: its steps, what things are called in them, and how it stood in the end.

    `events` are all that was reported of the function, also what no step tells.
    """

    function: Function
    strategy: str
    events: Sequence[e.Event]
    steps: Sequence[Step]
    labels: Labels
    end: Standing

    def about(self, variable: str | None = None) -> list[tuple[int, Step]]:
        """The steps with their numbers, from 1; those about variables of that name, if one is given."""
        steps = enumerate(self.steps, 1)
        return [(number, step) for number, step in steps if variable is None or _is_about(step, variable)]


def _is_about(step: Step, variable: str) -> bool:
    return step.variable is not None and step.variable.name == variable


def tell(program: Program, events: Sequence[e.Event], strategy: str) -> list[Telling]:
    """The construction of each function of a program, of which `events` are all that was reported."""
    names = {function.name for function in program.functions}
    tellings = []
    for function, own in _by_function(events).items():
        labels, standing = Labels(function, names, own), Standing()
        steps = [*_steps(own, Sentences(function, labels, standing, strategy))]
        tellings.append(Telling(function, strategy, own, steps, labels, standing))
    return tellings


def _by_function(events: Sequence[e.Event]) -> dict[Function, list[e.Event]]:
    """The events of each function, in order."""
    found: dict[Function, list[e.Event]] = {}
    for event in events:
        if isinstance(event, (e.Open, e.Unused, e.Redundant)):
            current = found.setdefault(event.function, [])
        current.append(event)
    return found


def _steps(events: Sequence[e.Event], sentences: Sentences) -> Iterator[Step]:
    """All steps, in order."""
    standing = sentences.standing
    within = False
    before: e.Event | None = None
    for span, (event, after) in zip(_spans(events), pairwise([*events, None]), strict=True):
        assert event
        standing.follow(event)
        within = isinstance(event, _INNER) and (within or isinstance(before, (e.Read, e.Seal)))
        if told := sentences.told(event, before, after):
            line, block, text = told
            filled, sealed = block in standing.filled, block in standing.sealed
            yield Step(event, text, line, block, filled, sealed, _variable(event), span, within)
        before = event


_INNER = (
    e.Walk, e.Postpone, e.Proxy, e.Place, e.Mark,
    e.Cycle, e.Agree, e.Visit, e.Component, e.Inherit, e.Complete, e.Keep, e.Remove,
)  # fmt: skip


def _variable(event: e.Event) -> Variable | None:
    match event:
        case (
            e.Postpone(parameter)
            | e.Proxy(parameter)
            | e.Place(parameter)
            | e.Complete(parameter)
            | e.Keep(parameter)
            | e.Remove(parameter)
        ):
            return parameter.variable
    found: Variable | None = getattr(event, "variable", None)
    return found


def _spans(events: Sequence[e.Event]) -> list[Span | None]:
    """For each event what the front end is working on: what was told last, or, of a new block, what is told next."""
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
    """What the front end is working on, where the event tells."""
    match event:
        case e.Read(_, _, span) | e.Write(_, _, _, span) | e.Fill(_, _, span) | e.Simplify(_, _, _, _, span):
            return span
        case e.Open(function) | e.Close(function):
            return function.span
        case e.Enter(block):
            return block.continuation.span
        case e.Compute(_, statement):
            return statement.span
    return None
