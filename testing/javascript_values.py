"""Random expressions and programs of JavaScript on numbers, BigInts, strings, booleans, `undefined` and `null`."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from testing.javascript_programs import NAMES, Program

_WORDS = (
    "undefined null true false NaN Infinity 0 1 2 3 10 0.1 0.2 1.5 7.25 31 32 33 255 5e-324 1e21 1e-7 0.000001 "
    "123456789012345680000 1.7976931348623157e308 2147483648 4294967295 9007199254740993 0n 1n 2n 7n 64n "
    "123456789012345678901234567890n 9007199254740993n"
)
_TEXTS = (
    *("", "0", "-0", "1", "10", "9", " 12 ", "0x1f", "-0x1f", "1_0", "Infinity", "+1.5e3", ".5", "5.", "1e1000", "."),
    *(
        r"abc",
        "b",
        r"\n7\ufeff",
        r"\ud800",
        r"\u{1F600}",
        r"\uffff",
        "null",
        "true",
        "0b11",
        "0o17",
        "9007199254740993",
    ),
)
OPERANDS = (*_WORDS.split(), *(f"'{text}'" for text in _TEXTS))

BINARY = [
    "+",
    "-",
    "*",
    "/",
    "%",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    ">>>",
    "==",
    "!=",
    "===",
    "!==",
    "<",
    "<=",
    ">",
    ">=",
    "&&",
    "||",
    "??",
]
UNARY = ("+", "-", "~", "!", "typeof ", "void ", "- -")


def expression(random: Random, depth: int = 3) -> str:
    """An expression, in which operators are nested at most so deeply."""
    if depth == 0 or random.random() < 0.2:
        return random.choice(OPERANDS)
    kind = random.randrange(8)
    if kind == 0:
        return f"({random.choice(UNARY)}{expression(random, depth - 1)})"
    if kind == 1:
        values = (expression(random, depth - 1) for _ in range(3))
        return "({} ? {} : {})".format(*values)
    if kind == 2:
        return f"`<${{{expression(random, depth - 1)}}}>`"
    if kind == 3:
        return f"{random.choice(['String', 'Number', 'Boolean', 'BigInt'])}({expression(random, depth - 1)})"
    left, right = expression(random, depth - 1), expression(random, depth - 1)
    if kind == 4 and "n" not in left + right:
        return f"(({left}) ** {random.choice(['0', '1', '2', '3n', '-1', 'NaN', 'Infinity', '0n'])})"
    return f"({left} {random.choice(BINARY)} {right})"


def every_operation() -> list[str]:
    """Each operator on each pair of operands."""
    pairs = [f"{left} {operator} {right}" for left in OPERANDS for right in OPERANDS for operator in BINARY[:-3]]
    return [*pairs, *(f"{operator}{each}" for operator in UNARY for each in OPERANDS)]


REPORT = """\
function report(compute) {
  try {
    const value = compute();
    console.log(typeof value, value);
  } catch (error) {
    console.log(error.name, error.message);
  }
}
"""


def reporting(expressions: list[str]) -> str:
    """A program that prints the value of each expression, or the error that it throws."""
    return REPORT + "".join(f"report(() => {each});\n" for each in expressions)


class ValueProgram(Program):
    """A random program without objects, except closures and errors."""

    def function(self, name: str) -> str:
        """A function whose variables all have the names `NAMES`."""
        declared = f"let d = 1, e; var f = {self.expression(1)};"
        result = ", ".join(f"${{typeof {each} === 'function' ? 'f' : {each}}}" for each in NAMES)
        return f"function {name}(a, b, c) {{ {declared} {self.body()} return `{result}`; }}"

    def call(self, number: int) -> str:
        """A call whose result or exception is printed."""
        values = ", ".join(self.random.choice(OPERANDS) for _ in range(3))
        caught = "catch (error) { console.log('thrown', error instanceof Error ? error.name : error); }"
        return f"fuel = 300; try {{ console.log(f{number}({values})); }} {caught}"

    def expression(self, depth: int) -> str:
        """An expression, perhaps with effects on variables."""
        return self._plain(lambda: super(ValueProgram, self).expression(depth))

    def atom(self) -> str:
        """A variable or a literal."""
        return self._plain(super().atom)

    def statement(self) -> str:
        """A statement; loops consume fuel."""
        return self._plain(super().statement)

    def _plain(self, write: Callable[[], str]) -> str:
        """A text without objects."""
        text = "["
        while any(part in text for part in ("[", "{ p", "({ ", "{}", "{ n", "class", "new ", "/x/")):
            text = write()
        return text
