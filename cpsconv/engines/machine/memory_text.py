"""The texts of pointers, places and objects in memory, for traces: ``buffer``, ``&a[3].x``, ``#2 + 4 bytes``.

A variable has its name. Memory allocated by `malloc` has none, and is shown by the number of its object: ``#2``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from cpsconv.core.floating import Real
from cpsconv.core.ir import CHAR, PTR, STRING, Array, Constant, ObjectType, Scalar, Struct
from cpsconv.core.operations.pointers import number_of, offset_of, pointer_to
from cpsconv.core.operations.types import type_title
from cpsconv.core.source import counted

if TYPE_CHECKING:
    from cpsconv.core.operations.objects import MemoryObject
    from cpsconv.engines.machine.memory import Memory

MAX_ELEMENTS = 16
"""The elements of an array that are shown, and the characters of a string divided by 4."""


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
    return found.name if found.name and found.origin != "heap" else f"#{number}"


def place_text(found: MemoryObject, number: int, offset: int, type: Scalar | None) -> str:
    """The place of a value of the type, or of any type, at the offset: ``a[3].x``.

    It is a field or element where the type has one. Otherwise, it is a number of bytes from the start.
    """
    title, (element, count) = title_of(found, number), _elements(found)
    if element is None:
        element, count = type, -1
    if element is None or not element.size:
        return f"{title} + {offset} bytes"
    index, offset_in_element = divmod(offset, element.size)
    path = "" if count is None and index == 0 else f"[{index}]"
    inner = _path(element, offset_in_element, type)
    return f"{title} + {offset} bytes" if inner is None else f"{title}{path}{inner}"


def _elements(found: MemoryObject) -> tuple[ObjectType | None, int | None]:
    """The type of the elements of the object, as far as it is known, and their number; None for a single one."""
    if found.element is not None or found.shape is None:
        return found.element, found.count
    return found.shape, None if found.size == found.shape.size else found.size // found.shape.size


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


def living_objects(memory: Memory) -> list[int]:
    """The numbers of the objects whose lifetimes have not ended. Functions and null have no bytes."""
    return [number for number, found in enumerate(memory.objects) if found.size and not found.ended]


def objects_called(memory: Memory, title: str) -> list[int]:
    """The numbers of the living objects with that name or number; of the first one that has ended, if none lives."""
    living = [number for number in living_objects(memory) if title_of(memory.objects[number], number) == title]
    ended = (number for number, each in enumerate(memory.objects) if each.ended and title_of(each, number) == title)
    return living or [*islice(ended, 1)]


def object_text(memory: Memory, number: int) -> str:
    """An object and its content: ``a : point[2] = { { x = 1, y = 20 }, { x = 1, y = undef } }``.

    The content of memory of `malloc` is shown by the types of the values that were stored.
    """
    found, title = memory.objects[number], title_of(memory.objects[number], number)
    line = f" on line {found.start.line}" if found.start else ""
    if found.origin == "function":
        return f"{title} : a function, defined{line}"
    if found.ended:
        return f"{title} : its lifetime has ended{f' on line {found.end.line}' if found.end else ''}"
    element, count = _elements(found)
    if element is not None:
        type: ObjectType = element if count is None else Array(element, count)
        place = f", allocated{line}" if found.origin == "heap" else ""
        return f"{title} : {type_title(type)}{place} = {_content(memory, number, 0, type)}"
    types = sorted(memory.types.get(number, {}).items())
    size = f"{counted(found.size, 'byte')}, allocated{line}"
    if len({type for _, type in types}) == 1 and all(offset % types[0][1].size == 0 for offset, _ in types):
        unit = types[0][1]
        return f"{title} : {size} = {_content(memory, number, 0, Array(unit, found.size // unit.size))}"
    values = [f"byte {offset}: {_content(memory, number, offset, type)}" for offset, type in types]
    return f"{title} : {size}" + (f" = {_list(iter(values), len(values))}" if values else "")


def value_text(type: Scalar, value: int | Real | str) -> str:
    """A value as in CPS text; without a suffix, if the source language has its own name for the type."""
    from cpsconv.core.text.spelling import literal_text  # late: without a trace, the printer is not needed

    text = literal_text(Constant(type, value))
    return text if type_title(type) == type.name else text.removesuffix(type.suffix)


def _content(memory: Memory, number: int, offset: int, type: ObjectType) -> str:
    """The part of an object at an offset. (Recursive: types are nested at most `MAX_TYPE_DEPTH` deep.)"""
    if isinstance(type, Scalar):
        value = memory.value(pointer_to(number, offset), type)
        if value is None:
            return "undef"
        if type is PTR:
            return pointer_text(value, memory.objects)
        return value_text(type, value)
    if type.size and 1 not in memory.objects[number].written[offset : offset + type.size]:
        return "undef"
    if isinstance(type, Array):
        if type.element is CHAR and (text := _string(memory.objects[number], offset, type.size)):
            return text
        places = (offset + index * type.element.size for index in range(type.length))
        return _list((_content(memory, number, place, type.element) for place in places), type.length)
    fields = (
        f"{each.name} = {_content(memory, number, offset + each.offset, each.type)}" for each in type.fields.values()
    )
    return _list(fields, len(type.fields))


def _string(found: MemoryObject, offset: int, size: int) -> str | None:
    """The string in an array of characters, up to its zero; None if it does not contain one."""
    end = found.data.find(0, offset, offset + size)
    if end < 0 or 0 in found.written[offset : end + 1]:
        return None
    from cpsconv.core.text.spelling import literal_text

    shown, most = found.data[offset:end], 4 * MAX_ELEMENTS
    return literal_text(Constant(STRING, shown[:most].decode("latin-1"))) + "…" * (len(shown) > most)


def _list(texts: Iterator[str], count: int) -> str:
    shown = [*islice(texts, MAX_ELEMENTS)]
    if count > MAX_ELEMENTS:
        shown.append(f"… {count - MAX_ELEMENTS} more")
    return f"{{ {', '.join(shown)} }}" if shown else "{}"
