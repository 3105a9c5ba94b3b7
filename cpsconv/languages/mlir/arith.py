"""The dialect `arith`: its operations by their names in LLVM, whose arithmetic it is (`cpsconv.languages.arithmetic`).

An operation is foreign if it has flags that permit other results, such as those for fast floating arithmetic, or
operands of other types than those of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cpsconv.core.construction import BuildError
from cpsconv.core.ir import BOOL, Scalar, Value
from cpsconv.core.operations.types import is_float, scalar_type
from cpsconv.languages.arithmetic import BINARY, CASTS, COMPARISONS, EXTREMES, Compute, Maker
from cpsconv.languages.mlir.types import constant

_OF_TWO = {
    **{f"{name}i": BINARY[name] for name in ("add", "sub", "mul", "and", "or", "xor")},
    **{f"{name[1:]}{name[0]}i": BINARY[name] for name in ("sdiv", "udiv", "srem", "urem")},
    **{f"{name[1:]}{name[0]}i": compute for name, compute in EXTREMES.items()},
    "shli": BINARY["shl"],
    "shrsi": BINARY["ashr"],
    "shrui": BINARY["lshr"],
    **{f"{name[1:]}f": BINARY[name] for name in ("fadd", "fsub", "fmul", "fdiv", "frem")},
}
"""The operations on two numbers of one type: floating ones, if the name ends with an ``f``."""

_COMPARISONS = {
    name: {str(number): compute for number, compute in enumerate(COMPARISONS[of].values())}
    for name, of in (("cmpi", "icmp"), ("cmpf", "fcmp"))
}
"""The comparisons by the numbers of their predicates."""

_CASTS = {
    "extsi": ("sext", False, False),
    "extui": ("zext", False, False),
    "trunci": ("trunc", False, False),
    "sitofp": ("sitofp", False, True),
    "uitofp": ("uitofp", False, True),
    "fptosi": ("fptosi", True, False),
    "fptoui": ("fptoui", True, False),
    "extf": ("fpext", True, True),
    "truncf": ("fptrunc", True, True),
}
"""The conversions, and whether they are from and to floating numbers."""


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
