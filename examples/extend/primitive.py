"""A new primitive, `max(a, b)`: the larger one of two integers of the same type.

One row of the table describes the operation. Text, checker, evaluator, ranges, simplifier and JSON need no change, and
neither do the back ends: they write the expansion of the operation into others. docs/operations.md has the steps.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from cpsconv import Builder, Source, Variable, evaluate, parse, pretty
from cpsconv.core.ir import INT, Program, Scalar, Value
from cpsconv.core.operations.intervals import Interval
from cpsconv.core.operations.table import Operation, add_operation, binary
from cpsconv.core.operations.types import is_integer
from cpsconv.targets.c import c


def interval_of_max(_: Scalar, left: Interval, right: Interval) -> Interval:
    """The bounds of ``max(a, b)``, from the bounds of `a` and `b`."""
    return max(left[0], right[0]), max(left[1], right[1])


def expansion_of_max(make: Callable[..., Value], a: Value, b: Value) -> Value:
    """``b + (a - b) * int(a > b)``"""
    return make("+", b, make("*", make("-", a, b), make(a.type, make(">", a, b))))


MAX = Operation(
    name="max",
    kind="arithmetic",
    typing=binary(is_integer),  # two operands of one integer type, and a result of that type
    symbol="max",
    form="call",  # the text writes max(a, b)
    commutative=True,
    compute=lambda type: max,
    interval=interval_of_max,
    expansion=expansion_of_max,
)

add_operation(MAX)

TEXT = """\
largest(a : int, b : int, c : int, ret : int → ⊥) → ⊥ {
  ret(max(max(a, b), c))
}
"""


def constructed() -> Program:
    """The program of `TEXT`, constructed by a front end."""
    builder = Builder()
    a, b, c = (Variable(name, INT) for name in "abc")
    builder.function("largest", [a, b, c], INT)
    larger = builder.primitive("max", builder.read_variable(a), builder.read_variable(b))
    builder.ret(builder.primitive("max", larger, builder.read_variable(c)))
    return Program([builder.finish()])


def main() -> None:
    program = parse(Source("largest.cps", TEXT))
    print(pretty(program), end="")
    print(evaluate(program, "largest", [3, 5, 4], output=sys.stdout.buffer, errors=sys.stderr.buffer))
    print(pretty(constructed()) == TEXT)
    print(c(program), end="")


if __name__ == "__main__":
    main()
