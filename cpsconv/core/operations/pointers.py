"""Pointers at run time: the number of an object and an offset in bytes, in 64 bits.

The upper 32 bits of a pointer are the number of its object, the lower 32 bits the offset, which is signed: a negative
offset borrows from the number. Null is object 0 at offset 0, and the other objects have the numbers from 1 on. So
conversions to integers and back, comparisons and differences of pointers are those of 64-bit integers, and a copy of
the bytes of a pointer is a copy of the pointer. (The model checker CBMC represents pointers likewise.)

An offset does not run over into the number of another object: an address that is 2 GiB or more from the start of its
object has the largest or smallest offset instead. No object is that large, so an access to it is always an error that
names the right object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from struct import Struct
from typing import Any

from cpsconv.core.floating import Floating, format_class
from cpsconv.core.ir import Field, ObjectType, Scalar
from cpsconv.core.operations.types import is_computed

_HALF = 1 << 31
_MASK = (1 << 64) - 1

MAX_SIZE = _HALF - 1
"""The maximal size of an object in bytes."""


def pointer_to(number: int, offset: int = 0) -> int:
    """The pointer to the object with that number."""
    return ((number << 32) + offset) & _MASK


def number_of(pointer: int) -> int:
    """The number of the object that a pointer points to."""
    return ((pointer + _HALF) & _MASK) >> 32


def offset_of(pointer: int) -> int:
    """The offset of a pointer, from ``-2 ** 31`` to ``2 ** 31 - 1``."""
    return ((pointer + _HALF) & 0xFFFF_FFFF) - _HALF


def moved(pointer: int, distance: int) -> int:
    """The pointer to the same object at an offset that is larger by `distance`."""
    low = pointer & 0xFFFF_FFFF
    if low < _HALF and 0 <= low + distance < _HALF:  # the common case: neither offset is negative
        return pointer + distance
    offset = offset_of(pointer)
    target = min(max(offset + distance, -_HALF), _HALF - 1)
    return (pointer + target - offset) & _MASK


def address(of: ObjectType | Field | None) -> Callable[..., int]:
    """The function that computes the address of an element of the object type `of`, or of the field `of`."""
    if isinstance(of, Field):
        offset = of.offset
        return lambda pointer: moved(pointer, offset)
    assert of is not None
    size = of.size
    return lambda pointer, index: moved(pointer, index * size)


@cache
def format_of(type: Scalar) -> Struct:
    """The representation of values of the type in memory, that of x86-64."""
    if type.kind == "bool":
        return Struct("<?")
    if is_computed(type):
        return _FloatingFormat(type)
    if type.kind == "float":
        return Struct("<f" if type.bits == 32 else "<d")
    if type.bits == 128:
        return _HalvesFormat("<Qq" if type.signed else "<QQ")
    letter = {8: "b", 16: "h", 32: "i", 64: "q"}[type.bits]
    return Struct("<" + (letter if type.signed else letter.upper()))


class _HalvesFormat(Struct):
    """The representation of an integer of 128 bits: the lower and the upper half."""

    def pack(self, value: Any) -> bytes:
        return super().pack(value & _MASK, value >> 64)

    def pack_into(self, buffer: Any, offset: int, value: Any) -> None:
        super().pack_into(buffer, offset, value & _MASK, value >> 64)

    def unpack(self, buffer: Any) -> tuple[int]:
        low, high = super().unpack(buffer)
        return (low | high << 64,)

    def unpack_from(self, buffer: Any, offset: int = 0) -> tuple[int]:
        low, high = super().unpack_from(buffer, offset)
        return (low | high << 64,)

    def iter_unpack(self, buffer: Any) -> Iterator[tuple[int]]:
        return ((low | high << 64,) for low, high in super().iter_unpack(buffer))


class _FloatingFormat(Struct):
    """The representation of a `Floating`."""

    def __new__(cls, type: Scalar) -> _FloatingFormat:
        return super().__new__(cls, f"<{type.size}s")  # type: ignore[call-arg]

    def __init__(self, type: Scalar) -> None:
        super().__init__(f"<{type.size}s")
        self._numbers = format_class(type.bits, type.digits)

    def pack(self, value: Any) -> bytes:
        return self._numbers.of(value).to_bytes()

    def pack_into(self, buffer: Any, offset: int, value: Any) -> None:
        super().pack_into(buffer, offset, self.pack(value))

    def unpack(self, buffer: Any) -> tuple[Floating]:
        return (self._numbers.from_bytes(buffer),)

    def unpack_from(self, buffer: Any, offset: int = 0) -> tuple[Floating]:
        return self.unpack(super().unpack_from(buffer, offset)[0])
