"""Overflow and division: the operations that Python, with unbounded integers and floor division, computes unlike C.

A value is *unwrapped* if it may leave the range of its type, but its only use is computed modulo at most the size of
that type, as sums and products are. So ``a * b + c`` is wrapped once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from cpsconv.core.analysis.ranges import Ranges, exact_interval
from cpsconv.core.ir import Constant, Function, Primitive, Scalar, Value
from cpsconv.core.operations.intervals import UNBOUNDED, Interval
from cpsconv.core.operations.table import CONVERT, PRIMITIVES, traps, wraps
from cpsconv.core.operations.types import is_float, is_integer, range_of

CHECKED_BITS = 32
"""Signed results of this width are compared with the bounds of the type first, since they rarely need wrapping."""


class Overflow:
    """Facts about the operations of one function, from the ranges of their operands."""

    def __init__(self, function: Function, ranges: Ranges, in_place: Collection[Value], used: Counter[Value]) -> None:
        self._ranges = ranges
        self._unwrapped: set[Value] = set()
        self._compared_with_zero: set[Value] = set()
        for user in function.statements():
            for operand in user.operands:
                if isinstance(user, Primitive) and isinstance(operand, Primitive) and used[operand] == 1:
                    self._note_use(user, operand, operand in in_place)

    def _note_use(self, user: Primitive, operand: Primitive, is_in_place: bool) -> None:
        if is_in_place and self._is_modular(user, operand.type) and self._is_small(operand):
            self._unwrapped.add(operand)
        if operand.op == "%" and self._is_zero_test(user):
            self._compared_with_zero.add(operand)

    def _is_modular(self, user: Primitive, type: Scalar) -> bool:
        return (
            PRIMITIVES[user.op].kind in ("arithmetic", "conversion")
            and PRIMITIVES[user.op].modular
            and is_integer(user.type)
            and is_integer(type)
            and user.type.bits <= type.bits
        )

    def _is_small(self, operand: Primitive) -> bool:
        """Whether the exact number stays so short that wrapping it would not pay."""
        low, high = self.exact(operand)
        return max(-low, high) >> 2 * operand.type.bits == 0

    def _is_zero_test(self, user: Primitive) -> bool:
        return user.op in ("==", "!=") and any(isinstance(each, Constant) and not each.value for each in user.operands)

    def exact(self, primitive: Primitive) -> Interval:
        """The interval of the exact result, before wrapping. Recursive, as deep as unwrapped operands are nested."""
        pairs = zip(primitive.operands, self.operands(primitive), strict=True)
        return exact_interval(
            primitive,
            [
                self.exact(operand) if operand in self._unwrapped and isinstance(operand, Primitive) else interval
                for operand, interval in pairs
            ],
        )

    def operands(self, primitive: Primitive) -> tuple[Interval, ...]:
        """The intervals of the operands."""
        return self._ranges.of_operands(primitive)

    def must_wrap(self, primitive: Primitive) -> bool:
        """Whether the result must be wrapped. (A quotient out of range is a runtime error.)"""
        if primitive in self._unwrapped or (not wraps(primitive.op, primitive.type) and primitive.op != CONVERT):
            return False
        if not is_integer(primitive.type) or is_float(primitive.operands[0].type):
            return False
        (low, high), (lowest, highest) = self.exact(primitive), range_of(primitive.type)
        return not lowest <= low <= high <= highest

    def needs_check(self, primitive: Primitive) -> bool:
        """Whether the result is wrapped by a statement of its own, after a comparison with the bounds of the type."""
        type = primitive.type
        return type.signed and type.bits >= CHECKED_BITS and self.must_wrap(primitive)

    def may_trap(self, primitive: Primitive) -> bool:
        """Whether it may be a division by zero, a quotient out of range, or a product that is too large."""
        type, operands = primitive.type, self.operands(primitive)
        if not traps(primitive.op, type):
            return False
        if PRIMITIVES[primitive.op].kind != "division":
            return any(-low == UNBOUNDED or high == UNBOUNDED for low, high in operands)
        (least, _), (low, high) = operands
        return low <= 0 <= high or (is_integer(type) and low <= -1 <= high and least == range_of(type)[0])

    def is_native_division(self, primitive: Primitive) -> bool:
        """Whether Python's division has the same result."""
        if is_float(primitive.type):
            return self._is_not_zero(primitive.operands[1])
        (least, _), (low, _) = self.operands(primitive)
        return (least >= 0 and low > 0) or (primitive in self._compared_with_zero and not self.may_trap(primitive))

    def _is_not_zero(self, value: Value) -> bool:
        """Whether a floating number is certainly not zero."""
        if isinstance(value, Constant):
            return value.value != 0
        if isinstance(value, Primitive) and value.op == CONVERT and is_integer(value.operands[0].type):
            ((low, high),) = self.operands(value)
            return not low <= 0 <= high
        return False

    def duplicates_operands(self, primitive: Primitive) -> bool:
        """Whether the expression contains each operand twice, so that the operands must be variables or constants."""
        return PRIMITIVES[primitive.op].kind == "division" and not self.is_native_division(primitive)
