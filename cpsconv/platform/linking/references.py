"""The references of a program: the uses of its functions and data by name."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from typing import TypeVar, Union, cast

from cpsconv.core.analysis.graph import replace_in_transfer
from cpsconv.core.ir import LONG, PTR, Call, Constant, Data, Function, Program, Value, prototype
from cpsconv.core.source import Span

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


def replace_by_null(program: Program, missing: Collection[Global]) -> None:
    """Replace, in place, the references to `missing` functions and data by null. A call of one is a call through it."""

    def replaced(value: Value) -> Value:
        if value not in missing:
            return value
        return Constant(LONG, 0) if isinstance(value, Function) else Constant(PTR, 0)  # in `ptr(f)`

    for data in program.data:
        data.addresses = {at: address for at, address in data.addresses.items() if address[0] not in missing}
    for member in program.members():
        for statement in member.body:
            if any(operand in missing for operand in statement.operands):
                statement.operands = tuple(map(replaced, statement.operands))
        assert member.transfer is not None
        replace_in_transfer(member.transfer, replaced)
        if isinstance(member.transfer, Call) and member.transfer.callee in missing:
            types = member.transfer.callee.type.parameters
            member.transfer.callee, member.transfer.pointer = prototype(types), Constant(PTR, 0)


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
