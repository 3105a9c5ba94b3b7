"""The intrinsic functions of LLVM that operations of the program, or functions of C's library, express."""

from __future__ import annotations

from functools import partial, reduce
from typing import TYPE_CHECKING, Any

from cpsconv.abi.prototypes import PROTOTYPES
from cpsconv.core.construction.failures import fail
from cpsconv.core.ir import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    LONG_DOUBLE,
    PTR,
    Array,
    Constant,
    Data,
    Scalar,
    Undef,
    Value,
)
from cpsconv.core.operations.mathematics import MATHEMATICS, platform_name
from cpsconv.core.operations.types import scalar_type
from cpsconv.languages.arithmetic import EXTREMES, Maker
from cpsconv.languages.formulas import FLOATING_EXTREMES, Formula, Number, computed
from cpsconv.languages.llvm.module_text import Line
from cpsconv.languages.llvm.ours.floating_intrinsics import classified, nearest
from cpsconv.languages.llvm.ours.instructions import UPDATES, Handler, by_elements
from cpsconv.languages.llvm.ours.integer_intrinsics import (
    OVERFLOWING,
    compared,
    funnel_shift,
    leading_zeros,
    ones,
    reversed_groups,
    saturating,
    trailing_zeros,
)
from cpsconv.languages.llvm.ours.object_types import BYTE, Inexpressible, scalars_of
from cpsconv.languages.llvm.types import text_of

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.lowering import FunctionLowering


def in_library(name: str) -> Handler:
    """A function of C's library. Further arguments, such as flags, are omitted."""
    count = len(PROTOTYPES[name].parameters)
    return lambda function, line, values: function.calls.external(name, values[:count])


def _set(function: FunctionLowering, line: Line, values: list[Any]) -> None:
    """``memset``; undefined bytes may be those that are there."""
    if not isinstance(values[1], Undef):
        in_library("memset")(function, line, values)


def _formula(formula: Formula) -> Handler:
    return by_elements(computed(formula))


def _formula_of_type(formula: Formula) -> Handler:
    """The formula takes the type of the result before the operands."""
    return by_elements(lambda make, type, *values: computed(partial(formula, type))(make, *values), of_type=True)


def _started(function: FunctionLowering, line: Line, values: list[Any]) -> None:
    """``va_start``: a copy of the list that the caller passed."""
    if function.arguments is None:
        raise Inexpressible("`llvm.va_start` in a function without variable arguments")
    function.calls.copy_list(function.arguments, values[0])


def _size(function: FunctionLowering, line: Line, values: list[Any]) -> Value:
    """The size of an object that is not known: the largest or, if the second argument is true, the smallest."""
    return Constant(function.types.scalar(function.result_of(line)), 0 if values[1].value else -1)


def _relative(function: FunctionLowering, line: Line, values: list[Any]) -> Any:
    """``load.relative``: a pointer in a table of pointers, in place of distances of half their size."""
    table, distance = values
    if not isinstance(table, Data) or not isinstance(table.object_type, Array) or table.object_type.element is not PTR:
        raise Inexpressible("a distance that is added to an address")
    return function.memory.load(
        "ptr", function.make("element", table, (Number(function.make, distance) * 2).value, of=BYTE)
    )


def _frame(function: FunctionLowering, line: Line, values: list[Any]) -> Value:
    """The address of an object of the function itself, as C's `__builtin_frame_address` is here."""
    if not isinstance(values[0], Constant) or values[0].value != 0:
        raise Inexpressible("the frame of a caller")
    with function.memory.temporary():
        return function.memory.allocate("frame", CHAR)


def _called(function: FunctionLowering, name: str, *values: Any) -> Any:
    """The result of a function of C's library for the floating type of the first value."""
    type = scalar_type(values[0])
    if type not in (DOUBLE, FLOAT, LONG_DOUBLE):
        raise Inexpressible(f"`{name}` of the type `{text_of(type)}`")
    result = function.calls.external(platform_name(name, type), values)
    if result is None:
        raise Inexpressible(f"`{name}`, which the module has without a result")
    return result


def _function(name: str) -> Handler:
    """An intrinsic that C's library has as a function, for each floating type. Its result may have another width."""

    def handler(function: FunctionLowering, line: Line, values: list[Any]) -> Any:
        def compute(make: Maker, type: Scalar, *operands: Value) -> Value:
            return make.convert(type, _called(function, name, *operands))

        return by_elements(compute, of_type=True)(function, line, values)

    return handler


def _with_place(name: str, second: Scalar | None) -> Handler:
    """A function of C that has a second result, of its own type or another, in an object whose address it takes."""

    def handler(function: FunctionLowering, line: Line, values: list[Any]) -> Any:
        def compute(make: Maker, x: Value) -> list[Value]:
            type = second or scalar_type(x)
            with function.memory.temporary():
                place = function.memory.allocate("place", type)
                return [_called(function, name, x, place), make.effect("load", place, type=type)]

        return function.elementwise(compute, values, line)

    return handler


def _reduced(op: str) -> Handler:
    """The elements of a vector, combined by an instruction, in their order. A first value may precede them."""

    def handler(function: FunctionLowering, line: Line, values: list[Any]) -> Value:
        scalars = [each for value in values for each in scalars_of(value)]
        function.require_scalars(scalars)
        return reduce(partial(UPDATES[op], function.make), scalars)

    return handler


_TRAP = "the program ends itself by `llvm.trap`"
_HINTS = (
    "lifetime.start lifetime.end invariant.end assume prefetch donothing va_end stackrestore"
    " dbg.value dbg.declare dbg.assign dbg.label experimental.noalias.scope.decl sideeffect fake.use"
)
_UNCHANGED = (
    "expect threadlocal.address launder.invariant.group strip.invariant.group annotation ptr.annotation ssa.copy"
)
_FUNCTIONS = "rint nearbyint lrint llrint lround llround ldexp"
_COMBINED = "add mul and or xor umax umin fadd fmul fmax fmin"

INTRINSICS: dict[str, Handler] = {
    **dict.fromkeys(_HINTS.split(), lambda function, line, values: None),
    **dict.fromkeys(_UNCHANGED.split(), lambda function, line, values: values[0]),
    "is.constant": lambda function, line, values: Constant(BOOL, False),
    **dict.fromkeys(["stacksave", "invariant.start"], lambda function, line, values: Constant(PTR, 0)),
    **{name: in_library(name) for name in ("memcpy", "memmove")},
    "memset": _set,
    **dict.fromkeys(["trap", "debugtrap", "ubsantrap"], lambda function, line, values: fail(function.b, _TRAP, line)),
    "objectsize": _size,
    "frameaddress": _frame,
    "load.relative": _relative,
    "va_start": _started,
    "va_copy": lambda function, line, values: function.calls.copy_list(values[1], values[0]),
    **dict.fromkeys(["abs", "fabs"], _formula(lambda x, *_: x("abs"))),
    **{name: by_elements(compute) for name, compute in EXTREMES.items()},
    "ctpop": _formula(ones),
    "ctlz": _formula(leading_zeros),
    "cttz": _formula(trailing_zeros),
    "bswap": _formula(reversed_groups(8)),
    "bitreverse": _formula(reversed_groups(1)),
    "fshl": _formula(funnel_shift(is_left=True)),
    "fshr": _formula(funnel_shift(is_left=False)),
    "fmuladd": _formula(lambda x, y, z: x * y + z),
    **{name: _formula(lambda x, *others, name=name: x(name, *others)) for name in MATHEMATICS},
    "is.fpclass": _formula(classified),
    "scmp": _formula_of_type(compared(is_signed=True)),
    "ucmp": _formula_of_type(compared(is_signed=False)),
    "fptosi.sat": _formula_of_type(nearest(is_signed=True)),
    "fptoui.sat": _formula_of_type(nearest(is_signed=False)),
    **{name: _formula(formula) for name, formula in FLOATING_EXTREMES.items()},
    **{name: _function(name) for name in _FUNCTIONS.split()},
    "roundeven": _function("rint"),
    "modf": _with_place("modf", None),
    "frexp": _with_place("frexp", INT),
    **{f"{name}.with.overflow": _formula(formula) for name, formula in OVERFLOWING.items()},
    **{f"{name}.sat": _formula(saturating(name)) for name in ("sadd", "ssub", "uadd", "usub")},
    "ptrmask": _formula(lambda pointer, mask: (pointer.to(LONG) & mask).to(PTR)),
    **{f"vector.reduce.{op}": _reduced(op) for op in _COMBINED.split()},
    **{f"vector.reduce.s{op}": _reduced(op) for op in ("max", "min")},
}
"""The intrinsics by their names without ``llvm.`` and the types at their end."""
