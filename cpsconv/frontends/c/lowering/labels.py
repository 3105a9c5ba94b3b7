"""Labels and `goto`."""

from __future__ import annotations

from dataclasses import dataclass

from cpsconv.construction import Block
from cpsconv.frontends.c.diagnostics import POISON, Complaints
from cpsconv.frontends.c.emission import Emitter
from cpsconv.frontends.c.lowering.expressions import Expressions
from cpsconv.frontends.c.lowering.prescan import Survey, starts_within
from cpsconv.frontends.c.meaning.constants import NotConstantError, integer_constant
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.types import promoted, type_of
from cpsconv.ir import ABORT, INT, Scalar, Value
from cpsconv.operations.types import is_float, wrap
from cpsconv.source import Span


@dataclass(eq=False, slots=True)
class _Place:
    """The continuation that a label stands for; `arrivals` ways to it are still to come."""

    block: Block
    arrivals: int


class Labels:
    """The labels of one function. A label that nothing jumps to needs no continuation."""

    def __init__(self, emit: Emitter, complaints: Complaints, survey: Survey) -> None:
        self._emit = emit
        self._complaints = complaints
        self._survey = survey
        self._places: dict[str, _Place] = {}
        self._check()

    def jump(self, node: c.Goto) -> None:
        """Lower a `goto`. Control does not go on after it, even if its label is missing."""
        place = self._place(node.name)
        if place:
            self._emit.jump(place.block, node.span)
            self._arrive(place)
        else:
            self._emit.leave(ABORT, span=node.span)

    def enter(self, node: c.Label) -> None:
        """Go on at a label, from the statement before it or by a `goto`."""
        if self._survey.labels[node.name] is not node or not self._survey.gotos[node.name]:
            return
        place = self._place(node.name)
        assert place
        self._emit.jump(place.block)
        self._arrive(place)
        self._emit.enter(place.block, expected=place.arrivals > 0)

    def _place(self, name: str) -> _Place | None:
        """What the label stands for; None if there is no such label."""
        label = self._survey.labels.get(name)
        if label and name not in self._places:
            arrivals = self._survey.gotos[name] + 1  # the statement before it comes there, too
            self._places[name] = _Place(self._emit.continuation(name, span=label.span), arrivals)
        return self._places.get(name)

    def _arrive(self, place: _Place) -> None:
        place.arrivals -= 1
        if place.arrivals == 0:
            self._emit.seal(place.block)

    def _check(self) -> None:
        survey = self._survey
        for label in survey.repeated:
            note = ("it first stands here", _name_span(survey.labels[label.name]))
            message = f"the label `{label.name}` stands twice in this function"
            self._complaints.error(message, _name_span(label), note=note)
        for name, jump in survey.jumps.items():
            if name not in survey.labels:
                help = self._complaints.near(name, survey.labels)
                self._complaints.error(f"there is no label `{name}` in this function", jump.name_span, help=help)
        for name, label in survey.labels.items():
            if name not in survey.jumps:
                self._complaints.warning(f"the label `{name}` is never used", _name_span(label))


def _name_span(label: c.Label) -> Span:
    return Span(label.span.source, label.span.start, label.span.start + len(label.name))


@dataclass(eq=False, slots=True)
class _Targets:
    """Where a `switch` leads: the continuation for each number, and that for all others if `default` is given."""

    numbered: dict[int, tuple[Block, c.Case]]
    default: tuple[Block, c.Case] | None = None


class Switches:
    """The `switch` statements of one function that lowering is in, innermost last."""

    def __init__(self, emit: Emitter, expressions: Expressions, complaints: Complaints, survey: Survey) -> None:
        self._emit = emit
        self._expressions = expressions
        self._complaints = complaints
        self._survey = survey
        self._blocks: dict[c.Case, Block] = {}
        self._case_starts: list[list[int]] = []

    def begin(self, node: c.Switch) -> Block:
        """Lower the transfer to the cases; gives the continuation to leave to."""
        value = self._expressions.data(self._expressions.value(node.value), node.value)
        value = self._integer(value, node)
        cases = self._survey.cases[node]
        targets = self._targets(cases, type_of(value))
        exit = self._emit.continuation("exit", span=node.span)
        numbered = [(number, block) for number, (block, _) in targets.numbered.items()]
        self._emit.switch(value, numbered, targets.default[0] if targets.default else exit, node.value.span)
        self._case_starts.append([case.span.start for case in cases])
        return exit

    def end(self) -> None:
        """Leave the innermost `switch`."""
        self._case_starts.pop()

    def has_case_within(self, span: Span) -> bool:
        """Whether the statement with that span, in the innermost `switch`, holds one of its cases."""
        return bool(self._case_starts) and starts_within(self._case_starts[-1], span)

    def enter_case(self, node: c.Case) -> None:
        """Go on at a case, from the statement before it or by its `switch`."""
        block = self._blocks.get(node)
        if block is None:
            label = "default" if node.value is None else "case"
            self._complaints.error(f"`{label}` stands outside of a `switch`", _label_span(node))
        elif node not in self._survey.follows:
            self._emit.jump(block)
            self._emit.open(block)

    def _integer(self, value: Value, node: c.Switch) -> Value:
        """The value, promoted."""
        if value is not POISON and is_float(value.type):
            value = self._complaints.error(f"a `switch` needs an integer, not `{value.type}`", node.value.span)
        type = INT if value is POISON else promoted(type_of(value))
        return self._expressions.convert(type, value, node.value.span)

    def _targets(self, cases: list[c.Case], type: Scalar) -> _Targets:
        """A continuation for each case. Cases that follow each other directly share one."""
        targets = _Targets({})
        for case in cases:
            number = self._number(case, type)
            before = self._survey.follows.get(case)
            shared = self._blocks[before] if before else None
            self._blocks[case] = shared or self._emit.continuation(_name(case, number), span=case.span)
            self._add(targets, case, number)
        return targets

    def _number(self, case: c.Case, type: Scalar) -> int | None:
        """The number of the case, converted to the type of the `switch`; None for `default` or if it is wrong."""
        if case.value is None:
            return None
        try:
            constant = integer_constant(case.value, self._expressions.size_of)
        except NotConstantError as fault:
            self._complaints.error(f"the value of a `case` {fault.message}", fault.span)
            return None
        return wrap(type, int(constant.value)) if constant else None

    def _add(self, targets: _Targets, case: c.Case, number: int | None) -> None:
        target = (self._blocks[case], case)
        if case.value is None:
            first = targets.default or target
            targets.default = first
        else:
            first = target if number is None else targets.numbered.setdefault(number, target)
        if first is not target:
            which = "`default`" if number is None else f"`case {number}`"
            note = ("it first stands here", _label_span(first[1]))
            self._complaints.error(f"{which} stands twice in the same `switch`", _label_span(case), note=note)


def _name(case: c.Case, number: int | None) -> str:
    if number is None:
        return "default" if case.value is None else "case"
    return f"case_{number}" if number >= 0 else f"case_minus_{-number}"


def _label_span(case: c.Case) -> Span:
    """The part of the case before its statement: ``default``, or ``case`` with its value."""
    if case.value is not None:
        return case.span.to(case.value.span)
    return Span(case.span.source, case.span.start, case.span.start + len("default"))
