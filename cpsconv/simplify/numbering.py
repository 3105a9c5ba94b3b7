"""Value numbering: computations with equal values, and where they are available.

Two primitives have the same value if they have the same *key*: operation, type and operands, static ones included.
(Operands are compared by identity, constants by type and value.) A primitive can replace another one that its
definition dominates.
"""

from __future__ import annotations

from collections.abc import Hashable

from cpsconv.analysis.incremental_dominators import DominatorForest
from cpsconv.ir import Constant, Continuation, Primitive, Value
from cpsconv.operations.table import PRIMITIVES, constant_key
from cpsconv.operations.types import is_float

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
