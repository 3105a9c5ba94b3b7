"""The memory of a run: objects, and the operations on them, with every access checked.

An *object* is an array of bytes. Pointers have its number, which is never used again
(`cpsconv.core.operations.pointers`), so each pointer identifies its object even after the object's lifetime. Each
object has, beside its bytes, a record of the bytes that were written: a load of other bytes is an error. A copy copies
this record, too, so that a struct with unused fields can be copied; a store of an undefined value removes bytes from
it.

An access is correct if it lies inside its object. An object whose lifetime has ended has no bytes left, and neither has
the object 0, null. So one comparison checks every access, and `memory_errors` determines the reason of a failure.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from cpsconv.core import ir
from cpsconv.core.entry import require_no_external_data
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.pointers import MAX_SIZE, format_of, moved, number_of, offset_of, pointer_to
from cpsconv.core.operations.runtime_errors import Undefined, UndefinedError, defined
from cpsconv.core.operations.table import EFFECTS, for_every_operation
from cpsconv.core.source import Span
from cpsconv.engines.machine import memory_errors


class MemoryObject(metaclass=NodeType):
    """An object of `size` bytes, in `data`.

    `written` has a 1 for each byte that was written and a 0 for each other one. `count` is the number of elements of
    the type `element`; None for a single one. Memory allocated by `malloc` has no `element`, and the `name` is the
    `resource` of its allocation. `start`
    is the location of the allocation, `end` that of the end of the lifetime. A function is an object without bytes.
    `shape` is the struct whose fields a traced run accessed in memory of `malloc`.
    """

    origin: Literal["null", "variable", "heap", "data", "function"]
    size: int = 0
    name: str | None = None
    element: ir.ObjectType | None = None
    count: int | None = None
    start: Span | None = None
    end: Span | None = None
    ended: bool = False
    is_constant: bool = False
    data: bytearray = field(default_factory=bytearray)
    written: bytearray = field(default_factory=bytearray)
    shape: ir.Struct | None = None


@dataclass(frozen=True, slots=True)
class Change:
    """A change of memory: the value of the type at the pointer, which is None if it is undefined."""

    pointer: int
    type: ir.Scalar
    value: Any


class Memory:
    """The objects of one run, by number.

    If `changes` is a list, each change is appended to it, and `types` has the types of the values that were stored, by
    the number of the object and the offset. `library_call` is the location of the last call of a library function.
    """

    def __init__(self, changes: list[Change] | None = None) -> None:
        self.objects = [MemoryObject("null")]
        self.changes = changes
        self.library_call: Span | None = None
        self.types: dict[int, dict[int, ir.Scalar]] = {}
        self._pointers: dict[ir.Data | ir.Function, int] = {}
        self._functions: dict[int, ir.Function] = {}

    def define(self, program: ir.Program) -> None:
        """Create the objects of the data of the program. Raises `DiagnosticError` if it has external data."""
        require_no_external_data(program, "the evaluator")
        for data in program.data:
            self._pointers[data] = self.allocate(_object_of(data), initialised=True)
        for data in program.data:
            found = self.objects[number_of(self._pointers[data])]
            found.data[: len(data.content)] = data.content
            for at, (target, offset) in data.addresses.items():
                format_of(ir.PTR).pack_into(found.data, at, moved(self.pointer_of(target), offset))

    def pointer_of(self, target: ir.Data | ir.Function) -> int:
        """The pointer to data, or to a function, whose object is created on the first use."""
        if target not in self._pointers:
            assert isinstance(target, ir.Function)
            new = MemoryObject("function", name=target.name, start=target.span)
            self._pointers[target] = self.allocate(new)
            self._functions[len(self.objects) - 1] = target
        return self._pointers[target]

    def called(self, pointer: Any) -> ir.Function | None:
        """The function at the pointer, if there is one."""
        return None if isinstance(pointer, Undefined) else self._functions.get(number_of(pointer))

    def function_at(self, pointer: int, type: ir.ContinuationType) -> ir.Function:
        """The function of the type at the pointer. Raises `ProgramError` if there is none."""
        number, offset = number_of(pointer), offset_of(pointer)
        found = self._functions.get(number)
        if found is None or offset or found.type != type:
            called = self.objects[number] if number < len(self.objects) else None
            raise memory_errors.wrong_call(called, offset, found.type if found else None, type)
        return found

    def action(self, effect: ir.Effect) -> Callable[..., Any]:
        """The function from the operands of an operation on memory to its result."""
        action: Callable[..., Any] = _ACTIONS[effect.op](self, effect)
        return action

    def place(self, pointer: int, size: int, unit: ir.ObjectType | None = None) -> tuple[MemoryObject, int]:
        """The object with the `size` bytes at the pointer, and their offset. Raises `ProgramError` if there is none."""
        number, offset = number_of(pointer), offset_of(pointer)
        found = self.objects[number] if number < len(self.objects) else None
        if found is None or offset < 0 or offset + size > found.size or found.ended or not number:
            raise memory_errors.wrong_access(found, offset, size, unit)
        return found, offset

    def allocate(self, new: MemoryObject, *, initialised: bool = False) -> int:
        """The pointer to a new object."""
        new.data = bytearray(new.size)
        new.written = bytearray(b"\1") * new.size if initialised else bytearray(new.size)
        self.objects.append(new)
        return pointer_to(len(self.objects) - 1)

    def end(self, pointer: int, origin: str, span: Span | None) -> MemoryObject:
        """End the lifetime of the object at the pointer; it is returned as it was."""
        number = number_of(pointer)
        found = self.objects[number] if number < len(self.objects) else None
        if found is None or found.ended or found.origin != origin or offset_of(pointer):
            raise memory_errors.wrong_end(found, offset_of(pointer), origin)
        kept = MemoryObject(found.origin, found.size, found.name, found.element, found.count, found.start, span, True)
        self.objects[number] = kept
        return found

    def end_variable(self, number: int, span: Span | None = None) -> None:
        """End the lifetime of an object, if it is a variable that still exists."""
        if self.objects[number].origin == "variable" and not self.objects[number].ended:
            self.end(pointer_to(number), "variable", span)

    # ------------------------------------------------------------------------------------------- loads and stores

    def load(self, type: ir.Scalar) -> Callable[[int], Any]:
        """The load of a scalar of the type."""
        objects, place = self.objects, self.place
        unpack, size, complete = format_of(type).unpack_from, type.size, b"\1" * type.size

        def load(pointer: int) -> Any:
            number, offset = pointer >> 32, pointer & _LOW  # a negative offset is 2 ** 31 or more here: out of bounds
            found = objects[number] if number < len(objects) else objects[0]
            if offset + size > len(found.data):
                found, offset = place(pointer, size, type)
            if found.written[offset : offset + size] != complete:
                raise memory_errors.unwritten(found, offset, size, type)
            return unpack(found.data, offset)[0]

        return load

    def load_or(self, type: ir.Type) -> Callable[[int, Any], Any]:
        """The load of a scalar, whose bytes that were never written are those of a default value.

        If the default value is undefined, and some of the bytes were never written, the result is undefined, too.
        """
        assert isinstance(type, ir.Scalar)
        place, layout, size = self.place, format_of(type), type.size

        def load_or(pointer: int, default: Any) -> Any:
            found, offset = place(pointer, size, type)
            written = found.written[offset : offset + size]
            if 0 not in written:
                return layout.unpack_from(found.data, offset)[0]
            if isinstance(default, Undefined):
                return default
            pairs = zip(written, found.data[offset : offset + size], layout.pack(default), strict=True)
            return layout.unpack(bytes(own if mark else given for mark, own, given in pairs))[0]

        return load_or

    def store(self, type: ir.Type) -> Callable[[Any, int], None]:
        """The store of a scalar of the type. A store of an undefined value makes the bytes unwritten."""
        assert isinstance(type, ir.Scalar)
        objects, place, changes = self.objects, self.place, self.changes
        pack, size, complete = format_of(type).pack_into, type.size, b"\1" * type.size
        incomplete = bytes(size)

        def store(value: Any, pointer: int) -> None:
            number, offset = pointer >> 32, pointer & _LOW  # a negative offset is 2 ** 31 or more here: out of bounds
            found = objects[number] if number < len(objects) else objects[0]
            if offset + size > len(found.data):
                found, offset = place(pointer, size, type)
            if found.is_constant:
                raise memory_errors.constant(found, offset, size, type)
            try:
                pack(found.data, offset, value)
                found.written[offset : offset + size] = complete
            except (UndefinedError, struct.error):  # packing a floating number replaces the error of `Undefined`
                found.written[offset : offset + size] = incomplete
            if changes is not None:
                self._record(Change(pointer, type, None if isinstance(value, Undefined) else value))

        return store

    def string(self, pointer: int, limit: int = -1) -> str:
        """The bytes before the next zero, as characters, or the first `limit` ones unless it is negative.

        Each byte that is examined is checked as by a load of a `char`.
        """
        load, found = self.load(ir.CHAR), bytearray()
        while len(found) != limit and (byte := load(moved(pointer, len(found)))):
            found.append(byte & 0xFF)
        return found.decode("latin-1")

    def copy(self, effect: ir.Effect) -> Callable[..., Any]:
        """The copy of an object, or of an element of one."""
        unit: Any = effect.of
        size = unit.size

        def copy(source: int, target: int) -> None:
            self.move(defined(source), defined(target), size, unit)
            if self.changes is not None:
                for change in self.values(target, unit):
                    self._record(change)

        return copy

    def _record(self, change: Change) -> None:
        assert self.changes is not None
        self.changes.append(change)
        offset, size = offset_of(change.pointer), change.type.size
        types = self.types.setdefault(number_of(change.pointer), {})
        for other in [each for each in range(offset - ir.LONG_DOUBLE.size + 1, offset + size) if each in types]:
            if other + types[other].size > offset:
                del types[other]
        types[offset] = change.type

    def note_struct(self, pointer: Any, struct: ir.Struct) -> None:
        """Note that a field of a struct at the pointer is accessed. The first struct that fits is kept."""
        if isinstance(pointer, Undefined) or not 0 < number_of(pointer) < len(self.objects):
            return
        found = self.objects[number_of(pointer)]
        fits = struct.size and found.size % struct.size == 0 and offset_of(pointer) % struct.size == 0
        if found.origin == "heap" and found.shape is None and fits:
            found.shape = struct

    def record_copy(self, source: int, target: int, size: int) -> None:
        """Record the values that were copied byte by byte, if changes are recorded."""
        if self.changes is None:
            return
        types, start, index = self.types.get(number_of(source), {}), offset_of(source), 0
        while index < size:
            type = types.get(start + index, ir.CHAR)
            type = type if index + type.size <= size else ir.CHAR
            self._record(Change(moved(target, index), type, self.value(moved(target, index), type)))
            index += type.size

    def move(self, source: int, target: int, size: int, unit: ir.ObjectType | None = None) -> None:
        """Copy `size` bytes, with the record of those that were written. The places may overlap."""
        read, start = self.place(source, size, unit)
        changed, offset = self.place(target, size, unit)
        if changed.is_constant:
            raise memory_errors.constant(changed, offset, size, unit)
        changed.data[offset : offset + size] = read.data[start : start + size]
        changed.written[offset : offset + size] = read.written[start : start + size]

    def values(self, pointer: int, type: ir.ObjectType) -> Iterator[Change]:
        """The scalars in an object of the type at the pointer, as changes."""
        pending = [(pointer, type)]
        while pending:
            place, part = pending.pop()
            if isinstance(part, ir.Array):
                pending += [(place + n * part.element.size, part.element) for n in reversed(range(part.length))]
            elif isinstance(part, ir.Struct):
                pending += [(place + field.offset, field.type) for field in reversed(part.fields.values())]
            else:
                yield Change(place, part, self.value(place, part))

    def value(self, pointer: int, type: ir.Scalar) -> Any:
        """The value of the type at the pointer; None if it was not written."""
        found, offset = self.place(pointer, type.size)
        is_written = 0 not in found.written[offset : offset + type.size]
        return format_of(type).unpack_from(found.data, offset)[0] if is_written else None

    # ------------------------------------------------------------------------------------ allocation, deallocation

    def local(self, effect: ir.Effect) -> Callable[..., Any]:
        """The allocation of a variable."""
        element: Any = effect.of

        def allocate(count: int | None = None) -> int:
            number = 1 if count is None else int(count)
            if not 0 <= number * element.size <= MAX_SIZE:
                raise memory_errors.wrong_size(number, element)
            size = number * element.size
            return self.allocate(MemoryObject("variable", size, effect.name, element, count, effect.span))

        return allocate

    def deallocate(self, effect: ir.Effect) -> Callable[..., Any]:
        """The end of the lifetime of a variable."""

        def deallocate(pointer: int) -> None:
            self.end(pointer, "variable", effect.span)

        return deallocate

    def make_constant(self, _: ir.Effect) -> Callable[..., Any]:
        """The end of the initialisation of a constant variable."""

        def make_constant(pointer: int) -> None:
            found, offset = self.place(pointer, 0)
            if found.origin == "variable" and offset == 0:
                found.is_constant = True

        return make_constant

    def malloc(self, effect: ir.Effect) -> Callable[..., Any]:
        """C's malloc. An object of the maximal size or more cannot be allocated: the result is null."""
        return lambda size: self._on_heap(size, effect.span, effect.resource)

    def calloc(self, effect: ir.Effect) -> Callable[..., Any]:
        """C's calloc, for zeroed memory."""
        return lambda count, size: self._on_heap(count * size, effect.span, initialised=True)

    def realloc(self, effect: ir.Effect) -> Callable[..., Any]:
        """C's realloc: a new object with the bytes of the old one. As with glibc, a size of 0 frees the old one."""

        def realloc(pointer: int, size: int) -> int:
            if pointer == 0:
                return self._on_heap(size, effect.span)
            if size > MAX_SIZE:
                return 0
            if size == 0:
                self._free(pointer, effect.span)
                return 0
            old = self.end(pointer, "heap", effect.span)
            new = self._on_heap(size, effect.span)
            found, kept = self.objects[-1], min(size, old.size)
            found.data[:kept], found.written[:kept] = old.data[:kept], old.written[:kept]
            return new

        return realloc

    def free(self, effect: ir.Effect) -> Callable[..., Any]:
        """C's free. Null has no effect."""
        return lambda pointer: self._free(pointer, effect.span)

    def _on_heap(self, size: int, span: Span | None, resource: str | None = None, *, initialised: bool = False) -> int:
        if size > MAX_SIZE:
            return 0
        return self.allocate(MemoryObject("heap", int(size), resource, start=span), initialised=initialised)

    def _free(self, pointer: int, span: Span | None) -> None:
        if pointer != 0:
            self.end(pointer, "heap", span)


def _object_of(data: ir.Data) -> MemoryObject:
    type = data.object_type
    element, count = (type.element, type.length) if isinstance(type, ir.Array) else (type, None)
    found = MemoryObject("data", type.size, data.shown_name, element, count, data.span)
    found.is_constant = data.is_constant
    return found


_LOW = (1 << 32) - 1

_ACTIONS = for_every_operation(
    "cpsconv.engines.machine.memory",
    {
        "load": lambda memory, effect: memory.load(effect.type),
        "load_or": lambda memory, effect: memory.load_or(effect.type),
        "store": lambda memory, effect: memory.store(effect.operands[0].type),
        "copy": Memory.copy,
        "allocate": Memory.local,
        "deallocate": Memory.deallocate,
        "make_constant": Memory.make_constant,
        "malloc": Memory.malloc,
        "calloc": Memory.calloc,
        "realloc": Memory.realloc,
        "free": Memory.free,
    },
    [op for op, row in EFFECTS.items() if row.is_on_memory],
    memory=True,
)
