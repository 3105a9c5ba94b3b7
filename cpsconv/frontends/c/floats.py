"""The values of C's floating point literals (C17, 6.4.4.2)."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from cpsconv.frontends.c.literals import malformed
from cpsconv.ir import DOUBLE, FLOAT, Scalar

_DECIMAL = re.compile(r"((?:[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)([fFlL]?)")
_HEXADECIMAL = re.compile(r"(0[xX](?:([0-9a-fA-F]+)\.?([0-9a-fA-F]*)|\.([0-9a-fA-F]+))[pP]([+-]?[0-9]+))([fFlL]?)")


def parse_float(text: str) -> tuple[Scalar, float] | None:
    """The type and value of a literal; None if it is none of a floating point number. Raises `LiteralError`."""
    if found := _DECIMAL.fullmatch(text):
        return _decimal(text, found)
    if found := _HEXADECIMAL.fullmatch(text):
        return _hexadecimal(text, found)
    return None


def _decimal(text: str, found: re.Match[str]) -> tuple[Scalar, float]:
    digits, suffix = found.groups()
    value = float(digits)
    if math.isinf(value):
        raise malformed(text, "the number is too large for `double`")
    return _float(text, suffix, value, lambda: Fraction(Decimal(digits)))


def _hexadecimal(text: str, found: re.Match[str]) -> tuple[Scalar, float]:
    number, whole, after_point, only_after_point, exponent, suffix = found.groups()
    try:
        value = float.fromhex(number)
    except OverflowError:
        raise malformed(text, "the number is too large for `double`") from None
    fraction = only_after_point or after_point
    mantissa = int((whole or "") + fraction, 16)
    return _float(text, suffix, value, lambda: mantissa * Fraction(2) ** (int(exponent) - 4 * len(fraction)))


def _float(text: str, suffix: str, value: float, exact: Callable[[], Fraction]) -> tuple[Scalar, float]:
    """`value` is the double nearest to what the literal says, which is `exact()`."""
    if suffix in ("l", "L"):
        raise malformed(text, "`long double` is not supported yet")
    if not suffix:
        return DOUBLE, value
    if value:
        value = _rounded_to_odd(value, exact())
    try:
        return FLOAT, struct.unpack("<f", struct.pack("<f", value))[0]
    except OverflowError:
        raise malformed(text, "the number is too large for `float`") from None


def _rounded_to_odd(nearest: float, exact: Fraction) -> float:
    """The double next to `exact` whose last bit is set, if `exact` is no double itself.

    Rounding that again, to `float`, gives what rounding `exact` at once would give (Boldo and Melquiond 2008).
    """
    if Fraction(nearest) == exact or math.frexp(nearest)[0] * 2**53 % 2:
        return nearest
    return math.nextafter(nearest, math.inf if exact > nearest else 0.0)
