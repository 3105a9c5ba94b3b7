"""The Simplifier, which creates the primitives of a function or returns simpler values for them.

*Value numbering* finds earlier computations: two primitives have the same value if they have the same *key*, that is,
operation, type and operands, static ones included. (Operands are compared by identity, constants by type and value.) A
primitive can replace another one that its definition dominates.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterator, Sequence

from cpsconv.core.analysis.dominator_forest import DominatorForest
from cpsconv.core.attributes import common
from cpsconv.core.ir import BOOL, Branch, Constant, Continuation, Primitive, Scalar, Value
from cpsconv.core.operations.queries import opposite
from cpsconv.core.operations.semantics import fold
from cpsconv.core.operations.table import PRIMITIVES, constant_key
from cpsconv.core.operations.types import is_float
from cpsconv.core.simplify.matching import instance, matches, rules_for, shape_of
from cpsconv.core.simplify.rules import RULES
from cpsconv.core.simplify.terms import Operation, Rule, Term, Unknown


class Simplifier:
    """Creates primitives in the continuation entered last. `switches` are keys of `SIMPLIFICATIONS`.

    `is_defined` states whether a value is known to be defined. An operation on an undefined value is a runtime error
    and must remain one. So a rule that drops a value is applied only if the value is known to be defined.
    """

    def __init__(self, switches: Collection[str], is_defined: Callable[[Value], bool]) -> None:
        self._switches = switches
        self._is_defined = is_defined
        self._forest: DominatorForest[Continuation] = DominatorForest()
        self._computed = AvailableValues(self._forest)
        self._facts = AvailableValues(self._forest)
        self._place: Continuation

    def enter(self, continuation: Continuation, predecessors: Sequence[Continuation], *, sealed: bool) -> None:
        """Enter `continuation`, which has these predecessors, and unless `sealed` others that it dominates.

        A predecessor with two edges to the continuation is given twice.
        """
        self._place = continuation
        self._forest.add(continuation, predecessors)
        if sealed and len(predecessors) == 1:
            transfer = predecessors[0].transfer
            if isinstance(transfer, Branch):
                self._learn(transfer.condition, transfer.then.target is continuation)

    def primitive(self, statement: Primitive) -> Value:
        """The value of an operation: a simpler one, an earlier one, or the statement, which is appended."""
        by_rules = statement.operands and "arithmetic" in self._switches  # a foreign operation may have no operands
        return (
            (fold(statement) if "fold" in self._switches else None)
            or (self._by_rule(statement) if by_rules else None)
            or self._merged(statement)
            or self._append(statement)
        )

    def constant(self, value: Value) -> Constant | None:
        """The constant that `value` is known to equal in the current continuation, for a branch or switch."""
        if "branches" not in self._switches:
            return None
        known = value if isinstance(value, Constant) else self._facts.find(key_of(value), self._place)
        return known if isinstance(known, Constant) else None

    def _by_rule(self, statement: Primitive) -> Value | None:
        """The result of the first rule that applies to the operation, with its constants folded."""

        def make(op: str, operands: tuple[Value, ...], type: Scalar) -> Value:
            made = Primitive(op, operands, type, None, statement.span)
            return fold(made) or self.primitive(made)

        for rule in rules_for(statement.op, statement.operands[0].type, tuple(map(shape_of, statement.operands))):
            for match in matches(rule, statement):
                if all(self._is_defined(match.values[name]) for name in _DROPPED[rule]):
                    return instance(rule.right, match, make)
        return None

    def _merged(self, statement: Primitive) -> Value | None:
        """The known value of an operation. An earlier statement keeps the attributes that both have."""
        known = self._known(operation_key(statement))
        if isinstance(known, Primitive) and known.attributes is not statement.attributes:
            known.attributes = common(known.attributes, statement.attributes)
        return known

    def _known(self, key: Key) -> Value | None:
        fact = self._facts.find(key, self._place)
        return fact or (self._computed.find(key, self._place) if "cse" in self._switches else None)

    def _append(self, statement: Primitive) -> Primitive:
        self._place.body.append(statement)
        self._computed.add(operation_key(statement), statement, self._place)
        return statement

    def _learn(self, condition: Value, outcome: bool) -> None:
        """Record the outcome of the condition for the current continuation, and the opposite for its negations."""
        if "branches" in self._switches:
            self._facts.add(key_of(condition), Constant(BOOL, outcome), self._place)
            for negation in _negations(condition):
                self._facts.add(key_of(negation), Constant(BOOL, not outcome), self._place)


def _negations(condition: Value) -> Iterator[Value]:
    """The negations of `condition`, as values."""
    yield Primitive("!", (condition,), BOOL)
    if isinstance(condition, Primitive):
        op, operands = condition.op, condition.operands
        if op == "!":
            yield operands[0]
        elif operands and (negation := opposite(op, operands[0].type)):
            yield Primitive(negation, operands, BOOL)


def _dropped(rule: Rule) -> set[str]:
    """The operands of the left side that the right side does not compute with. The rule requires them to be defined.

    An unknown in an inner operation of the left side is defined, since the inner operation was computed before.
    """
    operands = rule.left.operands
    direct = {each.name for each in operands if isinstance(each, Unknown)}
    return direct - {name for each in operands for name in _computed_with(each)} - {*_computed_with(rule.right)}


def _computed_with(term: Term) -> Iterator[str]:
    """The names of the unknowns that are operands of operations in `term`."""
    if isinstance(term, Operation):
        for operand in term.operands:
            if isinstance(operand, Unknown):
                yield operand.name
            yield from _computed_with(operand)


_DROPPED = {rule: _dropped(rule) for rule in RULES}


# -------------------------------------------------------------------------------------------------- value numbering


Key = Hashable
"""A key that is the same for equal values."""


def key_of(value: Value) -> Key:
    """The key of a value."""
    if isinstance(value, Constant):
        return constant_key(value)
    return operation_key(value) if isinstance(value, Primitive) else value


def operation_key(primitive: Primitive) -> Key:
    """The key of a result. It is the same for `x < y` and `y > x`, and for `x + y` and `y + x`."""
    op, values = primitive.op, primitive.operands
    if op in (">", ">="):
        op, values = PRIMITIVES[op].mirror or op, values[::-1]
    operands = tuple([constant_key(each) if isinstance(each, Constant) else each for each in values])
    unordered = PRIMITIVES[op].commutative and not is_float(primitive.type)
    return op, primitive.type, primitive.of, frozenset(operands) if unordered else operands


class AvailableValues:
    """Values by key, each available in the continuations that a certain continuation dominates.

    Queries mostly follow a walk over the dominator tree. An entry that does not dominate the queried continuation
    belongs to a subtree already left, and is removed. So a query does not scan all previous entries of its key.
    """

    def __init__(self, forest: DominatorForest[Continuation]) -> None:
        self._forest = forest
        self._entries: dict[Key, list[tuple[Continuation, Value]]] = {}

    def add(self, key: Key, value: Value, place: Continuation) -> None:
        """Make `value` available for `key` in `place` and the continuations that it dominates."""
        self._entries.setdefault(key, []).append((place, value))

    def find(self, key: Key, place: Continuation) -> Value | None:
        """The value available for `key` at `place`, if any."""
        entries = self._entries.get(key, ())
        while entries and not self._forest.dominates(entries[-1][0], place):
            entries.pop()
        return entries[-1][1] if entries else None
