"""Operations on further floating types (`cpsconv.core.ir.FURTHER_FLOATS`), in terms of the integers of their bits.

Back ends have no such types: a number is the unsigned integer that represents it in memory. Each function gives the
steps of an operation of IEEE 754, without branches: the operands become significands and exponents, the exact result
is computed with them, and is rounded once, to even. A NaN that results from an operation has no payload, and the sign
that x86-64 gives it.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import NamedTuple, Union

from cpsconv.core.floating import LongDouble, format_class
from cpsconv.core.ir import (
    BOOL,
    DOUBLE,
    FLOAT,
    FURTHER_FLOATS,
    INT,
    LONG_DOUBLE,
    UNSIGNED_LONG,
    Constant,
    Scalar,
    Value,
    integer_type,
)
from cpsconv.core.operations.expansions import Make
from cpsconv.core.operations.table import PRIMITIVES
from cpsconv.core.operations.types import is_float, is_integer, truncation_type

Operand = Union["Term", Constant, int]


class Term:
    """A value of an expansion. The operators of Python make the operations; a number has the type of the other operand.

    The count of a shift is an `int`.
    """

    def __init__(self, make: Make, value: Value) -> None:
        assert isinstance(value.type, Scalar)
        self.make, self.value, self.type = make, value, value.type

    def of(self, op: str, *operands: Operand) -> Term:
        """The operation on the term and further operands."""
        values = [self._value(each) for each in operands]
        return Term(self.make, self.make(op, self.value, *values))

    def _value(self, operand: Operand) -> Value:
        if isinstance(operand, Term):
            return operand.value
        return operand if isinstance(operand, Constant) else Constant(self.type, operand)

    def to(self, type: Scalar) -> Term:
        """The conversion to the type."""
        return self if type is self.type else Term(self.make, self.make(type, self.value))

    def __add__(self, other: Operand) -> Term:
        return self.of("+", other)

    def __sub__(self, other: Operand) -> Term:
        return self.of("-", other)

    def __mul__(self, other: Operand) -> Term:
        return self.of("*", other)

    def __floordiv__(self, other: Operand) -> Term:
        return self.of("/", other)

    def __mod__(self, other: Operand) -> Term:
        return self.of("%", other)

    def __and__(self, other: Operand) -> Term:
        return self.of("&", other)

    def __or__(self, other: Operand) -> Term:
        return self.of("|", other)

    def __xor__(self, other: Operand) -> Term:
        return self.of("^", other)

    def __lt__(self, other: Operand) -> Term:
        return self.of("<", other)

    def __gt__(self, other: Operand) -> Term:
        return self.of(">", other)

    def __ge__(self, other: Operand) -> Term:
        return self.of(">=", other)

    def __invert__(self) -> Term:
        return self.of("!") if self.type is BOOL else self.of("~")

    def __lshift__(self, count: Term | int) -> Term:
        return self.of("<<", count if isinstance(count, Term) else Constant(INT, count))

    def __rshift__(self, count: Term | int) -> Term:
        return self.of(">>", count if isinstance(count, Term) else Constant(INT, count))

    def equals(self, other: Operand) -> Term:
        """Whether the term is equal to the other one."""
        return self.of("==", other)

    def chosen(self, value: Operand, other: Term) -> Term:
        """The `value` if the term is true, else the other integer."""
        mask = self.to(other.type).of("neg")
        return other ^ ((other ^ value) & mask)


def at_most(x: Term, limit: int) -> Term:
    """The least of an integer and the limit."""
    return (x > limit).chosen(limit, x)


def positive(x: Term) -> Term:
    """The signed integer, or 0 if it is negative."""
    return x & ~(x >> x.type.bits - 1)


def shifted_right(x: Term, count: Term) -> Term:
    """The integer without so many bits; the last bit is set if any of these was. The count is less than the width."""
    return x >> count | (x ^ (x >> count << count)).of("!=", 0).to(x.type)


def negated_if(condition: Term, x: Term) -> Term:
    """The negative of an integer if the condition, an integer of 0 or 1, is 1."""
    condition = condition.to(x.type)
    return (x ^ condition.of("neg")) + condition


def working_type(bits: int) -> Scalar:
    """The unsigned type for so many bits."""
    return integer_type(next(width for width in (32, 64, 128) if width >= bits), signed=False)


class Parts(NamedTuple):
    """A finite number ``significand * 2**exponent``, negative if the `sign` is 1. Sign and exponent are `int`s."""

    sign: Term
    significand: Term
    exponent: Term

    def normalised(self, width: int) -> Parts:
        """The same number, with a significand of so many bits, the first of which is set unless the number is zero."""
        significand, exponent, count = self.significand, self.exponent, 64
        while count:
            if count < width:
                missing = (significand >> width - count).equals(0).to(INT) * count
                significand, exponent = significand << missing, exponent - missing
            count //= 2
        return Parts(self.sign, significand, exponent)

    def chosen(self, condition: Term, other: Parts) -> Parts:
        """These parts if the condition is true, else the other ones."""
        return Parts(*[condition.chosen(mine, its) for mine, its in zip(self, other, strict=True)])

    def product(self, other: Parts, digits: int) -> Parts:
        """The product of numbers with so many digits, or more bits of the product than are rounded."""
        sign = self.sign ^ other.sign
        if 2 * digits <= self.significand.type.bits:
            return Parts(sign, self.significand * other.significand, self.exponent + other.exponent)
        x, y = self.normalised(128), other.normalised(128)
        low = (1 << 64) - 1
        x1, x0, y1, y0 = x.significand >> 64, x.significand & low, y.significand >> 64, y.significand & low
        last = x0 * y0
        first = x1 * y0 + (last >> 64)
        second = x0 * y1 + (first & low)
        rest = ((last | second) & low).of("!=", 0).to(last.type)
        return Parts(sign, x1 * y1 + (first >> 64) + (second >> 64) | rest, x.exponent + y.exponent + 128)

    def sum(self, other: Parts, guard: int) -> Parts:
        """The sum, with so many bits after the last one of the number with the larger exponent. Zeros have no sign."""
        is_less = self.exponent < other.exponent
        large, small = other.chosen(is_less, self), self.chosen(is_less, other)
        width = large.significand.type.bits
        distance = at_most(large.exponent - small.exponent, width - 1)
        mine, its = large.significand << guard, shifted_right(small.significand << guard, distance)
        is_opposite = large.sign ^ small.sign
        is_negative = (mine < its).to(INT) & is_opposite
        total = negated_if(is_negative, mine + negated_if(is_opposite, its))
        sign = total.equals(0).chosen(large.sign & small.sign, large.sign ^ is_negative)
        return Parts(sign, total, large.exponent - guard)

    def quotient(self, other: Parts, digits: int) -> Parts:
        """The quotient of numbers with so many digits, with enough bits to be rounded."""
        x, y = self.normalised(digits), other.normalised(digits)
        divisor = y.significand | y.significand.equals(0).to(y.significand.type)
        quotient, rest, missing = x.significand ^ x.significand, x.significand, digits + 3
        while missing:
            count = min(missing, divisor.type.bits - digits)
            dividend = rest << count
            quotient, rest = quotient << count | dividend // divisor, dividend % divisor
            missing -= count
        exponent = x.exponent - y.exponent - (digits + 3)
        return Parts(x.sign ^ y.sign, quotient | rest.of("!=", 0).to(rest.type), exponent)


class Format:
    """A binary floating format, by the numbers in `core.floating`."""

    def __init__(self, type: Scalar) -> None:
        bits = 32 if type is FLOAT else 64 if type is DOUBLE else type.bits
        numbers = format_class(bits, type.digits)
        self.type, self.digits, self.exponent_bits = type, type.digits, numbers.exponent_bits
        self.least, self.special = numbers.least, numbers.special
        self.infinity = self.special << self.digits - 1
        self.nan = numbers.nan().code
        self.sign = 1 << self.digits - 1 + self.exponent_bits
        self.code = integer_type(bits, signed=False)

    def rounded(self, parts: Parts) -> Term:
        """The representation of the number nearest to the magnitude of the parts, in the type of the significand."""
        _, significand, exponent = parts.normalised(parts.significand.type.bits)
        width = significand.type.bits
        dropped = width - self.digits
        biased = exponent + (dropped - self.least)  # less 1 for a normal number
        is_zero = significand.equals(0)
        significand = shifted_right(significand, at_most(positive(biased.of("neg")), width - 1))
        biased = is_zero.chosen(0, at_most(positive(biased), self.special))
        quotient, rest = significand >> dropped, significand & (1 << dropped) - 1
        above = (rest + (quotient & 1) > 1 << dropped - 1).to(significand.type)
        return at_most((biased.to(significand.type) << self.digits - 1) + quotient + above, self.infinity)


class Number:
    """A number of a further floating type, given by its code: the fields, as `Parts` with significands of a type."""

    def __init__(self, format: Format, code: Term, working: Scalar) -> None:
        self.format = format
        self.sign = (code & format.sign).of("!=", 0).to(INT)
        self.magnitude = code & (format.sign - 1)
        self.is_nan = self.magnitude > format.infinity
        self.is_infinite = self.magnitude.equals(format.infinity)
        self.is_zero = self.magnitude.equals(0)
        biased = (self.magnitude >> format.digits - 1).to(INT)
        is_normal = biased.of("!=", 0)
        fraction = (self.magnitude & (1 << format.digits - 1) - 1).to(working)
        significand = fraction | is_normal.to(working) << format.digits - 1
        self.parts = Parts(self.sign, significand, biased - is_normal.to(INT) + format.least)

    def key(self) -> Term:
        """An integer that orders the numbers."""
        signed = INT if self.format.code.bits < INT.bits else integer_type(self.format.code.bits, signed=True)
        return negated_if(self.sign, self.magnitude.to(signed))

    def in_native(self, native: Scalar) -> Term:
        """The same number of a native type that contains all numbers of the format."""
        format, parts = self.format, self.parts
        places = parts.exponent - format.least
        x = parts.significand.to(UNSIGNED_LONG).to(native) * power(native, format.least)
        largest = Format(native).special // 2
        for index in range(format.exponent_bits):
            is_set = (places >> index & 1).of("!=", 0)
            for _ in range(1 + (1 << index > largest)):
                x = scaled_if(is_set, x, min(1 << index, largest // 2 + 1))
        x = scaled_if(self.is_infinite, x, largest)
        is_number = (~self.is_nan).to(native)
        sign = (self.sign * -2 + 1).to(native)
        return x * sign * (is_number // is_number)


def power(native: Scalar, exponent: int) -> Constant:
    """A power of two."""
    return Constant(native, 2.0**exponent if native is DOUBLE else LongDouble.scaled(1, exponent))


def scaled_if(condition: Term, x: Term, exponent: int) -> Term:
    """The native number, multiplied by a power of two if the condition is true."""
    native = x.type
    return x * (condition.to(native) * power(native, exponent) + (~condition).to(native))


def of_native(x: Term, format: Format) -> Term:
    """The code of the number of the format that is nearest to a native number."""
    native, source = x.type, Format(x.type)
    one, zero, infinity = power(native, 0), _native_number(native, 0), _native_number(native, inf)
    sign = ((x < zero) | (x.equals(zero) & (Term(x.make, one) // x < zero))).to(INT)
    is_nan, x = ~x.equals(x), x.of("abs")
    is_infinite = x.equals(infinity)
    exponent = sign ^ sign
    step = (source.digits - source.least) // 2  # two steps make a subnormal number at least 1
    for _ in range(2):
        is_small = x < one
        x, exponent = scaled_if(is_small, x, step), exponent - is_small.to(INT) * step
    for index in reversed(range(source.exponent_bits - 1)):
        is_large = x >= power(native, 1 << index)
        x, exponent = scaled_if(is_large, x, -(1 << index)), exponent + is_large.to(INT) * (1 << index)
    significand = (x * power(native, 63)).to(UNSIGNED_LONG).to(working_type(max(64, format.digits + 3)))
    rounded = format.rounded(Parts(sign, significand, exponent - 63))
    return _result(format, sign, rounded, is_nan, is_infinite)


def _native_number(native: Scalar, value: float) -> Constant:
    return Constant(native, float(value) if native is DOUBLE else LongDouble.of(float(value)))


def _result(format: Format, sign: Term, magnitude: Term, is_nan: Term, is_infinite: Term | None = None) -> Term:
    """The code of a result, of which the magnitude is that of the code of a finite number."""
    code = magnitude.to(format.code)
    if is_infinite:
        code = is_infinite.chosen(format.infinity, code)
    code = code | sign.to(format.code) << format.sign.bit_length() - 1
    return is_nan.chosen(format.nan, code)


# ---------------------------------------------------------------------------------------------------------- operations


def sum(format: Format, x: Term, y: Term) -> Term:
    """``x + y``"""
    guard = 3
    working = working_type(format.digits + guard + 1)
    a, b = Number(format, x, working), Number(format, y, working)
    total = a.parts.sum(b.parts, guard)
    is_nan = a.is_nan | b.is_nan | (a.is_infinite & b.is_infinite & (a.sign ^ b.sign).of("!=", 0))
    is_infinite = a.is_infinite | b.is_infinite
    sign = is_infinite.chosen(a.is_infinite.chosen(a.sign, b.sign), total.sign)
    return _result(format, sign, format.rounded(total), is_nan, is_infinite)


def product(format: Format, x: Term, y: Term) -> Term:
    """``x * y``"""
    working = working_type(2 * format.digits if format.digits < 64 else 128)
    a, b = Number(format, x, working), Number(format, y, working)
    exact = a.parts.product(b.parts, format.digits)
    is_nan = a.is_nan | b.is_nan | (a.is_infinite & b.is_zero) | (a.is_zero & b.is_infinite)
    return _result(format, exact.sign, format.rounded(exact), is_nan, a.is_infinite | b.is_infinite)


def quotient(format: Format, x: Term, y: Term) -> Term:
    """``x / y``"""
    working = working_type(format.digits + 4)
    a, b = Number(format, x, working), Number(format, y, working)
    exact = a.parts.quotient(b.parts, format.digits)
    is_nan = a.is_nan | b.is_nan | (a.is_infinite & b.is_infinite) | (a.is_zero & b.is_zero)
    magnitude = b.is_infinite.chosen(0, format.rounded(exact))
    return _result(format, exact.sign, magnitude, is_nan, a.is_infinite | b.is_zero)


def fused(format: Format, x: Term, y: Term, z: Term) -> Term:
    """``x * y + z``, rounded once."""
    guard = format.digits + 3
    working = working_type(3 * format.digits + 4)
    a, b, c = (Number(format, each, working) for each in (x, y, z))
    exact = a.parts.product(b.parts, format.digits)
    exponent = exact.significand.equals(0).chosen(2 * format.least, exact.exponent)  # below that of each number
    total = exact._replace(exponent=exponent).sum(c.parts, guard)
    is_infinite = a.is_infinite | b.is_infinite
    is_nan = a.is_nan | b.is_nan | c.is_nan | (a.is_infinite & b.is_zero) | (a.is_zero & b.is_infinite)
    is_nan = is_nan | (is_infinite & c.is_infinite & (exact.sign ^ c.sign).of("!=", 0))
    sign = is_infinite.chosen(exact.sign, c.is_infinite.chosen(c.sign, total.sign))
    return _result(format, sign, format.rounded(total), is_nan, is_infinite | c.is_infinite)


def negative(format: Format, x: Term) -> Term:
    """``-x``"""
    return x ^ format.sign


def magnitude(format: Format, x: Term) -> Term:
    """``abs(x)``"""
    return x & (format.sign - 1)


def with_sign(format: Format, x: Term, y: Term) -> Term:
    """``copysign(x, y)``"""
    return x & (format.sign - 1) | y & format.sign


_OPERATIONS: dict[str, Callable[..., Term]] = {
    "+": sum,
    "-": lambda format, x, y: sum(format, x, negative(format, y)),
    "*": product,
    "/": quotient,
    "neg": negative,
    "abs": magnitude,
    "copysign": with_sign,
    "fma": fused,
}


def _comparison(op: str, format: Format, x: Term, y: Term) -> Term:
    a, b = (Number(format, each, format.code) for each in (x, y))
    result, is_unordered = a.key().of(op, b.key()), a.is_nan | b.is_nan
    return result | is_unordered if op == "!=" else result & ~is_unordered


def operation(op: str, type: Scalar) -> Callable[..., Value]:
    """The expansion of an operation on codes of numbers of the type."""
    format = Format(type)
    compute = _OPERATIONS.get(op)
    if compute is None:
        compute = _compared(op) if PRIMITIVES[op].kind == "comparison" else _computed_as_double(op)
    return lambda make, *operands: compute(format, *[Term(make, each) for each in operands]).value


def _compared(op: str) -> Callable[..., Term]:
    return lambda format, x, y: _comparison(op, format, x, y)


def _computed_as_double(op: str) -> Callable[..., Term]:
    """A mathematical function: as of 64-bit numbers, rounded. (Roots are correct: Figueroa 1995.)"""

    def compute(format: Format, *operands: Term) -> Term:
        first, *others = (Number(format, each, working_type(32)).in_native(DOUBLE) for each in operands)
        return of_native(first.of(op, *others), format)

    return compute


# --------------------------------------------------------------------------------------------------------- conversions


def conversion(source: Scalar, target: Scalar) -> Callable[[Make, Value], Value]:
    """The expansion of a conversion, of which one type or both are further floating types."""
    if source is target:
        return lambda make, x: x
    if target.name in FURTHER_FLOATS:
        convert = _of_further if source.name in FURTHER_FLOATS else _of_other
    else:
        convert = _to_other
    return lambda make, x: convert(Term(make, x), source, target).value


def _of_further(x: Term, source: Scalar, target: Scalar) -> Term:
    """The nearest number of another further type."""
    from_format, to_format = Format(source), Format(target)
    working = working_type(max(from_format.digits, to_format.digits) + 3)
    number = Number(from_format, x, working)
    rounded = to_format.rounded(number.parts)
    return _result(to_format, number.sign, rounded, number.is_nan, number.is_infinite)


def _of_other(x: Term, source: Scalar, target: Scalar) -> Term:
    """The number nearest to a native or whole number."""
    format = Format(target)
    if is_float(source):
        return of_native(x if source is LONG_DOUBLE else x.to(DOUBLE), format)
    working = working_type(max(source.bits, format.digits + 3))
    sign = (x < 0).to(INT) if source.signed else x.to(INT).of("&", 0)
    significand = negated_if(sign, x.to(working)) if source.signed else x.to(working)
    zero = sign ^ sign
    return _result(format, sign, format.rounded(Parts(sign, significand, zero)), zero.of("!=", 0))


def _to_other(x: Term, source: Scalar, target: Scalar) -> Term:
    """The nearest native number, the integral part, or whether the number is not zero."""
    format = Format(source)
    number = Number(format, x, working_type(format.digits))
    if target is BOOL:
        return ~number.is_zero
    if format.digits < Format(FLOAT).digits:
        return number.in_native(DOUBLE).to(target)
    if is_integer(target):
        return _integral_part(number, truncation_type(target)).to(target)
    native = Format(target)
    rounded = native.rounded(number.parts)
    code = _result(native, number.sign, rounded.to(native.code), number.is_nan, number.is_infinite)
    found = Number(native, code, working_type(native.digits))
    return found.in_native(DOUBLE if target is FLOAT else target).to(target)


def _integral_part(number: Number, target: Scalar) -> Term:
    """The integral part; if it does not fit, the number of which only the first bit is set."""
    sign, significand, exponent = number.parts
    left, right = positive(exponent), positive(exponent.of("neg"))
    whole = significand << at_most(left, 127) >> at_most(right, 127)
    is_large = exponent > 127 - number.format.digits + 1
    if target.signed:
        is_large = is_large | (whole > (sign.to(whole.type) + ((1 << target.bits - 1) - 1)))
    else:
        is_negative = sign.of("!=", 0) & whole.of("!=", 0)
        is_large = is_large | is_negative | (whole > (1 << target.bits) - 1)
    return is_large.chosen(1 << target.bits - 1, negated_if(sign, whole)).to(target)
