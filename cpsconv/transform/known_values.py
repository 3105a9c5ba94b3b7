"""Values known on a path through a function, by the outcomes of its branches and switches."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from cpsconv.ir import BOOL, Branch, Constant, Continuation, Edge, Function, Parameter, Primitive, Scalar, Switch, Value
from cpsconv.operations.table import constant_key
from cpsconv.operations.types import is_whole

Fact = tuple[Value, Constant]
"""A value, and the constant that it is known to equal."""


def edge_facts(function: Function) -> dict[Edge, Fact]:
    """The fact implied by each edge of a branch or switch. (The default of a switch implies none.)"""
    return {edge: fact for member in function.members() for edge, fact in _edge_facts(member)}


def _edge_facts(member: Continuation) -> Iterator[tuple[Edge, Fact]]:
    match member.transfer:
        case Branch(condition, then, otherwise):
            yield then, (condition, Constant(BOOL, True))
            yield otherwise, (condition, Constant(BOOL, False))
        case Switch(value, cases, targets):
            assert isinstance(value.type, Scalar)
            for case, edge in zip(cases, targets, strict=True):
                yield edge, (value, Constant(value.type, case))


@dataclass(slots=True)
class KnownValues:
    """The values known to be constants.

    The result of a primitive is known if the result of the same operation on the same operands is known: primitives are
    pure, and equal operations either both raise a runtime error or both do not.
    """

    _constants: dict[Hashable, Constant] = field(default_factory=dict)
    _same: dict[Value, Value] = field(default_factory=dict)

    def learn(self, fact: Fact) -> None:
        """Add a fact. From ``x == 5``, the value of `x` is known, too."""
        value, constant = fact
        self._constants.setdefault(self._key(value), constant)
        if isinstance(value, Primitive) and (value.op, constant.value) in (("==", True), ("!=", False)):
            self._learn_equality(*value.operands)

    def pass_on(self, argument: Value, parameter: Parameter) -> None:
        """Record that the parameter has the value of the argument."""
        self._same[parameter] = self._same.get(argument, argument)

    def constant(self, value: Value) -> Constant | None:
        """The constant that the value is known to equal, or None."""
        return value if isinstance(value, Constant) else self._constants.get(self._key(value))

    def _learn_equality(self, left: Value, right: Value) -> None:
        if is_whole(left.type) or left.type is BOOL:  # 0.0 == -0.0, but they differ
            for one, other in (left, right), (right, left):
                if isinstance(other, Constant):
                    self._constants.setdefault(self._key(one), other)

    def _key(self, value: Value) -> Hashable:
        """A key that is equal only for equal values."""
        if isinstance(value, Primitive):
            return value.op, value.type, value.of, *map(self._operand_key, value.operands)
        return self._operand_key(value)

    def _operand_key(self, value: Value) -> Hashable:
        value = self._same.get(value, value)
        return constant_key(value) if isinstance(value, Constant) else value
