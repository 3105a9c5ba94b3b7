"""Arithmetic in Python: the functions that Python's own operators do not provide.

The evaluator and the engine `python` import these functions; emitted Python has copies of the functions that it uses,
without type annotations (`cpsconv.targets.functional.python`). So a definition contains no blank line, and its lines
without annotations have at most 80 characters. Values are represented as in `cpsconv.core.operations.semantics`.
"""

from __future__ import annotations

import math
import struct

from cpsconv.core.floating import Floating, LongDouble
from cpsconv.core.operations.runtime_errors import SizeError


def wrapped(n: int, lowest: int, modulus: int) -> int:
    """The number congruent to n from `lowest` on."""
    return (n - lowest) % modulus + lowest


def truncated_quotient(a: int, b: int) -> int:
    """The quotient rounded toward zero."""
    magnitude = abs(a) // abs(b)
    return magnitude if (a < 0) == (b < 0) else -magnitude


def truncated_remainder(a: int, b: int) -> int:
    """The remainder, with the sign of the dividend."""
    return a - truncated_quotient(a, b) * b


MAX_INTEGER = 1 << 1_000_000  # a power takes 36 million instructions
MIN_INTEGER = -MAX_INTEGER


def product_of_integers(a: int, b: int) -> int:
    """The product of unbounded integers, which has a million bits at most."""
    n = a * b
    if not MIN_INTEGER < n < MAX_INTEGER:
        raise SizeError("the product has more than 1000000 bits")
    return n


def divided(x: float, y: float) -> float:
    """The quotient of IEEE 754, also by zero."""
    if y != 0:
        return x / y
    if x == 0 or math.isnan(x):
        return -math.nan  # the sign that x86-64 gives it
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


SINGLE_PRECISION = struct.Struct("f")


def to_float(x: float) -> float:
    """The nearest 32-bit float, ties to even; infinite beyond the range."""
    try:
        (x,) = SINGLE_PRECISION.unpack(SINGLE_PRECISION.pack(x))
    except OverflowError:
        return math.copysign(math.inf, x)
    return x


def int_to_float(n: int) -> float:
    """The 32-bit float nearest to an integer, rounded once."""
    if abs(n) >= 2**53:
        # Rounded to odd, n fits into a double and keeps its side of each
        # midpoint between two floats.
        excess = n.bit_length() - 53
        n = (n >> excess | (n % 2**excess > 0)) << excess
    return to_float(n)


def to_long_double(x: int | float) -> LongDouble:
    """The nearest number of 80 bits."""
    return LongDouble.of(+x)


def long_double_to_float(x: Floating) -> float:
    """The nearest 32-bit float, rounded once."""
    return to_float((+x).to_float())


def truncated(x: float, bits: int) -> int:
    """The integral part; as on x86-64, the least integer if it does not fit."""
    limit = 2 ** (bits - 1)
    return int(x) if -limit - 1 < x < limit else -limit


def truncated_to_unsigned_long(x: float) -> int:
    """The integral part; x86-64 converts a large number less 2**63."""
    if x >= 2**63:
        return (truncated(x - 2**63, 64) + 2**63) % 2**64
    return truncated(x, 64) % 2**64


def truncated_to_unsigned_int128(x: float) -> int:
    """The integral part, of the upper half and of the rest."""
    high = truncated_to_unsigned_long(x / 2**64)
    return high << 64 | truncated_to_unsigned_long(x - high * 2**64)


def truncated_to_int128(x: float) -> int:
    """The integral part, of the magnitude."""
    magnitude = truncated_to_unsigned_int128(abs(x))
    return ((-magnitude if x < 0 else magnitude) + 2**127) % 2**128 - 2**127
