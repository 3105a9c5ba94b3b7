"""The proofs can be trusted: formulas say what the operations compute, and wrong rules are refuted."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from cpsconv.core import ir
from cpsconv.core.operations.mathematics import MATHEMATICS
from cpsconv.core.operations.table import CONVERT, PRIMITIVES, result_type
from cpsconv.core.operations.types import is_convertible, is_data, is_float, is_integer, range_of
from cpsconv.core.simplify.rules import (
    BOOLS,
    FLOATS,
    HIGHEST,
    INTEGERS,
    LOWEST,
    SHIFTS,
    SIGNED,
    TESTS,
    WIDTH,
    a,
    b,
    false,
    i,
    j,
    minus_zero,
    origin,
    true,
    x,
    y,
)
from cpsconv.core.simplify.terms import (
    Number,
    Operation,
    Rule,
    Term,
    Types,
    Unknown,
    absolute,
    convert,
    equal,
    negation,
    unequal,
)
from testing.effort import examples, sample
from tests.core import proofs

TYPES = [type for type in ir.SCALARS.values() if is_data(type) or type is ir.INTEGER]
TYPES.remove(ir.LONG_DOUBLE)  # for which there are no rules

SCALAR_OPERATIONS = [*(op for op, row in PRIMITIVES.items() if not row.is_on_memory and row.form != "foreign"), CONVERT]
SCALAR_OPERATIONS = [op for op in SCALAR_OPERATIONS if op not in MATHEMATICS]  # no theory has them, and no rule

# ------------------------------------------------------------------------------------------------- the translation


def any_value(type: ir.Scalar) -> st.SearchStrategy[Any]:
    """Values of the type."""
    if type is ir.BOOL:
        return st.booleans()
    if type is ir.INTEGER:
        return st.integers()
    return st.floats(width=64 if type is ir.DOUBLE else 32) if is_float(type) else st.integers(*range_of(type))


def signatures(op: str) -> list[Types]:
    """The types that an operation takes, `A` and `B`, and the one that it gives, `R`."""
    if op == CONVERT:
        pairs = product(TYPES, TYPES)
        return [{"A": source, "R": target} for source, target in pairs if is_convertible(source, target)]
    unary: list[Types] = [{"A": type, "R": result} for type in TYPES if (result := result_type(op, (type,)))]
    return unary or [
        {"A": left, "B": right, "R": result}
        for left, right in product(TYPES, TYPES)
        if (result := result_type(op, (left, right)))
    ]


def applied(op: str, types: Types, values: tuple[Any, ...]) -> Operation:
    """A term of numbers."""
    return Operation(op, tuple(Number(value, name) for name, value in zip("AB", values)), "R")  # noqa: B905


def by_formula(term: Term, types: Types) -> Any:
    """What a term of numbers computes according to its formula."""
    said = proofs.meaning(term, types)
    if z3.is_true(z3.simplify(said.fault)):
        return proofs.FAULT
    return proofs.python_value(said.type, z3.simplify(said.value))


def alike(one: Any, other: Any) -> bool:
    """Whether these are the same value: bit for bit, but for the bits of a NaN."""
    return proofs.same_value(one, other) or (one != one and other != other)


@pytest.mark.parametrize("op", SCALAR_OPERATIONS)
def test_the_formula_of_an_operation_says_what_it_computes_of_special_values(op: str) -> None:
    for types in signatures(op):
        for values in sample([*product(*[proofs.special(types[name]) for name in "AB" if name in types])], 11):
            term = applied(op, types, values)
            assert alike(by_formula(term, types), proofs.computed(term, types, {})), (op, types, values)


@pytest.mark.parametrize("op", SCALAR_OPERATIONS)
@settings(max_examples=examples(50))
@given(data=st.data())
def test_the_formula_of_an_operation_says_what_it_computes_of_any_values(op: str, data: st.DataObject) -> None:
    types = data.draw(st.sampled_from(signatures(op)))
    values = tuple(data.draw(any_value(types[name])) for name in "AB" if name in types)
    term = applied(op, types, values)
    assert alike(by_formula(term, types), proofs.computed(term, types, {}))


def terms(operands: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    unary = st.builds(lambda op, operand: Operation(op, (operand,)), st.sampled_from(["neg", "~", "abs"]), operands)
    symbols = st.sampled_from(["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"])
    return unary | st.builds(lambda op, left, right: Operation(op, (left, right)), symbols, operands, operands)


@settings(max_examples=examples(150))
@given(st.recursive(st.integers(-3, 130).map(Number), terms, max_leaves=6), st.sampled_from(INTEGERS))
def test_the_formula_of_a_term_says_what_its_operations_compute_together(term: Term, types: Types) -> None:
    assert alike(by_formula(term, types), proofs.computed(term, types, {}))


@pytest.mark.parametrize("types", sample(SHIFTS, 8), ids=lambda types: f"{types['T']} >> {types['S']}")
def test_the_bits_of_a_right_shift_come_from_where_it_is_said(types: Types) -> None:
    position = z3.Const("position", proofs.sort(types["T"]))

    def bit_of(value: z3.BitVecRef, position: z3.BitVecRef) -> z3.BoolRef:
        return z3.Extract(0, 0, z3.LShR(value, position)) == 1

    shifted = proofs.bit(x >> i, types, lambda position: bit_of(proofs.meaning(x, types).value, position), position)
    solver = z3.Solver()
    solver.add(z3.ULT(position, types["T"].bits), shifted != bit_of(proofs.meaning(x >> i, types).value, position))
    assert solver.check() == z3.unsat


@pytest.mark.parametrize("op", [op for op in PRIMITIVES if PRIMITIVES[op].commutative])
def test_what_is_said_to_be_commutative_is(op: str) -> None:
    types = tuple({"T": types["A"]} for types in signatures(op))
    rule = Rule(Operation(op, (x, y)), Operation(op, (y, x)), types)
    assert all(proofs.proves(rule, types) for types in rule.types)


def test_a_term_that_is_not_well_typed_is_refused() -> None:
    with pytest.raises(TypeError, match="x \\+ y does not take int and bool"):
        proofs.meaning(x + Unknown("y", "B"), {"T": ir.INT, "B": ir.BOOL})
    with pytest.raises(TypeError, match="the sides of x < y = x are bool and int"):
        proofs.proves(Rule(x < y, x, INTEGERS), {"T": ir.INT})


# --------------------------------------------------------------------------------------------------- wrong rules

other = Unknown("y", "X")

BYTES = ({"T": ir.CHAR}, {"T": ir.UNSIGNED_CHAR})
"""Where z3 has to search long for values, it may do so among few."""

UNSIGNED_TYPES = tuple({"T": type} for type in TYPES if is_integer(type) and not type.signed)
SOME_SHIFTS = (
    {"T": ir.INT, "S": ir.INT},
    {"T": ir.LONG, "S": ir.CHAR},
    {"T": ir.UNSIGNED_CHAR, "S": ir.LONG},
    {"T": ir.UNSIGNED_LONG, "S": ir.UNSIGNED},
)
BROKEN_DETOURS = (
    {"X": ir.INT, "U": ir.CHAR, "T": ir.LONG},
    {"X": ir.INT, "U": ir.UNSIGNED, "T": ir.LONG},
    {"X": ir.UNSIGNED, "U": ir.INT, "T": ir.UNSIGNED_LONG},
    {"X": ir.LONG, "U": ir.CHAR, "T": ir.BOOL},
    {"X": ir.INT, "U": ir.BOOL, "T": ir.INT},
    {"X": ir.DOUBLE, "U": ir.FLOAT, "T": ir.DOUBLE},
    {"X": ir.LONG, "U": ir.DOUBLE, "T": ir.FLOAT},
    {"X": ir.DOUBLE, "U": ir.LONG, "T": ir.CHAR},
)

WRONG = (
    # What is a fault for some values, and what is one no longer.
    Rule(x / x, Number(1), BYTES),
    Rule(x % x, Number(0), BYTES),
    Rule(Number(0) / x, Number(0), BYTES),
    Rule(Number(0) % x, Number(0), BYTES),
    Rule(x / -1, -x, SIGNED),
    Rule(x % -1, Number(0), SIGNED),
    Rule(-x / -y, x / y, BYTES),
    Rule((x / a) * 0, Number(0), BYTES),
    Rule(x % -y, x % y, BYTES),
    Rule(x - x, x / 0, INTEGERS),
    # What wraps around.
    Rule((x * 2) / 2, x, INTEGERS),
    Rule((x * a) / a, x, BYTES),
    Rule((x + x) / 2, x, INTEGERS),
    Rule((x / a) / b, x / (a * b), BYTES),
    Rule(x < a + 1, x <= a, INTEGERS),
    Rule(x <= a - 1, x < a, INTEGERS),
    Rule(x + a < y + a, x < y, INTEGERS),
    Rule(x + a < b, x < b - a, INTEGERS),
    Rule(x - y < 0, x < y, INTEGERS),
    Rule(-x < -y, x > y, INTEGERS),
    Rule(-x < 0, x > 0, INTEGERS),
    Rule(x < x + 1, true, INTEGERS),
    Rule(equal(x * 2, y * 2), equal(x, y), INTEGERS),
    Rule(absolute(x) >= 0, true, SIGNED),
    Rule(absolute(-x), absolute(x), UNSIGNED_TYPES),
    Rule(absolute(x - y), absolute(y - x), UNSIGNED_TYPES),
    # What shifts out of range, and what rounds another way.
    Rule((x << i) << j, x << (i + j), SOME_SHIFTS),
    Rule((x >> i) >> j, x >> (i + j), SOME_SHIFTS),
    Rule((x << i) << j, x << (i + j), SOME_SHIFTS, where=i + j < WIDTH),
    Rule((x << i) >> i, x, SOME_SHIFTS),
    Rule((x >> i) << i, x, SOME_SHIFTS),
    Rule(x << WIDTH, Number(0), SOME_SHIFTS),
    Rule(x / 2, x >> 1, SIGNED),
    Rule(x % 2, x & 1, SIGNED),
    Rule(equal(x % 2, 1), unequal(x & 1, 0), SIGNED),
    # Slips.
    Rule(x - y, y - x, INTEGERS),
    Rule((a - x) - b, (a + b) - x, INTEGERS),
    Rule(a - (x - b), (a - b) - x, INTEGERS),
    Rule(~(-x), x + 1, INTEGERS),
    Rule(~x & ~y, ~(x & y), INTEGERS),
    Rule(x & (x ^ y), x, INTEGERS),
    Rule(x < HIGHEST, true, INTEGERS),
    Rule(x <= LOWEST, false, INTEGERS),
    Rule(negation(x < y), x > y, INTEGERS),
    Rule(negation(x & y), negation(x) & negation(y), BOOLS),
    Rule(x ^ true, x, BOOLS),
    Rule(x & 1, x, INTEGERS),
    # Conversions that lose something.
    Rule(convert("T", convert("U", origin)), convert("T", origin), BROKEN_DETOURS),
    Rule(convert("B", x), equal(x, 1), TESTS),
    Rule(equal(convert("T", origin), convert("T", other)), equal(origin, other), ({"X": ir.LONG, "T": ir.INT},)),
    # Floating point: NaN, infinities, zeros with a sign, rounding.
    Rule(x + 0.0, x, FLOATS),
    Rule(0 - x, -x, FLOATS),
    Rule(x - minus_zero, x, FLOATS),
    Rule(x * 0, Number(0), FLOATS),
    Rule(x - x, Number(0), FLOATS),
    Rule(x + -x, Number(0), FLOATS),
    Rule((x * 2) / 2, x, FLOATS),
    Rule(equal(x, x), true, FLOATS),
    Rule(x >= x, true, FLOATS),
    Rule(negation(x < y), x >= y, FLOATS),
    Rule(equal(x - y, 0), equal(x, y), FLOATS),
    Rule(absolute(x) >= 0, true, FLOATS),
)


@pytest.mark.parametrize("rule", WRONG, ids=str)
def test_a_wrong_rule_is_refuted_by_values_for_which_it_is_wrong(rule: Rule) -> None:
    for types in sample(rule.types, 3):
        values = proofs.counterexample(rule, types)
        assert values is not None, types
        assert rule.where is None or proofs.computed(rule.where, types, values) is True
        assert not alike(proofs.computed(rule.left, types, values), proofs.computed(rule.right, types, values)), (
            types,
            values,
        )


WRONG_FOR_SPECIAL_VALUES = (
    Rule(x / x, Number(1), FLOATS),
    Rule(x / a, x * (Number(1) / a), FLOATS),
    Rule((x + a) + b, x + (a + b), FLOATS),
    Rule((x + y) - y, x, FLOATS),
    Rule(-(x - y), y - x, FLOATS),
    Rule(equal(x + a, b), equal(x, b - a), FLOATS),
    Rule(convert("T", convert("U", origin)), convert("T", origin), ({"X": ir.INT, "U": ir.FLOAT, "T": ir.INT},)),
    # What differs by the sign of a NaN only.
    Rule(x * -1, -x, FLOATS),
    Rule(x / -1, -x, FLOATS),
    Rule(x - -y, x + y, FLOATS),
    Rule(-(x * y), -x * y, FLOATS),
    Rule(minus_zero - x, -x, FLOATS),
    Rule(absolute(x * y), absolute(x) * absolute(y), FLOATS),
)


@pytest.mark.parametrize("rule", WRONG_FOR_SPECIAL_VALUES, ids=str)
def test_a_wrong_rule_on_floats_is_refuted_by_special_values(rule: Rule) -> None:
    for types in rule.types:
        assert proofs.differing(rule, types), types
