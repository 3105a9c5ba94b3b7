"""`switch` and its cases."""

from __future__ import annotations

from dataclasses import dataclass

from cpsconv.construction import Block
from cpsconv.frontends.c import syntax as c
from cpsconv.frontends.c.constants import NotConstantError, integer_constant
from cpsconv.frontends.c.conversions import promoted, type_of
from cpsconv.frontends.c.emission import Emitter
from cpsconv.frontends.c.expressions import Expressions
from cpsconv.frontends.c.prescan import Survey, starts_within
from cpsconv.frontends.c.semantic_errors import POISON, Complaints
from cpsconv.ir import INT, Scalar, Value
from cpsconv.operations.types import is_float, wrap
from cpsconv.source import Span


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
