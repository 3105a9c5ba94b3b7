"""What a front end told the Builder, in order: the source program that a finished one is held against.

A front end speaks in blocks. In each it reads and writes variables, computes, and ends with a transfer; it never speaks
of parameters or arguments, for to find these is what construction is for. A read gives it a value to compute with.
That may be a definite one, or one that stands for whatever construction will come to.

This is data, and nothing here knows how it came about: `cpsconv.construction.recorder` takes it down, and
`cpsconv.check.certificate` judges by it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol, Union

from cpsconv.ir import (
    Call,
    Continuation,
    Function,
    Parameter,
    Scalar,
    Statement,
    Switch,
    Target,
    Transfer,
    Value,
)
from cpsconv.source import Span


class SourceVariable(Protocol):
    """A variable of the source, known by its identity."""

    name: str
    type: Scalar
    span: Span | None


class Read(NamedTuple):
    """`variable` was read after the first `at` statements of the block, and the front end was given `received`."""

    variable: SourceVariable
    received: Value
    at: int


class Write(NamedTuple):
    """`value` was assigned to `variable` after the first `at` statements of the block, by what stands at `span`."""

    variable: SourceVariable
    value: Value
    at: int
    span: Span | None = None


Event = Union[Read, Write]


class Computed(NamedTuple):
    """A statement as the front end made it. Its place in the program is that of `statement`, which is its result."""

    statement: Statement
    op: str
    type: Scalar
    operands: tuple[Value, ...]


class Ending(NamedTuple):
    """A transfer as the front end made it: which kind, what it is fixed to, what it uses, where each edge leads.

    `fixed` holds the numbers of a switch, or whom a call calls. Arguments are those that the front end passes itself:
    to a return, or to the outside world.
    """

    kind: type[Transfer]
    fixed: tuple[object, ...]
    operands: tuple[Value, ...]
    edges: tuple[tuple[Target, tuple[Value, ...]], ...]


@dataclass(eq=False, slots=True)
class BlockRecord:
    """A block: `parameters` are those that it has by itself (of a function, or for the result of a call).

    `carried` is a hint, not to be trusted: the parameter that construction placed here for a variable, if any.
    """

    continuation: Continuation
    parameters: tuple[Parameter, ...]
    events: tuple[Event, ...]
    statements: tuple[Computed, ...]
    ending: Ending
    carried: dict[SourceVariable, Parameter] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class FunctionRecord:
    """A function: its blocks, the entry first."""

    blocks: list[BlockRecord]


Record = Mapping[Function, FunctionRecord]
"""The record of a program."""


def ending_of(transfer: Transfer) -> Ending:
    """The transfer as it is now."""
    fixed: tuple[object, ...] = ()
    if isinstance(transfer, Switch):
        fixed = tuple(transfer.cases)
    elif isinstance(transfer, Call):
        fixed = (transfer.callee,)
    edges = tuple([(edge.target, tuple(edge.arguments)) for edge in transfer.edges])
    return Ending(type(transfer), fixed, tuple(transfer.operands), edges)
