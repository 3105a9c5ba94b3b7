"""The programs that a target without continuations as values (C, LLVM IR), or without memory, cannot express."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Union

from cpsconv.core import ir
from cpsconv.core.entry import return_type
from cpsconv.core.operations.odd_types import standard_type
from cpsconv.core.operations.table import OPERATIONS
from cpsconv.core.source import DiagnosticError, Span, error, setting
from cpsconv.core.transform.odd_types import types_used

Obstacle = tuple[str, Union[Span, None]]
"""A part of a program that the target cannot express, and its location."""


def require_expressible(
    program: ir.Program,
    language: str,
    further: Callable[[ir.Function], Iterable[Obstacle]],
    *,
    lacking: frozenset[ir.Scalar] = frozenset({ir.INTEGER}),
) -> None:
    """Raise `DiagnosticError` with an error for each part of the program that the language cannot express.

    `further` finds those parts of a function that are not continuations as values. Values of the types `lacking` are
    rejected, too.
    """
    require_types(program, language, lacking)
    reject(
        language, [each for function in program.functions for each in (*_continuations(function), *further(function))]
    )


def never_returning(function: ir.Function) -> Iterator[Obstacle]:
    """The function itself, if it has no return continuation."""
    if function.return_continuation is None:
        yield f"`{function.name}` never returns: it has no return continuation", function.span


_FIVE = "`c`, `llvm`, `javascript`, `python` and `scheme`"


def _targets(targets: str, what: str) -> str:
    """The help that names the targets, in backticks, for programs with `what`."""
    return f"{targets.replace('`', setting('`--emit ', '`'), 1)} write programs with {what}"


def require_no_memory(program: ir.Program, language: str) -> None:
    """Raise `DiagnosticError`, with the first use of memory, if there is one."""
    for what, span in memory_uses(program):
        message = f"not expressible in {language}: {what}, since the programs written in {language} have no memory"
        help = _targets("`c`, `haskell`, `javascript`, `llvm`, `ocaml`, `python` and `scheme`", "memory")
        raise DiagnosticError([error(message, span, help=help, rule="not-expressible")])


_TYPES = {
    ir.INTEGER: ("unbounded integers", "`haskell`, `javascript`, `python` and `scheme`"),
    ir.LONG_DOUBLE: ("numbers of 80 bits", "`c` and `llvm`"),
    **dict.fromkeys(ir.WIDE_INTEGERS, ("integers of 128 bits", _FIVE)),
}
"""The types that some languages lack, and the targets that have them."""


def require_types(program: ir.Program, language: str, lacking: frozenset[ir.Scalar]) -> None:
    """Raise `DiagnosticError`, with the first value of one of the types that the language lacks, if there is one."""
    lacked = {each: found for each in types_used(program) if (found := [*_lacked(each, lacking)])}
    for member in program.members() if lacked else ():
        values = [*member.parameters, *(each for statement in member.body for each in (statement, *statement.operands))]
        for value in values:
            for type in lacked.get(value.type, ()):
                what, targets = _TYPES[standard_type(type)]
                message = f"not expressible in {language}: {what} (the type `{type}`)"
                help = _targets(targets, what)
                span = getattr(value, "span", None) or member.span
                raise DiagnosticError([error(message, span, help=help, rule="not-expressible")])


def _lacked(type: ir.Type | ir.ObjectType, lacking: frozenset[ir.Scalar]) -> Iterator[ir.Scalar]:
    """The type, or the types of the parameters of a continuation, that the language lacks."""
    scalars = (each for each in (type, *getattr(type, "parameters", ())) if isinstance(each, ir.Scalar))
    return (each for each in scalars if standard_type(each) in lacking)


def require_operations(program: ir.Program, language: str, lacking: Collection[str]) -> None:
    """Raise `DiagnosticError` with an error for each use of an operation that the language lacks."""
    used = (each for each in program.statements() if each.op in lacking)
    reject(language, [(f"the operation `{each.op}`", each.span) for each in used])


def reject(language: str, found: Sequence[Obstacle]) -> None:
    """Raise `DiagnosticError` with an error for each part that the language cannot express, if there are some."""
    if found:
        errors = (error(f"not expressible in {language}: {what}", span, rule="not-expressible") for what, span in found)
        raise DiagnosticError([*errors])


def memory_uses(program: ir.Program) -> Iterator[Obstacle]:
    """The parts of a program that concern memory: items, pointers as parameters, operations on memory or pointers."""
    yield from ((f"the data `{data.name}`", data.span) for data in program.data)
    yield from ((f"the external function `{external.name}`", external.span) for external in program.externals)
    for member in program.members():
        for parameter in member.parameters:
            if _has_pointers(parameter.type):
                what = f"the parameter `{parameter.name}` of `{member.name}` has the type `{parameter.type}`"
                yield what, parameter.span or member.span
        for statement in member.body:
            if OPERATIONS[statement.op].is_on_memory:
                yield f"the operation `{statement.op}` on memory", statement.span
            elif statement.type is ir.PTR or any(operand.type is ir.PTR for operand in statement.operands):
                yield f"the operation `{statement.op}` on pointers", statement.span
        if isinstance(member.transfer, ir.Call) and member.transfer.pointer is not None:
            yield "a call through a pointer", member.transfer.span


def _has_pointers(type: ir.Type) -> bool:
    return type is ir.PTR or (isinstance(type, ir.ContinuationType) and any(map(_has_pointers, type.parameters)))


def _continuations(function: ir.Function) -> Iterator[Obstacle]:
    """The continuations that are values, except as the return continuation of a call."""
    returned, ret = return_type(function), function.return_continuation
    if returned and any(isinstance(type, ir.ContinuationType) for type in returned.parameters):
        yield f"`{function.name}` returns a continuation", function.span
    for member in function.members():
        for parameter in member.parameters:
            if isinstance(parameter.type, ir.ContinuationType) and parameter is not ret:
                what = f"the parameter `{parameter.name}` of `{member.name}` is a continuation"
                yield what, parameter.span or member.span
        transfer = member.transfer
        assert transfer is not None, f"{member.name} is under construction"
        for value in (*transfer.operands, *(value for edge in transfer.edges for value in edge.arguments)):
            if isinstance(value, (ir.Continuation, ir.External)) or isinstance(value.type, ir.ContinuationType):
                assert isinstance(value, (ir.Continuation, ir.External, ir.Parameter))
                yield f"the continuation `{value.name}` is passed as a value", transfer.span or member.span
