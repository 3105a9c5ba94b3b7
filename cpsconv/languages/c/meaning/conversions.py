"""Implicit conversions (C17 6.3), and conditions: expressions that decide a branch."""

from __future__ import annotations

import re
from typing import Any

from cpsconv.core.source import Span, article
from cpsconv.languages.c.complex_types import Complex
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.compatibility import are_compatible
from cpsconv.languages.c.meaning.complex_folding import folded
from cpsconv.languages.c.meaning.context import Typing, rejected, whole, with_warnings
from cpsconv.languages.c.records import Field, Record, of_one_header
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    BOOL,
    TRUTH,
    UNKNOWN,
    VOID,
    Arithmetic,
    Array,
    CType,
    FunctionType,
    OpaqueType,
    Pointer,
    VariableArray,
    array_of,
    element_of,
    is_integer_type,
)
from cpsconv.languages.c.vector_types import Vector, truth_vector

# ------------------------------------------------------------------------------------------------------------ values


def as_number(typing: Typing, value: c.Expression, node: c.Expression) -> c.Expression:
    """`value`, which is that of `node`, if it is a number or truth value; else erroneous, which is reported."""
    kind = value.type.kind
    if kind == "pointer" or (kind == "void" and not isinstance(value.type, Complex)):
        return _unsuitable(typing, value, node, "a number")
    return value


def as_scalar(typing: Typing, value: c.Expression, node: c.Expression) -> c.Expression:
    """`value`, which is that of `node`, if it is a number, truth value or pointer; else erroneous, and reported."""
    is_suitable = value.type.kind != "void" or isinstance(value.type, Complex)
    return value if is_suitable else _unsuitable(typing, value, node, "a number or pointer")


def _unsuitable(typing: Typing, value: c.Expression, node: c.Expression, wanted: str) -> c.Expression:
    if not is_supported(typing, value.type, node.span):
        pass
    elif value.type is VOID:
        typing.errors.report("void", "expected a value, but this expression is `void`", node.span)
    elif value.type is not UNKNOWN:
        typing.errors.report("type-mismatch", f"expected {wanted}, but this is {with_article(value.type)}", node.span)
    else:
        return value
    return c.Erroneous(node.span, [value])


def is_supported(typing: Typing, type: CType, span: Span) -> bool:
    """Whether there are values of the type; reported otherwise."""
    if isinstance(type, OpaqueType):
        typing.errors.report("unsupported", f"values of type `{type.unqualified}` are not supported yet", span)
    return not isinstance(type, OpaqueType)


# ------------------------------------------------------------------------------------------------------- conversions


def converted(typing: Typing, type: CType, value: c.Expression) -> c.Expression:
    """A number or truth value, or an erroneous expression, converted to an arithmetic or complex type."""
    given = value.type
    if given is type or (given is TRUTH and type is BOOL):
        return value
    if isinstance(given, Complex) or isinstance(type, Complex):
        return folded(typing, c.ComplexConversion(value.span, type, value))
    return c.Convert(value.span, type, value)


def on_numbers(
    typing: Typing, left: c.Expression, right: c.Expression, types: tuple[CType, CType, CType], node: c.Binary
) -> c.Expression:
    """The operation of `node` on both operands, which are converted to their `types`; the last one is the result's."""
    first, second, result = types
    if left.type is not first:
        left = c.Convert(left.span, first, left)
    if right.type is not second:
        right = c.Convert(right.span, second, right)
    node.left, node.right, node.type = left, right, result
    return with_warnings(typing, node) if typing.pending.warnings else node


def assigned(typing: Typing, type: CType, value: c.Expression, node: c.Expression) -> c.Expression:
    """`value`, which is that of `node`, converted as if by assignment to an object of that type."""
    given, type = value.type, type.unqualified
    if given is type or (given is TRUTH and type is BOOL):
        return value
    if isinstance(given, Arithmetic) and isinstance(type, Arithmetic):
        typing.checks.conversion(type, node, value)
        return with_warnings(typing, c.Convert(node.span, type, value))
    return _assigned_pointer(typing, type, value, node)


def _assigned_pointer(typing: Typing, type: CType, value: c.Expression, node: c.Expression) -> c.Expression:
    """As `assigned`, if one of the types is not arithmetic."""
    given = value.type
    if type is UNKNOWN or given is UNKNOWN or not is_supported(typing, type, node.span):
        return c.Convert(node.span, type, c.Erroneous(node.span, [value]))
    if is_number(type) and is_number(given):  # one of them is complex
        return converted(typing, type, value)
    if isinstance(type, Pointer) and is_null(value):
        return c.Constant(node.span, type, 0)
    if isinstance(type, Pointer) and isinstance(given, Pointer):
        _check_targets(typing, type, given, node)
    elif isinstance(given, Pointer) and type is BOOL:
        check_never_null(typing, value, "true", node.span)
        if is_string(value):  # a pointer that is never null
            return c.Comma(node.span, value, c.Literal(node.span, BOOL, True), type=BOOL)
    elif is_integer(type) and is_integer(given):  # one of them is a pointer
        what = "a pointer becomes" if isinstance(given, Pointer) else "an integer becomes"
        help = advice(type, value, node.span)
        typing.errors.warn("int-conversion", f"{what} {with_article(type)} without a cast", node.span, help=help)
    elif given is VOID:
        return c.Convert(node.span, type, _unsuitable(typing, value, node, "a value"))
    elif isinstance(type, Vector) and given is truth_vector(type) and is_integer_type(type.element):
        return cast_of_vector(typing, type, value, node)  # the result of a comparison, for unsigned elements
    else:
        message = f"expected {with_article(type)}, but this is {with_article(given)}"
        typing.errors.report("type-mismatch", message, t.origin(value).span, help=_omission(type, value, node.span))
        return c.Convert(node.span, type, c.Erroneous(node.span, [value]))
    return c.Convert(node.span, type, value)


def _check_targets(typing: Typing, type: Pointer, given: Pointer, node: c.Expression) -> None:
    """Warn of the conversion of a pointer to a type to which C does not convert it without a cast."""
    wanted, target = type.target, given.target
    plain, given_plain = _unqualified(wanted), _unqualified(target)
    if are_compatible(plain, given_plain) or VOID in (plain, given_plain) or of_one_header(plain, given_plain):
        lost = sorted(element_of(target).qualifiers - element_of(wanted).qualifiers)
        if lost:
            message = f"the conversion from `{given}` to `{type}` discards {' and '.join(f'`{q}`' for q in lost)}"
            typing.errors.warn("discarded-qualifiers", message, node.span)
    elif _differ_in_sign(wanted, target):
        message = f"`{given}` becomes `{type}`: the signedness of what they point to differs"
        typing.errors.warn("pointer-sign", message, node.span)
    else:
        message = f"expected `{type}`, but this is `{given}`, a pointer to another type"
        typing.errors.warn("incompatible-pointer-types", message, node.span)


def as_condition(typing: Typing, value: c.Expression, node: c.Expression) -> c.Expression:
    """`value`, which is that of `node`, as the condition that it is not zero."""
    return assigned(typing, BOOL, as_scalar(typing, value, node), node)


def check_never_null(typing: Typing, value: c.Expression, outcome: str, span: Span) -> None:
    """Warn of a comparison with null, which always has that outcome, if the value is the address of a variable."""
    if named := _addressed(value):
        message = f"the address of `{named.name.rpartition('.')[2]}` is never null: this is always {outcome}"
        help = "add `()` to call the function" if isinstance(named, t.Function) else None
        typing.errors.warn("address", message, span, help=help)


def cast_of_vector(typing: Typing, type: CType, operand: c.Expression, node: c.Expression) -> c.Expression:
    """The bytes of a vector as another vector or an integer of the same size, or the bytes of such an integer."""
    given = operand.type
    is_possible = all(isinstance(each, Vector) or is_integer_type(each) for each in (type, given))
    if not is_possible or type.size != given.size:
        return rejected(typing, "type-mismatch", f"{with_article(given)} cannot be cast to `{type}`", node, [operand])
    typing.function.note_objects()
    union, span = _union(given, type), node.span
    source, target = union.named_fields
    local = t.temporary("bytes", union, span)
    part = t.Part(t.member(t.use(local, span), source, span), operand)
    return t.after([t.Declare(local, None, [part])], c.Read(span, type, t.member(t.use(local, span), target, span)))


def constant_number(typing: Typing, node: c.Expression, type: CType, value: int) -> c.Constant:
    """A constant that is computed here, also for the warnings about constants."""
    typing.checks.record(node, type, int(value))
    return c.Constant(node.span, type, int(value))


def initial(typing: Typing, type: CType, node: c.Expression) -> c.Expression:
    """A whole expression, converted as if by assignment to a variable of that type."""
    return assigned(typing, type, whole(typing, node), node)


def _unqualified(type: CType) -> CType:
    """The type without qualifiers, also those of the elements of an array, as in GNU C."""
    if not isinstance(type, Array):
        return type.unqualified  # type: ignore[no-any-return]
    element = _unqualified(type.element)
    return VariableArray(element, type.count) if isinstance(type, VariableArray) else array_of(element, type.length)


def is_number(type: CType) -> bool:
    """Whether the type is an arithmetic type in the sense of C: real or complex."""
    return isinstance(type, (Arithmetic, Complex))


def is_integer(type: CType) -> bool:
    """Whether the type is an integer type, `_Bool` or a pointer type: C converts these to each other."""
    return type.kind in ("integer", "bool", "pointer")


def is_null(value: c.Expression) -> bool:
    """Whether the value is a null pointer constant: the integer 0, or 0 converted to ``void *`` (C17 6.3.2.3)."""
    type = value.type
    if isinstance(type, Pointer):
        if type.target is not VOID:
            return False
        if isinstance(value, c.Constant):
            return value.value == 0
        return isinstance(value, c.Cast) and value.operand.type.kind == "integer" and is_null(value.operand)
    if isinstance(value, c.Constant):
        return value.value == 0 and type.kind == "integer"
    if isinstance(value, c.Cast) and type.kind == "integer":
        return is_null(value.operand)
    return False


def advice(type: CType, value: c.Expression, span: Span) -> str:
    """The help for a pointer in place of an integer, or the reverse: what was forgotten, or else a cast."""
    return _omission(type, value, span) or "write a cast if this is meant"


def _omission(type: CType, value: c.Expression, span: Span) -> str | None:
    """The help if `type` is that of a simple change of the expression with that `value` and `span`."""
    written = span.source.text[span.start : span.end]
    operand = written if _OPERAND.fullmatch(written) else f"({written})"
    match value:
        case c.Decay(operand=c.StringLiteral(text=text)) if is_number(type):
            if type.size == 1 and len(text) == 1 and written[:1] == written[-1:] == '"' and "'" not in written:
                return f"a character is written in single quotes: `'{written[1:-1]}'`"
            return "a string literal is a `char *`, not a number"
        case c.AddressOf(operand=place) if _fits(type, place.type) and written.startswith("&"):
            return f"did you mean `{written[1:].strip()}`, without `&`?"
        case c.Decay(operand=c.Name()) if isinstance(value.type, Pointer) and isinstance(
            value.type.target, FunctionType
        ):
            is_call = written.isidentifier() and _fits(type, value.type.target.result)
            return f"did you mean a call, `{written}(…)`?" if is_call else None
        case c.Decay() if isinstance(value.type, Pointer) and _fits(type, value.type.target):
            return f"did you mean an element, such as `{operand}[0]`?"
        case c.Read() if isinstance(value.type, Pointer) and _fits(type, value.type.target):
            return f"did you mean `*{operand}`?"
        case c.Read() if isinstance(type, Pointer) and type.target.unqualified is value.type.unqualified:
            return f"did you mean `&{operand}`?"
    if written[:1] == written[-1:] == "'" and isinstance(type, Pointer) and type.target.size == 1:
        return f'a string is written in double quotes: `"{written[1:-1]}"`' if '"' not in written else None
    return None


_OPERAND = re.compile(r"\w+(?:(?:\.|->)\w+|\[\w*\])*")
"""Text that stays one operand after a further operator."""


def _fits(type: CType, given: CType) -> bool:
    """Whether a value of the type `given` is converted to `type` without a warning."""
    given = given.unqualified
    return given is type.unqualified or (isinstance(given, Arithmetic) and isinstance(type, Arithmetic))


def is_string(value: c.Expression) -> bool:
    """Whether the value is a string literal."""
    return isinstance(value, c.Decay) and isinstance(value.operand, c.StringLiteral)


def _addressed(value: c.Expression) -> t.Local | t.Global | t.Function | None:
    """The variable or function that the value points to, if its address is not null."""
    match t.unconverted(value):
        case c.AddressOf(operand=place) | c.Decay(operand=place):
            match t.root_of(place):
                case t.Local() | t.Global(is_weak=False) | t.Function(is_weak=False) as found:
                    return found
    return None


def _differ_in_sign(one: CType, other: CType) -> bool:
    """Whether both are integer types of the same size."""
    return one.kind == other.kind == "integer" and one.size == other.size


def with_article(type: CType) -> str:
    """The type for a message: ``a `struct point` ``."""
    return f"{article(type)} `{type}`"


def _union(given: CType, type: CType) -> Record:
    """The union of values of two types."""
    key = "bytes", type
    found: Any = given.derived.get(key)
    if found is None:
        found = given.derived[key] = Record("union", "bytes_of_vector")
        found.complete([Field("source", given), Field("target", type)])
    return found  # type: ignore[no-any-return]
