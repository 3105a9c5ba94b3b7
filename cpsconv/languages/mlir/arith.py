"""The dialect `arith`: its operations by their names in LLVM, whose arithmetic it is (`cpsconv.languages.arithmetic`).

An operation is foreign if it has flags that permit other results, such as those for fast floating arithmetic,
attributes of other dialects, whose names have a point, or operands of other types than those of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cpsconv.abi import arith
from cpsconv.core.construction import BuildError
from cpsconv.core.ir import BOOL, Scalar, Value, integer_type
from cpsconv.core.operations.types import is_float, scalar_type
from cpsconv.languages.arithmetic import BINARY, CASTS, COMPARISONS, EXTREMES, Maker
from cpsconv.languages.formulas import FLOATING_EXTREMES, Formula, computed, with_carry
from cpsconv.languages.mlir.types import constant

_Compute = Callable[..., Any]
"""The function from a `Maker` and operands to a value, or to a sequence of several."""


def _product(x: Any, y: Any, signed: bool) -> Sequence[Any]:
    """The lower and the upper half of a product, which has twice as many bits. Raises `BuildError` if no type has."""
    if x.type is BOOL or 2 * x.bits > 128:
        raise BuildError(f"no type has the bits of a product of `{x.type}`")
    wide = integer_type(2 * x.bits, signed=signed)
    product = x.to(wide) * y.to(wide)
    return product.to(x.type), (product >> x.bits).to(x.type)


_FORMULAS: dict[str, Formula] = {
    "ceildivsi": lambda x, y: x / y + ((x % y != 0) & ((x ^ y) >= 0)).to(x.type),
    "floordivsi": lambda x, y: x / y - ((x % y != 0) & ((x ^ y) < 0)).to(x.type),
    "ceildivui": lambda x, y: (x.unsigned() / y.unsigned()).to(x.type) + (x.unsigned() % y.unsigned() != 0).to(x.type),
    "addui_extended": with_carry,
    "mulsi_extended": lambda x, y: _product(x, y, signed=True),
    "mului_extended": lambda x, y: [each.to(x.type) for each in _product(x.unsigned(), y.unsigned(), signed=False)],
}
"""The operations on two integers that LLVM lacks. Quotients are rounded up or down; ``extended`` results are two."""

_OF_TWO: dict[str, _Compute] = {
    **{arith.OF_TWO[name]: compute for name, compute in {**BINARY, **EXTREMES}.items()},
    **{f"{name}f": computed(formula) for name, formula in FLOATING_EXTREMES.items()},
    **{name: computed(formula) for name, formula in _FORMULAS.items()},
}
"""The operations on two numbers of one type: floating ones, if the name ends with an ``f``."""

_COMPARISONS = {
    name: {str(number): compute for number, compute in enumerate(COMPARISONS[of].values())}
    for name, of in (("cmpi", "icmp"), ("cmpf", "fcmp"))
}
"""The comparisons by the numbers of their predicates."""

_CASTS = {ours: (name, name.startswith("fp"), ours.endswith(("f", "fp"))) for name, ours in arith.CASTS.items()}
"""The conversions: their names in LLVM, and whether they are from and to floating numbers."""


def made(
    name: str, operands: Sequence[Value], results: Sequence[Scalar], properties: Mapping[str, str], make: Maker
) -> Sequence[Value] | None:
    """The results of an operation of `arith` by its name; None if it stays foreign."""
    types = [scalar_type(value) for value in operands]
    is_relaxed = not properties.get("fastmath", "<none>").endswith("<none>") or "roundingmode" in properties
    if is_relaxed or any("." in name for name in properties) or "foreign" in [each.kind for each in (*results, *types)]:
        return None
    compute = _computation(name, types, results[0], properties)
    try:
        found = compute(make, *operands) if compute else None
    except BuildError:  # there are no operations of some types
        return None
    values: Sequence[Any] = found if isinstance(found, list) else [found]
    return values if [value and value.type for value in values] == [*results] else None


def _computation(name: str, types: Sequence[Scalar], result: Scalar, properties: Mapping[str, str]) -> _Compute | None:
    """The computation of an operation, if the operands have types that it takes."""
    if name == "constant" and not types:
        return lambda make: constant(result, properties.get("value", ""))
    if len(types) == 2 and types[0] is types[1] and is_float(types[0]) == name.endswith("f"):
        predicate = properties.get("predicate", "").partition(":")[0].strip()
        return _OF_TWO.get(name) or _COMPARISONS.get(name, {}).get(predicate)
    if name == "select" and len(types) == 3 and types[0] is BOOL and types[1] is types[2]:
        return Maker.either
    if name == "negf" and [*map(is_float, types)] == [True]:
        return lambda make, x: make("neg", x)
    cast, *kinds = _CASTS.get(name, ("",))
    if len(types) == 1 and types[0] is not result and [is_float(types[0]), is_float(result)] == kinds:
        return lambda make, x: CASTS[cast](make, result, x)
    return None
