"""Which arguments fit the conversions of a `printf` format."""

from __future__ import annotations

from cpsconv.ir import DOUBLE, INT, LONG, STRING, UNSIGNED, UNSIGNED_LONG, Scalar
from cpsconv.operations.formats import Slot

CONVERSION_FOR: dict[Scalar, str] = {
    INT: "%d",
    UNSIGNED: "%u",
    LONG: "%ld",
    UNSIGNED_LONG: "%lu",
    DOUBLE: "%f",
    STRING: "%s",
}
"""The plain conversion for each type that an argument can have after the default promotions."""


def fits(slot: Slot, type: Scalar) -> bool:
    """Whether an argument of that type, after the default promotions, means the same to `printf` as to the caller.

    An integer of the same size does: its bits are shown as the conversion says.
    """
    same_size = type.kind == slot.type.kind == "integer" and type.bits == slot.type.bits
    return type is slot.type or same_size
