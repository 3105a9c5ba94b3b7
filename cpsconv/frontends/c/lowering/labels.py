"""Labelled statements (C17 6.8.1): the targets of `goto`, and the cases of `switch`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cpsconv.construction import Block
from cpsconv.frontends.c.diagnostics import POISON, Errors
from cpsconv.frontends.c.lowering.emission import Emitter
from cpsconv.frontends.c.lowering.expressions import Expressions
from cpsconv.frontends.c.lowering.prescan import Prescan, starts_within
from cpsconv.frontends.c.meaning.constants import NotConstantError, integer_constant
from cpsconv.frontends.c.meaning.tree_warnings import declares_only, is_empty
from cpsconv.frontends.c.syntax import tree as c
from cpsconv.frontends.c.types import promoted, type_of
from cpsconv.ir import ABORT, INT, Scalar, Value
from cpsconv.operations.types import is_float, is_integer, range_of, wrap
from cpsconv.source import Span

# ------------------------------------------------------------------------------------------------------------- goto


@dataclass(eq=False, repr=False, slots=True)
class _Target:
    """The continuation for a label, and the number of its predecessors that are still missing."""

    block: Block
    missing: int


class Labels:
    """The labels of one function. A label without a `goto` has no continuation."""

    def __init__(self, emit: Emitter, errors: Errors, prescan: Prescan) -> None:
        self._emit = emit
        self._errors = errors
        self._prescan = prescan
        self._targets: dict[str, _Target] = {}
        self._check()

    def jump(self, node: c.Goto) -> None:
        """Lower a `goto`. The code after it is dead, even if the label is missing."""
        target = self._target(node.name)
        if target:
            self._emit.jump(target.block, node.span)
            self._count_predecessor(target)
        else:
            self._emit.leave(ABORT, span=node.span)

    def enter(self, node: c.Label) -> None:
        """Enter the continuation for a label, with a jump from the statement before it."""
        if self._prescan.labels[node.name] is not node or not self._prescan.gotos[node.name]:
            return
        target = self._target(node.name)
        assert target
        self._emit.jump(target.block)
        self._count_predecessor(target)
        self._emit.enter(target.block, expected=target.missing > 0)

    def _target(self, name: str) -> _Target | None:
        """The target of that name; None if the label is missing."""
        label = self._prescan.labels.get(name)
        if label and name not in self._targets:
            missing = self._prescan.gotos[name] + 1  # all `goto`s, and the statement before the label
            self._targets[name] = _Target(self._emit.continuation(name, span=label.span), missing)
        return self._targets.get(name)

    def _count_predecessor(self, target: _Target) -> None:
        """Count one predecessor; seal the continuation after the last."""
        target.missing -= 1
        if target.missing == 0:
            self._emit.seal(target.block)

    def _check(self) -> None:
        prescan = self._prescan
        for label in prescan.repeated:
            note = ("it is first defined here", prescan.labels[label.name].span)
            self._errors.report("redefined", f"the label `{label.name}` is defined twice", label.span, notes=[note])
        for name, goto in prescan.first_gotos.items():
            if name not in prescan.labels:
                help = self._errors.suggestion(name, prescan.labels)
                self._errors.report(
                    "undeclared", f"there is no label `{name}` in this function", goto.name_span, help=help
                )
        for name, label in prescan.labels.items():
            if name not in prescan.first_gotos:
                self._errors.warn("unused-label", f"the label `{name}` is never used", label.span)


# ----------------------------------------------------------------------------------------------------------- switch


class Switches:
    """The `switch` statements of one function that contain the current statement, innermost last."""

    def __init__(self, expressions: Expressions, prescan: Prescan) -> None:
        self._emit = expressions.emit
        self._errors = expressions.errors
        self._prescan = prescan
        self._expressions = expressions
        self._blocks: dict[c.Case, Block] = {}
        self._case_starts: list[list[int]] = []
        self._range: tuple[int, int] | None = None  # of the values before their promotion

    def begin(self, node: c.Switch) -> Block:
        """Lower the transfer to the cases. Returns the continuation after the `switch`."""
        value = self._expressions.data(self._expressions.value(node.value), node.value)
        self._range = range_of(type_of(value)) if is_integer(value.type) else None
        value = self._integer(value, node)
        cases = self._prescan.cases[node]
        numbered, default = self._add_cases(cases, type_of(value))
        exit = self._emit.continuation("exit", span=node.span)
        self._emit.switch(value, numbered, self._blocks[default] if default else exit, node.value.span)
        self._case_starts.append([case.span.start for case in cases])
        return exit

    def end(self) -> None:
        """Leave the innermost `switch`."""
        self._case_starts.pop()

    def has_case_within(self, span: Span) -> bool:
        """Whether the statement with that span contains a case of the innermost `switch`."""
        return bool(self._case_starts) and starts_within(self._case_starts[-1], span)

    def enter_case(self, node: c.Case) -> None:
        """Enter the continuation for a case, with a jump from the statement before it."""
        block = self._blocks.get(node)
        if block is None:
            label = "default" if node.value is None else "case"
            self._errors.report("misplaced", f"`{label}` outside of a `switch`", node.span)
        elif node not in self._prescan.follows:
            if self._emit.live:
                self._warn_of_fallthrough(node)
            self._emit.jump(block)
            self._emit.open(block)

    def _warn_of_fallthrough(self, node: c.Case) -> None:
        """Warn that the code before a case continues with it, unless a comment says so, or the case does nothing."""
        before, after = self._prescan.before.get(node), self._after(node)
        while isinstance(before, c.Compound) and before.items:
            before = before.items[-1]
        if before is None or is_empty(before) or declares_only(before) or isinstance(after, _JUMPS) or after is None:
            return
        if not re.search(_FALL_THROUGH, node.span.source.text[before.span.end : node.span.start]):
            self._errors.warn(
                "implicit-fallthrough",
                "this statement falls through to the next `case`",
                before.span,
                help="write `break;`, or the comment `/* fall through */`",
                notes=[("it continues here", node.span)],
            )

    def _after(self, node: c.Case) -> c.Statement | None:
        """The first statement after the case, and after cases that follow it; None if there is none."""
        after = self._prescan.after.get(node)
        while isinstance(after, c.Case):
            after = self._prescan.after.get(after)
        return None if after and is_empty(after) else after

    def _integer(self, value: Value, node: c.Switch) -> Value:
        """The value after the integer promotions."""
        if value is not POISON and is_float(value.type):
            value = self._errors.report(
                "type-mismatch", f"a `switch` needs an integer, not `{value.type}`", node.value.span
            )
        type = INT if value is POISON else promoted(type_of(value))
        return self._expressions.convert(type, value, node.value.span)

    def _add_cases(self, cases: list[c.Case], type: Scalar) -> tuple[list[tuple[int, Block]], c.Case | None]:
        """Create continuations for the cases. Returns the continuation for each number, and the `default`, if any.

        Cases without a statement between them share a continuation.
        """
        numbered: dict[int, c.Case] = {}
        default = None
        for case in cases:
            number = self._number(case, type)
            before = self._prescan.follows.get(case)
            shared = self._blocks[before] if before else None
            self._blocks[case] = shared or self._emit.continuation(_name(case, number), span=case.span)
            if case.value is None:
                first = default = default or case
            else:
                first = case if number is None else numbered.setdefault(number, case)
            if first is not case:
                label = "`default`" if number is None else f"`case {number}`"
                note = ("the first one is here", first.span)
                self._errors.report("duplicate-case", f"duplicate {label} in this `switch`", case.span, notes=[note])
        return [(number, self._blocks[case]) for number, case in numbered.items()], default

    def _number(self, case: c.Case, type: Scalar) -> int | None:
        """The number of the case, converted to the type of the `switch`; None for `default` or an erroneous case."""
        if case.value is None:
            return None
        try:
            constant = integer_constant(case.value, self._expressions.part)
        except NotConstantError as reason:
            self._errors.report("not-constant", f"the value of a `case` {reason.message}", reason.span)
            return None
        if constant is None:
            return None
        number = wrap(type, int(constant.value))
        if self._range and not self._range[0] <= number <= self._range[1]:
            message = f"this case is never chosen: the value is between {self._range[0]} and {self._range[1]}"
            self._errors.warn("switch-outside-range", message, case.value.span)
        return number


_JUMPS = (c.Break, c.Continue, c.Goto)  # as in gcc, without `return`
_FALL_THROUGH = r"(?i)(/\*|//)[^*\n]*\bfalls?[ \t-]*thr(ough|u)\b"


def _name(case: c.Case, number: int | None) -> str:
    if number is None:
        return "default" if case.value is None else "case"
    return f"case_{number}" if number >= 0 else f"case_minus_{-number}"
