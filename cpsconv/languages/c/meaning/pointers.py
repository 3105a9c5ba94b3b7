"""Operations with pointers (C17 6.5.4 to 6.5.9 and 6.5.15): sums, differences, comparisons, casts, ``?:``."""

from __future__ import annotations

from cpsconv.languages.c.complex_types import COMPLEX_TYPES, common_part
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.compatibility import are_compatible, composite
from cpsconv.languages.c.meaning.context import Typing, rejected
from cpsconv.languages.c.meaning.conversions import (
    advice,
    as_scalar,
    check_never_null,
    converted,
    is_integer,
    is_null,
    is_number,
    is_string,
    with_article,
)
from cpsconv.languages.c.meaning.places import as_index, has_size
from cpsconv.languages.c.meaning.tree_warnings import COMPARISONS, ORDERINGS
from cpsconv.languages.c.records import Record
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    LONG,
    TRUTH,
    UNKNOWN,
    VOID,
    Arithmetic,
    Array,
    CType,
    Pointer,
    common_type,
    pointer_to,
    qualified,
)

_COMPARE_STRINGS = "use `strcmp` to compare strings, or a character in single quotes"


def on_pointers(typing: Typing, left: c.Expression, right: c.Expression, node: c.Binary) -> c.Expression:
    """The operation of `node` on both operands, which are not both numbers of a type that suits the operator."""
    op = node.op
    left, right = as_scalar(typing, left, node.left), as_scalar(typing, right, node.right)
    one, other = left.type, right.type
    if UNKNOWN in (one, other):
        return c.Erroneous(node.span, [left, right])
    result: c.Expression | None = None
    if op in COMPARISONS:
        result = _comparison(typing, left, right, node)
    elif isinstance(one, Pointer) and isinstance(other, Pointer):
        result = _difference(typing, left, right, node) if op == "-" else None
    elif isinstance(one, Pointer) and op in ("+", "-") and is_integer(other):
        result = _sum(typing, left, right, node.right, node)
    elif isinstance(other, Pointer) and op == "+" and is_integer(one):
        result = _sum(typing, right, left, node.left, node)
    if result is None:
        wanted = "numbers" if isinstance(one, Pointer) or isinstance(other, Pointer) else "integers"
        message = f"`{op}` needs {wanted}, not `{one}` and `{other}`"
        return rejected(typing, "type-mismatch", message, node, [left, right])
    return result


def _sum(
    typing: Typing, pointer: c.Expression, index: c.Expression, index_node: c.Expression, node: c.Binary
) -> c.Expression:
    index = as_index(typing, index, index_node)
    if not has_size(typing, pointer.type, node.span):
        return c.Erroneous(node.span, [pointer, index])
    return node.become(pointer, index, pointer.type)


def _difference(typing: Typing, left: c.Expression, right: c.Expression, node: c.Binary) -> c.Expression:
    one, other = left.type, right.type
    assert isinstance(one, Pointer) and isinstance(other, Pointer)
    if not are_compatible(one.target.unqualified, other.target.unqualified):
        message = f"the difference of pointers to different types, `{one}` and `{other}`"
        return rejected(typing, "type-mismatch", message, node, [left, right])
    if not has_size(typing, one, node.span):
        return c.Erroneous(node.span, [left, right])
    return node.become(left, right, LONG)


def _comparison(typing: Typing, left: c.Expression, right: c.Expression, node: c.Binary) -> c.Expression | None:
    """A comparison with a pointer. The operands get the same type."""
    one, other = left.type, right.type
    if not is_integer(one) or not is_integer(other):
        return None
    type = one if isinstance(one, Pointer) else other
    _check_addresses(typing, left, right, node)
    if isinstance(one, Pointer) and isinstance(other, Pointer):
        is_void = VOID in (one.target.unqualified, other.target.unqualified)
        if not is_void and not are_compatible(one.target.unqualified, other.target.unqualified):
            message = f"a comparison of pointers to different types, `{one}` and `{other}`"
            typing.errors.warn("compare-distinct-pointer-types", message, node.span)
    elif not is_null(right if isinstance(one, Pointer) else left):
        message = f"a comparison of a pointer and an integer, `{one}` and `{other}`"
        pointer, number = (left, right) if isinstance(one, Pointer) else (right, left)
        help = advice(t.unconverted(number).type, pointer, pointer.span)
        typing.errors.warn("int-conversion", message, node.span, help=help)
    return node.become(arm(typing, type, left), arm(typing, type, right), TRUTH)


def _check_addresses(typing: Typing, left: c.Expression, right: c.Expression, node: c.Binary) -> None:
    """Warn of a comparison whose result does not depend on what the pointers point to, or is always the same."""
    if is_null(left) or is_null(right):
        if node.op not in ORDERINGS:
            outcome = "false" if node.op == "==" else "true"
            check_never_null(typing, right if is_null(left) else left, outcome, node.span)
    elif not (isinstance(left.type, Pointer) and isinstance(right.type, Pointer)):
        pass
    elif is_string(left) or is_string(right):
        message = "a comparison with a string literal compares addresses, not characters"
        typing.errors.warn("address", message, node.span, help=_COMPARE_STRINGS)
    elif _is_array(left) and _is_array(right):
        message = "a comparison of arrays compares their addresses, not their elements"
        typing.errors.warn("array-compare", message, node.span)


def _is_array(value: c.Expression) -> bool:
    return isinstance(value, c.Decay) and isinstance(value.operand.type, Array)


# ------------------------------------------------------------------------------------------------------- conversions


def arm(typing: Typing, type: CType, value: c.Expression) -> c.Expression:
    """The value as an operand that is converted to the common type of both operands."""
    if is_number(type):
        return converted(typing, type, value)
    if value.type is type:
        return value
    if type is VOID:
        return c.Cast(value.span, VOID, value)
    return c.Constant(value.span, type, 0) if is_null(value) else c.Convert(value.span, type, value)


def type_of_both(typing: Typing, then: c.Expression, otherwise: c.Expression, node: c.Conditional) -> CType:
    """The type of a conditional expression with these operands; `UNKNOWN` if it is erroneous."""
    one, other = then.type, otherwise.type
    if UNKNOWN in (one, other):
        return UNKNOWN
    if isinstance(one, Arithmetic) and isinstance(other, Arithmetic):
        common = common_type(one, other)
        typing.checks.choice(then, otherwise, common, node)
        return common
    if VOID in (one, other):
        return VOID
    if is_number(one) and is_number(other):  # one of them is complex
        return COMPLEX_TYPES[common_part(one, other)]
    if one is other:
        if isinstance(one, Record):
            typing.function.note_objects()
        return one
    if isinstance(one, Pointer) and (is_null(otherwise) or is_integer(other)):
        return _pointer_type(typing, one, then, otherwise, node)
    if isinstance(other, Pointer) and is_integer(one):
        return _pointer_type(typing, other, otherwise, then, node)
    message = f"the operands of `?:` have different types, `{one}` and `{other}`"
    typing.errors.report("type-mismatch", message, node.span)
    return UNKNOWN


def _pointer_type(
    typing: Typing, type: Pointer, pointer: c.Expression, other: c.Expression, node: c.Conditional
) -> CType:
    """The type of ``?:`` with one operand of that pointer type, and another pointer or integer."""
    if is_null(other):
        return type
    if not isinstance(other.type, Pointer):
        message = f"the operands of `?:` are a pointer and an integer, `{type}` and `{other.type}`"
        typing.errors.warn("int-conversion", message, node.span, help=advice(other.type, pointer, pointer.span))
        return type
    if is_null(pointer):
        return other.type
    one, another = type.target, other.type.target
    qualifiers = one.qualifiers | another.qualifiers
    if VOID in (one.unqualified, another.unqualified):
        return pointer_to(qualified(VOID, qualifiers))
    if common := composite(one.unqualified, another.unqualified):
        return pointer_to(qualified(common, qualifiers))
    message = f"the operands of `?:` point to different types, `{type}` and `{other.type}`"
    typing.errors.warn("incompatible-pointer-types", message, node.span)
    return pointer_to(qualified(VOID, qualifiers))


def can_cast(typing: Typing, type: CType, operand: c.Expression, node: c.Cast) -> bool:
    """Whether there is a cast of the operand to the type, which is reported otherwise."""
    given = operand.type
    if given is UNKNOWN:
        return False
    if isinstance(type, Pointer) or isinstance(given, Pointer):
        if is_integer(type) and is_integer(given):
            _check_size(typing, type, operand, node)
            return True
    elif is_number(type):
        return True
    message = f"{with_article(given)} cannot be cast to `{type}`"
    typing.errors.report("type-mismatch", message, node.span)
    return False


def _check_size(typing: Typing, type: CType, operand: c.Expression, node: c.Cast) -> None:
    """Warn of casts between pointers and integers of another size."""
    given = operand.type
    if type.size == given.size or type.kind == "bool" or typing.checks.constant(node.operand):
        return
    rule = "pointer-to-int-cast" if isinstance(given, Pointer) else "int-to-pointer-cast"
    message = f"a cast from `{given}` to `{type}`, an integer type of another size"
    if rule == "int-to-pointer-cast":
        message = f"a cast to `{type}` from `{given}`, an integer type of another size"
    typing.errors.warn(rule, message, node.span, help="cast to `long` first, or use `intptr_t`")
