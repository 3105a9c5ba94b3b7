"""The types and conversions of expressions (C17 6.5), which are typed in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cpsconv.core.floating import Real
from cpsconv.core.trampoline import Computation, Step
from cpsconv.languages.c.complex_types import Complex
from cpsconv.languages.c.meaning.arguments import union_with
from cpsconv.languages.c.meaning.complex_numbers import (
    PARTS,
    complex_part,
    complex_unary,
    imaginary,
    is_complex_operation,
    on_complex,
)
from cpsconv.languages.c.meaning.conditions import typed_condition
from cpsconv.languages.c.meaning.context import (
    PLACES,
    VALUES,
    Operand,
    Typing,
    rejected,
    rule,
    typed,
    with_lengths,
    with_warnings,
)
from cpsconv.languages.c.meaning.conversions import (
    as_condition,
    as_number,
    as_scalar,
    cast_of_vector,
    converted,
    is_supported,
    on_numbers,
)
from cpsconv.languages.c.meaning.declared_types import type_named
from cpsconv.languages.c.meaning.names import name_value
from cpsconv.languages.c.meaning.places import value_of
from cpsconv.languages.c.meaning.pointers import arm, can_cast, on_pointers, type_of_both
from cpsconv.languages.c.meaning.value_warnings import SILENT_ON_VARIABLES
from cpsconv.languages.c.meaning.vectors import on_vectors, unary_of_vector
from cpsconv.languages.c.records import Field, Record
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    BOOL,
    LONG,
    TRUTH,
    UNKNOWN,
    VOID,
    CType,
    Pointer,
    is_floating_type,
    is_truth_value,
    operation_types,
    promoted,
    wrapped,
)
from cpsconv.languages.c.vector_types import Vector

# ------------------------------------------------------------------------------------------------ literals and names


@rule(VALUES, c.Literal)
def _literal(typing: Typing, node: c.Literal) -> c.Expression:
    if isinstance(node.type, Complex):
        return imaginary(typing, node)
    if node.value and isinstance(node.type, Pointer):  # `SIG_IGN`
        return c.Cast(node.span, node.type, c.Literal(node.span, LONG, node.value))
    return node


@rule(VALUES, c.Erroneous)
def _erroneous(typing: Typing, node: c.Erroneous) -> Computation[c.Expression]:
    parts = []
    for part in node.parts:
        parts.append((yield typed(typing, part)))
    return c.Erroneous(node.span, parts)


# -------------------------------------------------------------------------------------------------------- arithmetic


@rule(VALUES, c.Unary)
def _unary(typing: Typing, node: c.Unary) -> Computation[c.Expression]:
    op = node.op
    if op in PARTS:
        return value_of(typing, (yield complex_part(typing, node)), node)
    given = yield typed(typing, node.operand)
    if isinstance(given.type, Vector) and op != "!":
        return unary_of_vector(typing, op, given, node)
    operand = as_scalar(typing, given, node.operand) if op == "!" else as_number(typing, given, node.operand)
    if operand.type is UNKNOWN:
        return c.Erroneous(node.span, [operand])
    if isinstance(operand.type, Complex):
        if op != "!":
            return complex_unary(typing, op, operand, node.span)
        operand = converted(typing, BOOL, operand)
    if op == "!":
        node.operand, node.type = operand, TRUTH
        return node
    type = promoted(operand.type)
    if op == "~":
        if is_floating_type(type):
            return rejected(typing, "type-mismatch", f"`~` needs an integer, not `{type}`", node, [operand])
        if is_truth_value(operand.type):
            message = "`~` of a truth value is never zero"
            typing.errors.warn("bool-operation", message, node.span, help="did you mean `!`?")
    typing.checks.unary(node, type)
    if op == "-" and isinstance(node.operand, c.Literal):
        return with_warnings(typing, c.Constant(node.span, type, _negated(type, node.operand.value)))
    node.operand, node.type = converted(typing, type, operand), type
    return with_warnings(typing, node)


@rule(PLACES, c.Unary)
def _part_or_value(typing: Typing, node: c.Unary) -> Step[Operand]:
    """The place that ``__real__`` or ``__imag__`` denotes; the value of another operator."""
    return complex_part(typing, node) if node.op in PARTS else _unary(typing, node)


_LEAVES: dict[type, Callable[[Typing, Any], c.Expression]] = {c.Literal: _literal, c.Name: name_value}
"""The rules of expressions without parts."""


@rule(VALUES, c.Binary)
def _binary(typing: Typing, node: c.Binary) -> Step[c.Expression]:
    """The operation itself if both operands are names or literals, the frequent case; else its computation."""
    left, right = _LEAVES.get(type(node.left)), _LEAVES.get(type(node.right))
    if left and right:
        return arithmetic(typing, node, left(typing, node.left), right(typing, node.right))
    return _nested_binary(typing, node)


def _nested_binary(typing: Typing, node: c.Binary) -> Computation[c.Expression]:
    typing.tree.binary(node)
    left, leaf = (yield typed(typing, node.left)), _LEAVES.get(type(node.right))
    right = leaf(typing, node.right) if leaf else (yield typed(typing, node.right))
    if type(node.left) is c.Unary:
        typing.checks.negated_operand(node, left, right)
    return arithmetic(typing, node, left, right)


def arithmetic(typing: Typing, node: c.Binary, left: c.Expression, right: c.Expression) -> c.Expression:
    """The operation of `node` on the values of both operands, after C's conversions."""
    op, one, other = node.op, left.type, right.type
    types = operation_types(op, one, other)
    if types is None:
        if isinstance(one, Vector) or isinstance(other, Vector):
            return on_vectors(typing, op, left, right, node)
        if is_complex_operation(one, other):
            return on_complex(typing, left, right, node)
        return on_pointers(typing, left, right, node)
    if type(node.left) is not c.Name or op not in SILENT_ON_VARIABLES:
        typing.checks.operation(node, left, right, types[0])
    return on_numbers(typing, left, right, types, node)


@rule(VALUES, c.Logical)
def _logical(typing: Typing, node: c.Logical) -> Computation[c.Expression]:
    """``&&`` or ``||`` as a value: the left operand is a condition that skips the right one."""
    typing.tree.logical(node)
    left = yield typed_condition(typing, node.left)
    right = as_condition(typing, (yield typed(typing, node.right)), node.right)
    typing.checks.logical(node, left, right)
    return with_warnings(typing, node.become(left, right, TRUTH))


# --------------------------------------------------------------------------------------------------- other operators


@rule(VALUES, c.Comma)
def _comma(typing: Typing, node: c.Comma) -> Computation[c.Expression]:
    typing.tree.unused(node.left, "the left operand of `,`")
    is_discarded = node is typing.discarded
    typing.discarded = node.left
    left = yield typed(typing, node.left)
    typing.discarded = node.right if is_discarded else None
    right = yield typed(typing, node.right)
    node.left, node.right, node.type = left, right, right.type
    return node


@rule(VALUES, c.Conditional)
def _conditional(typing: Typing, node: c.Conditional) -> Computation[c.Expression]:
    if node.then is None:
        value: c.Expression = yield _or_else(typing, node)
        return value
    typing.tree.condition(node.condition)
    condition = yield typed_condition(typing, node.condition)
    then, otherwise = (yield typed(typing, node.then)), (yield typed(typing, node.otherwise))
    type = type_of_both(typing, then, otherwise, node)
    otherwise = with_warnings(typing, otherwise)
    if type is UNKNOWN:
        node.condition, node.then, node.otherwise, node.type = condition, then, otherwise, VOID
        return c.Erroneous(node.span, [node])
    node.condition, node.then, node.otherwise = condition, arm(typing, type, then), arm(typing, type, otherwise)
    node.type = type
    return node


def _or_else(typing: Typing, node: c.Conditional) -> Computation[c.Expression]:
    """``value ?: otherwise`` of GNU C."""
    value = as_scalar(typing, (yield typed(typing, node.condition)), node.condition)
    otherwise = yield typed(typing, node.otherwise)
    type = type_of_both(typing, value, otherwise, node)
    if type is UNKNOWN or type is VOID:
        return c.Erroneous(node.span, [value, otherwise])
    node.condition, node.otherwise, node.type = arm(typing, type, value), arm(typing, type, otherwise), type
    return with_warnings(typing, node)


@rule(VALUES, c.Cast)
def _cast(typing: Typing, node: c.Cast) -> Computation[c.Expression]:
    operand = yield typed(typing, node.operand)
    assert node.type_name
    type = type_named(typing, node.type_name).unqualified
    if type is UNKNOWN or not is_supported(typing, type, node.span):
        return c.Erroneous(node.span, [operand])
    if type is VOID or operand.type is type:
        return _cast_to(typing, type, operand, node)
    if isinstance(type, Record) and type.is_union and (field := _field_of_type(type, operand.type)):
        return union_with(typing, type, field, operand, node.span)
    if isinstance(type, Vector) or isinstance(operand.type, Vector):
        return with_lengths(typing, cast_of_vector(typing, type, operand, node))
    operand = as_scalar(typing, operand, node.operand)
    if not can_cast(typing, type, operand, node):
        return c.Erroneous(node.span, [operand])
    if is_complex_operation(type, operand.type):
        return converted(typing, type, operand)
    typing.checks.cast(node, type)
    return _cast_to(typing, type, operand, node)


def _cast_to(typing: Typing, type: CType, operand: c.Expression, node: c.Cast) -> c.Expression:
    node.type, node.operand = type, operand
    return with_lengths(typing, node)


def _field_of_type(union: Record, type: CType) -> Field | None:
    """The first field of a union that has the type, and a name."""
    return next((each for each in union.named_fields if each.name and each.type.unqualified is type.unqualified), None)


def _negated(type: CType, value: Real) -> Real:
    return wrapped(type, -value) if isinstance(value, int) else -value
