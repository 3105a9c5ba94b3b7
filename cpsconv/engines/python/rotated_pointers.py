"""The pointers of the engine `python`: those of `cpsconv.core.operations.pointers`, rotated by 32 bits.

The number of the object is in the lower 32 bits, so that a pointer to the start of an object is a small integer and an
index into lists with an entry for each object. Every other pointer is at least ``2 ** 32``, beyond the end of any list.

The text of a program and the lists of elements have rotated pointers. Pointers are rotated back where their order or
bits count: comparisons, conversions to integers, bytes in memory, and the functions that are shared with the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cpsconv.core.ir import PTR, Type
from cpsconv.core.operations import pointers
from cpsconv.core.operations.runtime_errors import Undefined

_LOW = (1 << 32) - 1
_HALF = 1 << 31


def rotated(pointer: int) -> int:
    """The pointer, rotated by half of its bits: into the form of this engine, and back."""
    return pointer >> 32 | (pointer & _LOW) << 32


def moved(pointer: int, distance: int) -> int:
    """The rotated pointer to the same object at an offset that is larger by `distance`."""
    offset = pointer >> 32
    if offset < _HALF and 0 <= offset + distance < _HALF:
        return pointer + (distance << 32)
    return rotated(pointers.moved(rotated(pointer), distance))


def on_rotated(action: Callable[..., Any], operands: Sequence[Type], result: Type | None) -> Callable[..., Any]:
    """The function on rotated pointers, for an action on pointers with operands and a result of these types."""
    if [*operands] == [PTR]:  # loads, above all; they have no undefined results
        if result is PTR:
            return lambda pointer: rotated(action(rotated(pointer)))
        return lambda pointer: action(rotated(pointer))
    if result is not PTR and len(operands) == 2 and operands[0] is not PTR and operands[1] is PTR:
        return lambda value, pointer: action(value, rotated(pointer))
    places = [index for index, type in enumerate(operands) if type is PTR]

    def call(*given: Any) -> Any:
        values = [*given]
        for index in places:
            if not isinstance(values[index], Undefined):
                values[index] = rotated(values[index])
        returned = action(*values)
        return rotated(returned) if result is PTR and not isinstance(returned, Undefined) else returned

    return call if places or result is PTR else action
