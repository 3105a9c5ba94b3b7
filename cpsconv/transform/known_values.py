"""What is known of values on a way through a function, because of the branches and switches that it takes."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from dataclasses import dataclass, field

from cpsconv.ir import BOOL, Branch, Constant, Continuation, Edge, Function, Parameter, Primitive, Scalar, Switch, Value
from cpsconv.operations.table import constant_key
from cpsconv.operations.types import is_integer

Fact = tuple[Value, Constant]
"""That a value is a constant."""


def decided(function: Function) -> dict[Edge, Fact]:
    """What is certain on the edges of branches and switches. (On the default of a switch nothing is said to be.)"""
    return {edge: fact for member in function.members() for edge, fact in _decided_by(member)}


def _decided_by(member: Continuation) -> Iterator[tuple[Edge, Fact]]:
    match member.transfer:
        case Branch(condition, then, otherwise):
            yield then, (condition, Constant(BOOL, True))
            yield otherwise, (condition, Constant(BOOL, False))
        case Switch(value, cases, targets):
            assert isinstance(value.type, Scalar)
            for case, edge in zip(cases, targets, strict=True):
                yield edge, (value, Constant(value.type, case))


@dataclass(slots=True)
class Facts:
    """Which values are known to be constants.

    The result of a primitive is known if that of the same operation on the same operands is: it is pure, and where it
    was computed without a fault it is so again.
    """

    _constants: dict[Hashable, Constant] = field(default_factory=dict)
    _same: dict[Value, Value] = field(default_factory=dict)

    def learn(self, fact: Fact) -> None:
        """Note a fact. That ``x == 5`` is true is also one of `x`."""
        value, constant = fact
        self._constants.setdefault(self._key(value), constant)
        if isinstance(value, Primitive) and (value.op, constant.value) in (("==", True), ("!=", False)):
            self._learn_equality(*value.operands)

    def pass_on(self, argument: Value, parameter: Parameter) -> None:
        """Note that the parameter has the value of the argument."""
        self._same[parameter] = self._same.get(argument, argument)

    def constant(self, value: Value) -> Constant | None:
        """The constant that a value is, if that is known."""
        return value if isinstance(value, Constant) else self._constants.get(self._key(value))

    def _learn_equality(self, left: Value, right: Value) -> None:
        if is_integer(left.type) or left.type is BOOL:  # 0.0 and -0.0 are equal, but not the same
            for one, other in (left, right), (right, left):
                if isinstance(other, Constant):
                    self._constants.setdefault(self._key(one), other)

    def _key(self, value: Value) -> Hashable:
        """Something that is equal only for values that are the same."""
        if isinstance(value, Primitive):
            return value.op, value.type, *map(self._operand_key, value.operands)
        return self._operand_key(value)

    def _operand_key(self, value: Value) -> Hashable:
        value = self._same.get(value, value)
        return constant_key(value) if isinstance(value, Constant) else value
