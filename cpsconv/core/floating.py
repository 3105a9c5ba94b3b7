"""The numbers of binary floating formats that Python lacks, such as `long double` and ``float<16>``.

The class `Floating` computes with integers: each result is exact, and then rounded once to the nearest number, ties to
even, as a processor does.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, Union

if TYPE_CHECKING:
    from fractions import Fraction

    from typing_extensions import Self

_MAX_DIGITS = 4000
"""The number of decimal digits that are converted at once. Python's limit is 4300, unless it was changed."""

Real = Union[float, "Floating"]
"""A floating number."""

Number = Union[Real, "Fraction"]


class Floating:
    """A number of a format, by its fields: a sign, a biased exponent, and a significand with all of its bits.

    `digits` is the number of bits of a significand, `exponent_bits` that of an exponent. `least` is the exponent of the
    last bit of a subnormal number, `special` the biased exponent of infinity and NaN. So many `decimal_digits` tell
    numbers apart.
    """

    __slots__ = ("biased", "is_negative", "significand")
    digits: ClassVar[int]
    exponent_bits: ClassVar[int]
    least: ClassVar[int]
    special: ClassVar[int]

    decimal_digits: ClassVar[int]

    def __init_subclass__(cls, digits: int, exponent_bits: int) -> None:
        cls.digits, cls.exponent_bits = digits, exponent_bits
        cls.decimal_digits = 2 + int(digits * math.log10(2))
        cls.least = 3 - (1 << exponent_bits - 1) - digits
        cls.special = (1 << exponent_bits) - 1

    def __init__(self, is_negative: bool, biased: int, significand: int) -> None:
        self.is_negative = is_negative
        self.biased = biased
        self.significand = significand

    @classmethod
    def of(cls, value: Number) -> Self:
        """The number nearest to the value; `nan` for a NaN."""
        if isinstance(value, cls):
            return value
        if isinstance(value, (float, Floating)):
            is_negative = math.copysign(1, value) < 0
            if not is_finite(value):
                return cls.infinity(is_negative) if value == value else cls.nan(value)
        else:
            is_negative = value < 0
        numerator, denominator = value.as_integer_ratio()
        return cls.quotient(is_negative, abs(numerator), denominator)

    @classmethod
    def infinity(cls, is_negative: bool = False) -> Self:
        """The infinite number of that sign."""
        return cls(is_negative, cls.special, 1 << cls.digits - 1)

    @classmethod
    def nan(cls, *operands: Real) -> Self:
        """The NaN that results from operands: the one without payload, with the sign that x86-64 gives it."""
        return cls(True, cls.special, 3 << cls.digits - 2)

    @classmethod
    def parse(cls, text: str) -> Self:
        """The number nearest to a decimal or hexadecimal number, ``inf`` or ``nan``, after a sign or not."""
        if text.startswith("-"):
            return -cls.parse(text[1:])
        if text == "nan":
            return -cls.nan()
        return cls.infinity() if text == "inf" else cls.of(exact_number(text))

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The number with this representation in memory: sign, exponent, and significand without its first bit."""
        code = int.from_bytes(data, "little")
        biased = code >> cls.digits - 1 & cls.special
        significand = code % (1 << cls.digits - 1) | (biased > 0) << cls.digits - 1
        return cls(code >> cls.digits - 1 > cls.special, biased, significand)

    def to_bytes(self) -> bytes:
        """The representation in memory."""
        return self.code.to_bytes((self.digits + self.exponent_bits) // 8, "little")

    @property
    def code(self) -> int:
        """The representation in memory, as an integer."""
        sign = self.is_negative << self.exponent_bits
        return (sign | self.biased) << self.digits - 1 | self.significand % (1 << self.digits - 1)

    @property
    def is_finite(self) -> bool:
        """Whether the number is neither infinite nor a NaN."""
        return self.biased != self.special

    @property
    def exponent(self) -> int:
        """The exponent of the last bit of the significand."""
        return max(self.biased, 1) - 1 + self.least

    def in_units(self, exponent: int) -> int:
        """The number as a multiple of a power of two, whose exponent is at most that of the number."""
        return (-self.significand if self.is_negative else self.significand) << (self.exponent - exponent)

    def as_integer_ratio(self) -> tuple[int, int]:
        """A numerator and a denominator of a finite number."""
        exponent = min(self.exponent, 0)
        return self.in_units(exponent), 1 << -exponent

    def _sample(self) -> float:
        """A float with the same sign: an infinity, NaN with its payload, or zero for the same, and else 1."""
        is_infinite = self.significand == 1 << self.digits - 1
        nan = not_a_number(payload(self) >> max(self.digits - 53, 0))
        magnitude = bool(self) * 1.0 if self.is_finite else math.inf if is_infinite else nan
        return math.copysign(magnitude, -1.0 if self.is_negative else 1.0)

    def _of_samples(self, compute: Callable[[float, float], float], other: Self) -> Self:
        """The result for operands of which one is infinite or a NaN, or both are zero."""
        if self != self or other != other:
            return self.nan(self, other)
        return self.of(compute(self._sample(), other._sample()))

    # -------------------------------------------------------------------------------------------------- conversions

    def __bool__(self) -> bool:
        return self.significand != 0

    def __float__(self) -> float:
        if not (self.is_finite and self):
            return self._sample()
        numerator, denominator = self.as_integer_ratio()
        try:
            return numerator / denominator  # which Python rounds once
        except OverflowError:
            return self._sample() * math.inf

    def __int__(self) -> int:
        numerator, denominator = self.as_integer_ratio()
        return -(-numerator // denominator) if self.is_negative else numerator // denominator

    def to_float(self) -> float:
        """The nearest number of 32 bits, or a float that is rounded to it."""
        # Rounded to odd, the number fits into a double and keeps its side of each midpoint (Boldo and Melquiond 2008).
        surplus = max(self.digits - 53, 0)
        odd = (self.significand >> surplus | (self.significand % (1 << surplus) > 0)) << surplus
        return float(type(self)(self.is_negative, self.biased, odd))

    # --------------------------------------------------------------------------------------------------- arithmetic

    def __pos__(self) -> Self:
        return self

    def __neg__(self) -> Self:
        return type(self)(not self.is_negative, self.biased, self.significand)

    def __abs__(self) -> Self:
        return type(self)(False, self.biased, self.significand)

    def __add__(self, other: Number) -> Self:
        other = self.of(other)
        if not (self.is_finite and other.is_finite and (self or other)):
            return self._of_samples(operator.add, other)
        exponent = min(self.exponent, other.exponent)
        total = self.in_units(exponent) + other.in_units(exponent)
        return self.scaled(abs(total), exponent, total < 0)

    def __sub__(self, other: Number) -> Self:
        other = self.of(other)
        return self + (-other if other == other else other)  # a NaN keeps its sign

    def __mul__(self, other: Number) -> Self:
        other = self.of(other)
        if not (self.is_finite and other.is_finite):
            return self._of_samples(operator.mul, other)
        is_negative = self.is_negative != other.is_negative
        return self.scaled(self.significand * other.significand, self.exponent + other.exponent, is_negative)

    def __truediv__(self, other: Number) -> Self:
        other = self.of(other)
        is_negative = self.is_negative != other.is_negative
        if self.is_finite and other.is_finite and other:
            exponent = min(self.exponent, other.exponent)
            return self.quotient(is_negative, abs(self).in_units(exponent), abs(other).in_units(exponent))
        if other:
            return self._of_samples(operator.truediv, other)
        if self and self == self:
            return self.infinity(is_negative)
        return self.nan(self) if self != self else self.nan()

    def copysign(self, other: Self) -> Self:
        """The number with the sign of the other one."""
        return type(self)((+other).is_negative, self.biased, self.significand)

    def fma(self, other: Self, term: Self) -> Self:
        """The product with the other number plus the term, rounded once."""
        is_product = self.is_finite and other.is_finite and self and other
        if is_product and term.is_finite:
            exponent = self.exponent + other.exponent
            least = min(exponent, term.exponent)
            product = self.significand * other.significand << exponent - least
            total = term.in_units(least) + (-product if self.is_negative != other.is_negative else product)
            return self.scaled(abs(total), least, total < 0)
        return (term if is_product else self * other) + term

    # --------------------------------------------------------------------------------------------------- comparison

    def _compared(self, compare: Callable[[int, int], bool], other: object) -> Any:
        """The comparison of the numbers; false for a NaN. An infinity compares like the number of its fields."""
        if not isinstance(other, (Floating, int, float)):
            return NotImplemented
        other = self.of(other)
        if any(not each.is_finite and each.significand != 1 << self.digits - 1 for each in (self, other)):
            return False
        exponent = min(self.exponent, other.exponent)
        return compare(self.in_units(exponent), other.in_units(exponent))

    def __eq__(self, other: object) -> bool:
        return self._compared(operator.eq, other)  # type: ignore[no-any-return]

    def __lt__(self, other: Number) -> bool:
        return self._compared(operator.lt, other)  # type: ignore[no-any-return]

    def __le__(self, other: Number) -> bool:
        return self._compared(operator.le, other)  # type: ignore[no-any-return]

    def __gt__(self, other: Number) -> bool:
        return self._compared(operator.gt, other)  # type: ignore[no-any-return]

    def __ge__(self, other: Number) -> bool:
        return self._compared(operator.ge, other)  # type: ignore[no-any-return]

    def __hash__(self) -> int:
        return hash(float(self))

    # --------------------------------------------------------------------------------------------------------- text

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.is_negative}, {self.biased}, {self.significand:#x})"

    def __str__(self) -> str:
        text = f"{abs(self):.{self.decimal_digits}g}" if self.is_finite else str(abs(self._sample()))
        return "-" * self.is_negative + text

    def __format__(self, form: str) -> str:
        """The text of a finite number that is not negative, as Python formats a float: ``.6f``, ``#.3e``, ``.5g``."""
        is_long, precision = "#" in form, int(form.strip("#.efg"))
        if form.endswith("f"):
            return _with_point(self._decimal(precision).rjust(precision + 1, "0"), precision, is_long)
        digits, exponent = self._scientific(precision if form.endswith("e") else max(precision, 1) - 1)
        if form.endswith("g"):
            if -4 <= exponent < len(digits):
                places = len(digits) - 1 - exponent
                text = _with_point(digits.rjust(places + 1, "0"), places, is_long)
                return text if is_long or not places else text.rstrip("0").rstrip(".")
            digits = digits if is_long else digits[0] + digits[1:].rstrip("0")
        return f"{_with_point(digits, len(digits) - 1, is_long)}e{exponent:+03}"

    def _decimal(self, places: int) -> str:
        """The digits of the number times a power of ten, rounded to an integer."""
        from decimal import Decimal  # which has no limit for the digits of an integer

        numerator, denominator = self.as_integer_ratio()
        return str(Decimal(rounded_quotient(numerator * 10 ** max(places, 0), denominator * 10 ** max(-places, 0))))

    def _scientific(self, places: int) -> tuple[str, int]:
        """The decimal digits, with so many after the first, and the exponent of the first."""
        if not self:
            return "0" * (places + 1), 0
        exponent = math.floor((self.exponent + self.significand.bit_length() - 1) * math.log10(2))  # or one less
        while len(digits := self._decimal(places - exponent)) > places + 1:
            exponent += 1
        return digits, exponent

    def hex(self) -> str:
        """The exact text, as Python writes that of a float. The first digit has four bits."""
        if not self.is_finite:
            return "-" * self.is_negative + str(abs(self._sample()))
        count = -(-self.digits // 4)
        digits = f"{self.significand << 4 * count - self.digits:0{count}x}"
        return f"{'-' * self.is_negative}0x{digits[0]}.{digits[1:]}p{self.exponent + self.digits - 4 if self else 0:+}"

    # ----------------------------------------------------------------------------------------------------- rounding

    @classmethod
    def quotient(cls, is_negative: bool, numerator: int, denominator: int) -> Self:
        """The number nearest to the quotient."""
        shift = max(0, cls.digits + 2 - numerator.bit_length() + denominator.bit_length())
        quotient, rest = divmod(numerator << shift, denominator)
        return cls.scaled(quotient << 1 | (rest > 0), -shift - 1, is_negative)

    @classmethod
    def scaled(cls, magnitude: int, exponent: int, is_negative: bool = False) -> Self:
        """The number nearest to ``magnitude * 2**exponent``."""
        surplus = max(magnitude.bit_length() - cls.digits, cls.least - exponent)
        magnitude = rounded_quotient(magnitude, 1 << surplus) if surplus > 0 else magnitude << -surplus
        exponent += surplus
        if magnitude >> cls.digits:
            magnitude, exponent = magnitude >> 1, exponent + 1
        biased = exponent - cls.least + 1 if magnitude >> (cls.digits - 1) else 0
        return cls(is_negative, biased, magnitude) if biased < cls.special else cls.infinity(is_negative)


class LongDouble(Floating, digits=64, exponent_bits=15):
    """A `long double`: the 80-bit extended format of x86-64, whose significands have their first bit in memory."""

    __slots__ = ()

    @classmethod
    def nan(cls, *operands: Real) -> LongDouble:
        """The NaN with the largest payload of the operands, and its sign."""
        found = [
            (payload(each) << 11 * isinstance(each, float), math.copysign(1, each) > 0)
            for each in operands
            if each != each
        ]
        bits, is_positive = max(found, default=(0, False))
        return cls(not is_positive, cls.special, 3 << 62 | bits)

    @classmethod
    def from_bytes(cls, data: bytes) -> LongDouble:
        """The number with this representation in memory, whose first 10 bytes matter.

        As for the processor, a number whose first bit is missing is a NaN.
        """
        head, significand = int.from_bytes(data[8:10], "little"), int.from_bytes(data[:8], "little")
        biased = head & cls.special
        if significand >> (cls.digits - 1):
            return cls(head > cls.special, max(biased, 1), significand)
        return cls.nan() if biased else cls(head > cls.special, 0, significand)

    def to_bytes(self) -> bytes:
        """The representation in memory, with 6 bytes of padding."""
        return (self.is_negative << 79 | self.biased << 64 | self.significand).to_bytes(16, "little")


@cache
def format_class(bits: int, digits: int) -> type[Floating]:
    """The class of the numbers with so many bits, of which the significand has `digits`."""
    if digits == LongDouble.digits:
        return LongDouble
    return type(f"Floating{bits}", (Floating,), {"__slots__": ()}, digits=digits, exponent_bits=bits - digits)


def _with_point(digits: str, places: int, is_long: bool) -> str:
    """The digits with a point before the last ones; if there are none, only if the text `is_long`."""
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits + "." * is_long


_PAYLOAD = (1 << 51) - 1
"""The bits of the payload of a NaN of 64 bits."""


def not_a_number(payload: int, *, is_signalling: bool = False) -> float:
    """The NaN with the low bits of the number as its payload; the signalling one has another bit instead of none."""
    payload &= _PAYLOAD
    bits = 0x7FF << 52 | (payload or 1 << 50) if is_signalling else 0xFFF << 51 | payload
    return float(struct.unpack("<d", struct.pack("<Q", bits))[0])


def is_signalling(number: Real) -> bool:
    """Whether a NaN is a signalling one."""
    if isinstance(number, Floating):
        return not number.significand >> number.digits - 2 & 1
    return not struct.unpack("<Q", struct.pack("<d", number))[0] >> 51 & 1


def payload(number: Real) -> int:
    """The payload of a NaN."""
    if isinstance(number, Floating):
        return number.significand & (1 << number.digits - 2) - 1
    return int(struct.unpack("<Q", struct.pack("<d", number))[0]) & _PAYLOAD


def is_finite(number: Real) -> bool:
    """Whether a floating number is neither infinite nor a NaN."""
    return number.is_finite if isinstance(number, Floating) else math.isfinite(number)


def exact_number(text: str) -> Fraction:
    """The exact value of a decimal or hexadecimal number; an exponent that is far out of range need not be exact."""
    from fractions import Fraction

    is_decimal = text[:2] not in ("0x", "0X")
    digits, _, power = text.lower().partition("e" if is_decimal else "p")
    limit = 20_000 + 4 * len(digits)
    exponent = max(-limit, min(limit, int(power or 0)))
    if is_decimal:
        whole, _, fraction = digits.partition(".")
        return _integer(whole + fraction) * Fraction(10) ** (exponent - len(fraction))
    whole, _, fraction = digits[2:].partition(".")
    return int(whole + fraction, 16) * Fraction(2) ** (exponent - 4 * len(fraction))


def _integer(digits: str) -> int:
    """The value of decimal digits, of which Python converts a limited number at once."""
    number = 0
    for start in range(0, len(digits), _MAX_DIGITS):
        part = digits[start : start + _MAX_DIGITS]
        number = number * 10 ** len(part) + int(part)
    return number


def rounded_quotient(numerator: int, denominator: int) -> int:
    """The integer nearest to the quotient, the even one of two."""
    quotient, rest = divmod(numerator, denominator)
    return quotient + (2 * rest > denominator or (2 * rest == denominator and quotient % 2))
