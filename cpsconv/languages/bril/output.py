"""Bril's output: ``print`` in terms of `printf`, and functions of the program for values that `printf` cannot print.

Bril's interpreter prints a float as JavaScript's ``toFixed(17)`` or, for small and large ones, ``toExponential(17)``.
Both round halves away from zero, where `printf` rounds them to even.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from cpsconv.core.construction import Block, Builder, Variable
from cpsconv.core.construction.structured import conditional, loop
from cpsconv.core.ir import BOOL, DOUBLE, INT, LONG, STRING, UNSIGNED_LONG, VOID, Constant, Function, Value
from cpsconv.core.trampoline import Work, perform

LARGE = 9999999999.99998
"""The smallest float that is printed with an exponent: JavaScript's ``log10`` rounds its logarithm to 10."""

SMALL = 1.000000000000002e-10
"""The largest float that is printed with an exponent of at most -10."""

PRINT_FUNCTIONS = {"bool": ("print.bool", BOOL), "float": ("print.float", DOUBLE), "char": ("print.char", INT)}
"""The functions of the program that print values of Bril's types, and the types of their parameters."""

_int, _long, _unsigned, _float = (partial(Constant, type) for type in (INT, LONG, UNSIGNED_LONG, DOUBLE))

_Case = tuple[Callable[[], Value], Callable[[], object]]
"""A condition, and what prints the value if it is true."""


class Output:
    """The functions that print values. Those that are used are constructed by `finish`, after all other functions."""

    def __init__(self, builder: Builder) -> None:
        self._b = builder
        self._used: dict[str, Function] = {}

    def function(self, type: str) -> Function:
        """The function that prints a value of Bril's type."""
        if type not in self._used:
            name, parameter = PRINT_FUNCTIONS[type]
            self._used[type] = self._b.declare(self._b.unused_name(name), [("x", parameter)], VOID)
        return self._used[type]

    def text(self, text: str, *values: Value) -> None:
        """Print a text, with values in place of its directives."""
        self._b.effect("printf", Constant(STRING, text), *values)

    def finish(self) -> None:
        """Construct the functions that are used."""
        bodies = {"bool": self._bool, "float": self._float, "char": self._char}
        for type, function in self._used.items():
            variable = Variable("x", PRINT_FUNCTIONS[type][1])
            self._b.function(function.name, [variable], VOID)
            bodies[type](self._b.read_variable(variable))
            self._b.ret()
            self._b.finish()

    def _select(self, cases: Iterable[_Case], otherwise: Callable[[], object]) -> None:
        """Print by the first case whose condition is true."""

        def branch(condition: Callable[[], Value], then: Block, rest: Block) -> None:
            self._b.branch(condition(), then, rest)

        def body(print: Callable[[], object]) -> Work:
            print()
            return iter(())

        arms = [(partial(branch, condition), partial(body, print)) for condition, print in cases]
        perform(conditional(self._b, arms, partial(body, otherwise)))

    def _op(self, op: str, *operands: Value) -> Callable[[], Value]:
        return lambda: self._b.primitive(op, *operands)

    def _bool(self, x: Value) -> None:
        self._select([(lambda: x, lambda: self.text("true"))], lambda: self.text("false"))

    def _char(self, c: Value) -> None:
        """Print the bytes of the UTF-8 encoding."""
        cases: list[_Case] = []
        for limit, first, count in ((0x80, 0, 0), (0x800, 0xC0, 1), (0x10000, 0xE0, 2)):
            cases.append((self._op("<", c, _int(limit)), partial(self._encoded, c, first, count)))
        self._select(cases, partial(self._encoded, c, 0xF0, 3))

    def _encoded(self, c: Value, first: int, count: int) -> None:
        """Print a character as a byte that starts with the bits `first`, and `count` bytes of 6 bits."""
        b = self._b
        leading = b.primitive(">>", c, _int(6 * count)) if count else c
        b.effect("putchar", b.primitive("|", leading, _int(first)) if count else leading)
        for number in reversed(range(count)):
            bits = b.primitive(">>", c, _int(6 * number)) if number else c
            b.effect("putchar", b.primitive("|", b.primitive("&", bits, _int(0x3F)), _int(0x80)))

    # --------------------------------------------------------------------------------------------------- floats

    def _float(self, value: Value) -> None:
        size = self._b.primitive("abs", value)
        fixed, exponential = (partial(self.text, text, value) for text in ("%.17f", "%.17e"))
        infinite = partial(self._with_sign, value, lambda: self.text("Infinity"))
        cases: list[_Case] = [
            (self._op("!=", value, value), lambda: self.text("NaN")),
            (self._op("==", size, _float(float("inf"))), infinite),
            (self._op(">=", size, _float(2.0**50)), exponential),
            (self._op(">=", size, _float(1e10)), partial(self._large, value, size)),
            (
                self._op(">=", size, _float(LARGE)),
                partial(self._with_sign, value, lambda: self._below_ten_digits(size)),
            ),
            (self._op("==", size, _float(0.0)), fixed),
            (self._op("<=", size, _float(SMALL)), exponential),
        ]
        self._select(cases, partial(self._fixed, value, size))

    def _with_sign(self, value: Value, digits: Callable[[], object]) -> None:
        """Print a minus before the digits of a negative float."""
        self._select([(self._op("<", value, _float(0.0)), lambda: self.text("-"))], lambda: None)
        digits()

    def _fixed(self, value: Value, size: Value) -> None:
        whole, is_half = self._half(size, _float(2.0**18))

        def half() -> None:
            fraction = self._b.primitive("&", whole, _long(2**18 - 1))
            digits = self._rounded_up(self._b.convert(UNSIGNED_LONG, fraction), _unsigned(5**18))
            self.text("%ld.%017lu", self._b.primitive(">>", whole, _long(18)), digits)

        self._select([(lambda: is_half, partial(self._with_sign, value, half))], lambda: self.text("%.17f", value))

    def _below_ten_digits(self, size: Value) -> None:
        """Print a float from `LARGE` to 1e10, whose exponent in JavaScript has one digit: ``9.99…e+9``."""
        b = self._b
        fraction = b.primitive("-", size, _float(9999999999.0))
        digits = b.convert(LONG, b.primitive("+", b.primitive("*", fraction, _float(1e8)), _float(0.5)))
        self.text("9.999999999%08lde+9", digits)

    def _large(self, value: Value, size: Value) -> None:
        """Print a large float. With k digits before the point, halves are odd multiples of 2 ** (k - 19)."""
        b = self._b
        limit, scale = Variable("limit", DOUBLE), Variable("scale", DOUBLE)
        power, exponent = Variable("power", UNSIGNED_LONG), Variable("exponent", INT)
        starts_and_steps = {
            limit: (_float(1e11), "*", _float(10.0)),
            scale: (_float(2.0**8), "/", _float(2.0)),
            power: (_unsigned(5**8), "/", _unsigned(5)),
            exponent: (_int(10), "+", _int(1)),
        }

        def step() -> Work:
            for variable, (_, op, operand) in starts_and_steps.items():
                b.write_variable(variable, b.primitive(op, b.read_variable(variable), operand))
            return iter(())

        for variable, (start, _, _) in starts_and_steps.items():
            b.write_variable(variable, start)
        is_above = partial(b.primitive, ">=", size)
        perform(loop(b, lambda inside, exit: b.branch(is_above(b.read_variable(limit)), inside, exit), step))
        whole, is_half = self._half(size, b.read_variable(scale))

        def half() -> None:
            digits, first = self._rounded_up(b.convert(UNSIGNED_LONG, whole), b.read_variable(power)), _unsigned(10**17)
            parts = b.primitive("/", digits, first), b.primitive("%", digits, first), b.read_variable(exponent)
            self.text("%lu.%017lue+%d", *parts)

        self._select([(lambda: is_half, partial(self._with_sign, value, half))], lambda: self.text("%.17e", value))

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
        product = self._b.primitive("*", multiple, unit)
        return self._b.primitive("/", self._b.primitive("+", product, _unsigned(5)), _unsigned(10))
