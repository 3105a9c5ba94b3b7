"""The arguments of calls, converted to the types of the parameters, and calls of functions of a known type."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cpsconv.core.source import Note, Span, counted
from cpsconv.core.trampoline import Computation
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.context import Typing, text_of, typed
from cpsconv.languages.c.meaning.conversions import as_number, assigned, is_null, is_supported
from cpsconv.languages.c.meaning.places import report_unknown_size
from cpsconv.languages.c.records import Field, Record, is_complete
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import VOID, Arithmetic, CType, FunctionType, Pointer, argument_promoted, spelled


def called(
    typing: Typing,
    node: c.CallExpression,
    type: FunctionType,
    callee: Any,
    returns: bool,
    named: t.Function | None = None,
) -> Computation[c.Expression]:
    """The call of a function of that type: a `Function`, a pointer to one, or None for an operation.

    It is `named` if the source names it.
    """
    given, parameters = len(node.arguments), type.parameters
    if type.prototyped and (given < len(parameters) or (given > len(parameters) and not type.variadic)):
        notes = declaration_note(named) if named else []
        return (yield from wrong_count(typing, node, len(parameters), notes, type.variadic))
    arguments = yield from typed_arguments(typing, node.arguments[: len(parameters)], parameters)
    variable = []
    for argument in node.arguments[len(parameters) :]:
        variable.append(promoted_argument(typing, (yield typed(typing, argument)), argument))
    if not type.prototyped:
        arguments, variable = variable, []
    result = type.result.unqualified
    if isinstance(result, Record):
        typing.function.note_objects()
        if not is_complete(result):
            report_unknown_size(typing, result, node.span)
    if not is_supported(typing, result, node.span):
        return c.Erroneous(node.span, arguments)
    node.callee = t.use(callee, node.callee.span) if isinstance(callee, t.Function) else callee or node.callee
    node.arguments, node.variable, node.returns, node.type = arguments, variable, returns, result
    return node


def typed_arguments(
    typing: Typing, nodes: list[c.Expression], types: Sequence[CType]
) -> Computation[list[c.Expression]]:
    """The arguments, converted to the types of the parameters."""
    arguments = []
    for node, type in zip(nodes, types, strict=True):
        value = yield typed(typing, node)
        field = _field_for(type, value)
        if field:
            value = union_with(typing, type.unqualified, field, assigned(typing, field.type, value, node), node.span)
        arguments.append(value if field else assigned(typing, type, value, node))
    return arguments


def promoted_argument(typing: Typing, value: c.Expression, node: c.Expression) -> c.Expression:
    """The value after the default argument promotions."""
    type = value.type
    if isinstance(type, Arithmetic):
        wide = argument_promoted(type)
        return value if wide is type else c.Cast(node.span, wide, value)
    return value if isinstance(type, (Pointer, Record)) else as_number(typing, value, node)


def wrong_count(
    typing: Typing, node: c.CallExpression, expected: int, notes: Sequence[Note] = (), variadic: bool = False
) -> Computation[c.Expression]:
    takes = f"takes {'at least ' * variadic}{counted(expected, 'argument', 'no')}"
    message = f"`{text_of(node.callee)}` {takes}, but {given_arguments(len(node.arguments))}"
    typing.errors.report("argument-count", message, node.callee.span, notes=notes)
    return erroneous_call(typing, node)


def erroneous_call(typing: Typing, node: c.CallExpression) -> Computation[c.Expression]:
    arguments = []
    for argument in node.arguments:
        arguments.append((yield typed(typing, argument)))
    return c.Erroneous(node.span, arguments)


def union_with(typing: Typing, type: Record, field: Field, value: c.Expression, span: Span) -> c.Expression:
    """A union whose field has the value: that of ``(union u) value`` of GNU C."""
    typing.function.note_objects()
    result = t.temporary("result", type, span)
    part = t.Part(t.member(t.use(result, span), field, span), value)
    return t.after([t.Declare(result, None, [part])], t.read(result, span))


def given_arguments(count: int) -> str:
    return f"{count or 'none'} {'is' if count < 2 else 'are'} given"


def declaration_note(function: t.Function) -> list[Note]:
    """The note on the declaration of a function."""
    assert function.type
    name = function.name.rpartition(".")[2]  # a nested function is `f.g`
    return [(f"it is declared here as `{spelled(function.type, name)}`", function.span)]


def _field_for(type: CType, value: c.Expression) -> Field | None:
    """The field of a transparent union that a value of another type is passed in; None if there is none."""
    given = value.type
    if not isinstance(type, Record) or not type.unqualified.is_transparent or type.unqualified is given:
        return None
    is_any = is_null(value) or (isinstance(given, Pointer) and given.target.unqualified is VOID)
    for field in type.named_fields:
        wanted = field.type.unqualified
        if isinstance(wanted, Pointer) and isinstance(given, Pointer):
            is_suitable = wanted.target.unqualified is given.target.unqualified
        else:
            is_suitable = wanted is given
        if is_suitable or (is_any and isinstance(wanted, Pointer)):
            return field
    return None
