"""Labelled statements (C17 6.8.1), the targets of `goto` and the cases of `switch`; assignments in loops."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence

from cpsconv.core.construction import Block, Variable
from cpsconv.core.construction.failures import error_text
from cpsconv.core.ir import ABORT, LONG, Value
from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Span
from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.lowering.emission import Emitter
from cpsconv.languages.c.lowering.objects import Objects
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.typed_tree import declares_only
from cpsconv.languages.c.syntax import tree as c

# ------------------------------------------------------------------------------------------------------------- goto


class _Target(metaclass=NodeType):
    """The continuation for a label, and the number of its predecessors that are still missing."""

    block: Block
    missing: int


class Labels:
    """The labels of functions. A label without a `goto` has no continuation.

    A computed `goto` leads to a `switch` over the numbers of the labels whose addresses are taken, the *dispatch*,
    which all of a function share.
    """

    def __init__(self, emit: Emitter, objects: Objects) -> None:
        self._emit = emit
        self._objects = objects
        self._targets: dict[t.Label, _Target] = {}
        self._function: t.Function
        self._addressed: tuple[list[t.Label], int] | None = None
        self._dispatch: Block | None = None
        self._missing = 0  # the computed jumps that are not lowered yet
        self._label: Variable  # the number of the label to which a computed jump leads

    def begin(self, function: t.Function) -> None:
        """Begin the lowering of a function."""
        self._function = function
        self._addressed = self._dispatch = None
        self._label = Variable("label", LONG)

    def _computed(self) -> tuple[list[t.Label], int]:
        """The labels of the function whose addresses are taken, and the number of computed jumps."""
        if self._addressed is None:
            nodes = [*t.nodes_within(self._function.body)]
            labels = [node.label for node in nodes if type(node) is c.Label and node.label and node.label.number]
            labels.sort(key=lambda label: label.span.start)
            self._missing = sum(type(node) is c.ComputedGoto for node in nodes)
            self._addressed = labels, self._missing
        return self._addressed

    def jump_to_address(self, address: Value, span: Span) -> None:
        """Lower a computed `goto` to the label with the address.

        If a jump ends the same objects wherever it leads, it is one to the dispatch, which is lowered with the first.
        """
        emit = self._emit
        labels, gotos = self._computed()
        number = emit.convert(LONG, address, span)
        ended = [self._objects.ended_by_jump(label.span) for label in labels]
        if emit.live and all(each == ended[0] for each in ended):
            self._objects.end(ended[0] if ended else [], span)
            emit.write(self._label, number, span)
            dispatch = self._dispatch or emit.continuation("computed_goto", span=span)
            emit.jump(dispatch, span)
            if self._dispatch is None:
                self._dispatch = dispatch
                emit.enter(dispatch, expected=True)
                blocks = [self._target(label).block for label in labels]
                self._switch(emit.read(self._label, span), blocks, span, span if gotos == 1 else self._function.span)
        else:
            blocks = [emit.continuation(f"to_{label.name}", span=span) for label in labels]
            self._switch(number, blocks, span, span)
            for label, block, each in zip(labels, blocks, ended, strict=True):
                emit.open(block)
                self._objects.end(each, span)
                emit.jump(self._target(label).block, span)
        for label in labels:
            self._count_predecessor(self._target(label))
        self._missing -= 1
        if self._missing == 0 and self._dispatch:
            emit.seal(self._dispatch)

    def _switch(self, number: Value, blocks: list[Block], span: Span, place: Span) -> None:
        """The transfer to the label with the number, one of `blocks`; or an error at the `place`."""
        emit = self._emit
        nowhere = emit.continuation("nowhere", span=span)
        numbered = [(label.number, block) for label, block in zip(self._computed()[0], blocks, strict=True)]
        emit.switch(number, numbered, nowhere, span)
        emit.open(nowhere)
        message = error_text("this pointer is not the address of a label of the function", place)
        emit.effect("eprint", message, span=place)
        emit.leave(ABORT, span=span)

    def jump(self, node: c.Goto) -> None:
        """Lower a `goto`. The code after it is dead, even if the label is missing."""
        label = node.label
        assert label
        if label.is_defined:
            self._objects.jump_to(label.span, node.span)
            target = self._target(label)
            self._emit.jump(target.block, node.span)
            self._count_predecessor(target)
        else:
            self._emit.leave(ABORT, span=node.span)

    def enter(self, node: c.Label) -> None:
        """Enter the continuation for a label, with a jump from the statement before it."""
        label = node.label
        assert label
        if label.gotos or label.number:
            target = self._target(label)
            self._emit.jump(target.block, node.span)
            self._count_predecessor(target)
            self._emit.enter(target.block, expected=target.missing > 0)

    def _target(self, label: t.Label) -> _Target:
        target = self._targets.get(label)
        if target is None:  # the predecessors are all `goto`s, and the statement before the label
            jumps = label.gotos + (self._computed()[1] if label.number else 0)
            target = _Target(self._emit.continuation(label.name, span=label.span), jumps + 1)
            self._targets[label] = target
        return target

    def _count_predecessor(self, target: _Target) -> None:
        """Count one predecessor; seal the continuation after the last."""
        target.missing -= 1
        if target.missing == 0:
            self._emit.seal(target.block)


# ----------------------------------------------------------------------------------------------------------- switch


class Switches:
    """The `switch` statements that contain the current statement, innermost last."""

    def __init__(self, emit: Emitter, errors: Errors) -> None:
        self._emit = emit
        self._errors = errors
        self._blocks: dict[c.Case, Block] = {}
        self._case_starts: list[list[int]] = []

    def begin(self, node: c.Switch, value: Value) -> Block:
        """Lower the transfer to the cases. Returns the continuation after the `switch`."""
        numbered, default = self._add_cases(node.cases)
        exit = self._emit.continuation("exit", span=node.span)
        self._emit.switch(value, numbered, default or exit, node.value.span)
        self._case_starts.append([case.span.start for case in node.cases])
        return exit

    def end(self) -> None:
        """Leave the innermost `switch`."""
        self._case_starts.pop()

    def has_case_within(self, span: Span) -> bool:
        """Whether the statement with that span contains a case of the innermost `switch`."""
        return bool(self._case_starts) and starts_within(self._case_starts[-1], span)

    def _add_cases(self, cases: Sequence[c.Case]) -> tuple[list[tuple[int, Block]], Block | None]:
        """Create continuations for the cases. Returns the one of each number, and that of the `default`, if any.

        Cases without a statement between them share a continuation.
        """
        numbered: dict[int, Block] = {}
        default = None
        for case in cases:
            shared = self._blocks[case.follows] if case.follows else None
            block = self._blocks[case] = shared or self._emit.continuation(_name(case), span=case.span)
            if case.is_default:
                default = default or block
            elif case.number is not None:
                numbered.setdefault(case.number, block)
        return [*numbered.items()], default

    def enter_case(self, node: c.Case) -> None:
        """Enter the continuation for a case, with a jump from the statement before it."""
        block = self._blocks.pop(node, None)
        if block and node.follows is None:
            if self._emit.live:
                self._warn_of_fallthrough(node)
            self._emit.jump(block)
            self._emit.open(block)

    def _warn_of_fallthrough(self, node: c.Case) -> None:
        """Warn that the code before a case continues with it.

        There is no warning if a comment or attribute states the intention, or if the case does nothing.
        """
        before, after = node.before, _after(node)
        while isinstance(before, c.Compound) and before.items:
            before = before.items[-1]
        if before is None or c.is_empty(before) or declares_only(before) or isinstance(after, _JUMPS) or after is None:
            return
        if not re.search(_FALL_THROUGH, node.span.source.text[before.span.end : node.span.start]):
            self._errors.warn(
                "implicit-fallthrough",
                "this statement falls through to the next `case`",
                before.span,
                help="write `break;`, or the comment `/* fall through */`",
                notes=[("it continues here", node.span)],
            )


_JUMPS = (c.Break, c.Continue, c.Goto)  # as in gcc, without `return`
_FALL_THROUGH = r"(?i)(/\*|//)[^*\n]*\bfalls?[ \t-]*thr(ough|u)\b|\b(__)?fallthrough(__)?\b"


def _after(node: c.Case) -> c.Statement | None:
    """The first statement after the case, and after cases that follow it; None if there is none."""
    after = node.after
    while isinstance(after, c.Case):
        after = after.after
    return after


def _name(case: c.Case) -> str:
    number = case.number
    if number is None:
        return "default" if case.is_default else "case"
    return f"case_{number}" if number >= 0 else f"case_minus_{-number}"


# ------------------------------------------------------------------------------------------------------ assignments


class AssignedWithin(metaclass=NodeType):
    """The variables that are assigned in a span: `assigned` has the ascending offsets for each variable."""

    assigned: dict[Variable, list[int]]
    span: Span

    def __contains__(self, variable: object) -> bool:
        assert isinstance(variable, Variable)
        return starts_within(self.assigned.get(variable, []), self.span)


def starts_within(starts: list[int], span: Span) -> bool:
    """Whether one of the offsets, which are in ascending order, is in the span."""
    index = bisect_left(starts, span.start)
    return index < len(starts) and starts[index] < span.end
