"""Ways through a program that several checks take."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Union

from cpsconv.analysis.graph import transfer_uses
from cpsconv.ir import Continuation, Program, Statement, Transfer, Value

User = Union[Statement, Transfer]


def members(program: Program) -> Iterator[Continuation]:
    """Every function of the program and every continuation that one lists."""
    for function in program.functions:
        yield from function.members()


def users(member: Continuation) -> Iterator[tuple[User, Iterable[Value]]]:
    """Each statement of the continuation and then its transfer, with all values that it uses, targets included."""
    for statement in member.body:
        yield statement, statement.operands
    if member.transfer:
        yield member.transfer, transfer_uses(member)
