"""The Simplifier: makes the primitives of one function, or finds that they need not be made."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from cpsconv.analysis.incremental_dominators import DominatorForest
from cpsconv.ir import BOOL, Branch, Constant, Continuation, Primitive, Scalar, Value
from cpsconv.operations.semantics import fold
from cpsconv.operations.table import opposite
from cpsconv.simplify.matching import instance, matches, rules_for, shape_of
from cpsconv.simplify.numbering import Key, Known, key_of, operation_key
from cpsconv.simplify.rules import RULES
from cpsconv.simplify.terms import Operation, Rule, Term, Unknown
from cpsconv.source import Span


class Simplifier:
    """Makes primitives in the continuation entered last. `switches` are keys of `SIMPLIFICATIONS`.

    `is_defined` tells of a value whether it is known not to be undefined. To compute with an undefined value is a
    fault, and must stay one: a rule that drops a value is applied to defined ones only.
    """

    def __init__(self, switches: Collection[str], is_defined: Callable[[Value], bool]) -> None:
        self._switches = switches
        self._is_defined = is_defined
        self._forest: DominatorForest[Continuation] = DominatorForest()
        self._computed = Known(self._forest)
        self._facts = Known(self._forest)
        self._place: Continuation

    def enter(self, continuation: Continuation, predecessors: Sequence[Continuation], *, sealed: bool) -> None:
        """Go on in `continuation`, which dominates every predecessor that is not given; if `sealed`, there is none.

        A predecessor from which two edges lead here is given twice.
        """
        self._place = continuation
        self._forest.add(continuation, predecessors)
        if sealed and len(predecessors) == 1:
            transfer = predecessors[0].transfer
            if isinstance(transfer, Branch):
                self._learn(transfer.condition, transfer.then.target is continuation)

    def primitive(self, op: str, operands: tuple[Value, ...], type: Scalar, span: Span | None) -> Value:
        """The value of an operation: one that is known already, or a new statement."""
        statement = Primitive(op, operands, type, None, span)
        return (
            (fold(statement) if "fold" in self._switches else None)
            or (self._by_rule(statement) if "arithmetic" in self._switches else None)
            or self._known(operation_key(statement))
            or self._append(statement)
        )

    def constant(self, value: Value) -> Constant | None:
        """The constant that a value is known to be here, so that the way to take is known."""
        if "branches" not in self._switches:
            return None
        known = value if isinstance(value, Constant) else self._facts.find(key_of(value), self._place)
        return known if isinstance(known, Constant) else None

    def _by_rule(self, statement: Primitive) -> Value | None:
        """What the first rule that applies makes of the operation. What it does with constants is done at once."""

        def make(op: str, operands: tuple[Value, ...], type: Scalar) -> Value:
            folded = fold(Primitive(op, operands, type))
            return folded or self.primitive(op, operands, type, statement.span)

        for rule in rules_for(statement.op, statement.operands[0].type, tuple(map(shape_of, statement.operands))):
            for match in matches(rule, statement):
                if all(self._is_defined(match.values[name]) for name in _DROPPED[rule]):
                    return instance(rule.right, match, make)
        return None

    def _known(self, key: Key) -> Value | None:
        fact = self._facts.find(key, self._place)
        return fact or (self._computed.find(key, self._place) if "cse" in self._switches else None)

    def _append(self, statement: Primitive) -> Primitive:
        self._place.body.append(statement)
        self._computed.add(operation_key(statement), statement, self._place)
        return statement

    def _learn(self, condition: Value, outcome: bool) -> None:
        """From here on the condition is true, or false; and its contrary the other way round."""
        if "branches" in self._switches:
            self._facts.add(key_of(condition), Constant(BOOL, outcome), self._place)
            for contrary in _contraries(condition):
                self._facts.add(key_of(contrary), Constant(BOOL, not outcome), self._place)


def _contraries(condition: Value) -> Iterator[Value]:
    """The values that are true where `condition` is false, and false where it is true."""
    yield Primitive("!", (condition,), BOOL)
    if isinstance(condition, Primitive):
        op, operands = condition.op, condition.operands
        if op == "!":
            yield operands[0]
        elif contrary := opposite(op, operands[0].type):
            yield Primitive(contrary, operands, BOOL)


def _dropped(rule: Rule) -> set[str]:
    """The unknowns of which only the right side does not need that they are defined.

    What the left side finds within another operation has been computed with before.
    """
    operands = rule.left.operands
    direct = {each.name for each in operands if isinstance(each, Unknown)}
    return direct - {name for each in operands for name in _computed_with(each)} - {*_computed_with(rule.right)}


def _computed_with(term: Term) -> Iterator[str]:
    """The names of the unknowns that are operands somewhere in a term."""
    if isinstance(term, Operation):
        for operand in term.operands:
            if isinstance(operand, Unknown):
                yield operand.name
            yield from _computed_with(operand)


_DROPPED = {rule: _dropped(rule) for rule in RULES}
