"""Numbers of JavaScript: their texts, the numbers of texts, and 32-bit integers. Names are those of ECMA-262."""

from __future__ import annotations

import math
import re
from decimal import Decimal

from cpsconv.core.operations.python_formats import decimal_number

WHITE_SPACE = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000\ufeff" + "".join(map(chr, range(0x2000, 0x200B)))
"""White space and line terminators, which conversions of strings ignore at both ends."""

_DECIMAL = re.compile(r"[+-]?(?:Infinity|(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)")
_WHOLE = re.compile(r"([+-]?)([0-9]+)")
_RADIX = re.compile(r"0(?:[xX]([0-9a-fA-F]+)|[oO]([0-7]+)|[bB]([01]+))")


def number_to_string(number: float) -> str:
    """Number::toString with radix 10: the shortest digits that denote the number."""
    if number != number:
        return "NaN"
    if number <= 0:
        return f"-{number_to_string(-number)}" if number else "0"
    if number == math.inf:
        return "Infinity"
    _, all_digits, exponent = Decimal(repr(number)).as_tuple()
    point = len(all_digits) + int(exponent)
    digits = "".join(map(str, all_digits)).rstrip("0")
    if 0 < point <= 21:
        whole, fraction = digits[:point].ljust(point, "0"), digits[point:]
        return f"{whole}.{fraction}" if fraction else whole
    if -6 < point <= 0:
        return f"0.{'0' * -point}{digits}"
    mantissa = f"{digits[0]}.{digits[1:]}" if len(digits) > 1 else digits
    return f"{mantissa}e{point - 1:+d}"


def string_to_number(text: str) -> float:
    """StringToNumber: NaN if the string is no number; zero if it is empty."""
    text = text.strip(WHITE_SPACE)
    if not text:
        return 0.0
    whole = _with_radix(text)
    if whole is not None:
        return bigint_to_number(whole)
    return float(text) if _DECIMAL.fullmatch(text) else math.nan


def string_to_bigint(text: str) -> int | None:
    """StringToBigInt: None if the string is no integer; zero if it is empty."""
    text = text.strip(WHITE_SPACE)
    if not text:
        return 0
    match = _WHOLE.fullmatch(text)
    if not match:
        return _with_radix(text)
    magnitude = decimal_number(match[2])
    return -magnitude if match[1] == "-" else magnitude


def _with_radix(text: str) -> int | None:
    match = _RADIX.fullmatch(text)
    return int(text, 0) if match else None


def bigint_to_number(number: int) -> float:
    """The nearest number to an integer."""
    try:
        return float(number)
    except OverflowError:
        return math.copysign(math.inf, number)


def to_uint32(number: float) -> int:
    """ToUint32, as an integer."""
    return int(number) & 0xFFFFFFFF if math.isfinite(number) else 0


def to_int32(number: float) -> int:
    """ToInt32, as an integer."""
    return (to_uint32(number) ^ 0x80000000) - 0x80000000


def power(base: float, exponent: float) -> float:
    """Number::exponentiate."""
    if exponent != exponent or (abs(base) == 1 and math.isinf(exponent)):
        return math.nan
    is_odd = math.isfinite(exponent) and abs(math.fmod(exponent, 2)) == 1
    infinite = math.copysign(math.inf, base) if is_odd else math.inf
    try:
        return math.pow(base, exponent)
    except OverflowError:
        return infinite
    except ValueError:  # a power of zero with a negative exponent; a root of a negative number
        return math.nan if base else infinite


def quotient(left: float, right: float) -> float:
    """Number::divide."""
    return left / right if right else left * math.copysign(math.inf, right)


def remainder(left: float, right: float) -> float:
    """Number::remainder, which has the sign of the dividend."""
    return math.fmod(left, right) if right and math.isfinite(left) else math.nan
