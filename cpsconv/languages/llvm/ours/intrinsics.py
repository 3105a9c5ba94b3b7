"""The intrinsic functions of LLVM that operations of the program, or functions of C's library, express."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import TYPE_CHECKING, Any

from cpsconv.core.construction.failures import fail
from cpsconv.core.ir import BOOL, CHAR, INT, LONG, PTR, Constant, Scalar, Value
from cpsconv.core.operations.types import scalar_type
from cpsconv.languages.arithmetic import BINARY, EXTREMES, Compute, Maker
from cpsconv.languages.llvm.ours.floating_intrinsics import classified, extreme, extreme_by_sign, nearest
from cpsconv.languages.llvm.ours.integer_intrinsics import (
    OVERFLOWING,
    WithOverflow,
    compared,
    funnel_shift,
    leading_zeros,
    ones,
    reversed_groups,
    saturating,
    trailing_zeros,
)
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


def _computed(compute: Compute) -> Intrinsic:
    """An intrinsic that computes a value from scalars, or from each row of the elements of vectors."""
    return lambda calls, parts, arguments: calls.function.elementwise(compute, arguments, parts.result)


def _of_type(compute: Compute) -> Intrinsic:
    """Likewise, one that depends on the type of the result, which is the first operand of the computation."""

    def computed(calls: Calls, parts: Parts, arguments: list[Any]) -> Any:
        type = scalar(calls.items.types.leaves(parts.result)[0], "a result")
        return calls.function.elementwise(partial(compute, type), arguments, parts.result)

    return computed


def in_library(name: str, *types: str, result: str = "ptr") -> Intrinsic:
    """A function of C's library of these types. Further arguments, such as flags, are omitted."""
    return lambda calls, parts, arguments: calls.external(name, arguments[: len(types)], types, result)


def _overflowing(compute: WithOverflow) -> Intrinsic:
    """The result of an operation, and whether it is out of the range of its type."""

    def computed(calls: Calls, parts: Parts, arguments: list[Any]) -> Any:
        for each in arguments:
            calls.function.require_value(each)
        return Aggregate(parts.result, compute(calls.make, *arguments))

    return computed


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


def _size(calls: Calls, parts: Parts, arguments: list[Any]) -> Value:
    """The size of an object that is not known: the largest or, if the second argument is true, the smallest."""
    return Constant(scalar(parts.result, "a result"), 0 if arguments[1].value else -1)


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


def _reduced(op: str) -> Intrinsic:
    """The elements of a vector, combined by an instruction, in their order. A first value may precede them."""

    def reduced(calls: Calls, parts: Parts, arguments: list[Any]) -> Value:
        values = [value for each in arguments for value in leaves(each)]
        for each in values:
            calls.function.require_value(each)
        return reduce(lambda x, y: (BINARY.get(op) or UPDATES[op])(calls.make, x, y), values)

    return reduced


_SAME = "rint nearbyint lrint llrint lround llround ldexp asin acos atan atan2 sinh cosh tanh"
_FUNCTIONS = {**{name: name for name in _SAME.split()}, "roundeven": "rint"}
_COMBINED = "add mul and or xor umax umin fadd fmul fmax fmin"
_OPERATIONS = "sqrt floor ceil trunc round sin cos tan exp exp2 log log2 log10 pow copysign fma"

UPDATES: dict[str, Compute] = {
    "xchg": lambda make, old, new: new,
    "nand": lambda make, old, new: make("^", make("&", old, new), Constant(old.type, -1)),
    **{name.removeprefix("s"): compute for name, compute in EXTREMES.items()},
    "fmax": extreme(">"),
    "fmin": extreme("<"),
    "usub_sat": saturating("usub"),
}
"""What ``atomicrmw`` stores, besides the results of instructions of two operands."""

_HINTS = (
    "lifetime.start lifetime.end invariant.start invariant.end assume prefetch donothing va_end stackrestore"
    " dbg.value dbg.declare dbg.assign dbg.label experimental.noalias.scope.decl sideeffect fake.use"
)

_UNCHANGED = (
    "expect threadlocal.address launder.invariant.group strip.invariant.group annotation ptr.annotation ssa.copy"
)

INTRINSICS: dict[str, Intrinsic] = {
    **dict.fromkeys(_HINTS.split(), _nothing),
    **dict.fromkeys(_UNCHANGED.split(), _first),
    "is.constant": _always(Constant(BOOL, False)),
    "stacksave": _always(Constant(PTR, 0)),
    **{name: in_library(name, "ptr", "ptr", "i64") for name in ("memcpy", "memmove")},
    "memset": in_library("memset", "ptr", "i32", "i64"),
    **dict.fromkeys(["trap", "debugtrap", "ubsantrap"], _trap),
    "objectsize": _size,
    "frameaddress": _frame,
    "va_start": _started,
    "va_copy": _copied,
    "abs": _computed(lambda make, x, _: make("abs", x)),
    **{name: _computed(compute) for name, compute in EXTREMES.items()},
    "ctpop": _computed(ones),
    "ctlz": _computed(leading_zeros),
    "cttz": _computed(trailing_zeros),
    "bswap": _computed(reversed_groups(8)),
    "bitreverse": _computed(reversed_groups(1)),
    "fshl": _computed(funnel_shift(is_left=True)),
    "fshr": _computed(funnel_shift(is_left=False)),
    "fabs": _computed(lambda make, x: make("abs", x)),
    "fmuladd": _computed(lambda make, x, y, z: make("+", make("*", x, y), z)),
    **{name: _computed(lambda make, *operands, name=name: make(name, *operands)) for name in _OPERATIONS.split()},
    "is.fpclass": _computed(classified),
    "scmp": _of_type(compared(is_signed=True)),
    "ucmp": _of_type(compared(is_signed=False)),
    "fptosi.sat": _of_type(nearest(is_signed=True)),
    "fptoui.sat": _of_type(nearest(is_signed=False)),
    **{f"{name}num": _computed(extreme(op)) for name, op in (("max", ">"), ("min", "<"))},
    **{f"{name}imum": _computed(extreme_by_sign(op, is_number=False)) for name, op in (("max", ">"), ("min", "<"))},
    **{f"{name}imumnum": _computed(extreme_by_sign(op, is_number=True)) for name, op in (("max", ">"), ("min", "<"))},
    **{name: _function(function) for name, function in _FUNCTIONS.items()},
    "modf": _with_place("modf", None),
    "frexp": _with_place("frexp", INT),
    **{f"{name}.with.overflow": _overflowing(compute) for name, compute in OVERFLOWING.items()},
    **{f"{name}.sat": _computed(saturating(name)) for name in ("sadd", "ssub", "uadd", "usub")},
    "ptrmask": _computed(_masked),
    **{f"vector.reduce.{op}": _reduced(op) for op in _COMBINED.split()},
    **{f"vector.reduce.s{op}": _reduced(op) for op in ("max", "min")},
}
"""The intrinsics by their names without ``llvm.`` and the types at their end."""
