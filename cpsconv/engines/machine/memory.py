"""The memory of the machine: the operations on objects as fast functions, and the record of changes for traces.

An object whose lifetime has ended has no bytes left, and neither has the object 0, null. So one comparison of an offset
with the number of bytes checks a load or store. Where it fails, the slow operation of `Objects` is performed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from cpsconv.core import ir
from cpsconv.core.entry import require_no_external_data
from cpsconv.core.operations.completeness import for_every_operation
from cpsconv.core.operations.objects import Objects
from cpsconv.core.operations.pointers import format_of, moved, number_of, offset_of, pointer_to
from cpsconv.core.operations.runtime_errors import Undefined, defined
from cpsconv.core.operations.table import EFFECTS
from cpsconv.core.source import Span


@dataclass(frozen=True, slots=True)
class Change:
    """A change of memory: the value of the type at the pointer, which is None if it is undefined."""

    pointer: int
    type: ir.Scalar
    value: Any


class Memory(Objects):
    """The objects of one run, and the operations on them.

    If `changes` is a list, each change is appended to it, and `types` has the types of the values that were stored, by
    the number of the object and the offset. `library_call` is the location of the last call of a library function.
    """

    def __init__(self, changes: list[Change] | None = None) -> None:
        super().__init__()
        self.changes = changes
        self.library_call: Span | None = None
        self.types: dict[int, dict[int, ir.Scalar]] = {}

    def define(self, program: ir.Program) -> None:
        """Create the objects of the data of the program. Raises `DiagnosticError` if it has external data."""
        require_no_external_data(program, "the evaluator")
        super().define(program)

    def action(self, effect: ir.Effect) -> Callable[..., Any]:
        """The function from the operands of an operation on memory to its result."""
        return _ACTIONS[effect.op](self, effect)

    def end_variable(self, number: int) -> None:
        """End the lifetime of an object, if it is a variable that still exists."""
        if self.objects[number].origin == "variable" and not self.objects[number].ended:
            self.end(pointer_to(number), "variable", None)

    # ------------------------------------------------------------------------------------------- loads and stores

    def loader(self, type: ir.Scalar) -> Callable[[int], Any]:
        """The load of a scalar of the type."""
        objects, load_slowly = self.objects, self.load
        unpack, size, complete = format_of(type).unpack_from, type.size, b"\1" * type.size

        def load(pointer: int) -> Any:
            number, offset = pointer >> 32, pointer & _LOW  # a negative offset is 2 ** 31 or more here: out of bounds
            found = objects[number] if number < len(objects) else objects[0]
            if offset + size > len(found.data) or found.written[offset : offset + size] != complete:
                return load_slowly(type, pointer)
            return unpack(found.data, offset)[0]

        return load

    def default_loader(self, type: ir.Type) -> Callable[[int, Any], Any]:
        """The load of a scalar, whose bytes that were never written are those of a default value."""
        assert isinstance(type, ir.Scalar)
        return partial(self.load_or, type)

    def storer(self, type: ir.Type) -> Callable[[Any, int], None]:
        """The store of a scalar of the type."""
        assert isinstance(type, ir.Scalar)
        objects, store_slowly, changes = self.objects, self.store, self.changes
        pack, size, complete = format_of(type).pack_into, type.size, b"\1" * type.size

        def store(value: Any, pointer: int) -> None:
            number, offset = pointer >> 32, pointer & _LOW  # a negative offset is 2 ** 31 or more here: out of bounds
            found = objects[number] if number < len(objects) else objects[0]
            if offset + size > len(found.data) or found.constant or value.__class__ is Undefined:
                store_slowly(type, value, pointer)
            else:
                pack(found.data, offset, value)
                found.written[offset : offset + size] = complete
            if changes is not None:
                self._record(Change(pointer, type, None if isinstance(value, Undefined) else value))

        return store

    def string(self, pointer: int, limit: int = -1, load: Callable[[int], int] | None = None) -> str:
        """As in `Objects`, by the fast load."""
        return super().string(pointer, limit, load or self.loader(ir.CHAR))

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


_LOW = (1 << 32) - 1

_ACTIONS: Mapping[str, Callable[[Memory, ir.Effect], Callable[..., Any]]] = for_every_operation(
    "cpsconv.engines.machine.memory",
    {
        "load": lambda memory, effect: memory.loader(effect.type),
        "load_or": lambda memory, effect: memory.default_loader(effect.type),
        "store": lambda memory, effect: memory.storer(effect.operands[0].type),
        "copy": Memory.copy,
        "allocate": lambda memory, effect: partial(memory.variable, effect),
        "deallocate": lambda memory, effect: lambda pointer: memory.end(pointer, "variable", effect.span),
        "make_constant": lambda memory, effect: memory.make_constant,
        "make_bytes_constant": lambda memory, effect: memory.make_bytes_constant,
        "malloc": lambda memory, effect: partial(memory.on_heap, effect),
        "calloc": lambda memory, effect: lambda count, size: memory.on_heap(effect, count * size, initialised=True),
        "realloc": lambda memory, effect: partial(memory.resized, effect),
        "free": lambda memory, effect: partial(memory.release, effect),
    },
    [op for op, row in EFFECTS.items() if row.is_on_memory],
    memory=True,
)
