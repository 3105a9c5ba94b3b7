"""The objects of a run in memory, and the checks of each access to them.

An *object* is an array of bytes. Pointers have its number, which is never used again
(`cpsconv.core.operations.pointers`), so each pointer identifies its object even after the object's lifetime. Each
object has, beside its bytes, a record of the bytes that were written: a load of other bytes is an error. A copy copies
this record, too, so that a struct with unused fields can be copied.

An access is correct if it lies inside its object. An object whose lifetime has ended permits no access, and neither
does the object 0, null. `memory_errors` determines the reason of a failure.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from functools import partial
from typing import Any, Literal

from cpsconv.core.attributes import stated
from cpsconv.core.ir import (
    CHAR,
    PTR,
    Array,
    ContinuationType,
    Data,
    Effect,
    Function,
    ObjectType,
    Program,
    Scalar,
    Struct,
    object_type_of,
)
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations import memory_errors
from cpsconv.core.operations.pointers import MAX_SIZE, format_of, moved, number_of, offset_of, pointer_to
from cpsconv.core.operations.runtime_errors import Undefined
from cpsconv.core.source import Span


class MemoryObject(metaclass=NodeType):
    """An object of `size` bytes, in `data`.

    `written` has a 1 for each byte that was written and a 0 for each other one. `constant` has the ranges of bytes that
    may not be changed. `count` is the number of elements of the type `element`; None for a single one. Memory allocated
    on the heap has no `element`, and the `name` is the resource of its allocation. `start` is the location of the
    allocation, `end` that of the end of the lifetime. A function is an object without bytes. `shape` is the struct
    whose fields a traced run accessed on the heap.
    """

    origin: Literal["null", "variable", "heap", "data", "function"]
    size: int = 0
    name: str | None = None
    element: ObjectType | None = None
    count: int | None = None
    start: Span | None = None
    end: Span | None = None
    ended: bool = False
    constant: Sequence[range] = ()
    data: bytearray = field(default_factory=bytearray)
    written: bytearray = field(default_factory=bytearray)
    shape: Struct | None = None


class Objects:
    """The objects of one run, by number. Each method raises `ProgramError` for what is wrong."""

    def __init__(self) -> None:
        self.objects = [MemoryObject("null")]
        self._pointers: dict[Data | Function, int] = {}
        self._functions: dict[int, Function] = {}

    def define(self, program: Program) -> None:
        """Create the objects of the data of the program."""
        for data in program.data:
            self._pointers[data] = self.allocate(_object_of(data), initialised=True)
        for data in program.data:
            found = self.objects[number_of(self._pointers[data])]
            found.data[: len(data.content)] = data.content
            for at, (target, offset) in data.addresses.items():
                format_of(PTR).pack_into(found.data, at, moved(self.pointer_of(target), offset))

    def pointer_of(self, target: Data | Function) -> int:
        """The pointer to data, or to a function, whose object is created on the first use."""
        if target not in self._pointers:
            assert isinstance(target, Function)
            self._pointers[target] = self.allocate(MemoryObject("function", name=target.name, start=target.span))
            self._functions[len(self.objects) - 1] = target
        return self._pointers[target]

    def called(self, pointer: Any) -> Function | None:
        """The function at the pointer, if there is one."""
        return None if isinstance(pointer, Undefined) else self._functions.get(number_of(pointer))

    def function_at(self, pointer: int, type: ContinuationType) -> Function:
        """The function of the type at the pointer."""
        number, offset = number_of(pointer), offset_of(pointer)
        found = self._functions.get(number)
        if found is None or offset or found.type != type:
            raise memory_errors.wrong_call(self._object(number), offset, found.type if found else None, type)
        return found

    def _object(self, number: int) -> MemoryObject | None:
        return self.objects[number] if number < len(self.objects) else None

    def place(self, pointer: int, size: int, unit: ObjectType | None = None) -> tuple[MemoryObject, int]:
        """The object with the `size` bytes at the pointer, and their offset."""
        number, offset = number_of(pointer), offset_of(pointer)
        found = self._object(number)
        if found is None or offset < 0 or offset + size > found.size or found.ended or not number:
            raise memory_errors.wrong_access(found, offset, size, unit)
        return found, offset

    def changed_place(self, pointer: int, size: int, unit: ObjectType | None = None) -> tuple[MemoryObject, int]:
        """Likewise, for an access that changes the bytes."""
        found, offset = self.place(pointer, size, unit)
        require_changeable(found, offset, size, unit)
        return found, offset

    def load(self, type: Scalar, pointer: int) -> Any:
        """The value of the type at the pointer, whose bytes must all have been written."""
        found, offset = self.place(pointer, type.size, type)
        if 0 in found.written[offset : offset + type.size]:
            raise memory_errors.unwritten(found, offset, type.size, type)
        return format_of(type).unpack_from(found.data, offset)[0]

    def load_or(self, type: Scalar, pointer: int, default: Any) -> Any:
        """The value of the type at the pointer; bytes that were never written are those of a default value.

        If the default value is undefined, and some of the bytes were never written, the result is undefined, too.
        """
        found, offset = self.place(pointer, type.size, type)
        place = slice(offset, offset + type.size)
        if 0 not in found.written[place]:
            return format_of(type).unpack_from(found.data, offset)[0]
        if isinstance(default, Undefined):
            return default
        pairs = zip(found.written[place], found.data[place], format_of(type).pack(default), strict=True)
        return format_of(type).unpack(bytes(own if is_written else other for is_written, own, other in pairs))[0]

    def store(self, type: Scalar, value: Any, pointer: int) -> None:
        """Write a value of the type at the pointer. An undefined value makes the bytes unwritten."""
        found, offset = self.changed_place(pointer, type.size, type)
        place = slice(offset, offset + type.size)
        found.written[place] = bytes(type.size)
        if not isinstance(value, Undefined):
            found.data[place] = format_of(type).pack(value)
            found.written[place] = b"\1" * type.size

    def string(self, pointer: int, limit: int = -1, load: Callable[[int], int] | None = None) -> str:
        """The bytes before the next zero, as characters, or the first `limit` ones unless it is negative.

        `load` is the load of a `char`, which checks each byte that is examined.
        """
        load, found = load or partial(self.load, CHAR), bytearray()
        while len(found) != limit and (byte := load(moved(pointer, len(found)))):
            found.append(byte & 0xFF)
        return found.decode("latin-1")

    def move(self, source: int, target: int, size: int, unit: ObjectType | None = None) -> None:
        """Copy `size` bytes, with the record of those that were written. The places may overlap."""
        read, start = self.place(source, size, unit)
        changed, offset = self.changed_place(target, size, unit)
        changed.data[offset : offset + size] = read.data[start : start + size]
        changed.written[offset : offset + size] = read.written[start : start + size]

    def allocate(self, new: MemoryObject, *, initialised: bool = False) -> int:
        """The pointer to a new object."""
        new.data = bytearray(new.size)
        new.written = bytearray(b"\1") * new.size if initialised else bytearray(new.size)
        self.objects.append(new)
        return pointer_to(len(self.objects) - 1)

    def end(self, pointer: int, origin: str, span: Span | None) -> MemoryObject:
        """End the lifetime of the object at the pointer; it is returned as it was."""
        number = number_of(pointer)
        found = self._object(number)
        if found is None or found.ended or found.origin != origin or offset_of(pointer):
            raise memory_errors.wrong_end(found, offset_of(pointer), origin)
        kept = MemoryObject(found.origin, found.size, found.name, found.element, found.count, found.start, span, True)
        self.objects[number] = kept
        return found

    def variable(self, effect: Effect, count: int | None = None) -> int:
        """The pointer to a new variable: `count` elements, or a single one, of the object type of the effect."""
        element, number = object_type_of(effect), 1 if count is None else int(count)
        if not 0 <= number * element.size <= MAX_SIZE:
            raise memory_errors.wrong_size(number, element)
        return self.allocate(MemoryObject("variable", number * element.size, effect.name, element, count, effect.span))

    def make_constant(self, pointer: int) -> None:
        """End the initialisation of a constant variable."""
        found, offset = self.place(pointer, 0)
        if offset == 0:
            self.make_bytes_constant(pointer, found.size)

    def make_bytes_constant(self, pointer: int, size: int) -> None:
        """End the initialisation of so many bytes of a variable."""
        found, offset = self.place(pointer, size)
        if found.origin == "variable" and (new := range(offset, offset + size)) not in found.constant:
            found.constant = [*found.constant, new]

    def on_heap(self, effect: Effect, size: int, *, initialised: bool = False) -> int:
        """The pointer to `size` new bytes that no variable names, as on the heap; null if they are too many."""
        if size > MAX_SIZE:
            return 0
        new = MemoryObject("heap", int(size), stated("resource", effect.attributes), start=effect.span)
        return self.allocate(new, initialised=initialised)

    def resized(self, effect: Effect, pointer: int, size: int) -> int:
        """The pointer to `size` new bytes, with those of the old object, which ends. A size of 0 only ends it."""
        if pointer == 0:
            return self.on_heap(effect, size)
        if size > MAX_SIZE:
            return 0
        old = self.end(pointer, "heap", effect.span)
        if size == 0:
            return 0
        new = self.on_heap(effect, size)
        found, kept = self.objects[-1], min(size, old.size)
        found.data[:kept], found.written[:kept] = old.data[:kept], old.written[:kept]
        return new

    def release(self, effect: Effect, pointer: int) -> None:
        """End the lifetime of an object of `on_heap`. Null has no effect."""
        if pointer != 0:
            self.end(pointer, "heap", effect.span)


def require_changeable(found: MemoryObject, offset: int, size: int, unit: ObjectType | None) -> None:
    """Raise an error if one of the bytes at the offset is constant."""
    if any(offset < each.stop and each.start < offset + size for each in found.constant):
        raise memory_errors.constant(found, offset, size, unit)


def _object_of(data: Data) -> MemoryObject:
    type = data.object_type
    element, count = (type.element, type.length) if isinstance(type, Array) else (type, None)
    return MemoryObject("data", type.size, data.shown_name, element, count, data.span, constant=data.constant_bytes)
