"""The references of a program: the uses of its functions and data by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar, Union, cast

from cpsconv.analysis.graph import replace_in_transfer
from cpsconv.ir import Call, Data, Function, Program, Value
from cpsconv.source import Span

Global = Union[Function, Data]
"""A part of a program that values of other programs can refer to."""


def is_visible(symbol: Global) -> bool:
    """Whether other programs can refer to a function or data of a program."""
    return not symbol.is_static and not (isinstance(symbol, Function) and symbol.is_nested)


Referenced = TypeVar("Referenced", bound=Value)

Replace = Callable[[Global, "Span | None"], Global]
"""Returns what a reference to a function or data, at a span, shall refer to."""


def replace_references(program: Program, replace: Replace) -> None:
    """Replace, in place, each reference `x` of data and functions by ``replace(x, span)``.

    Functions that `replace` adds to the program are not examined.
    """

    def replaced(value: Referenced, span: Span | None) -> Referenced:
        return cast(Referenced, replace(value, span)) if isinstance(value, (Function, Data)) else value

    own = [*program.functions]
    for data in [*program.data]:
        data.addresses = {at: (replace(to, data.span), offset) for at, (to, offset) in data.addresses.items()}
    for member in (member for function in own for member in function.members()):
        for statement in member.body:
            if any(isinstance(each, (Function, Data)) for each in statement.operands):
                statement.operands = tuple([replaced(each, statement.span) for each in statement.operands])
        transfer = member.transfer
        if transfer is None:
            continue
        replace_in_transfer(transfer, lambda value, span=transfer.span: replaced(value, span))  # type: ignore[misc]
        for edge in transfer.edges:
            edge.target = replaced(edge.target, transfer.span)
        if isinstance(transfer, Call) and transfer.pointer is None:
            transfer.callee = cast(Function, replace(transfer.callee, transfer.span))


def references(program: Program, functions: list[Function]) -> Iterator[tuple[Global, Span | None]]:
    """The references of the data, and of the given functions of a program, with their locations."""
    for data in program.data:
        for target, _ in data.addresses.values():
            yield target, data.span
    for member in (member for function in functions for member in function.members()):
        for statement in member.body:
            for operand in statement.operands:
                if isinstance(operand, (Function, Data)):
                    yield operand, statement.span
        transfer = member.transfer
        if isinstance(transfer, Call) and transfer.pointer is None:
            yield transfer.callee, transfer.span
        for value in transfer.uses if transfer else ():
            if isinstance(value, (Function, Data)) and value.name:
                yield value, transfer.span if transfer else None
