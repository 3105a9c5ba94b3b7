"""The macros of <stdarg.h>: calls of functions of the program that access variable arguments."""

from __future__ import annotations

from cpsconv.abi.argument_passing import INTEGER, SSE
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.context import VALUES, Typing, rejected, rule, typed, with_lengths
from cpsconv.languages.c.meaning.conversions import is_supported, with_article
from cpsconv.languages.c.meaning.declared_types import type_named
from cpsconv.languages.c.records import VA_LIST_RECORD, Record, is_complete, register_classes
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    INT,
    LONG_DOUBLE,
    UNKNOWN,
    UNSIGNED_LONG,
    VOID,
    Arithmetic,
    Array,
    CType,
    FunctionType,
    argument_promoted,
    is_floating_type,
    pointer_to,
)

_VA_LIST_POINTER = pointer_to(VA_LIST_RECORD)


def _va_list(typing: Typing, node: c.Expression) -> Computation[c.Expression]:
    """The pointer to a `va_list`, which `node` denotes."""
    value: c.Expression = yield typed(typing, node)
    if value.type is _VA_LIST_POINTER:
        return value
    message = f"expected a `va_list`, but this is {with_article(value.type)}"
    return rejected(typing, "type-mismatch", message, node, [value])


def va_start(typing: Typing, node: c.CallExpression) -> Computation[c.Expression]:
    if not typing.function.is_variadic:
        message = f"`{typing.function.name}` has no variable arguments: its parameters do not end with `...`"
        typing.errors.report("variadic", message, node.span)
    node.operation, node.arguments, node.type = "va_start", [(yield _va_list(typing, node.arguments[0]))], VOID
    return node


def va_end(typing: Typing, node: c.CallExpression) -> Computation[c.Expression]:
    return c.Cast(node.span, VOID, (yield _va_list(typing, node.arguments[0])))


def va_copy(typing: Typing, node: c.CallExpression) -> Computation[c.Expression]:
    target, source = (yield _va_list(typing, node.arguments[0])), (yield _va_list(typing, node.arguments[1]))
    if UNKNOWN in (target.type, source.type):
        return c.Erroneous(node.span, [target, source])
    into, of = (c.Dereference(each.span, each, type=VA_LIST_RECORD) for each in (target, source))
    copy = c.Assign(node.span, None, into, c.Read(of.span, VA_LIST_RECORD, of), type=VA_LIST_RECORD)
    return c.Cast(node.span, VOID, copy)


@rule(VALUES, c.VaArg)
def _va_arg(typing: Typing, node: c.VaArg) -> Computation[c.Expression]:
    """``va_arg(list, type)``."""
    pointer = yield _va_list(typing, node.list)
    type = type_named(typing, node.type_name).unqualified
    if UNKNOWN in (type, pointer.type) or not is_supported(typing, type, node.span):
        return c.Erroneous(node.span, [pointer])
    wide = argument_promoted(type) if isinstance(type, Arithmetic) else type
    if wide is not type and wide.size != type.size:
        message = f"no variable argument has the type `{type}`: it is passed as `{wide}`"
        return rejected(typing, "variadic", message, node, [pointer], help=f"write `{wide}`")
    if isinstance(type, (Array, FunctionType)) or type is VOID or not is_complete(type):
        message = f"{with_article(type)} cannot be a variable argument"
        return rejected(typing, "variadic", message, node, [pointer])
    place = c.Convert(node.span, pointer_to(type), _argument(typing, pointer, type, node.span))
    return with_lengths(typing, c.Read(node.span, type, c.Dereference(node.span, place, type=type)))


def _argument(typing: Typing, list: c.Expression, type: CType, span: Span) -> c.Expression:
    """The pointer to the next argument, as C passes arguments of the type."""
    size, alignment = (c.Constant(span, UNSIGNED_LONG, each) for each in (type.size, type.alignment))
    if not isinstance(type, Record):
        if type is LONG_DOUBLE:
            return _access(typing, "memory", span, list, size, alignment)
        if is_floating_type(type):
            return _access(typing, "vector", span, list)
        if type.size <= 8:
            return _access(typing, "general", span, list, c.Constant(span, INT, 1))
    typing.function.note_objects()
    classes = register_classes(type) if isinstance(type, Record) else (INTEGER, INTEGER)
    if classes is None:
        return _access(typing, "memory", span, list, size, alignment)
    vectors = sum(1 << number for number, each in enumerate(classes) if each == SSE)
    if not vectors and type.alignment <= 8:
        return _access(typing, "general", span, list, c.Constant(span, INT, len(classes)))
    local = t.temporary("argument", type, span)
    object = c.CompoundLiteral(span, None, None, t.Declare(local, None), type=type)
    place = c.Convert(span, pointer_to(VOID), c.AddressOf(span, object, type=pointer_to(type)))
    return _access(typing, "struct", span, list, place, size, c.Constant(span, INT, vectors), alignment)


def _access(typing: Typing, kind: str, span: Span, *arguments: c.Expression) -> c.Expression:
    """The call of a function that accesses variable arguments."""
    return t.call(typing.declarations.external(f"__va_{kind}", span), [*arguments], span)
