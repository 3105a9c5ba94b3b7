"""Pattern matching: matches of values with terms, and instances of terms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from cpsconv.core.ir import BOOL, Constant, Primitive, Scalar, Type, Value
from cpsconv.core.operations.semantics import fold
from cpsconv.core.operations.table import CONVERT, PRIMITIVES, constant_key, result_type
from cpsconv.core.simplify.rules import RULES
from cpsconv.core.simplify.terms import Number, Operation, Rule, Term, Unknown

Make = Callable[[str, "tuple[Value, ...]", Scalar], Value]
"""A function that creates the value of an operation from operator, operands and type."""


class Match(NamedTuple):
    """The values of the unknowns and the types of the type variables of a term."""

    values: dict[str, Value]
    types: dict[str, Scalar]

    def with_type(self, name: str, type: Scalar) -> Match | None:
        """The match with one more type variable; None if it already denotes another type."""
        known = self.types.get(name)
        if known is None:
            return Match(self.values, {**self.types, name: type})
        return self if known is type else None


def shape_of(value: Value) -> str:
    """The operation of a primitive, or the kind of another value, for quick comparison."""
    return value.op if isinstance(value, Primitive) else _CONSTANT if isinstance(value, Constant) else ""


@cache
def rules_for(op: str, type: Type, shapes: tuple[str, ...]) -> list[Rule]:
    """The rules that may match an operation, given the type of its first operand and the shapes of all operands."""
    orders = {shapes, shapes[::-1]} if PRIMITIVES[op].commutative else {shapes}
    return [
        rule
        for rule in RULES
        if rule.left.op == op
        and any(type in types.values() for types in rule.types)
        and any(all(map(_may_have, rule.left.operands, order)) for order in orders)
    ]


def _may_have(term: Term, shape: str) -> bool:
    """Whether a value of that shape can match the term."""
    if isinstance(term, Operation):
        return shape == term.op
    return shape == _CONSTANT or (isinstance(term, Unknown) and not term.constant)


_CONSTANT = "constant"


def matches(rule: Rule, value: Primitive) -> Iterator[Match]:
    """The matches of `value` with the left side of the rule."""
    for match in _matches(rule.left, value, Match({}, {})):
        if frozenset(match.types.items()) in rule.allowed and (rule.where is None or _holds(rule.where, match)):
            yield match


def instance(term: Term, match: Match, make: Make) -> Value:
    """The value of a term under a match."""
    if isinstance(term, Unknown):
        return match.values[term.name]
    if isinstance(term, Number):
        return term.constant_for(match.types)
    assert isinstance(term, Operation)
    operands = tuple([instance(operand, match, make) for operand in term.operands])
    type = match.types[term.type] if term.op == CONVERT else result_type(term.op, tuple(o.type for o in operands))
    assert type
    return make(term.op, operands, type)


def same_constant(one: Value, other: Value) -> bool:
    """Whether both are constants of the same type and value. Zeros of different sign differ."""
    return isinstance(one, Constant) and isinstance(other, Constant) and constant_key(one) == constant_key(other)


def _matches(term: Term, value: Value, match: Match) -> Iterator[Match]:
    if isinstance(term, Operation):
        yield from _operation_matches(term, value, match)
    elif isinstance(term, (Unknown, Number)) and isinstance(value.type, Scalar):
        is_bool = isinstance(term, Number) and isinstance(term.value, bool)  # whatever `term.type` denotes
        of_type = match if is_bool else match.with_type(term.type, value.type)
        if of_type and isinstance(term, Unknown):
            yield from _unknown_matches(term, value, of_type)
        elif of_type and isinstance(term, Number) and same_constant(value, term.constant_for(of_type.types)):
            yield of_type


def _unknown_matches(term: Unknown, value: Value, match: Match) -> Iterator[Match]:
    known = match.values.get(term.name)
    if known is None:
        if isinstance(value, Constant) or not term.constant:
            yield Match({**match.values, term.name: value}, match.types)
    elif known is value or same_constant(known, value):
        yield match


def _operation_matches(term: Operation, value: Value, match: Match) -> Iterator[Match]:
    if not isinstance(value, Primitive) or value.op != term.op:
        return
    start = match.with_type(term.type, value.type) if term.op == CONVERT else match
    if start:
        yield from _operands_match(term.operands, value.operands, start)
        if PRIMITIVES[term.op].commutative:
            yield from _operands_match(term.operands, value.operands[::-1], start)


def _operands_match(terms: tuple[Term, ...], values: tuple[Value, ...], match: Match) -> Iterator[Match]:
    if not terms:
        yield match
        return
    for first in _matches(terms[0], values[0], match):
        yield from _operands_match(terms[1:], values[1:], first)


def _holds(condition: Term, match: Match) -> bool:
    """Whether a condition on constants is true."""
    outcome = instance(condition, match, _folded)
    return isinstance(outcome, Constant) and outcome.type is BOOL and bool(outcome.value)


def _folded(op: str, operands: tuple[Value, ...], type: Scalar) -> Value:
    primitive = Primitive(op, operands, type)
    return fold(primitive) or primitive
