"""The rules of arithmetic simplification: each is proven, and together they come to an end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

import pytest
import z3

from cpsconv.core.operations.table import CONVERT, PRIMITIVES
from cpsconv.core.simplify.rules import RULES
from cpsconv.core.simplify.terms import Number, Operation, Rule, Term, Types, Unknown
from testing.effort import is_full
from tests.core.proofs import condition, counterexample, differing, parts, unknowns_in

every_rule = pytest.mark.parametrize("rule", RULES, ids=str)


def named(types: Types) -> str:
    return ", ".join(f"{name} = {type}" for name, type in types.items())


# ---------------------------------------------------------------------------------------------------------- proofs


def distinct(choices: Iterable[Types]) -> list[Types]:
    """One choice of types of each representation: `char` is like `signed char`.

    By default, one of each order of the widths, with the smallest widths; with ``--full``, one of each width.
    """
    found: dict[tuple[object, ...], Types] = {}
    for types in sorted(choices, key=lambda types: sum(t.bits for t in types.values())):
        widths = sorted({t.bits for t in types.values()})
        widths_or_order = [t.bits if is_full() else widths.index(t.bits) for t in types.values()]
        found.setdefault(
            tuple((t.kind, t.signed, w) for t, w in zip(types.values(), widths_or_order, strict=True)), types
        )
    return [*found.values()]


@every_rule
def test_a_rule_holds_for_all_values_of_all_its_types(rule: Rule) -> None:
    wrong = {
        named(types): values for types in distinct(rule.types) if (values := counterexample(rule, types)) is not None
    }
    assert not wrong


FLOATING = [(rule, types) for rule in RULES for types in rule.types if any(t.kind == "float" for t in types.values())]


@pytest.mark.parametrize(("rule", "types"), FLOATING, ids=lambda each: named(each) if isinstance(each, dict) else None)
def test_a_rule_on_floats_keeps_every_bit_even_the_sign_of_a_nan(rule: Rule, types: Types) -> None:
    assert differing(rule, types) is None
    for turned in turned_round(rule.left):
        assert differing(Rule(turned, rule.right, rule.types), types) is None


def turned_round(term: Operation) -> Iterator[Operation]:
    """The term with its operands exchanged, if that matches as well."""
    if PRIMITIVES[term.op].commutative:
        yield Operation(term.op, term.operands[::-1], term.type)


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.where], ids=str)
def test_the_condition_of_a_rule_can_be_met(rule: Rule) -> None:
    for types in distinct(rule.types):
        solver = z3.Solver()
        solver.add(condition(rule, types))
        assert solver.check() == z3.sat, named(types)


# ------------------------------------------------------------------------------------------------------------ form


def is_constant(term: Term) -> bool:
    """Whether a term denotes a constant: it contains numbers and constant unknowns only."""
    return all(isinstance(part, Number) or (isinstance(part, Unknown) and part.constant) for part in leaves(term))


def leaves(term: Term) -> Iterator[Term]:
    return (part for part in parts(term) if not isinstance(part, Operation))


def operations(term: Term) -> list[str]:
    """The operations of a term that are left when those on constants have been computed."""
    return [part.op for part in parts(term) if isinstance(part, Operation) and not is_constant(part)]


def occurrences(term: Term) -> Counter[str]:
    return Counter(unknown.name for unknown in unknowns_in(term) if not unknown.constant)


SIMPLER = [
    *["!", "~", "neg", "==", "!=", "<", "<=", ">", ">=", "^", "&", "|", "+", "-", "<<", ">>", "*", "/", "%"],
    CONVERT,
]
"""All operations, each simpler than those that follow."""


def test_a_rule_puts_one_operation_at_most_in_the_place_of_one() -> None:
    for rule in RULES:
        assert len(operations(rule.right)) <= 1, rule


def test_rewriting_ends() -> None:
    """Each step takes operations away, or puts a simpler one in the place of one; and no operand is there twice for it.

    So the operations that a value is computed by, written as a tree, become fewer, or as many but simpler. Operations
    on constants are none, since their value is computed at once: none may be a fault.
    """
    for rule in RULES:
        before, after = operations(rule.left), operations(rule.right)
        assert len(after) < len(before) or SIMPLER.index(after[0]) < SIMPLER.index(before[0]), rule
        assert occurrences(rule.right) <= occurrences(rule.left), rule
        assert not [part for part in parts(rule.right) if isinstance(part, Operation) and part.op in ("/", "%")], rule


def test_all_that_a_rule_speaks_of_is_known_from_its_left_side() -> None:
    """Or it could not be applied: unknowns and types stand for what the left side matches."""
    for rule in RULES:
        known = {unknown.name for unknown in unknowns_in(rule.left)}
        used = {unknown.name for term in (rule.right, rule.where) if term for unknown in unknowns_in(term)}
        assert used <= known, rule
        operations = {part.type for part in parts(rule.left) if isinstance(part, Operation) and part.op == CONVERT}
        typed = operations | {part.type for part in parts(rule.left) if isinstance(part, (Number, Unknown))}
        assert all(types.keys() <= typed for types in rule.types), rule


def test_nothing_on_the_left_side_of_a_rule_has_been_computed_already() -> None:
    """An operation on constants only is a constant, so that there is nothing to match."""
    for rule in RULES:
        assert not [part for part in parts(rule.left) if isinstance(part, Operation) and is_constant(part)], rule


def test_no_rule_is_there_twice() -> None:
    assert not [text for text, count in Counter(map(str, RULES)).items() if count > 1]
