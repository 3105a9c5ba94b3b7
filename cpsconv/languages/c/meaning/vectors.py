"""Operations on vectors of GNU C, as statement expressions of operations on their elements.

For example, ``a + b`` with vectors of two elements is ``({ V vector = { a[0] + b[0], a[1] + b[1] }; vector; })``.
An operand that is no variable is the initial value of one in this scope. The operands of an operation that are such
expressions become a part of it, so that they are not nested.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.arguments import wrong_count
from cpsconv.languages.c.meaning.context import VALUES, Typing, rejected, rule, typed
from cpsconv.languages.c.meaning.conversions import converted, on_numbers, with_article
from cpsconv.languages.c.meaning.declared_types import type_named
from cpsconv.languages.c.meaning.places import as_index, element_of_vector
from cpsconv.languages.c.meaning.tree_warnings import COMPARISONS
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    INT,
    INTEGERS,
    UNKNOWN,
    Arithmetic,
    CType,
    array_of,
    is_floating_type,
    is_integer_type,
    operation_types,
    pointer_to,
    promoted,
)
from cpsconv.languages.c.vector_types import Vector, truth_vector

if TYPE_CHECKING:
    from typing import TypeGuard

Lane = Callable[[int], c.Expression]
"""Returns the operand of the operation on the elements with a number."""

_ON_INTEGERS = frozenset(["%", "&", "|", "^", "<<", ">>", "~"])


def unary_of_vector(typing: Typing, op: str, operand: c.Expression, node: c.Expression) -> c.Expression:
    """``+``, ``-`` or ``~`` of a vector."""
    type = operand.type
    assert isinstance(type, Vector)
    if op in _ON_INTEGERS and is_floating_type(type.element):
        return _unsuitable_vectors(typing, op, [operand], node)
    items: list[c.Statement] = []
    lane, wide = _lanes(typing, operand, type.element, items), promoted(type.element)

    def element(number: int) -> c.Expression:
        return c.Unary(node.span, op, converted(typing, wide, lane(number)), type=wide)

    return _vector(typing, type, element, items, node.span)


def on_vectors(typing: Typing, op: str, left: c.Expression, right: c.Expression, node: c.Expression) -> c.Expression:
    """The operation of `node` on two values, one of which is a vector at least. The other one may be a number."""
    one, other = left.type, right.type
    if UNKNOWN in (one, other):
        return c.Erroneous(node.span, [left, right])
    type = one if isinstance(one, Vector) else other
    assert isinstance(type, Vector)
    if not _are_suitable(op, type, one if type is other else other):
        return _unsuitable_vectors(typing, op, [left, right], node)
    items: list[c.Statement] = []
    computed: CType = type.element
    if op in COMPARISONS and any(isinstance(each, Vector) and _is_unsigned(each) for each in (one, other)):
        computed = INTEGERS[computed.size, False]
    first, second = (_lanes(typing, each, computed, items) for each in (left, right))

    def element(number: int) -> c.Expression:
        value = _on_elements(typing, op, first(number), second(number), node)
        return c.Unary(node.span, "-", converted(typing, INT, value), type=INT) if op in COMPARISONS else value

    return _vector(typing, truth_vector(type) if op in COMPARISONS else type, element, items, node.span)


def _on_elements(typing: Typing, op: str, left: c.Expression, right: c.Expression, node: c.Expression) -> c.Expression:
    """The operation on two elements."""
    types = operation_types(op, left.type, right.type)
    assert types
    return on_numbers(typing, left, right, types, c.Binary(node.span, op, left, right))


def _unsuitable_vectors(typing: Typing, op: str, operands: Sequence[c.Expression], node: c.Expression) -> c.Expression:
    types = " and ".join(f"`{each.type}`" for each in operands)
    return rejected(typing, "type-mismatch", f"`{op}` cannot be applied to {types}", node, operands)


def _lane_of(typing: Typing, local: t.Local, number: int, span: Span) -> c.Subscript:
    return element_of_vector(typing, t.use(local, span), c.Constant(span, INT, number), span)


def _lanes(typing: Typing, value: c.Expression, type: CType, items: list[c.Statement]) -> Lane:
    """The elements of a vector, or a number for each, converted to the type of the operation."""
    span = value.span
    if isinstance(value.type, Vector):
        local = _variable(typing, value, items)
        given = value.type.element
        return lambda number: converted(typing, type, c.Read(span, given, _lane_of(typing, local, number, span)))
    if not isinstance(value, c.Constant):
        scalar = t.temporary("scalar", type, span)
        items.append(t.Declared(span, [t.Declare(scalar, converted(typing, type, value))]))
        return lambda number: t.read(scalar, span)
    return lambda number: converted(typing, type, value)


def _variable(typing: Typing, value: c.Expression, items: list[c.Statement]) -> t.Local:
    """A variable with the value of a vector: one that is read, or that of an operation, or a new one."""
    if type(value) is c.StatementExpression and value in typing.of_vectors and value.value:
        items += value.items
        value = value.value
    if type(value) is c.Read and type(value.operand) is c.Name and type(value.operand.denoted) is t.Local:
        return value.operand.denoted
    local = t.temporary("operand", value.type, value.span)
    items.append(t.Declared(value.span, [t.Declare(local, value)]))
    return local


def _vector(typing: Typing, type: Vector, element: Lane, items: list[c.Statement], span: Span) -> c.Expression:
    """The vector of these elements, after the items."""
    typing.function.note_objects()
    local = t.temporary("vector", type, span)
    values = [converted(typing, type.element, element(number)) for number in range(type.count)]
    parts = [t.Part(_lane_of(typing, local, number, span), value) for number, value in enumerate(values)]
    items.append(t.Declared(span, [t.Declare(local, None, parts)]))
    result = c.StatementExpression(span, items, t.read(local, span), type=type)
    typing.of_vectors.add(result)
    return result


@rule(VALUES, c.ConvertVector)
def _convert_vector(typing: Typing, node: c.ConvertVector) -> Computation[c.Expression]:
    """``__builtin_convertvector(operand, type)``: the elements converted to those of the type."""
    value = yield typed(typing, node.operand)
    type = type_named(typing, node.type_name).unqualified
    if UNKNOWN in (value.type, type):
        return c.Erroneous(node.span, [value])
    if not isinstance(value.type, Vector) or not isinstance(type, Vector) or value.type.count != type.count:
        message = f"{with_article(value.type)} cannot be converted to `{type}`"
        return rejected(typing, "type-mismatch", message, node, [value])
    items: list[c.Statement] = []
    return _vector(typing, type, _lanes(typing, value, value.type.element, items), items, node.span)


# ---------------------------------------------------------------------------------------------------------- shuffles


def shuffle(typing: Typing, node: c.CallExpression) -> Computation[c.Expression]:
    """``__builtin_shuffle(vector, mask)``, or with two vectors: elements by their numbers in the mask."""
    values: list[c.Expression] = []
    for argument in node.arguments:
        values.append((yield typed(typing, argument)))
    *vectors, mask = values
    type = vectors[0].type if vectors else UNKNOWN
    if any(each.type is UNKNOWN for each in values) or not 1 <= len(vectors) <= 2:
        if len(values) not in (2, 3):
            return (yield from wrong_count(typing, node, 2))
        return c.Erroneous(node.span, values)
    if not isinstance(type, Vector) or vectors[-1].type is not type or not _is_mask(mask.type, type):
        return _unsuitable_vectors(typing, "__builtin_shuffle", values, node)
    span, items, count = node.span, list[c.Statement](), type.count * len(vectors)
    lanes = [_lanes(typing, each, type.element, items) for each in vectors]
    numbers = _lanes(typing, mask, mask.type.element, items)
    array = array_of(type.element, count)
    both = t.temporary("elements", array, span)
    decay = c.Decay(span, pointer_to(type.element), t.use(both, span))
    parts = [
        t.Part(t.element(decay, c.Constant(span, INT, number), span), lanes[number // type.count](number % type.count))
        for number in range(count)
    ]
    items.append(t.Declared(span, [t.Declare(both, None, parts)]))

    def element(number: int) -> c.Expression:
        chosen = _on_elements(typing, "&", numbers(number), c.Constant(span, INT, count - 1), node)
        return c.Read(span, type.element, t.element(decay, as_index(typing, chosen, node), span))

    return _vector(typing, type, element, items, span)


def _is_unsigned(type: Vector) -> bool:
    return is_integer_type(type.element) and not type.element.signed


def _are_suitable(op: str, type: Vector, other: CType) -> bool:
    """Whether the operator can be applied to a vector of that type, and to another vector or a number."""
    is_floating = is_floating_type(type.element)
    if is_floating and op in _ON_INTEGERS:
        return False
    if isinstance(other, Vector):
        same_size = other.count == type.count and other.element.size == type.element.size
        return same_size and is_floating_type(other.element) is is_floating
    return isinstance(other, Arithmetic) and (is_floating or not is_floating_type(other))


def _is_mask(mask: CType, type: Vector) -> TypeGuard[Vector]:
    """Whether vectors of the type `mask` have the numbers of elements of the other ones."""
    if not isinstance(mask, Vector) or not is_integer_type(mask.element):
        return False
    return mask.count == type.count and mask.element.size == type.element.size
