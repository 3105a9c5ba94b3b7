"""The mathematical functions that are operations.

Each takes operands of one floating type, and has a result of that type. The platform's functions for `float` and `long
double` have names with the suffixes ``f`` and ``l``, and round once.
"""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.core.ir import DOUBLE, FLOAT, LONG_DOUBLE, Scalar

MATHEMATICS: dict[str, int] = {
    **dict.fromkeys(["sqrt", "cbrt", "floor", "ceil", "trunc", "round"], 1),
    **dict.fromkeys(["sin", "cos", "tan", "asin", "acos", "atan"], 1),
    **dict.fromkeys(["sinh", "cosh", "tanh", "asinh", "acosh", "atanh"], 1),
    **dict.fromkeys(["exp", "exp2", "expm1", "log", "log2", "log10", "log1p"], 1),
    **dict.fromkeys(["erf", "erfc", "tgamma", "lgamma"], 1),
    **dict.fromkeys(["atan2", "copysign", "fmod", "hypot", "pow"], 2),
    "fma": 3,
}
"""The numbers of operands by name."""


_SUFFIXES = {DOUBLE: "", FLOAT: "f", LONG_DOUBLE: "l"}


def platform_name(function: str, type: Scalar) -> str:
    """The platform's name of the function for operands of the type: ``sin``, ``sinf``, ``sinl``."""
    return function + _SUFFIXES[type]


def for_each_function(write: Callable[[str, int, Scalar], str], *further: Scalar) -> dict[str, str]:
    """What `write` returns for the platform's name, number and type of operands of each function, by that name.

    The types are `double`, `float` and the `further` ones.
    """
    types = (DOUBLE, FLOAT, *further)
    cases = [(platform_name(name, type), count, type) for name, count in MATHEMATICS.items() for type in types]
    return {name: write(name, count, type) for name, count, type in cases}
