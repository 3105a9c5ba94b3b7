"""Value numbering: which computations have the same value, and where that is known.

Two primitives have the same value if they have the same *key*: operation, type and operands. (The operands are values,
in SSA form; constants are compared by what they are.) One can stand for the other where its definition dominates.
"""

from __future__ import annotations

from collections.abc import Hashable

from cpsconv.analysis.incremental_dominators import DominatorForest
from cpsconv.ir import Constant, Continuation, Primitive, Value
from cpsconv.operations.table import PRIMITIVES, constant_key
from cpsconv.operations.types import is_float

Key = Hashable
"""What all values have in common that are the same."""


def key_of(value: Value) -> Key:
    """The key of a value."""
    if isinstance(value, Constant):
        return constant_key(value)
    return operation_key(value) if isinstance(value, Primitive) else value


def operation_key(primitive: Primitive) -> Key:
    """The key of what an operation gives; the same for `x < y` and `y > x`, and for `x + y` and `y + x`."""
    op, values = primitive.op, primitive.operands
    if op in (">", ">="):
        op, values = PRIMITIVES[op].mirror or op, values[::-1]
    operands = tuple([constant_key(each) if isinstance(each, Constant) else each for each in values])
    unordered = PRIMITIVES[op].commutative and not is_float(primitive.type)
    return op, primitive.type, frozenset(operands) if unordered else operands


class Known:
    """Values by their keys, each known from a continuation on, wherever that dominates.

    What is asked for mostly goes down the dominator tree and up again. So what is found not to dominate has been left
    behind, and is forgotten: that keeps a question from going through everything that ever had the key.
    """

    def __init__(self, forest: DominatorForest[Continuation]) -> None:
        self._forest = forest
        self._entries: dict[Key, list[tuple[Continuation, Value]]] = {}

    def add(self, key: Key, value: Value, place: Continuation) -> None:
        """From `place` on, what has that key is `value`."""
        self._entries.setdefault(key, []).append((place, value))

    def find(self, key: Key, place: Continuation) -> Value | None:
        """The value that what has that key is known to have at `place`."""
        entries = self._entries.get(key, ())
        while entries and not self._forest.dominates(entries[-1][0], place):
            entries.pop()
        return entries[-1][1] if entries else None
