"""The dialect `arith`: its operations by their names in LLVM, whose arithmetic it is (`cpsconv.languages.arithmetic`).

An operation is foreign if it has flags that permit other results, such as those for fast floating arithmetic, or
operands of other types than those of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cpsconv.abi import arith
from cpsconv.core.construction import BuildError
from cpsconv.core.ir import BOOL, Scalar, Value
from cpsconv.core.operations.types import is_float, scalar_type
from cpsconv.languages.arithmetic import BINARY, CASTS, COMPARISONS, EXTREMES, Compute, Maker
from cpsconv.languages.mlir.types import constant

_OF_TWO = {arith.OF_TWO[name]: compute for name, compute in {**BINARY, **EXTREMES}.items()}
"""The operations on two numbers of one type: floating ones, if the name ends with an ``f``."""

_COMPARISONS = {
    name: {str(number): compute for number, compute in enumerate(COMPARISONS[of].values())}
    for name, of in (("cmpi", "icmp"), ("cmpf", "fcmp"))
}
"""The comparisons by the numbers of their predicates."""

_CASTS = {ours: (name, name.startswith("fp"), ours.endswith(("f", "fp"))) for name, ours in arith.CASTS.items()}
"""The conversions: their names in LLVM, and whether they are from and to floating numbers."""


def made(
    name: str, operands: Sequence[Value], result: Scalar, properties: Mapping[str, str], make: Maker
) -> Value | None:
    """The result of an operation of `arith` by its name; None if it stays foreign."""
    types = [scalar_type(value) for value in operands]
    if "foreign" in [type.kind for type in (result, *types)] or "roundingmode" in properties:
        return None
    if not properties.get("fastmath", "<none>").endswith("<none>"):
        return None
    if name == "constant":
        return constant(result, properties.get("value", ""))
    compute = _computation(name, types, result, properties)
    try:
        value = compute(make, *operands) if compute else None
    except BuildError:  # there are no operations of some types
        return None
    return value if value and value.type is result else None


def _computation(name: str, types: Sequence[Scalar], result: Scalar, properties: Mapping[str, str]) -> Compute | None:
    """The computation of an operation, if the operands have types that it takes."""
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
