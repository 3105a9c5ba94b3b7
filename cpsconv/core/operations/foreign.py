"""Foreign operations: the places where a program has them, for rooms that understand none."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from cpsconv.core.ir import ForeignTransfer, Function, Program, Scalar, Type
from cpsconv.core.operations.table import FOREIGN_OPERATIONS
from cpsconv.core.source import DiagnosticError, Span, error


def require_no_foreign(program: Program, refusal: str) -> None:
    """Raise `DiagnosticError` with an error for each foreign operation, which begins with the `refusal`.

    Without foreign operations, there is an error for each parameter of a foreign type.
    """
    found = [each for function in program.functions for each in _foreign_parts(function)]
    if found := found or [*_foreign_types(program)]:
        raise DiagnosticError([error(f"{refusal} {what}", span, rule="not-expressible") for what, span in found])


def has_foreign(program: Program) -> bool:
    """Whether the program has foreign operations or types."""
    parts = (each for function in program.functions for each in _foreign_parts(function))
    return any(True for _ in chain(parts, _foreign_types(program)))


def foreign_effects(program: Program) -> Iterator[Span | None]:
    """The locations of the foreign statements that are effects."""
    return (each.span for each in program.statements() if each.op == "foreign")


def _foreign_parts(function: Function) -> Iterator[tuple[str, Span | None]]:
    for member in function.members():
        for statement in member.body:
            if statement.op in FOREIGN_OPERATIONS:
                yield f"the foreign operation `{statement.of}` of `{function.name}`", statement.span
        if isinstance(member.transfer, ForeignTransfer):
            yield f"the foreign operation `{member.transfer.text}` of `{function.name}`", member.transfer.span


def _foreign_types(program: Program) -> Iterator[tuple[str, Span | None]]:
    for function in (*program.externals, *program.functions):
        for parameter in (each for member in function.members() for each in member.parameters):
            if is_foreign(parameter.type):
                yield f"the foreign type `{parameter.type}` in `{function.name}`", parameter.span or function.span


def is_foreign(type: Type) -> bool:
    """Whether the type is, or has, a foreign type. (Recursive: types are nested at most `MAX_TYPE_DEPTH` deep.)"""
    return type.kind == "foreign" if isinstance(type, Scalar) else any(map(is_foreign, type.parameters))
