"""Where arithmetic has to be careful in Python, whose integers are unbounded and whose division rounds down.

A value is *loose* if it need not be wrapped, though it may leave the range of its type: all that uses it is computed
modulo no more than the size of that type, as sums and products are. So ``a * b + c`` is wrapped once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from cpsconv.analysis.ranges import Ranges, exact_interval
from cpsconv.ir import BOOL, Constant, Function, Primitive, Scalar, Value
from cpsconv.operations.intervals import Interval
from cpsconv.operations.table import CONVERT, PRIMITIVES, wraps
from cpsconv.operations.types import is_float, is_integer, range_of

_WIDE = 32  # bits from which on a signed number is not wrapped without need


class Care:
    """What is known of the operations in one function, given the ranges, and which values are written `in_place`."""

    def __init__(self, function: Function, ranges: Ranges, in_place: Collection[Value], used: Counter[Value]) -> None:
        self._ranges = ranges
        self._loose: set[Value] = set()
        self._only_divisible: set[Value] = set()
        for member in function.members():
            for user in member.body:
                for operand in user.operands:
                    if isinstance(user, Primitive) and isinstance(operand, Primitive) and used[operand] == 1:
                        self._note(user, operand, operand in in_place)

    def _note(self, user: Primitive, operand: Primitive, is_in_place: bool) -> None:
        if is_in_place and self._is_modular(user, operand.type) and self._is_small(operand):
            self._loose.add(operand)
        if operand.op == "%" and self._is_test_for_zero(user):
            self._only_divisible.add(operand)

    def _is_modular(self, user: Primitive, type: Scalar) -> bool:
        return (
            PRIMITIVES[user.op].kind in ("arithmetic", "conversion")
            and PRIMITIVES[user.op].modular
            and is_integer(user.type)
            and is_integer(type)
            and user.type.bits <= type.bits
        )

    def _is_small(self, operand: Primitive) -> bool:
        """Whether the exact number does not get so long that it would have been better to wrap it."""
        low, high = self.exact(operand)
        return max(-low, high) >> 2 * operand.type.bits == 0

    def _is_test_for_zero(self, user: Primitive) -> bool:
        if user.op == CONVERT:
            return user.type is BOOL
        return user.op in ("==", "!=") and any(isinstance(each, Constant) and not each.value for each in user.operands)

    def exact(self, primitive: Primitive) -> Interval:
        """What it computes before that is wrapped. (Loose operands are nested no deeper than expressions.)"""
        known = self._ranges.of_operands(primitive)
        pairs = zip(primitive.operands, known, strict=True)
        return exact_interval(
            primitive,
            [
                self.exact(operand) if operand in self._loose and isinstance(operand, Primitive) else interval
                for operand, interval in pairs
            ],
        )

    def operands(self, primitive: Primitive) -> tuple[Interval, ...]:
        """The intervals of the operands."""
        return self._ranges.of_operands(primitive)

    def overflows(self, primitive: Primitive) -> bool:
        """Whether it has to be wrapped. (Too large a quotient is a fault.)"""
        if primitive in self._loose or (not wraps(primitive.op, primitive.type) and primitive.op != CONVERT):
            return False
        if not is_integer(primitive.type) or is_float(primitive.operands[0].type):
            return False
        (low, high), (lowest, highest) = self.exact(primitive), range_of(primitive.type)
        return not lowest <= low <= high <= highest

    def needs_look(self, primitive: Primitive) -> bool:
        """Whether it is looked at first, in a statement of its own, if it has to be wrapped."""
        type = primitive.type
        return type.signed and type.bits >= _WIDE and self.overflows(primitive)

    def may_trap(self, primitive: Primitive) -> bool:
        """Whether it may be a division by zero, or one whose quotient is too large."""
        type = primitive.type
        if primitive.op not in ("/", "%") or not is_integer(type):
            return False
        (least, _), (low, high) = self._ranges.of_operands(primitive)
        return low <= 0 <= high or (type.signed and low <= -1 <= high and least == range_of(type)[0])

    def is_plain(self, primitive: Primitive) -> bool:
        """Whether Python's division does the same."""
        if is_float(primitive.type):
            return self._is_not_zero(primitive.operands[1])
        (least, _), (low, _) = self._ranges.of_operands(primitive)
        return (least >= 0 and low > 0) or (primitive in self._only_divisible and not self.may_trap(primitive))

    def _is_not_zero(self, value: Value) -> bool:
        """Whether a floating number is certainly not zero."""
        if isinstance(value, Constant):
            return value.value != 0
        if isinstance(value, Primitive) and value.op == CONVERT and is_integer(value.operands[0].type):
            ((low, high),) = self._ranges.of_operands(value)
            return not low <= 0 <= high
        return False

    def asks_twice(self, primitive: Primitive) -> bool:
        """Whether its operands are mentioned twice, so that they have to be simple."""
        return primitive.op in ("/", "%") and not self.is_plain(primitive)
