"""Warnings about variables that are used before they are assigned.

In the finished program, the value of such a variable is an `Undef`: either an operand, or an argument that may reach an
operand via any number of parameters. Uses are operands of statements, branches and switches, arguments of functions and
returned values. An argument to a continuation of the same function is not a use, because many variables are passed
around a loop and written before they are read.

A variable *is* used uninitialised if no path of the graph assigns to it before the first execution of the use. It *may
be* used uninitialised if one path assigns to it and another path does not. This is exact for the graph: from each
definition of a parameter, some path leads to each of its uses without defining it again. Which paths the program takes
is undecidable; a use to which only paths lead that `cpsconv.core.analysis.feasible` excludes has no warning. A copy
does not initialise: if `y = x` copies an uninitialised variable and `y` is used, the warning is about `x`. The copy of
an object to memory uses its parts only if none of them is assigned.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice

from cpsconv.core.analysis.flow import parameter_edges
from cpsconv.core.analysis.graph import depth_first, is_local
from cpsconv.core.analysis.outcomes import CommonOutcomes, Outcome, outcome_of
from cpsconv.core.ir import Continuation, Edge, Function, Parameter, Undef, Value
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.runtime_errors import is_misfit, use_of
from cpsconv.core.operations.table import LOAD_OR, STORE
from cpsconv.core.source import Diagnostic, Span, warning

MAX_OUTCOMES = 3
"""The maximal number of outcomes that a warning shows before the first undefined argument, and after it."""

Notes = list[tuple[str, "Span | None"]]


class Use(metaclass=NodeType):
    """A use of a value in a continuation; the value is, or may be, that of an uninitialised variable."""

    member: Continuation
    value: Value
    undef: Undef
    span: Span | None

    @property
    def cause(self) -> tuple[str, int | None]:
        """The variable, by its name and the place of its declaration; in CPS text, where it has none, by its name."""
        declared, use = self.undef.span, self.span
        if declared is None or (use and use.start <= declared.start and declared.end <= use.end):
            return self.undef.name, None
        return self.undef.name, declared.start

    @property
    def order(self) -> tuple[int, bool]:
        """The place in the source; there, a value that may be assigned precedes one that is not."""
        return self.span.start if self.span else 0, isinstance(self.value, Undef)


def uninitialised_uses(function: Function) -> list[Diagnostic]:
    """A warning for each variable that is or may be used uninitialised, at the first such use in the source.

    Its notes are the declaration and, if another path assigns to the variable, a path that does not.
    """
    paths = UndefPaths(function)
    first: dict[tuple[str, int | None], Use] = {}
    for use in undefined_uses(function, paths):
        other = first.setdefault(use.cause, use)
        if use.order < other.order:
            first[use.cause] = use
    return [_warning(use, _path(paths, use)) for use in first.values()]


def undefined_uses(function: Function, paths: UndefPaths) -> list[Use]:
    """The uses of undefined values to which a feasible path leads; all, if there are too many paths."""
    uses = [*_uses(function, paths)]
    if not uses:
        return []
    from cpsconv.core.analysis.feasible import TooManySteps, undefined_positions  # late: few functions have such uses

    try:
        reached = undefined_positions(function, {use.member: None for use in uses})
    except TooManySteps:
        return [*_with_copies(uses)]
    feasible = [use for use in uses if (use.member, None if use.value is use.undef else use.value) in reached]
    return [*_with_copies(feasible)]


def _with_copies(uses: list[Use]) -> Iterator[Use]:
    """The uses; for those of the parts of an object that a statement stores, one of the object if all are undefined."""
    undefined = {(use.member, use.value) for use in uses}
    stored: dict[tuple[Continuation, Span | None], list[Value]] = defaultdict(list)
    for member in dict.fromkeys(use.member for use in uses):
        for statement in member.body:
            if statement.op == STORE:
                stored[member, statement.span].append(statement.operands[0])
    for use in uses:
        parts = stored.get((use.member, use.span), ())
        whole = _whole(use.undef)
        if whole is use.undef or len(parts) < 2 or use.value not in parts:
            yield use
        elif all((use.member, part) in undefined for part in parts):
            yield Use(use.member, use.value, whole, use.span)


def _uses(function: Function, paths: UndefPaths) -> Iterator[Use]:
    """The uses of values that are undefined on a path of the graph."""
    for member in function.members():
        for value, span in _used(member):
            step = paths.steps.get(value)
            undef = step.undef if step else value
            # The front end reports missing results, and arguments that are missing or do not fit.
            if isinstance(undef, Undef) and not is_misfit(undef) and not (span and undef.span is span):
                yield Use(member, value, undef, span)


def _used(member: Continuation) -> Iterator[tuple[Value, Span | None]]:
    """The values that the continuation uses, with their spans, except for arguments within the function."""
    for statement in member.body:
        operands = statement.operands[:1] if statement.op == LOAD_OR else statement.operands
        yield from ((operand, statement.span) for operand in operands)
    if member.transfer:
        yield from ((operand, member.transfer.span) for operand in member.transfer.operands)
        for edge in member.transfer.edges:
            if not is_local(edge.target):
                yield from ((argument, member.transfer.span) for argument in edge.arguments)


def _warning(found: Use, path: Notes) -> Diagnostic:
    undef, use = found.undef, found.span
    certainty, rule = ("may be", "maybe-uninitialized") if path else ("is", "uninitialized")
    elsewhere = use and undef.span and (undef.span.start, undef.span.end) != (use.start, use.end)
    message, note = use_of(undef, certainty)
    notes: Notes = [*([(note, undef.span)] if elsewhere else []), *path]
    return warning(message, use or undef.span, notes=notes, rule=rule)


def _path(paths: UndefPaths, use: Use) -> Notes:
    """The path to a use of a parameter to which other paths pass a value, as notes.

    They state the last outcomes before the first undefined argument, then the last ones before the use.
    """
    last = paths.steps.get(use.value)
    if last is None or not paths.is_assigned_before(use):
        return []
    name = last.undef.name
    notes: Notes = []
    for outcomes in paths.before(last.first or last), paths.after(last, use.member):
        notes += _notes(outcomes, "and then" if notes else f"on a path without an assignment to `{name}`,")
    return notes or [(f"on a path to this use, nothing is assigned to `{name}`", None)]


def _notes(outcomes: Iterator[Outcome], lead: str) -> Notes:
    """Notes on the last outcomes, in order. The iterator `outcomes` has all of them backwards."""
    last = list(islice(outcomes, MAX_OUTCOMES))
    if next(outcomes, None):
        lead = f"{lead.rstrip(',')}, after other decisions,"
    notes: Notes = []
    for outcome in reversed(last):
        notes.append((f"{lead} {outcome}", outcome.span))
        lead = "and then"
    return notes


class UndefStep(metaclass=NodeType):
    """An edge on which `sender` passes `undef`, or a parameter that may have this value, to a parameter.

    `since` is the continuation of the passed parameter, `first` the first step of the path, and `earlier` the nearest
    step before this one with a branch or switch outcome, or the first step. The first step has none of these.
    """

    undef: Undef
    sender: Continuation
    edge: Edge
    since: Continuation | None = None
    earlier: UndefStep | None = None
    first: UndefStep | None = None

    @property
    def home(self) -> Continuation:
        """The continuation of the receiving parameter."""
        assert isinstance(self.edge.target, Continuation)
        return self.edge.target


class UndefPaths:
    """A shortest path to each parameter that may be undefined: `steps` has the last step of each.

    The time is proportional to the size of the function, up to a logarithmic factor for dominance.
    """

    def __init__(self, function: Function) -> None:
        self._receivers = _receivers(function)
        undefined = [value for value in self._receivers if isinstance(value, Undef)]
        self.steps: dict[Value, UndefStep] = {}
        if undefined:
            self._outcomes = CommonOutcomes(function)
            self._edges = parameter_edges(function)
            self._follow(undefined)

    def is_assigned_before(self, use: Use) -> bool:
        """Whether some path to the first execution of the use assigns to the variable."""
        tree = self._outcomes.tree

        def passed(value: Value) -> list[Value]:
            index, edges = self._edges.get(value, (0, []))  # type: ignore[arg-type]
            return [edge.arguments[index] for sender, edge in edges if not tree.dominates(use.member, sender)]

        values = depth_first([use.value], passed)
        return any(not isinstance(value, Undef) and value not in self._edges for value, _ in values)

    def before(self, first: UndefStep) -> Iterator[Outcome]:
        """The outcomes common to all paths to a first step, and its own, backwards to the declaration."""
        declared = first.undef.span
        for index, found in enumerate(self._outcomes_on(first)):
            if index and found.span and declared and found.span.start < declared.start:
                return
            yield found

    def after(self, last: UndefStep, use: Continuation) -> Iterator[Outcome]:
        """The outcomes between the first step and a use in `use` of the parameter of `last`, backwards."""
        yield from self._outcomes.backwards(last.home, use)
        while last.earlier:
            yield from self._outcomes_on(last)
            last = last.earlier

    def _outcomes_on(self, step: UndefStep) -> Iterator[Outcome]:
        """The outcome of the step, and those before it back to the start of the continuation `since`."""
        final = outcome_of(step.sender, step.edge)
        if final:
            yield final
        yield from self._outcomes.backwards(step.since or self._outcomes.tree.root, step.sender)

    def _follow(self, undefined: list[Undef]) -> None:
        """Find the steps by a breadth-first search."""
        pending: list[tuple[Value, Undef]] = [(undef, undef) for undef in undefined]
        for source, undef in pending:  # appended to during iteration
            before = self.steps.get(source)
            for sender, edge, receiver in self._receivers[source]:
                if receiver not in self.steps:
                    self.steps[receiver] = self._step(undef, sender, edge, before)
                    pending.append((receiver, undef))

    def _step(self, undef: Undef, sender: Continuation, edge: Edge, before: UndefStep | None) -> UndefStep:
        if before is None:
            return UndefStep(undef, sender, edge)
        decides = before.earlier is None or any(self._outcomes_on(before))
        return UndefStep(
            undef, sender, edge, before.home, before if decides else before.earlier, before.first or before
        )


_Receivers = dict[Value, "list[tuple[Continuation, Edge, Parameter]]"]
"""For each value the parameters to which it is passed, each with the passing continuation and the edge."""


def _receivers(function: Function) -> _Receivers:
    receivers: _Receivers = defaultdict(list)
    for member in function.members():
        for edge in member.transfer.edges if member.transfer else ():
            if is_local(edge.target):
                for parameter, argument in zip(edge.target.parameters, edge.arguments, strict=False):
                    receivers[argument].append((member, edge, parameter))
    return receivers


def _whole(undef: Undef) -> Undef:
    """The object, if the value is that of a part: `p` for ``p.x``, `a` for ``a[0]``."""
    name = re.split(r"(?<=.)[.\[]", undef.name, maxsplit=1)[0]
    return undef if name == undef.name or undef.name.endswith(")") else Undef(undef.type, name, undef.span)
