"""The intrinsic functions of LLVM that operations of the program, or functions of C's library, express."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from cpsconv.core.construction import Variable
from cpsconv.core.construction.failures import fail
from cpsconv.core.construction.structured import choice
from cpsconv.core.ir import BOOL, DOUBLE, FLOAT, INT, LONG, PTR, Constant, Scalar, Value, integer_type
from cpsconv.core.operations.mathematics import MATHEMATICS
from cpsconv.core.operations.types import zero
from cpsconv.languages.llvm.ours.arithmetic import Maker
from cpsconv.languages.llvm.ours.object_types import Inexpressible

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.calls import Calls, Parts

Intrinsic = Callable[["Calls", Maker, "Parts", "list[Any]"], Any]
"""The function from the parts of a call, and its arguments, to its result."""


def _nothing(calls: Calls, make: Maker, parts: Parts, arguments: list[Any]) -> None:
    """Hints, and the ends of objects, which the program does not need."""


def _first(calls: Calls, make: Maker, parts: Parts, arguments: list[Any]) -> Any:
    return arguments[0]


def _value(compute: Callable[..., Value]) -> Intrinsic:
    """An intrinsic of scalars that computes a value."""

    def computed(calls: Calls, make: Maker, parts: Parts, arguments: list[Any]) -> Value:
        for each in arguments:
            calls.function.require_value(each)
        return compute(make, *arguments)

    return computed


def _chosen(op: str, is_unsigned: bool = False) -> Callable[..., Value]:
    """The operand that compares so with the other one."""

    def chosen(make: Maker, x: Value, y: Value) -> Value:
        condition = make(op, make.unsigned(x), make.unsigned(y)) if is_unsigned else make(op, x, y)
        return either(make, condition, x, y)

    return chosen


def either(make: Maker, condition: Value, then: Value, otherwise: Value) -> Value:
    """The first value if the condition is true, else the second one."""
    assert isinstance(then.type, Scalar)
    arms = {"then": lambda: then, "otherwise": lambda: otherwise}
    return choice(make.builder, Variable("chosen", then.type, make.span), condition, arms, make.span)


def _abs(make: Maker, x: Value, _: Value) -> Value:
    return make("abs", x)


def _multiplied_and_added(make: Maker, x: Value, y: Value, z: Value) -> Value:
    return make("+", make("*", x, y), z)


def _library(name: str, *types: str, result: str = "ptr") -> Intrinsic:
    """An intrinsic that C's library has as a function. The last argument, a flag, is omitted."""

    def called(calls: Calls, make: Maker, parts: Parts, arguments: list[Any]) -> Any:
        calls.external(name, arguments[:3], types, result, make.span)

    return called


def _overflowing(compute: Callable[..., list[Value]]) -> Intrinsic:
    """The result of an operation, and whether it is out of the range of its type."""

    def computed(calls: Calls, make: Maker, parts: Parts, arguments: list[Any]) -> Any:
        for each in arguments:
            calls.function.require_value(each)
        return calls.function.aggregate(parts.result, compute(make, *arguments))

    return computed


def _unsigned_sum(make: Maker, x: Value, y: Value) -> list[Value]:
    total = make("+", x, y)
    return [total, make("<", make.unsigned(total), make.unsigned(x))]


def _unsigned_difference(make: Maker, x: Value, y: Value) -> list[Value]:
    return [make("-", x, y), make("<", make.unsigned(x), make.unsigned(y))]


def _signed_sum(make: Maker, x: Value, y: Value) -> list[Value]:
    """The sum has another sign than both operands if it is too large."""
    total = make("+", x, y)
    return [total, make("<", make("&", make("^", x, total), make("^", y, total)), zero(_scalar(x)))]


def _signed_difference(make: Maker, x: Value, y: Value) -> list[Value]:
    difference = make("-", x, y)
    return [difference, make("<", make("&", make("^", x, y), make("^", x, difference)), zero(_scalar(x)))]


def _signed_product(make: Maker, x: Value, y: Value) -> list[Value]:
    return _product(make, x, y, is_signed=True)


def _unsigned_product(make: Maker, x: Value, y: Value) -> list[Value]:
    return _wide_product(make, x, y) if _scalar(x).bits > 64 else _product(make, x, y, is_signed=False)


def _product(make: Maker, x: Value, y: Value, *, is_signed: bool) -> list[Value]:
    """The product is computed with twice the bits."""
    bits = _scalar(x).bits
    if bits > 64:
        raise Inexpressible("the overflow of a product of more than 64 bits")
    narrow, wide = (integer_type(each, signed=is_signed) for each in (bits, 2 * bits))
    left, right = (make.convert(wide, make.convert(narrow, each)) for each in (x, y))
    exact = make("*", left, right)
    result = make.convert(narrow, exact)
    return [make.convert(_scalar(x), result), make("!=", make.convert(wide, result), exact)]


def _wide_product(make: Maker, x: Value, y: Value) -> list[Value]:
    """The product of two unsigned numbers of 128 bits, and whether it is too large: then a quotient is another one."""
    left, right = make.unsigned(x), make.unsigned(y)
    product = make("*", left, right)
    none = make("==", left, zero(_scalar(left)))
    divisor = either(make, none, Constant(_scalar(left), 1), left)
    is_outside = make("&", make("!", none), make("!=", make("/", product, divisor), right))
    return [make.convert(_scalar(x), product), is_outside]


def _counted(make: Maker, x: Value) -> Value:
    """The number of bits that are 1: the sum of all bits."""
    total: Value = zero(_scalar(x))
    one = Constant(_scalar(x), 1)
    for number in range(_scalar(x).bits):
        total = make("+", total, make("&", make(">>", x, Constant(INT, number)), one))
    return total


def _smeared(make: Maker, x: Value, op: str) -> Value:
    """The number with all bits set beyond its last (``<<``) or first (``>>``) bit that is 1."""
    bits, step = _scalar(x).bits, 1
    value = make.unsigned(x)
    while step < bits:
        value = make("|", value, make(op, value, Constant(INT, step)))
        step *= 2
    return make.convert(_scalar(x), value)


def _zeros(op: str) -> Callable[..., Value]:
    def counted(make: Maker, x: Value, _: Value) -> Value:
        return _counted(make, make("~", _smeared(make, x, op)))

    return counted


def _swapped(make: Maker, x: Value) -> Value:
    """The bytes in the opposite order."""
    type = _scalar(x)
    value, result = make.unsigned(x), None
    mask = Constant(integer_type(type.bits, signed=False), 255)
    for number in range(0, type.bits, 8):
        byte = make("&", make(">>", value, Constant(INT, number)), mask)
        moved = make("<<", byte, Constant(INT, type.bits - 8 - number))
        result = moved if result is None else make("|", result, moved)
    assert result is not None
    return make.convert(type, result)


def _funnel(is_left: bool) -> Callable[..., Value]:
    """The upper (or lower) half of two words, shifted."""

    def shifted(make: Maker, high: Value, low: Value, count: Value) -> Value:
        bits = _scalar(high).bits
        if bits > 64:
            raise Inexpressible("a funnel shift of more than 64 bits")
        wide = integer_type(2 * bits, signed=False)
        half = Constant(INT, bits)
        both = make(
            "|", make("<<", make.convert(wide, make.unsigned(high)), half), make.convert(wide, make.unsigned(low))
        )
        rest = make("%", make.unsigned(count), Constant(integer_type(bits, signed=False), bits))
        if is_left:
            return make.convert(_scalar(high), make(">>", make("<<", both, rest), half))
        return make.convert(_scalar(high), make(">>", both, rest))

    return shifted


def _saturated(op: str, is_signed: bool) -> Callable[..., Value]:
    def computed(make: Maker, x: Value, y: Value) -> Value:
        bits = _scalar(x).bits
        if bits > 126:
            raise Inexpressible("a saturating operation of 128 bits")
        narrow, wide = integer_type(bits, signed=is_signed), integer_type(bits + 2, signed=True)
        left, right = (make.convert(wide, make.convert(narrow, each)) for each in (x, y))
        exact = make(op, left, right)
        lowest, highest = (-1 << bits - 1, (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
        for op_, bound in (("<", lowest), (">", highest)):
            limit = Constant(wide, bound)
            exact = either(make, make(op_, exact, limit), limit, exact)
        return make.convert(_scalar(x), exact)

    return computed


def _compared(is_signed: bool) -> Intrinsic:
    """-1, 0 or 1, as the first operand is less than, equal to or greater than the second one."""

    def compared(calls: Calls, make: Maker, parts: Parts, arguments: list[Any]) -> Value:
        for each in arguments:
            calls.function.require_value(each)
        x, y = arguments if is_signed else map(make.unsigned, arguments)
        type = calls.items.scalar(parts.result, "a result")
        return make("-", make.convert(type, make(">", x, y)), make.convert(type, make("<", x, y)))

    return compared


def _nearest(is_signed: bool) -> Intrinsic:
    """The conversion of a floating number to the nearest integer of the type; that of NaN is 0."""

    def converted(calls: Calls, make: Maker, parts: Parts, arguments: list[Any]) -> Value:
        [x], type = arguments, calls.items.scalar(parts.result, "a result")
        calls.function.require_value(x)
        if x.type not in (DOUBLE, FLOAT) or type.bits > 64:
            raise Inexpressible(f"`{parts.callee}`")
        lowest, bound = (-1 << type.bits - 1, 1 << type.bits - 1) if is_signed else (0, 1 << type.bits)
        value = make.convert(type, make.convert(integer_type(type.bits, signed=is_signed), x))
        for op, limit, result in (("<", lowest, lowest), (">=", bound, bound - 1)):
            is_outside = make(op, x, Constant(x.type, float(limit)))
            value = either(make, is_outside, _constant(type, result), value)
        return either(make, make("==", x, x), value, zero(type))

    return converted


def _constant(type: Scalar, value: int) -> Constant:
    """The constant of a signed type with the bits of the value."""
    return Constant(type, value - (1 << type.bits) if value >= 1 << type.bits - 1 else value)


def _trap(calls: Calls, make: Maker, parts: Parts, arguments: list[Any]) -> None:
    fail(make.builder, "the program ends itself by `llvm.trap`", make.span)


def _masked(make: Maker, pointer: Value, mask: Value) -> Value:
    return make.convert(PTR, make("&", make.convert(LONG, pointer), mask))


def _started(calls: Calls, make: Maker, parts: Parts, arguments: list[Any]) -> None:
    """``va_start``: a copy of the list that the caller passed."""
    if calls.function.arguments is None:
        raise Inexpressible("`llvm.va_start` in a function without variable arguments")
    calls.copy_list(calls.function.arguments, arguments[0], make.span)


def _copied(calls: Calls, make: Maker, parts: Parts, arguments: list[Any]) -> None:
    calls.copy_list(arguments[1], arguments[0], make.span)


def _no(calls: Calls, make: Maker, parts: Parts, arguments: list[Any]) -> Value:
    return Constant(BOOL, False)


def _null(calls: Calls, make: Maker, parts: Parts, arguments: list[Any]) -> Value:
    return Constant(PTR, 0)


def _scalar(value: Value) -> Scalar:
    assert isinstance(value.type, Scalar)
    return value.type


def _function(name: str) -> Intrinsic:
    """An intrinsic that C's library has as a function, for each floating type."""

    def called(calls: Calls, make: Maker, parts: Parts, arguments: list[Any]) -> Any:
        for each in arguments:
            calls.function.require_value(each)
        types = [each.type for each in parts.arguments]
        return calls.external(_suffixed(name, types[0]), arguments, types, parts.result, make.span)

    return called


def _suffixed(name: str, type: str) -> str:
    """The name of C's function for a floating type."""
    suffixes = {"double": "", "float": "f", "x86_fp80": "l"}
    if type not in suffixes:
        raise Inexpressible(f"`{name}` of the type `{type}`")
    return name + suffixes[type]


def _with_place(name: str, second: Scalar) -> Intrinsic:
    """A function of C that has a second result, in an object whose address it takes."""

    def called(calls: Calls, make: Maker, parts: Parts, arguments: list[Any]) -> Any:
        [operand], builder = arguments, make.builder
        calls.function.require_value(operand)
        type = operand.type if second is DOUBLE else second
        place = builder.effect("allocate", Constant(INT, 1), of=type, name="place", span=make.span)
        types = [parts.arguments[0].type, "ptr"]
        function = _suffixed(name, types[0])
        value = calls.external(function, [operand, place], types, types[0], make.span)
        other = builder.effect("load", place, type=type, span=make.span)
        builder.effect("deallocate", place, span=make.span)
        return calls.function.aggregate(parts.result, [value, other])

    return called


def _classified(calls: Calls, make: Maker, parts: Parts, arguments: list[Any]) -> Value:
    """Whether a number is of one of the classes that are bits of the mask: NaN, infinite, normal, subnormal, zero."""
    x, mask = arguments
    calls.function.require_value(x)
    if x.type not in (DOUBLE, FLOAT):
        raise Inexpressible(f"`{parts.callee}`")
    bits, magnitude = int(mask.value), make("abs", x)
    least = Constant(x.type, 2.0**-1022 if x.type is DOUBLE else 2.0**-126)
    infinite = make("==", magnitude, Constant(x.type, math.inf))
    is_negative = make("<", make("copysign", Constant(x.type, 1.0), x), zero(x.type))
    is_zero = make("==", x, zero(x.type))
    is_small = make("&", make("<", magnitude, least), make("!", is_zero))
    is_normal = make("&", make(">=", magnitude, least), make("!", infinite))
    found: Value = make("!=", x, x) if bits & 3 else Constant(BOOL, False)
    for number, kind in enumerate((infinite, is_normal, is_small, is_zero)):
        negative, positive = bits >> 2 + number & 1, bits >> 9 - number & 1
        if negative and positive:
            found = make("|", found, kind)
        elif negative or positive:
            sign = is_negative if negative else make("!", is_negative)
            found = make("|", found, make("&", kind, sign))
    return found


_FUNCTIONS = {
    **{
        name: name
        for name in [
            "rint",
            "nearbyint",
            "lrint",
            "llrint",
            "lround",
            "llround",
            "ldexp",
            "asin",
            "acos",
            "atan",
            "sinh",
            "cosh",
            "tanh",
        ]
    },
    **dict.fromkeys(["maxnum", "maximumnum"], "fmax"),
    **dict.fromkeys(["minnum", "minimumnum"], "fmin"),
    "roundeven": "rint",
    "atan2": "atan2",
}
UPDATES: dict[str, Callable[..., Value]] = {
    "xchg": lambda make, old, new: new,
    "nand": lambda make, old, new: make("^", make("&", old, new), Constant(old.type, -1)),
    "max": _chosen(">"),
    "min": _chosen("<"),
    "umax": _chosen(">", is_unsigned=True),
    "umin": _chosen("<", is_unsigned=True),
    "fmax": lambda make, old, new: either(make, make(">", new, old), new, old),
    "fmin": lambda make, old, new: either(make, make("<", new, old), new, old),
}
"""What ``atomicrmw`` stores, besides the results of instructions of two operands."""

_BYTES = "ptr", "ptr", "i64"
_HINTS = (
    "lifetime.start lifetime.end invariant.start invariant.end assume prefetch donothing va_end stackrestore"
    " dbg.value dbg.declare dbg.assign dbg.label experimental.noalias.scope.decl sideeffect fake.use"
)

INTRINSICS: dict[str, Intrinsic] = {
    **dict.fromkeys(_HINTS.split(), _nothing),
    **dict.fromkeys(["expect", "expect.with.probability", "threadlocal.address", "launder.invariant.group"], _first),
    **dict.fromkeys(["annotation", "ptr.annotation", "strip.invariant.group", "ssa.copy"], _first),
    "is.constant": _no,
    "stacksave": _null,
    "memcpy": _library("memcpy", *_BYTES),
    "memcpy.inline": _library("memcpy", *_BYTES),
    "memmove": _library("memmove", *_BYTES),
    "memset": _library("memset", "ptr", "i32", "i64"),
    "memset.inline": _library("memset", "ptr", "i32", "i64"),
    "trap": _trap,
    "debugtrap": _trap,
    "ubsantrap": _trap,
    "va_start": _started,
    "va_copy": _copied,
    "abs": _value(_abs),
    "smax": _value(_chosen(">")),
    "smin": _value(_chosen("<")),
    "umax": _value(_chosen(">", is_unsigned=True)),
    "umin": _value(_chosen("<", is_unsigned=True)),
    "ctpop": _value(_counted),
    "ctlz": _value(_zeros(">>")),
    "cttz": _value(_zeros("<<")),
    "bswap": _value(_swapped),
    "fshl": _value(_funnel(is_left=True)),
    "fshr": _value(_funnel(is_left=False)),
    "fabs": _value(lambda make, x: make("abs", x)),
    "fmuladd": _value(_multiplied_and_added),
    **{
        name: _value(lambda make, *operands, name=name: make(name, *operands))
        for name in [
            "sqrt",
            "floor",
            "ceil",
            "trunc",
            "round",
            "sin",
            "cos",
            "tan",
            "exp",
            "exp2",
            "log",
            "log2",
            "log10",
            "pow",
            "copysign",
            "fma",
        ]
        if name in MATHEMATICS
    },
    "is.fpclass": _classified,
    "scmp": _compared(is_signed=True),
    "ucmp": _compared(is_signed=False),
    "fptosi.sat": _nearest(is_signed=True),
    "fptoui.sat": _nearest(is_signed=False),
    **{name: _function(function) for name, function in _FUNCTIONS.items()},
    "modf": _with_place("modf", DOUBLE),
    "frexp": _with_place("frexp", INT),
    "sadd.with.overflow": _overflowing(_signed_sum),
    "ssub.with.overflow": _overflowing(_signed_difference),
    "smul.with.overflow": _overflowing(_signed_product),
    "uadd.with.overflow": _overflowing(_unsigned_sum),
    "usub.with.overflow": _overflowing(_unsigned_difference),
    "umul.with.overflow": _overflowing(_unsigned_product),
    "ptrmask": _value(_masked),
    **{
        f"{sign}{name}.sat": _value(_saturated(op, sign == "s"))
        for sign in "su"
        for name, op in (("add", "+"), ("sub", "-"))
    },
}
"""The intrinsics by their names without ``llvm.`` and the types at their end."""
