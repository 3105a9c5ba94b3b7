"""The rules of arithmetic simplification.

Integers wrap around, a shift count is taken modulo the width, division by zero and overflow of a quotient are runtime
errors, and floating point is that of IEEE 754. So the rule `x - x = 0` is for integers only, and there are rules
`x + -0.0 = x`, but not `x / x = 1` or `x + 0.0 = x`. The sign of a NaN is kept, too, since it can be printed.

The type `integer` has the rules of integers that do not need wrapping, and those that wrapping would break, such as
`x + a < b` is `x < b - a`. A product beyond the limit for products remains a runtime error; so `(x * a) * b` is kept.
Only `x * 1` and `x * -1` are replaced without regard to the limit.

`tests/core/test_rules.py` proves every rule for all of its types. The operands of a commutative operation match in
either order. Rewriting terminates, since each rule replaces a term by a simpler one, with at most one new operation
(apart from those on constants).
"""

from __future__ import annotations

from itertools import product

from cpsconv.core.ir import BOOL, DOUBLE, FLOAT, INTEGER, SCALARS, Scalar
from cpsconv.core.operations.types import contains, is_integer, range_of
from cpsconv.core.simplify.terms import Number, Rule, Term, Types, Unknown, absolute, convert, equal, negation, unequal

x, y, z = Unknown("x"), Unknown("y"), Unknown("z")
a, b = Unknown("a", constant=True), Unknown("b", constant=True)
count = Unknown("count", "S")
i, j = Unknown("i", "S", constant=True), Unknown("j", "S", constant=True)
origin, other, truth = Unknown("x", "X"), Unknown("y", "X"), Unknown("x", "B")

true, false = Number(True), Number(False)
minus_zero = Number(-0.0)
LOWEST = Number(lambda types: range_of(types["T"])[0], name="LOWEST")
HIGHEST = Number(lambda types: range_of(types["T"])[1], name="HIGHEST")
WIDTH = Number(lambda types: types["T"].bits, "S", "WIDTH")

# ---------------------------------------------------------------------------------------------------------- types


def _represents(wide: Scalar, narrow: Scalar) -> bool:
    """Whether an integer type has all values of an integer type or `bool`."""
    return narrow is BOOL or contains(wide, narrow)


def _keeps(source: Scalar, through: Scalar, target: Scalar) -> bool:
    """Whether a conversion via another integer type has the same result as the direct conversion."""
    return _represents(through, source) or (is_integer(target) and target.bits <= through.bits)


_INTEGER_TYPES = [type for type in SCALARS.values() if is_integer(type)]

INTEGERS = tuple({"T": type} for type in _INTEGER_TYPES)
UNBOUNDED = ({"T": INTEGER},)
WHOLE = (*INTEGERS, *UNBOUNDED)
UNSIGNED = tuple({"T": type} for type in _INTEGER_TYPES if not type.signed)
SIGNED = tuple({"T": type} for type in _INTEGER_TYPES if type.signed)
FLOATS = ({"T": FLOAT}, {"T": DOUBLE})
BOOLS = ({"T": BOOL},)
BITS = (*INTEGERS, *BOOLS)
ORDERED = (*BITS, *UNBOUNDED)
ARITHMETIC = (*WHOLE, *FLOATS)
DATA = (*ARITHMETIC, *BOOLS)
SHIFTS = tuple({"T": type, "S": count} for type, count in product(_INTEGER_TYPES, _INTEGER_TYPES))
SUMMED_SHIFTS = tuple(types for types in SHIFTS if types["T"].bits <= range_of(types["S"])[1])
"""The same, if the type of counts has the width of `T`, which the sum of two counts is compared with."""
TRUTHS = tuple({"T": type, "B": BOOL} for type in _INTEGER_TYPES)
TESTS = tuple({**types, "B": BOOL} for types in ARITHMETIC)
WIDER = tuple(
    {"X": narrow, "T": wide}
    for narrow, wide in product(_INTEGER_TYPES, _INTEGER_TYPES)
    if narrow is not wide and _represents(wide, narrow)
)
"""Conversions from an integer type `X` to a type `T` that has all values of `X`."""

DETOURS: tuple[Types, ...] = (
    {"X": FLOAT, "U": DOUBLE, "T": FLOAT},
    *(
        {"X": source, "U": through, "T": target}
        for source, through, target in product([BOOL, *_INTEGER_TYPES], _INTEGER_TYPES, [BOOL, *_INTEGER_TYPES])
        if _keeps(source, through, target)
    ),
)
"""Conversions from `X` via `U` to `T` with the same result as from `X` to `T`."""

# ---------------------------------------------------------------------------------------------------------- rules

SUMS = (
    Rule(x + 0, x, WHOLE),
    Rule(x + minus_zero, x, FLOATS),
    Rule(x - 0, x, ARITHMETIC),
    Rule(0 - x, -x, WHOLE),
    Rule(x - x, Number(0), WHOLE),
    Rule(x + -x, Number(0), WHOLE),
    Rule(x + ~x, Number(-1), INTEGERS),
    Rule(~x + a, (a - 1) - x, INTEGERS),
    Rule(-(-x), x, ARITHMETIC),  # noqa: B002 - this is no decrement
    Rule(-(~x), x + 1, INTEGERS),
    Rule(-(x - y), y - x, WHOLE),
    Rule(-(x + a), -a - x, WHOLE),
    Rule(x + -y, x - y, WHOLE),
    Rule(x - -y, x + y, WHOLE),
    Rule((x - y) + y, x, WHOLE),
    Rule((x + y) - y, x, WHOLE),
    Rule((x - y) - x, -y, WHOLE),
    Rule(x - (x - y), y, WHOLE),
    Rule(x - (x + y), -y, WHOLE),
    Rule((x + y) - (x + z), y - z, WHOLE),
    Rule((x + a) + b, x + (a + b), WHOLE),
    Rule((x + a) - b, x + (a - b), WHOLE),
    Rule((x - a) + b, x + (b - a), WHOLE),
    Rule((x - a) - b, x - (a + b), WHOLE),
    Rule((a - x) + b, (a + b) - x, WHOLE),
    Rule((a - x) - b, (a - b) - x, WHOLE),
    Rule(a - (x + b), (a - b) - x, WHOLE),
    Rule(a - (x - b), (a + b) - x, WHOLE),
    Rule(a - (b - x), x + (a - b), WHOLE),
)

PRODUCTS = (
    Rule(x * 0, Number(0), WHOLE),
    Rule(x * 1, x, ARITHMETIC),
    Rule(x * -1, -x, WHOLE),
    Rule(-x * -y, x * y, WHOLE),
    Rule(-x * a, x * -a, WHOLE),
    Rule(-(x * a), x * -a, INTEGERS),
    Rule((x * a) + x, x * (a + 1), INTEGERS),
    Rule((x * a) * b, x * (a * b), INTEGERS),
    Rule(x / 1, x, ARITHMETIC),
    Rule(x % 1, Number(0), WHOLE),
    Rule(absolute(x), x, UNSIGNED),
    Rule(absolute(absolute(x)), absolute(x), (*SIGNED, *UNBOUNDED, *FLOATS)),
    Rule(absolute(-x), absolute(x), (*SIGNED, *UNBOUNDED, *FLOATS)),
)

BITWISE = (
    Rule(x & 0, Number(0), BITS),
    Rule(x & -1, x, BITS),
    Rule(x & x, x, BITS),
    Rule(x & ~x, Number(0), INTEGERS),
    Rule(x & (x | y), x, BITS),
    Rule(x & (x & y), x & y, BITS),
    Rule((x & a) & b, x & (a & b), BITS),
    Rule(x | 0, x, BITS),
    Rule(x | -1, Number(-1), BITS),
    Rule(x | x, x, BITS),
    Rule(x | ~x, Number(-1), INTEGERS),
    Rule(x | (x & y), x, BITS),
    Rule(x | (x | y), x | y, BITS),
    Rule(x | (~x & y), x | y, INTEGERS),
    Rule((x | a) | b, x | (a | b), BITS),
    Rule(x ^ 0, x, BITS),
    Rule(x ^ -1, ~x, INTEGERS),
    Rule(x ^ x, Number(0), BITS),
    Rule(x ^ ~x, Number(-1), INTEGERS),
    Rule((x ^ y) ^ y, x, BITS),
    Rule((x ^ a) ^ b, x ^ (a ^ b), BITS),
    Rule(~x ^ ~y, x ^ y, INTEGERS),
    Rule(~~x, x, INTEGERS),
    Rule(~(-x), x - 1, INTEGERS),
)

no_shift = Number(0, "S")
_in_range = ((i >= no_shift) & (i < WIDTH)) & ((j >= no_shift) & (j < WIDTH)) & (i + j < WIDTH)

SHIFTED = (
    Rule(x << no_shift, x, SHIFTS),
    Rule(x >> no_shift, x, SHIFTS),
    Rule(Number(0) << count, Number(0), SHIFTS),
    Rule(Number(0) >> count, Number(0), SHIFTS),
    Rule((x << i) << j, x << (i + j), SUMMED_SHIFTS, where=_in_range),
    Rule((x >> i) >> j, x >> (i + j), SUMMED_SHIFTS, where=_in_range),
)

TRUTH = (
    Rule(x & negation(x), false, BOOLS),
    Rule(x | negation(x), true, BOOLS),
    Rule(x ^ true, negation(x), BOOLS),
    Rule(x ^ negation(x), true, BOOLS),
    Rule(equal(x, true), x, BOOLS),
    Rule(equal(x, false), negation(x), BOOLS),
    Rule(unequal(x, true), negation(x), BOOLS),
    Rule(unequal(x, false), x, BOOLS),
    Rule(negation(negation(x)), x, BOOLS),
    Rule(negation(x ^ y), equal(x, y), BOOLS),
    Rule(equal(negation(x), y), unequal(x, y), BOOLS),
    Rule(unequal(negation(x), y), equal(x, y), BOOLS),
    Rule(negation(equal(x, y)), unequal(x, y), DATA),
    Rule(negation(unequal(x, y)), equal(x, y), DATA),
    Rule(negation(x < y), x >= y, ORDERED),
    Rule(negation(x <= y), x > y, ORDERED),
    Rule(negation(x > y), x <= y, ORDERED),
    Rule(negation(x >= y), x < y, ORDERED),
)

COMPARISONS = (
    Rule(equal(x, x), true, ORDERED),
    Rule(unequal(x, x), false, ORDERED),
    Rule(x < x, false, ORDERED),
    Rule(x <= x, true, ORDERED),
    Rule(x > x, false, ORDERED),
    Rule(x >= x, true, ORDERED),
    Rule(x < LOWEST, false, INTEGERS),
    Rule(x >= LOWEST, true, INTEGERS),
    Rule(x > LOWEST, unequal(x, LOWEST), INTEGERS),
    Rule(x <= LOWEST, equal(x, LOWEST), INTEGERS),
    Rule(x > HIGHEST, false, INTEGERS),
    Rule(x <= HIGHEST, true, INTEGERS),
    Rule(x < HIGHEST, unequal(x, HIGHEST), INTEGERS),
    Rule(x >= HIGHEST, equal(x, HIGHEST), INTEGERS),
    *(
        rule
        for same in (equal, unequal)
        for rule in (
            Rule(same(x + a, b), same(x, b - a), WHOLE),
            Rule(same(x - a, b), same(x, b + a), WHOLE),
            Rule(same(a - x, b), same(x, a - b), WHOLE),
            Rule(same(x ^ a, b), same(x, b ^ a), BITS),
            Rule(same(-x, a), same(x, -a), WHOLE),
            Rule(same(~x, a), same(x, ~a), INTEGERS),
            Rule(same(-x, -y), same(x, y), WHOLE),
            Rule(same(~x, ~y), same(x, y), INTEGERS),
            Rule(same(x - y, 0), same(x, y), WHOLE),
            Rule(same(x ^ y, 0), same(x, y), BITS),
            Rule(same(x + y, x), same(y, 0), WHOLE),
            Rule(same(x + y, x + z), same(y, z), WHOLE),
        )
    ),
    *(
        rule
        for compare in (Term.__lt__, Term.__le__, Term.__gt__, Term.__ge__)
        for rule in (
            Rule(compare(x + a, b), compare(x, b - a), UNBOUNDED),
            Rule(compare(x - a, b), compare(x, b + a), UNBOUNDED),
            Rule(compare(a - x, b), compare(a - b, x), UNBOUNDED),
            Rule(compare(-x, a), compare(-a, x), UNBOUNDED),
            Rule(compare(-x, -y), compare(y, x), UNBOUNDED),
            Rule(compare(x - y, 0), compare(x, y), UNBOUNDED),
            Rule(compare(x + y, x), compare(y, Number(0)), UNBOUNDED),
            Rule(compare(x + y, x + z), compare(y, z), UNBOUNDED),
        )
    ),
)

_comes_from_narrow = equal(convert("T", convert("X", a)), a)

CONVERSIONS = (
    Rule(convert("T", x), x, DATA),
    Rule(convert("T", convert("U", origin)), convert("T", origin), DETOURS),
    Rule(convert("B", x), unequal(x, 0), TESTS),
    *(
        rule
        for compare in (equal, unequal, Term.__lt__, Term.__le__, Term.__gt__, Term.__ge__)
        for rule in (
            Rule(compare(convert("T", origin), convert("T", other)), compare(origin, other), WIDER),
            Rule(compare(convert("T", origin), a), compare(origin, convert("X", a)), WIDER, where=_comes_from_narrow),
        )
    ),
    Rule(equal(convert("T", truth), 0), negation(truth), TRUTHS),
    Rule(equal(convert("T", truth), 1), truth, TRUTHS),
    Rule(unequal(convert("T", truth), 0), truth, TRUTHS),
    Rule(unequal(convert("T", truth), 1), negation(truth), TRUTHS),
)

RULES = (*SUMS, *PRODUCTS, *BITWISE, *SHIFTED, *TRUTH, *COMPARISONS, *CONVERSIONS)
