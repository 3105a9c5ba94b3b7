"""The collection of the events that are explained: all, or those that concern one variable."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

from cpsconv.core.construction import events as e
from cpsconv.core.construction.block import Block, Placed, Variable
from cpsconv.core.source import DiagnosticError, error
from cpsconv.lab.explain.snapshot import Snapshot

MAX_EVENTS = 500_000
"""The most events that are explained. Inputs of less than 100 kB have more only if look-ups take quadratic time."""

OF_FUNCTION = (e.Open, e.Unused, e.RedundancyCheck, e.Redundant, e.Redirect, e.Reconstruct, Snapshot)
"""The events that name their function. Those between them belong to the same function."""


@dataclass(slots=True)
class Omission:
    """Events of look-ups of other variables, which are not collected: the number of their steps.

    The names of parameters depend on the parameters `placed` and `removed` by these events.
    """

    steps: int = 0
    placed: list[Placed] = field(default_factory=list)
    removed: list[Placed] = field(default_factory=list)

    def add(self, event: Collected, after: e.Event) -> None:
        """Omit `event`; `after` is the one after it."""
        self.steps += not (isinstance(event, e.Walk) and is_covered(event, after))
        match event:
            case e.Place(parameter) | e.Proxy(parameter):
                self.placed.append(parameter)
            case e.Remove(parameter):
                self.removed.append(parameter)


Collected = Union[e.Event, Omission]


class Collector:
    """An observer that collects `events`: of all functions, or of those called `function`.

    If only the steps for a `variable` are wanted, most details of look-ups of other variables are omitted, since their
    number can be quadratic. In a sequence of details, the first and the last one are collected, so that the events
    about the variable keep their neighbours, with an `Omission` between them.

    Raises `DiagnosticError` if more than `MAX_EVENTS` are collected; with a `variable`, those about others are free.
    """

    def __init__(self, function: str | None = None, variable: str | None = None) -> None:
        self.events: list[Collected] = []
        self._count = 0
        self._function = function
        self._variable = variable
        self._is_wanted = True
        self._details = 0  # the details since the last other event, without records

    def __call__(self, event: e.Event) -> None:
        """Collect the event."""
        if isinstance(event, OF_FUNCTION):
            self._is_wanted = self._function in (None, event.function.name)
        if not self._is_wanted:
            return
        if self._variable is None or self._is_about(event):
            self._count += 1
            if self._count > MAX_EVENTS:
                message = f"the construction has more than {MAX_EVENTS:,} steps: too many to explain"
                raise DiagnosticError([error(message, help=self._help(), rule="too-large")])
            self._details = 0
        elif self._omits(event):
            return
        self.events.append(event)

    def _help(self) -> str | None:
        if not self._function:
            return "explain one function: FILE:FUNCTION"
        return None if self._variable else "explain the steps for one variable: --variable NAME"

    def _omits(self, event: e.Event) -> bool:
        """Whether an event about something else is omitted, or replaces the last one, which is then omitted."""
        is_detail = isinstance(event, e.LookUpEvent) and not isinstance(event, e.Postpone)
        if isinstance(event, e.Record):
            return is_detail and self._details > 0
        self._details = self._details + 1 if is_detail else 0
        if self._details < 3:
            return False
        first, last = self.events[-2:]
        if not isinstance(first, Omission):
            if isinstance(first, e.Walk) and first.value is None:  # the event after it may cover its sentence
                return False
            first = Omission()
            self.events.insert(-1, first)
        first.add(last, event)
        self.events[-1] = event
        return True

    def _is_about(self, event: e.Event) -> bool:
        """Whether the event is about the variable."""
        variable = variable_of(event)
        return variable is not None and variable.name == self._variable


def variable_of(event: Collected) -> Variable | None:
    """The variable that an event is about, if it is about one."""
    parameter: Placed | None = getattr(event, "parameter", None)
    variable: Variable | None = parameter.variable if parameter else getattr(event, "variable", None)
    return variable


def is_covered(walk: e.Walk, after: Collected | None) -> bool:
    """Whether the sentence of the event after `walk` covers it."""
    return not walk.passed and walk.value is None and continues_in(after) is walk.end


def continues_in(event: Collected | None) -> Block | None:
    """The block in which a look-up continues with `event`."""
    match event:
        case e.Mark(_, join) | e.Cycle(_, join) | e.Visit(_, join):
            return join
        case e.Place(parameter) | e.Proxy(parameter):
            return parameter.block
        case e.Walk(_, (block, *_)):
            return block
    return None
