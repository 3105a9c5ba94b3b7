"""Random expressions of JavaScript on numbers, BigInts, strings, booleans, `undefined` and `null`."""

from __future__ import annotations

from random import Random

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
