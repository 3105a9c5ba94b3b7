"""The runtime errors of memory. Each names the object, the index in units of its type, and where it was created."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpsconv.core.ir import ContinuationType, ObjectType
from cpsconv.core.operations.memory_messages import NOTES, message
from cpsconv.core.operations.runtime_errors import (
    AllocationError,
    BoundsError,
    CallError,
    ConstantError,
    LifetimeError,
    NullPointerError,
    OverlapError,
    ProgramError,
    ReleaseError,
    UndefinedError,
)
from cpsconv.core.operations.types import type_title
from cpsconv.core.source import Note, Span, counted

if TYPE_CHECKING:
    from cpsconv.core.operations.objects import MemoryObject


def wrong_access(found: MemoryObject | None, offset: int, size: int, unit: ObjectType | None) -> ProgramError:
    """The error of an access to `size` bytes at the offset, which are not in the object."""
    if found is None:
        return BoundsError(message("wild"))
    if found.origin == "null":
        return _null("null", offset)
    if found.origin == "function":
        return BoundsError(message("no_data", _title(found)))
    if found.ended:
        return LifetimeError(message("ended", _ended(found)), _end_notes(found))
    return BoundsError(message("bounds", _place(found, offset, size, unit)), _access_notes(found))


def _null(use: str, offset: int) -> ProgramError:
    """The error of a `use` of a null pointer to which the offset was added."""
    if offset == 0:
        return NullPointerError(message(use))
    return NullPointerError(message(f"{use}_offset", counted(offset, "byte")))


def unwritten(found: MemoryObject, offset: int, size: int, unit: ObjectType) -> ProgramError:
    """The error of a load of bytes that were not all written."""
    return UndefinedError(message("unwritten", _place(found, offset, size, unit)), _access_notes(found))


def constant(found: MemoryObject, offset: int, size: int, unit: ObjectType | None) -> ProgramError:
    """The error of a change of a constant object, or of constant bytes of it."""
    title = _title(found) if range(found.size) in found.constant else message("part", _title(found))
    return ConstantError(message("constant", _place(found, offset, size, unit), title))


def overlap(found: MemoryObject, offset: int, size: int) -> ProgramError:
    """The error of a copy of bytes to a place that overlaps them."""
    return OverlapError(message("overlap", _place(found, offset, size, None)))


def wrong_end(found: MemoryObject | None, offset: int, origin: str) -> ProgramError:
    """The error of an end of the lifetime of an object that has another `origin`, or has ended, or of a part of it."""
    verb = "freed" if origin == "heap" else "deallocated"
    if found is None:
        return ReleaseError(message("end_wild", verb))
    if found.origin == "null":
        return ReleaseError(message("end_null", verb))
    if found.origin != origin:
        return ReleaseError(message("end_not_heap" if origin == "heap" else "end_not_variable", _title(found), verb))
    if found.ended:
        again = "end_closed" if _end(found) == "closed" else "end_again"
        return LifetimeError(message(again, _ended(found), verb), _end_notes(found))
    return ReleaseError(message("end_inside", offset, _title(found), verb))


def wrong_call(
    found: MemoryObject | None, offset: int, type: ContinuationType | None, expected: ContinuationType
) -> ProgramError:
    """The error of a call through a pointer to no function, or to a function of another type."""
    if found is None:
        return CallError(message("call_wild"))
    if found.origin == "null":
        return _null("call_null", offset)
    if type is None:
        return CallError(message("call_data", _title(found)))
    if offset:
        return CallError(message("call_inside", offset, _title(found)))
    return CallError(message("call_type", _title(found), type, expected))


def wrong_size(count: int, element: ObjectType) -> ProgramError:
    """The error of an allocation of a negative or too large number of elements."""
    return AllocationError(message("size", counted(count, "element"), type_title(element)))


def _place(found: MemoryObject, offset: int, size: int, unit: ObjectType | None) -> str:
    """``index 10 of `buffer` (10 elements of char, declared on line 4) is``

    The units are those of the object or, on the heap, of the access. Without units, and for a part of a unit,
    the place has bytes.
    """
    element = found.element
    if element is None and unit and unit.size and found.size % unit.size == 0:
        element = unit
    described = f"{_title(found)} ({_contents(found, element)})"
    if element is None or element.size == 0:
        return _bytes(offset, size, described)
    index, rest = divmod(offset, element.size)
    if (rest or size != element.size) and 0 <= index < found.size // element.size:
        return _bytes(offset, size, described)
    return message("index", index, described)


def _bytes(offset: int, size: int, described: str) -> str:
    return message("byte", offset, described) if size <= 1 else message("bytes", offset, offset + size - 1, described)


def _title(found: MemoryObject) -> str:
    if found.origin == "heap":
        line = _line(found.start)
        return message("resource", found.name, line) if found.name else message("heap", line)
    return f"`{found.name}`" if found.name else message("variable")


def _contents(found: MemoryObject, element: ObjectType | None) -> str:
    if element is None or element.size == 0:
        contents = counted(found.size, "byte")
    elif found.origin != "heap" and found.count is None:
        contents = type_title(element)
    else:
        contents = message("elements", counted(found.size // element.size, "element"), type_title(element))
    is_bare = found.origin == "heap" or found.start is None
    return contents if is_bare else message("declared", contents, _line(found.start))


def _ended(found: MemoryObject) -> str:
    return message(_end(found), _title(found), _line(found.end))


def _end(found: MemoryObject) -> str:
    """The end of an object: of its lifetime, or by which its memory was freed, or a stream closed."""
    return "lifetime" if found.origin != "heap" else "closed" if found.name else "freed"


def _end_notes(found: MemoryObject) -> list[Note]:
    text = "its lifetime ended here" if found.origin != "heap" else f"it was {_end(found)} here"
    return [(text, found.end)] if found.end else []


def _access_notes(found: MemoryObject) -> list[Note]:
    """The note on a wrong access to an object that the package created, and not a variable of its name."""
    note, start = NOTES.get(found.name or ""), found.start
    if note is None or start is None or start.source.text.startswith(str(found.name), start.start):
        return []
    return [(note, start)]


def _line(span: Span | None) -> str:
    return message("line_of_file", span.line_of_file, span.file) if span else ""
