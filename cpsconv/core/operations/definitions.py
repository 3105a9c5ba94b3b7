"""The expansions of operations into others, and the runtime errors of divisions, of which rows of the table consist."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cpsconv.core.ir import INT, INTEGER, Constant, Scalar, Value
from cpsconv.core.operations.types import is_integer, range_of, type_title


def inverted(make: Callable[..., Value], x: Value) -> Value:
    """``~x`` is ``-1 - x``."""
    assert isinstance(x.type, Scalar)
    return make("-", Constant(x.type, -1 if x.type.signed else (1 << x.type.bits) - 1), x)


def unequal(make: Callable[..., Value], x: Value, y: Value) -> Value:
    """``x != y`` is ``!(x == y)``."""
    return make("!", make("==", x, y))


def signed_product(make: Callable[..., Value], x: Value) -> Value:
    """``abs(x)`` is ``x * (1 - int(x < 0) * 2)``, for signed integers, also unbounded ones."""
    type = x.type
    assert isinstance(type, Scalar)
    is_negative = make(type, make("<", x, Constant(type, 0)))
    return make("*", x, make("-", Constant(type, 1), make("*", is_negative, Constant(type, 2))))


def magnitude(make: Callable[..., Value], x: Value) -> Value:
    """``abs(x)`` is ``(x ^ sign) - sign``, where ``sign`` is ``x >> 31``; ``copysign(x, 1.0)``; or `x`, if unsigned."""
    type = x.type
    assert isinstance(type, Scalar)
    if type.kind == "float":
        return make("copysign", x, Constant(type, 1.0))
    if type is INTEGER:
        return signed_product(make, x)
    if not type.signed:
        return x
    sign = make(">>", x, Constant(INT, type.bits - 1))
    return make("-", make("^", x, sign), sign)


def division_faults(op: str, make: Callable[..., Value], x: Value, y: Value) -> Iterator[tuple[str, list[Value]]]:
    """A division by zero, and the quotient of the least integer and -1."""
    type = y.type
    assert isinstance(type, Scalar)
    yield "division by zero", [make("==", y, Constant(type, 0))]
    if is_integer(type) and type.signed:
        least = range_of(type)[0]
        message = f"{least} {op} -1 overflows `{type_title(type)}`"
        yield message, [make("==", y, Constant(type, -1)), make("==", x, Constant(type, least))]
