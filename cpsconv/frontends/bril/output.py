"""Bril's output: ``print`` in terms of `printf`, and functions of the program for values that `printf` cannot print.

Bril's interpreter prints a float as JavaScript's ``toFixed(17)`` or, for small and large ones, ``toExponential(17)``.
Both round halves away from zero, where `printf` rounds them to even.
"""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.construction import Block, Builder, Variable
from cpsconv.ir import BOOL, DOUBLE, INT, LONG, STRING, UNSIGNED_LONG, VOID, Constant, Function, Value

LARGE = 9999999999.99998
"""The smallest float that is printed with an exponent: JavaScript's ``log10`` rounds its logarithm to 10."""

SMALL = 1.000000000000002e-10
"""The largest float that is printed with an exponent of at most -10."""

PRINT_FUNCTIONS = {"bool": "print.bool", "float": "print.float", "char": "print.char"}
"""The functions of the program that print values of Bril's types."""


class Output:
    """The functions that print values. Those that are used are constructed by `finish`, after all other functions."""

    def __init__(self, builder: Builder) -> None:
        self._b = builder
        self._used: dict[str, Function] = {}

    def function(self, type: str) -> Function:
        """The function that prints a value of Bril's type."""
        if type not in self._used:
            parameter = {"bool": BOOL, "float": DOUBLE, "char": INT}[type]
            self._used[type] = self._b.declare(self._b.unused_name(PRINT_FUNCTIONS[type]), [("x", parameter)], VOID)
        return self._used[type]

    def text(self, text: str, *values: Value) -> None:
        """Print a text, with values in place of its directives."""
        self._b.effect("printf", Constant(STRING, text), *values)

    def finish(self) -> None:
        """Construct the functions that are used."""
        bodies: dict[str, Callable[[Variable], None]] = {"bool": self._bool, "float": self._float, "char": self._char}
        for type, function in self._used.items():
            parameter = function.parameters[0]
            assert parameter.type in (BOOL, DOUBLE, INT)
            variable = Variable("x", parameter.type)
            self._b.function(function.name, [variable], VOID)
            bodies[type](variable)
            self._b.finish()

    def _branch(self, condition: Value, then: str, otherwise: str) -> tuple[Block, Block]:
        """Branch to two new blocks."""
        blocks = self._b.continuation(then), self._b.continuation(otherwise)
        self._b.branch(condition, *blocks)
        for block in blocks:
            self._b.seal(block)
        return blocks

    def _bool(self, x: Variable) -> None:
        then, otherwise = self._branch(self._b.read_variable(x), "then", "else")
        for block, text in ((then, "true"), (otherwise, "false")):
            self._return_after(block, text)

    def _return_after(self, block: Block, text: str, *values: Value) -> None:
        self._b.enter(block)
        self.text(text, *values)
        self._b.ret()

    def _char(self, x: Variable) -> None:
        """Print the bytes of the UTF-8 encoding."""
        b = self._b
        c = b.read_variable(x)
        for limit, first, count in ((0x80, 0, 0), (0x800, 0xC0, 1), (0x10000, 0xE0, 2), (None, 0xF0, 3)):
            if limit is None:
                self._encoded(c, first, count)
                return
            short, longer = self._branch(b.primitive("<", c, _int(limit)), f"bytes{count + 1}", f"over{count + 1}")
            b.enter(short)
            self._encoded(c, first, count)
            b.enter(longer)

    def _encoded(self, c: Value, first: int, count: int) -> None:
        """Print a character as a byte that starts with the bits `first`, and `count` bytes of 6 bits."""
        b = self._b
        leading = b.primitive(">>", c, _int(6 * count)) if count else c
        b.effect("putchar", b.primitive("|", leading, _int(first)) if count else leading)
        for number in reversed(range(count)):
            bits = b.primitive(">>", c, _int(6 * number)) if number else c
            b.effect("putchar", b.primitive("|", b.primitive("&", bits, _int(0x3F)), _int(0x80)))
        b.ret()

    def _float(self, x: Variable) -> None:
        b = self._b
        value = b.read_variable(x)
        size = b.primitive("abs", value)
        nan, number = self._branch(b.primitive("!=", value, value), "nan", "number")
        self._return_after(nan, "NaN")
        b.enter(number)
        infinite, finite = self._branch(b.primitive("==", size, _float(float("inf"))), "infinite", "finite")
        b.enter(infinite)
        negative, positive = self._branch(b.primitive("<", value, _float(0.0)), "negative", "positive")
        self._return_after(negative, "-Infinity")
        self._return_after(positive, "Infinity")
        b.enter(finite)
        large, rest = self._branch(b.primitive(">=", size, _float(LARGE)), "large", "rest")
        b.enter(large)
        nine, ten = self._branch(b.primitive("<", size, _float(1e10)), "nine", "ten")
        b.enter(nine)
        self._below_ten_digits(value, size)
        b.enter(ten)
        self._large(x, size)
        b.enter(rest)
        fixed, tiny = self._branch(b.primitive(">", size, _float(SMALL)), "fixed", "tiny")
        b.enter(tiny)
        zero, small = self._branch(b.primitive("==", size, _float(0.0)), "zero", "small")
        self._return_after(zero, "%.17f", value)
        self._return_after(small, "%.17e", value)
        b.enter(fixed)
        whole, is_half = self._half(size, _float(2.0**18))
        half, plain = self._branch(is_half, "half", "plain")
        self._return_after(plain, "%.17f", value)
        b.enter(half)
        self._sign(value)
        fraction = b.primitive("&", whole, _long(2**18 - 1))
        digits = self._rounded_up(b.convert(UNSIGNED_LONG, fraction), Constant(UNSIGNED_LONG, 5**18))
        self.text("%ld.%017lu", b.primitive(">>", whole, _long(18)), digits)
        b.ret()

    def _below_ten_digits(self, value: Value, size: Value) -> None:
        """Print a float from `LARGE` to 1e10, whose exponent in JavaScript has one digit: ``9.99…e+9``."""
        b = self._b
        self._sign(value)
        fraction = b.primitive("-", size, _float(9999999999.0))
        digits = b.convert(LONG, b.primitive("+", b.primitive("*", fraction, _float(1e8)), _float(0.5)))
        self.text("9.999999999%08lde+9", digits)
        b.ret()

    def _large(self, x: Variable, size: Value) -> None:
        """Print a large float. With k digits before the point, halves are odd multiples of 2 ** (k - 19)."""
        b = self._b
        value = b.read_variable(x)
        fits, exact = self._branch(b.primitive("<", size, _float(2.0**50)), "fits", "exact")
        self._return_after(exact, "%.17e", value)
        b.enter(fits)
        limit, scale = Variable("limit", DOUBLE), Variable("scale", DOUBLE)
        power, exponent = Variable("power", UNSIGNED_LONG), Variable("exponent", INT)
        loop, next, exit = (b.continuation(name) for name in ("digits", "next", "exit"))
        starts = _float(1e11), _float(2.0**8), Constant(UNSIGNED_LONG, 5**8), _int(10)
        for variable, start in zip((limit, scale, power, exponent), starts, strict=True):
            b.write_variable(variable, start)
        b.jump(loop)
        b.enter(loop)
        b.branch(b.primitive(">=", size, b.read_variable(limit)), next, exit)
        b.open(next)
        b.write_variable(limit, b.primitive("*", b.read_variable(limit), _float(10.0)))
        b.write_variable(scale, b.primitive("/", b.read_variable(scale), _float(2.0)))
        b.write_variable(power, b.primitive("/", b.read_variable(power), Constant(UNSIGNED_LONG, 5)))
        b.write_variable(exponent, b.primitive("+", b.read_variable(exponent), _int(1)))
        b.jump(loop)
        b.seal(loop)
        b.open(exit)
        whole, is_half = self._half(size, b.read_variable(scale))
        half, plain = self._branch(is_half, "half", "plain")
        self._return_after(plain, "%.17e", value)
        b.enter(half)
        self._sign(value)
        digits = self._rounded_up(b.convert(UNSIGNED_LONG, whole), b.read_variable(power))
        first = Constant(UNSIGNED_LONG, 10**17)
        parts = b.primitive("/", digits, first), b.primitive("%", digits, first), b.read_variable(exponent)
        self.text("%lu.%017lue+%d", *parts)
        b.ret()

    def _half(self, size: Value, scale: Value) -> tuple[Value, Value]:
        """The product with the `scale`, a power of 2, as an integer, and whether it is odd and has no fraction."""
        b = self._b
        scaled = b.primitive("*", size, scale)
        whole = b.convert(LONG, scaled)
        is_whole = b.primitive("==", b.convert(DOUBLE, whole), scaled)
        is_odd = b.primitive("==", b.primitive("&", whole, _long(1)), _long(1))
        return whole, b.primitive("&", is_whole, is_odd)

    def _rounded_up(self, multiple: Value, unit: Value) -> Value:
        """The product, whose last digit is 5, rounded up to tens and divided by 10."""
        five, ten = Constant(UNSIGNED_LONG, 5), Constant(UNSIGNED_LONG, 10)
        product = self._b.primitive("*", multiple, unit)
        return self._b.primitive("/", self._b.primitive("+", product, five), ten)

    def _sign(self, value: Value) -> None:
        """Print a minus before the digits of a negative float."""
        b = self._b
        minus, digits = b.continuation("minus"), b.continuation("digits")
        b.branch(b.primitive("<", value, _float(0.0)), minus, digits)
        b.open(minus)
        self.text("-")
        b.jump(digits)
        b.open(digits)


def _long(value: int) -> Constant:
    return Constant(LONG, value)


def _int(value: int) -> Constant:
    return Constant(INT, value)


def _float(value: float) -> Constant:
    return Constant(DOUBLE, value)
