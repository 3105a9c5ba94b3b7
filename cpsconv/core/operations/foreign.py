"""Foreign operations: the places where a program has them, for rooms that understand none."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain

from cpsconv.core.ir import ContinuationType, ForeignTransfer, Function, Program, Type
from cpsconv.core.operations.table import FOREIGN_OPERATIONS
from cpsconv.core.operations.types import is_foreign
from cpsconv.core.source import DiagnosticError, Span, error


def require_no_foreign(program: Program, refusal: str, *, permits: Callable[[str], object] = lambda text: None) -> None:
    """Raise `DiagnosticError` with an error for each foreign operation, which begins with the `refusal`.

    Without such operations, there is an error for each parameter of a foreign type. What is permitted is no error: an
    operation or type for whose text `permits` returns a true value.
    """
    for parts in (chain.from_iterable(map(_foreign_parts, program.functions)), _foreign_types(program)):
        found = [(f"{refusal} the foreign {what}", span) for text, what, span in parts if not permits(text)]
        if found:
            raise DiagnosticError([error(message, span, rule="not-expressible") for message, span in found])


def has_foreign(program: Program) -> bool:
    """Whether the program has foreign operations or types."""
    parts = chain.from_iterable(map(_foreign_parts, program.functions))
    return any(True for _ in chain(parts, _foreign_types(program)))


def foreign_effects(program: Program) -> Iterator[Span | None]:
    """The locations of the foreign statements that are effects."""
    return (each.span for each in program.statements() if each.op == "foreign")


def _foreign_parts(function: Function) -> Iterator[tuple[str, str, Span | None]]:
    for member in function.members():
        for statement in member.body:
            if statement.op in FOREIGN_OPERATIONS:
                yield str(statement.of), f"operation `{statement.of}` of `{function.name}`", statement.span
        if isinstance(transfer := member.transfer, ForeignTransfer):
            yield transfer.text, f"operation `{transfer.text}` of `{function.name}`", transfer.span


def _foreign_types(program: Program) -> Iterator[tuple[str, str, Span | None]]:
    for function in (*program.externals, *program.functions):
        for parameter in (each for member in function.members() for each in member.parameters):
            if _has_foreign(parameter.type):
                span = parameter.span or function.span
                yield str(parameter.type), f"type `{parameter.type}` in `{function.name}`", span


def _has_foreign(type: Type) -> bool:
    """Whether the type is, or has, a foreign type. (Recursive: types are nested at most `MAX_TYPE_DEPTH` deep.)"""
    return any(map(_has_foreign, type.parameters)) if isinstance(type, ContinuationType) else is_foreign(type)
