"""The runtime errors of memory. Each names the object, the index in units of its type, and where it was created."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Union

from cpsconv.ir import ContinuationType, ObjectType
from cpsconv.operations.runtime_errors import (
    AllocationError,
    BoundsError,
    CallError,
    ConstantError,
    FreeError,
    LifetimeError,
    NullPointerError,
    ProgramError,
    UndefinedError,
)
from cpsconv.source import Diagnostic, Span

if TYPE_CHECKING:
    from cpsconv.evaluator.memory import MemoryObject

Leaks = Counter[tuple[Union[Span, None], int]]
"""The numbers of objects of `malloc` that a run did not free, by place of allocation and size."""


def wrong_access(found: MemoryObject | None, offset: int, size: int, unit: ObjectType | None) -> ProgramError:
    """The error of an access to `size` bytes at the offset, which are not in the object."""
    if found is None:
        return BoundsError("this pointer points to no object")
    if found.origin == "null":
        if offset == 0:
            return NullPointerError("a null pointer is dereferenced")
        return NullPointerError(f"a null pointer is dereferenced, at the offset {_counted(offset, 'byte')}")
    if found.origin == "function":
        return BoundsError(f"{_title(found)} is a function, and has no data")
    if found.ended:
        return LifetimeError(f"{_ended(found)}, before this access")
    return BoundsError(f"{_place(found, offset, size, unit)} out of bounds")


def unwritten(found: MemoryObject, offset: int, size: int, unit: ObjectType) -> ProgramError:
    """The error of a load of bytes that were not all written."""
    return UndefinedError(f"{_place(found, offset, size, unit)} used uninitialised")


def constant(found: MemoryObject, offset: int, size: int, unit: ObjectType | None) -> ProgramError:
    """The error of a change of a constant object."""
    return ConstantError(f"{_place(found, offset, size, unit)} changed, but `{found.name}` is constant")


def wrong_end(found: MemoryObject | None, offset: int, origin: str) -> ProgramError:
    """The error of an end of the lifetime of an object that has another `origin`, or has ended, or of a part of it."""
    verb = "freed" if origin == "heap" else "deallocated"
    if found is None:
        return FreeError(f"this pointer, which points to no object, is {verb}")
    if found.origin == "null":
        return FreeError(f"a null pointer is {verb}")
    if found.origin != origin:
        cause = "was not allocated by `malloc`" if origin == "heap" else "is not a variable"
        return FreeError(f"{_title(found)}, which {cause}, is {verb}")
    if found.ended:
        return LifetimeError(f"{_ended(found)}, and is {verb} again")
    return FreeError(f"a pointer to byte {offset} of {_title(found)}, and not to its start, is {verb}")


def wrong_call(
    found: MemoryObject | None, offset: int, type: ContinuationType | None, expected: ContinuationType
) -> ProgramError:
    """The error of a call through a pointer to no function, or to a function of another type."""
    if found is None:
        return CallError("this pointer, which points to no object, is called")
    if found.origin == "null":
        return NullPointerError("a null pointer is called")
    if type is None:
        return CallError(f"{_title(found)}, which is no function, is called")
    if offset:
        return CallError(f"a pointer to byte {offset} of {_title(found)} is called")
    return CallError(f"{_title(found)} has the type `{type}`, but is called as `{expected}`")


def wrong_size(count: int, element: ObjectType) -> ProgramError:
    """The error of an allocation of a negative or too large number of elements."""
    return AllocationError(f"{_counted(count, 'element')} of {element} cannot be allocated")


def leaks_of(objects: Iterable[MemoryObject]) -> Leaks:
    """The objects of `malloc` among the objects of a run, by number, that were not freed."""
    return Counter((found.start, found.size) for found in objects if found.origin == "heap" and not found.ended)


def leak_report(leaks: Leaks) -> list[Diagnostic]:
    """A diagnostic for each place where memory that was not freed is allocated, in the order of allocation."""
    places: dict[Span | None, dict[int, int]] = {}
    for (place, size), count in leaks.items():
        places.setdefault(place, {})[size] = count
    return [Diagnostic("runtime error", _leak(counts), place, rule="leak") for place, counts in places.items()]


def _leak(counts: dict[int, int]) -> str:
    """``3 objects, of 40 bytes each, are allocated here and never freed``, from the number of objects by size."""
    count, total = sum(counts.values()), sum(size * number for size, number in counts.items())
    if count == 1:
        return f"an object of {_counted(total, 'byte')} is allocated here and never freed"
    size = f"{_counted(total, 'byte')} in all" if len(counts) > 1 else f"{_counted(min(counts), 'byte')} each"
    return f"{count} objects, of {size}, are allocated here and never freed"


def _place(found: MemoryObject, offset: int, size: int, unit: ObjectType | None) -> str:
    """``index 10 of `buffer` (10 elements of char, declared on line 4) is``

    The units are those of the object or, in memory of `malloc`, of the access. Without units, and for a part of a unit,
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
    return f"index {index} of {described} is"


def _bytes(offset: int, size: int, described: str) -> str:
    if size == 1:
        return f"byte {offset} of {described} is"
    return f"bytes {offset} to {offset + size - 1} of {described} are"


def _title(found: MemoryObject) -> str:
    if found.origin == "heap":
        return f"the memory allocated{_line(found.start)}"
    return f"`{found.name}`" if found.name else "a variable"


def _contents(found: MemoryObject, element: ObjectType | None) -> str:
    if element is None or element.size == 0:
        contents = _counted(found.size, "byte")
    elif found.origin != "heap" and found.count is None:
        contents = str(element)
    else:
        contents = f"{_counted(found.size // element.size, 'element')} of {element}"
    return contents if found.origin == "heap" or found.start is None else f"{contents}, declared{_line(found.start)}"


def _ended(found: MemoryObject) -> str:
    if found.origin == "heap":
        return f"{_title(found)} was freed{_line(found.end)}"
    return f"the lifetime of {_title(found)} ended{_line(found.end)}"


def _line(span: Span | None) -> str:
    return f" on line {span.line}" if span else ""


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}{'s' * (number != 1)}"
