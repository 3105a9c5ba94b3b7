"""The structured form of a function: statements in blocks.

A *block* is a list of statements. At its end, control continues with the next statement of the enclosing block, or with
the next iteration of the loop whose body the block is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Union

from cpsconv.core.ir import Call, Continuation, Edge, Jump, Value
from cpsconv.core.nodes import NodeType
from cpsconv.targets.structuring.decisions import Condition


class BasicBlock(metaclass=NodeType):
    """The statements of `member`, without its transfer."""

    member: Continuation


class Pass(metaclass=NodeType):
    """The assignment of an edge's arguments to the parameters of its target."""

    edge: Edge


class CallStatement(metaclass=NodeType):
    """A call, whose result becomes the parameter of its return continuation in this function."""

    call: Call


class Leave(metaclass=NodeType):
    """A return, the end of the program, or a tail call."""

    transfer: Jump | Call


class If(metaclass=NodeType):
    """``if (condition) then else otherwise``"""

    condition: Condition
    then: Block = field(default_factory=list)
    otherwise: Block = field(default_factory=list)


class Loop(metaclass=NodeType):
    """``for (;;) body``, with the continuation `header` first."""

    header: Continuation
    body: Block = field(default_factory=list)


class Arm(metaclass=NodeType):
    """The cases of a switch (none for the default), and their body. At its end, control falls into the next arm."""

    cases: Sequence[int]
    body: Block = field(default_factory=list)


class Select(metaclass=NodeType):
    """``switch (value) { arms }``, the default last."""

    value: Value
    arms: list[Arm]


class Break(metaclass=NodeType):
    """Leave the innermost loop or switch."""


class Continue(metaclass=NodeType):
    """Start the next iteration of the innermost loop."""


class Goto(metaclass=NodeType):
    """Jump to the label of `target`."""

    target: Continuation


class Label(metaclass=NodeType):
    """The target of each ``goto`` to `member`."""

    member: Continuation


class SetTarget(metaclass=NodeType):
    """Make a jump to `target` pending, in languages without ``goto``; None ends the pending jump."""

    target: Continuation | None


class IfTarget(metaclass=NodeType):
    """``if`` a jump to `target` is pending; for None, if no jump is pending."""

    target: Continuation | None
    body: Block = field(default_factory=list)


Statement = Union[
    BasicBlock, Pass, CallStatement, Leave, If, Loop, Select, Break, Continue, Goto, Label, SetTarget, IfTarget
]
Block = list[Statement]


def blocks_of(statement: Statement) -> list[Block]:
    """The blocks of a statement, in order."""
    if isinstance(statement, If):
        return [statement.then, statement.otherwise]
    if isinstance(statement, Select):
        return [arm.body for arm in statement.arms]
    return [statement.body] if isinstance(statement, (Loop, IfTarget)) else []


@dataclass(frozen=True, slots=True)
class Structure:
    """The body of a function. Each continuation has a label; `goto_targets` are those that a ``goto`` uses.

    `continued_loops` are the headers of loops with a ``continue``.
    """

    body: Block
    goto_targets: frozenset[Continuation]
    continued_loops: frozenset[Continuation]
