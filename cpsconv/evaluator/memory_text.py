"""The texts of pointers and places in memory, for traces: ``buffer``, ``&a[3].x``, ``#2 + 4 bytes``.

A variable has its name. Memory allocated by `malloc` has none, and is shown by the number of its object: ``#2``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from cpsconv.ir import Array, ObjectType, Scalar, Struct
from cpsconv.operations.pointers import number_of, offset_of

if TYPE_CHECKING:
    from cpsconv.evaluator.memory import MemoryObject


def pointer_text(pointer: int, objects: Sequence[MemoryObject]) -> str:
    """The object that a pointer points to, or a place in it."""
    number, offset = number_of(pointer), offset_of(pointer)
    if not 0 < number < len(objects):
        return "null" if pointer == 0 else hex(pointer)
    title = title_of(objects[number], number)
    if offset == 0:
        return title
    place = place_text(objects[number], number, offset, None)
    return place if place.startswith(f"{title} + ") else f"&{place}"


def title_of(found: MemoryObject, number: int) -> str:
    """The name of the object, or else its number."""
    return found.name if found.name else f"#{number}"


def place_text(found: MemoryObject, number: int, offset: int, type: Scalar | None) -> str:
    """The place of a value of the type, or of any type, at the offset: ``a[3].x``.

    It is a field or element where the type has one. Otherwise, it is a number of bytes from the start.
    """
    title, element = title_of(found, number), found.element or type
    if element is None or not element.size:
        return f"{title} + {offset} bytes"
    index, offset_in_element = divmod(offset, element.size)
    path = "" if found.element and found.count is None and index == 0 else f"[{index}]"
    inner = _path(element, offset_in_element, type)
    return f"{title} + {offset} bytes" if inner is None else f"{title}{path}{inner}"


def _path(type: ObjectType, offset: int, wanted: Scalar | None) -> str | None:
    """The path to a part of the type at the offset, of the type `wanted`; None if there is none."""
    path = ""
    while True:
        if offset == 0 and (wanted is None or type is wanted):
            return path
        if isinstance(type, Array) and type.element.size:
            index, offset = divmod(offset, type.element.size)
            path += f"[{index}]"
            type = type.element
        elif isinstance(type, Struct):
            fields = [
                field for field in type.fields.values() if field.offset <= offset < field.offset + field.type.size
            ]
            found = next((field for field in fields if field.type is wanted), fields[0] if fields else None)
            if found is None:
                return None
            path += f".{found.name}"
            type, offset = found.type, offset - found.offset
        else:
            return None
