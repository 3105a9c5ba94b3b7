"""The structured form of a function: statements in blocks, which `structure` makes of a graph.

A *block* is a list of statements. Control that comes to its end goes to the next statement in the block around it, or
round the loop.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Union

from cpsconv.ir import Call, Continuation, Edge, Jump, Value
from cpsconv.structuring.decisions import Condition


@dataclass(eq=False, slots=True)
class Run:
    """What `member` does before its transfer."""

    member: Continuation


@dataclass(eq=False, slots=True)
class Pass:
    """The arguments of an edge become the parameters of its target."""

    edge: Edge


@dataclass(eq=False, slots=True)
class CallOn:
    """A call, whose result becomes the parameter of the continuation where it goes on."""

    call: Call


@dataclass(eq=False, slots=True)
class Leave:
    """The function is left: it returns, ends the program, or returns what another one does."""

    transfer: Jump | Call


@dataclass(eq=False, slots=True)
class If:
    """``if (condition) then else otherwise``"""

    condition: Condition
    then: Block = field(default_factory=list)
    otherwise: Block = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Loop:
    """``for (;;) body``, begun by `header`."""

    header: Continuation
    body: Block = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Arm:
    """The cases of a switch (none for its default), and what they lead to. From its end, the next arm is entered."""

    cases: Sequence[int]
    body: Block = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Select:
    """``switch (value) { arms }``, the default last."""

    value: Value
    arms: list[Arm]


@dataclass(eq=False, slots=True)
class Break:
    """Leave the innermost loop or switch."""


@dataclass(eq=False, slots=True)
class Continue:
    """Go round the innermost loop."""


@dataclass(eq=False, slots=True)
class Goto:
    """Go to the label of `target`."""

    target: Continuation


@dataclass(eq=False, slots=True)
class Label:
    """Where a ``goto`` to `member` leads."""

    member: Continuation


@dataclass(eq=False, slots=True)
class BindFor:
    """Control is bound for `target`, for languages without ``goto``; None where it has arrived."""

    target: Continuation | None


@dataclass(eq=False, slots=True)
class WhenBound:
    """What is done where control is bound for `target`; if that is None, where it is bound for nothing."""

    target: Continuation | None
    body: Block = field(default_factory=list)


Statement = Union[Run, Pass, CallOn, Leave, If, Loop, Select, Break, Continue, Goto, Label, BindFor, WhenBound]
Block = list[Statement]


def blocks_of(statement: Statement) -> list[Block]:
    """The blocks within a statement, in order."""
    if isinstance(statement, If):
        return [statement.then, statement.otherwise]
    if isinstance(statement, Select):
        return [arm.body for arm in statement.arms]
    return [statement.body] if isinstance(statement, (Loop, WhenBound)) else []


@dataclass(frozen=True, slots=True)
class Structure:
    """The body of a function. Labels stand before every place; `wanted` are those that a ``goto`` leads to.

    `continued` are the headers of loops with a ``continue``.
    """

    body: Block
    wanted: frozenset[Continuation]
    continued: frozenset[Continuation]
