"""The intrinsic functions of LLVM that operations of the program, or functions of C's library, express."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial, reduce
from typing import TYPE_CHECKING, Any

from cpsconv.abi.attributes import LONGJMP
from cpsconv.core.construction.failures import fail
from cpsconv.core.ir import (
    ABORT,
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    HALT,
    INT,
    LONG,
    LONG_DOUBLE,
    PTR,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    Constant,
    External,
    Scalar,
    Value,
    integer_type,
)
from cpsconv.core.operations.types import scalar_type, zero
from cpsconv.languages.arithmetic import BINARY, EXTREMES, Maker
from cpsconv.languages.llvm.constants import number_of
from cpsconv.languages.llvm.ours.object_types import Inexpressible, scalar
from cpsconv.languages.llvm.ours.operands import Aggregate, leaves
from cpsconv.languages.llvm.types import text_of

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.calls import Calls, Parts

Intrinsic = Callable[["Calls", "Parts", "list[Any]"], Any]
"""The function from the parts of a call, and its arguments, to its result."""


def _nothing(calls: Calls, parts: Parts, arguments: list[Any]) -> None:
    """Hints, and the ends of objects, which the program does not need."""


def _first(calls: Calls, parts: Parts, arguments: list[Any]) -> Any:
    return arguments[0]


def _computed(compute: Callable[..., Value]) -> Intrinsic:
    """An intrinsic that computes a value from scalars, or from each row of the elements of vectors."""
    return lambda calls, parts, arguments: calls.function.elementwise(compute, arguments, parts.result)


def _of_type(compute: Callable[..., Value]) -> Intrinsic:
    """Likewise, one that depends on the type of the result, which is the first operand of the computation."""

    def computed(calls: Calls, parts: Parts, arguments: list[Any]) -> Any:
        type = scalar(calls.items.types.leaves(parts.result)[0], "a result")
        return calls.function.elementwise(partial(compute, type), arguments, parts.result)

    return computed


def _library(name: str, *types: str, result: str = "ptr") -> Intrinsic:
    """A function of C's library of these types. Further arguments, such as flags, are omitted."""
    return lambda calls, parts, arguments: calls.external(name, arguments[: len(types)], types, result)


def _overflowing(compute: Callable[..., list[Value]]) -> Intrinsic:
    """The result of an operation, and whether it is out of the range of its type."""

    def computed(calls: Calls, parts: Parts, arguments: list[Any]) -> Any:
        for each in arguments:
            calls.function.require_value(each)
        return Aggregate(parts.result, compute(calls.make, *arguments))

    return computed


def _unsigned_sum(make: Maker, x: Value, y: Value) -> list[Value]:
    total = make("+", x, y)
    return [total, make("<", make.unsigned(total), make.unsigned(x))]


def _unsigned_difference(make: Maker, x: Value, y: Value) -> list[Value]:
    return [make("-", x, y), make("<", make.unsigned(x), make.unsigned(y))]


def _signed_sum(make: Maker, x: Value, y: Value) -> list[Value]:
    """The sum has another sign than both operands if it is too large."""
    total = make("+", x, y)
    return [total, make("<", make("&", make("^", x, total), make("^", y, total)), zero(scalar_type(x)))]


def _signed_difference(make: Maker, x: Value, y: Value) -> list[Value]:
    difference = make("-", x, y)
    return [difference, make("<", make("&", make("^", x, y), make("^", x, difference)), zero(scalar_type(x)))]


def _signed_product(make: Maker, x: Value, y: Value) -> list[Value]:
    return _product(make, x, y, is_signed=True)


def _unsigned_product(make: Maker, x: Value, y: Value) -> list[Value]:
    return _wide_product(make, x, y) if scalar_type(x).bits > 64 else _product(make, x, y, is_signed=False)


def _product(make: Maker, x: Value, y: Value, *, is_signed: bool) -> list[Value]:
    """The product is computed with twice the bits."""
    bits = scalar_type(x).bits
    if bits > 64:
        raise Inexpressible("the overflow of a product of more than 64 bits")
    narrow, wide = (integer_type(each, signed=is_signed) for each in (bits, 2 * bits))
    left, right = (make.convert(wide, make.convert(narrow, each)) for each in (x, y))
    exact = make("*", left, right)
    result = make.convert(narrow, exact)
    return [make.convert(scalar_type(x), result), make("!=", make.convert(wide, result), exact)]


def _wide_product(make: Maker, x: Value, y: Value) -> list[Value]:
    """The product of two unsigned numbers of 128 bits, and whether it is too large: then a quotient is another one."""
    left, right = make.unsigned(x), make.unsigned(y)
    product = make("*", left, right)
    none = make("==", left, zero(scalar_type(left)))
    divisor = make.either(none, Constant(scalar_type(left), 1), left)
    is_outside = make("&", make("!", none), make("!=", make("/", product, divisor), right))
    return [make.convert(scalar_type(x), product), is_outside]


def _counted(make: Maker, x: Value) -> Value:
    """The number of bits that are 1: the sum of all bits."""
    total: Value = zero(scalar_type(x))
    one = Constant(scalar_type(x), 1)
    for number in range(scalar_type(x).bits):
        total = make("+", total, make("&", make(">>", x, Constant(INT, number)), one))
    return total


def _smeared(make: Maker, x: Value, op: str) -> Value:
    """The number with all bits set beyond its last (``<<``) or first (``>>``) bit that is 1."""
    bits, step = scalar_type(x).bits, 1
    value = make.unsigned(x)
    while step < bits:
        value = make("|", value, make(op, value, Constant(INT, step)))
        step *= 2
    return make.convert(scalar_type(x), value)


def _zeros(op: str) -> Callable[..., Value]:
    def counted(make: Maker, x: Value, _: Value) -> Value:
        return _counted(make, make("~", _smeared(make, x, op)))

    return counted


def _swapped(make: Maker, x: Value) -> Value:
    """The bytes in the opposite order."""
    type = scalar_type(x)
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
        bits = scalar_type(high).bits
        if bits > 64:
            raise Inexpressible("a funnel shift of more than 64 bits")
        wide = integer_type(2 * bits, signed=False)
        half = Constant(INT, bits)
        both = make(
            "|", make("<<", make.convert(wide, make.unsigned(high)), half), make.convert(wide, make.unsigned(low))
        )
        rest = make("%", make.unsigned(count), Constant(integer_type(bits, signed=False), bits))
        if is_left:
            return make.convert(scalar_type(high), make(">>", make("<<", both, rest), half))
        return make.convert(scalar_type(high), make(">>", both, rest))

    return shifted


def _saturated(op: str, is_signed: bool) -> Callable[..., Value]:
    def computed(make: Maker, x: Value, y: Value) -> Value:
        bits = scalar_type(x).bits
        if bits > 126:
            raise Inexpressible("a saturating operation of 128 bits")
        narrow, wide = integer_type(bits, signed=is_signed), integer_type(bits + 2, signed=True)
        left, right = (make.convert(wide, make.convert(narrow, each)) for each in (x, y))
        exact = make(op, left, right)
        lowest, highest = (-1 << bits - 1, (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)
        for op_, bound in (("<", lowest), (">", highest)):
            limit = Constant(wide, bound)
            exact = make.either(make(op_, exact, limit), limit, exact)
        return make.convert(scalar_type(x), exact)

    return computed


def _compared(is_signed: bool) -> Callable[..., Value]:
    """-1, 0 or 1, as the first operand is less than, equal to or greater than the second one."""

    def compared(type: Scalar, make: Maker, *operands: Value) -> Value:
        x, y = operands if is_signed else map(make.unsigned, operands)
        return make("-", make.convert(type, make(">", x, y)), make.convert(type, make("<", x, y)))

    return compared


def _nearest(is_signed: bool) -> Callable[..., Value]:
    """The conversion of a floating number to the nearest integer of the type; that of NaN is 0."""

    def converted(type: Scalar, make: Maker, x: Value) -> Value:
        if x.type not in (DOUBLE, FLOAT) or type.bits > 64:
            raise Inexpressible(f"the conversion of `{x.type}` to the nearest `{type}`")
        lowest, bound = (-1 << type.bits - 1, 1 << type.bits - 1) if is_signed else (0, 1 << type.bits)
        value = make.convert(type, make.convert(integer_type(type.bits, signed=is_signed), x))
        for op, limit, result in (("<", lowest, lowest), (">=", bound, bound - 1)):
            is_outside = make(op, x, Constant(scalar_type(x), float(limit)))
            value = make.either(is_outside, _constant(type, result), value)
        return make.either(make("==", x, x), value, zero(type))

    return converted


def _constant(type: Scalar, value: int) -> Constant:
    """The constant of a signed type with the bits of the value."""
    return Constant(type, value - (1 << type.bits) if value >= 1 << type.bits - 1 else value)


def _trap(calls: Calls, parts: Parts, arguments: list[Any]) -> None:
    fail(calls.b, "the program ends itself by `llvm.trap`", calls.make.span)


def _masked(make: Maker, pointer: Value, mask: Value) -> Value:
    return make.convert(PTR, make("&", make.convert(LONG, pointer), mask))


def _started(calls: Calls, parts: Parts, arguments: list[Any]) -> None:
    """``va_start``: a copy of the list that the caller passed."""
    if calls.function.arguments is None:
        raise Inexpressible("`llvm.va_start` in a function without variable arguments")
    calls.copy_list(calls.function.arguments, arguments[0])


def _copied(calls: Calls, parts: Parts, arguments: list[Any]) -> None:
    calls.copy_list(arguments[1], arguments[0])


def _always(value: Constant) -> Intrinsic:
    return lambda calls, parts, arguments: value


def _frame(calls: Calls, parts: Parts, arguments: list[Any]) -> Value:
    """The address of an object of the function itself, as C's `__builtin_frame_address` is here."""
    if not isinstance(arguments[0], Constant) or arguments[0].value != 0:
        raise Inexpressible("the frame of a caller")
    with calls.memory.temporary() as allocate:
        return allocate("frame", CHAR)


def _function(name: str) -> Intrinsic:
    """An intrinsic that C's library has as a function, for each floating type."""

    def called(calls: Calls, parts: Parts, arguments: list[Any]) -> Any:
        result = calls.items.types.leaves(parts.result)[0]

        def compute(make: Maker, *operands: Value) -> Any:
            types = [text_of(scalar_type(each)) or "" for each in operands]
            return calls.external(_suffixed(name, types[0]), operands, types, result)

        return calls.function.elementwise(compute, arguments, parts.result)

    return called


def _suffixed(name: str, type: str) -> str:
    """The name of C's function for a floating type."""
    suffixes = {"double": "", "float": "f", "x86_fp80": "l"}
    if type not in suffixes:
        raise Inexpressible(f"`{name}` of the type `{type}`")
    return name + suffixes[type]


def _with_place(name: str, second: Scalar | None) -> Intrinsic:
    """A function of C that has a second result, of its own type or another, in an object whose address it takes."""

    def called(calls: Calls, parts: Parts, arguments: list[Any]) -> Any:
        [operand] = arguments
        calls.function.require_value(operand)
        text = parts.arguments[0].type
        type, function = second or scalar_type(operand), _suffixed(name, text)
        with calls.memory.temporary() as allocate:
            place = allocate("place", type)
            value = calls.external(function, [operand, place], [text, "ptr"], text)
            return Aggregate(parts.result, [value, calls.make.effect("load", place, type=type)])

    return called


_LEAST: dict[Scalar, Value] = {
    DOUBLE: Constant(DOUBLE, 2.0**-1022),
    FLOAT: Constant(FLOAT, 2.0**-126),
    LONG_DOUBLE: number_of(LONG_DOUBLE, "0xK00018000000000000000") or zero(LONG_DOUBLE),
}
"""The smallest normal numbers."""


def _classified(make: Maker, x: Value, mask: Value) -> Value:
    """Whether a number is of one of the classes that are bits of the mask: NaN, infinite, normal, subnormal, zero."""
    type = scalar_type(x)
    if type not in _LEAST or not isinstance(mask, Constant):
        raise Inexpressible(f"the class of a number of the type `{type}`")
    bits, magnitude = int(mask.value), make("abs", x)
    least, infinity, one = (
        make.convert(type, each) for each in (_LEAST[type], Constant(DOUBLE, math.inf), Constant(DOUBLE, 1.0))
    )
    infinite = make("==", magnitude, infinity)
    is_negative = make("<", make("copysign", one, x), zero(type))
    is_zero = make("==", x, zero(type))
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


def _reduced(op: str) -> Intrinsic:
    """The elements of a vector, combined by an instruction, in their order. A first value may precede them."""

    def reduced(calls: Calls, parts: Parts, arguments: list[Any]) -> Value:
        values = [value for each in arguments for value in leaves(each)]
        for each in values:
            calls.function.require_value(each)
        return reduce(lambda x, y: (BINARY.get(op) or UPDATES[op])(calls.make, x, y), values)

    return reduced


def _end(external: External) -> Intrinsic:
    """The end of the program, after the functions that are registered for it."""
    return lambda calls, parts, arguments: calls.b.leave(external, *arguments, span=calls.make.span)


def _assertion_failed(calls: Calls, parts: Parts, arguments: list[Any]) -> None:
    """The end of the program by a failed assertion, which writes its text, file, line and function."""
    text, *place = arguments
    format = calls.items.text("%s:%u: %s: Assertion `%s' failed.\n")
    calls.external("dprintf", [Constant(INT, 2), format, *place, text], ["i32", "ptr", "..."], "i32")
    calls.b.leave(ABORT, span=calls.make.span)


def _divided(calls: Calls, parts: Parts, arguments: list[Any]) -> Any:
    """The struct of a quotient and a remainder, as C's `ldiv` returns it, or `div` in one register."""
    make, (x, y) = calls.make, arguments
    both = make("/", x, y), make("%", x, y)
    if parts.result[0] == "{":
        return Aggregate(parts.result, both)
    quotient, remainder = (make.convert(UNSIGNED_LONG, make.unsigned(each)) for each in both)
    return make.convert(LONG, make("|", quotient, make("<<", remainder, Constant(INT, 32))))


_SAME = "rint nearbyint lrint llrint lround llround ldexp asin acos atan atan2 sinh cosh tanh"
_FUNCTIONS = {
    **{name: name for name in _SAME.split()},
    **dict.fromkeys(["maxnum", "maximumnum"], "fmax"),
    **dict.fromkeys(["minnum", "minimumnum"], "fmin"),
    "roundeven": "rint",
}
_COMBINED = "add mul and or xor umax umin fadd fmul"
_OPERATIONS = "sqrt floor ceil trunc round sin cos tan exp exp2 log log2 log10 pow copysign fma"

UPDATES: dict[str, Callable[..., Value]] = {
    "xchg": lambda make, old, new: new,
    "nand": lambda make, old, new: make("^", make("&", old, new), Constant(old.type, -1)),
    **{name.removeprefix("s"): compute for name, compute in EXTREMES.items()},
    "fmax": lambda make, old, new: make.either(make(">", new, old), new, old),
    "fmin": lambda make, old, new: make.either(make("<", new, old), new, old),
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
    "is.constant": _always(Constant(BOOL, False)),
    "stacksave": _always(Constant(PTR, 0)),
    "memcpy": _library("memcpy", *_BYTES),
    "memcpy.inline": _library("memcpy", *_BYTES),
    "memmove": _library("memmove", *_BYTES),
    "memset": _library("memset", "ptr", "i32", "i64"),
    "memset.inline": _library("memset", "ptr", "i32", "i64"),
    **dict.fromkeys(["trap", "debugtrap", "ubsantrap"], _trap),
    "frameaddress": _frame,
    "va_start": _started,
    "va_copy": _copied,
    "abs": _computed(lambda make, x, _: make("abs", x)),
    **{name: _computed(compute) for name, compute in EXTREMES.items()},
    "ctpop": _computed(_counted),
    "ctlz": _computed(_zeros(">>")),
    "cttz": _computed(_zeros("<<")),
    "bswap": _computed(_swapped),
    "fshl": _computed(_funnel(is_left=True)),
    "fshr": _computed(_funnel(is_left=False)),
    "fabs": _computed(lambda make, x: make("abs", x)),
    "fmuladd": _computed(lambda make, x, y, z: make("+", make("*", x, y), z)),
    **{name: _computed(lambda make, *operands, name=name: make(name, *operands)) for name in _OPERATIONS.split()},
    "is.fpclass": _computed(_classified),
    "scmp": _of_type(_compared(is_signed=True)),
    "ucmp": _of_type(_compared(is_signed=False)),
    "fptosi.sat": _of_type(_nearest(is_signed=True)),
    "fptoui.sat": _of_type(_nearest(is_signed=False)),
    **{name: _function(function) for name, function in _FUNCTIONS.items()},
    "modf": _with_place("modf", None),
    "frexp": _with_place("frexp", INT),
    "sadd.with.overflow": _overflowing(_signed_sum),
    "ssub.with.overflow": _overflowing(_signed_difference),
    "smul.with.overflow": _overflowing(_signed_product),
    "uadd.with.overflow": _overflowing(_unsigned_sum),
    "usub.with.overflow": _overflowing(_unsigned_difference),
    "umul.with.overflow": _overflowing(_unsigned_product),
    "ptrmask": _computed(_masked),
    **{
        f"{sign}{name}.sat": _computed(_saturated(op, sign == "s"))
        for sign in "su"
        for name, op in (("add", "+"), ("sub", "-"))
    },
    **{f"vector.reduce.{op}": _reduced(op) for op in _COMBINED.split()},
    **{f"vector.reduce.s{op}": _reduced(op) for op in ("max", "min")},
}
"""The intrinsics by their names without ``llvm.`` and the types at their end."""


_EXCEPTIONS = "allocate_exception free_exception get_exception_ptr throw rethrow begin_catch end_catch"


def _thrown(calls: Calls, parts: Parts, arguments: list[Any]) -> None:
    raise Inexpressible("an exception")


def _guarded(calls: Calls, parts: Parts, arguments: list[Any]) -> Value:
    """Whether a static variable of C++ is still to be initialised, by the first byte of its guard."""
    done = calls.make.effect("load", arguments[0], type=UNSIGNED_CHAR)
    return calls.make.convert(INT, calls.make("==", done, Constant(UNSIGNED_CHAR, 0)))


def _ended_by(calls: Calls, parts: Parts, arguments: list[Any]) -> Any:
    """The registration of a function for the end of the program, with an argument: that of a destructor of C++."""
    function = calls.items.ending(*arguments[:2])
    return calls.external("atexit", [calls.make.convert(PTR, function)], ["ptr"], "i32")


def _initialised(calls: Calls, parts: Parts, arguments: list[Any]) -> None:
    calls.make.effect("store", Constant(UNSIGNED_CHAR, 1), arguments[0])


EXPANDED: dict[str, Intrinsic] = {
    "exit": _end(HALT),
    "abort": _end(ABORT),
    **dict.fromkeys(["longjmp", "_longjmp", "siglongjmp"], _end(LONGJMP)),
    **dict.fromkeys(["_setjmp", "__sigsetjmp"], _library("setjmp", "ptr", result="i32")),
    "__assert_fail": _assertion_failed,
    **dict.fromkeys(["div", "ldiv", "lldiv", "imaxdiv"], _divided),
    **dict.fromkeys(["_Znwm", "_Znam"], _library("malloc", "i64")),
    **dict.fromkeys(["_ZdlPv", "_ZdlPvm", "_ZdaPv", "_ZdaPvm"], _library("free", "ptr", result="void")),
    **dict.fromkeys([f"__cxa_{name}" for name in _EXCEPTIONS.split()], _thrown),
    "_ZSt9terminatev": _end(ABORT),
    "__cxa_atexit": _ended_by,
    "__cxa_guard_acquire": _guarded,
    "__cxa_guard_release": _initialised,
}
"""Functions of the libraries of C and C++ that are no calls of the program, by their symbols."""
