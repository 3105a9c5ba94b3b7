"""What types decide: ``sizeof``, ``_Alignof``, ``offsetof``, the compatibility of types, and ``_Generic``."""

from __future__ import annotations

from typing import Any

from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation
from cpsconv.languages.c.diagnostics import seen
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.compatibility import are_compatible
from cpsconv.languages.c.meaning.context import PLACES, VALUES, Typing, denoted, rejected, rule, typed, with_lengths
from cpsconv.languages.c.meaning.conversions import constant_number, with_article
from cpsconv.languages.c.meaning.declared_types import constant_integer, type_named
from cpsconv.languages.c.meaning.places import field_path, report_unknown_size, unevaluated, unevaluated_operand
from cpsconv.languages.c.meaning.tree_warnings import has_effect
from cpsconv.languages.c.records import is_complete
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    INT,
    TRUTH,
    UNKNOWN,
    UNSIGNED_LONG,
    VOID,
    Array,
    CType,
    FunctionType,
    Pointer,
    VariableArray,
    element_of,
)


@rule(VALUES, c.SizeOf)
def _size_of(typing: Typing, node: c.SizeOf) -> Computation[c.Expression]:
    """The value of `sizeof`. The operand is not evaluated; an array does not decay."""
    operand = node.operand
    if isinstance(operand, c.Expression):
        evaluated = c.copied(operand) if has_effect(operand) else None
        place = yield unevaluated_operand(typing, operand)
        if isinstance(place, c.Member) and place.field.bits is not None:
            return rejected(typing, "type-mismatch", "a bit-field has no size in bytes", node, at=operand.span)
        type = place.type
        variable = place.denoted if isinstance(place, c.Name) else None
        if isinstance(variable, t.Local) and variable.is_array:
            message = f"`{variable.name}` is a parameter, a pointer of type `{type}`: this is its size, not an array's"
            typing.errors.warn("sizeof-array-argument", message, node.span, notes=seen(variable.span))
        else:
            typing.checks.measure(node, type)
        if isinstance(type, VariableArray) and evaluated:
            return c.Comma(node.span, (yield typed(typing, evaluated)), _size(typing, type, node), type=UNSIGNED_LONG)
    else:
        type = type_named(typing, operand)
        typing.checks.measure(node, type)
    return _size(typing, type, node)


def _size(typing: Typing, type: CType, node: c.SizeOf) -> c.Expression:
    if type is UNKNOWN:
        return c.Erroneous(node.span)
    if type.unqualified is VOID:
        return rejected(typing, "void", "`void` has no size", node)
    if isinstance(type, VariableArray):
        return with_lengths(typing, variable_size(type, node.span))
    if not is_complete(type) and not isinstance(type, FunctionType):
        report_unknown_size(typing, type, node.span)
        return c.Erroneous(node.span)
    return constant_number(typing, node, UNSIGNED_LONG, type.size or isinstance(type, FunctionType))


def variable_size(type: CType, span: Span) -> c.Expression:
    """The size of an array of variable length, computed at run time."""
    size: c.Expression = c.Constant(span, UNSIGNED_LONG, element_of(type).size)
    while isinstance(type, Array):
        count: Any = type.count if isinstance(type, VariableArray) else type.length
        known = count is None or isinstance(count, int)
        factor = c.Constant(span, UNSIGNED_LONG, count or 0) if known else t.read(count, span)
        size = c.Binary(span, "*", size, factor, type=UNSIGNED_LONG)
        type = type.element
    return size


@rule(VALUES, c.AlignOf)
def _align_of(typing: Typing, node: c.AlignOf) -> Computation[c.Expression]:
    """The value of `_Alignof`."""
    operand = node.operand
    alignment = 0
    if isinstance(operand, c.Expression):
        place = yield unevaluated_operand(typing, operand)
        type = place.type
        if isinstance(place, c.Name):
            alignment = getattr(place.denoted, "alignment", 0)
        elif isinstance(place, c.Member) and place.field.bits is not None:
            return rejected(typing, "type-mismatch", "a bit-field has no alignment", node, at=operand.span)
        elif isinstance(place, c.Member):
            alignment = place.field.alignment
        elif isinstance(place, c.Dereference):
            alignment = _best_alignment(place.pointer)
    else:
        type = type_named(typing, operand)
    if type is UNKNOWN:
        return c.Erroneous(node.span)
    if not is_complete(element := element_of(type)) and not (
        element.unqualified is VOID or isinstance(element, FunctionType)
    ):
        report_unknown_size(typing, type, node.span)
        return c.Erroneous(node.span)
    return constant_number(typing, node, UNSIGNED_LONG, alignment or type.alignment)


def _best_alignment(pointer: c.Expression) -> int:
    """The largest alignment of the types that the pointer had before its conversions, as gcc's `__alignof__`."""
    best = 0
    while isinstance(pointer.type, Pointer):
        best = max(best, pointer.type.target.alignment)
        if not isinstance(pointer, c.Convert):
            break
        pointer = pointer.operand
    return best


@rule(VALUES, c.OffsetOf)
def _offset_of(typing: Typing, node: c.OffsetOf) -> Computation[c.Expression]:
    """``offsetof(type, a.b[1])``."""
    type, offset = type_named(typing, node.type_name).unqualified, 0
    for designator in node.designators:
        if type is UNKNOWN:
            break
        if isinstance(designator, c.FieldDesignator):
            access = c.Member(designator.span, node, designator.name, designator.span, False)
            path = field_path(typing, type, access)
            for field in path or ():
                if field.bits is not None:
                    message = f"`{field.name}` is a bit-field, and has no offset in bytes"
                    typing.errors.report("no-address", message, designator.span)
                offset, type = offset + field.offset, field.type.unqualified
            if path is None:
                return c.Erroneous(node.span)
        elif isinstance(type, Array):
            index = constant_integer(typing, (yield unevaluated(typing, designator.index)), "the index")
            offset, type = offset + (index or 0) * type.element.size, type.element.unqualified
        else:
            message = f"`[]` needs an array, not {with_article(type)}"
            return rejected(typing, "type-mismatch", message, node, at=designator.span)
    return c.Erroneous(node.span) if type is UNKNOWN else constant_number(typing, node, UNSIGNED_LONG, offset)


@rule(VALUES, c.TypesCompatible)
def _types_compatible(typing: Typing, node: c.TypesCompatible) -> c.Expression:
    """``__builtin_types_compatible_p(first, second)``."""
    one, other = type_named(typing, node.first).unqualified, type_named(typing, node.second).unqualified
    if UNKNOWN in (one, other):
        return c.Erroneous(node.span)
    return constant_number(typing, node, INT, are_compatible(one, other))


@rule(PLACES, c.Generic)
def _generic(typing: Typing, node: c.Generic) -> Computation[Any]:
    """The place or value that `_Generic` chooses by the type of the controlling expression."""
    controlling = yield unevaluated(typing, node.controlling)
    type = INT if controlling.type is TRUTH else controlling.type
    chosen, default = [], None
    for type_name, expression in node.associations:
        if type_name is None:
            default = expression
        elif (associated := type_named(typing, type_name)) is UNKNOWN or type is UNKNOWN:
            return c.Erroneous(node.span)
        elif are_compatible(associated, type):
            chosen.append(expression)
    if type is UNKNOWN:
        return c.Erroneous(node.span)
    if len(chosen) > 1:
        message = f"several types of this `_Generic` are compatible with `{type}`"
        return rejected(typing, "redeclared", message, node)
    found = chosen[0] if chosen else default
    if found is None:
        message = f"no type of this `_Generic` is `{type}`, that of its first operand"
        return rejected(typing, "type-mismatch", message, node, at=node.controlling.span, help="add a `default`")
    return (yield denoted(typing, found))
