"""The operations on memory, on the objects that `cpsconv.core.operations.objects` defines and checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cpsconv.core.ir import CHAR, Effect, Scalar, object_type_of
from cpsconv.core.operations import memory_errors
from cpsconv.core.operations.completeness import for_every_operation
from cpsconv.core.operations.names import CREATE, CREATE_ZEROED, RELEASE, RESIZE
from cpsconv.core.operations.objects import Objects
from cpsconv.core.operations.pointers import format_of, moved
from cpsconv.core.operations.runtime_errors import Undefined, defined
from cpsconv.core.operations.table import EFFECTS


class Memory(Objects):
    """The objects of one run, and the values in them. Each method raises `ProgramError` for what is wrong."""

    def load(self, type: Scalar, pointer: int) -> Any:
        """The value of the type at the pointer, whose bytes must all have been written."""
        found, offset = self.place(pointer, type.size, type)
        if not all(found.written[offset : offset + type.size]):
            raise memory_errors.unwritten(found, offset, type.size, type)
        return format_of(type).unpack_from(found.data, offset)[0]

    def load_or(self, type: Scalar, pointer: int, default: Any) -> Any:
        """The value of the type at the pointer; bytes that were never written are those of a default value.

        If the default value is undefined, and some of the bytes were never written, the result is undefined, too.
        """
        found, offset = self.place(pointer, type.size, type)
        place = slice(offset, offset + type.size)
        if isinstance(default, Undefined) and not all(found.written[place]):
            return default
        spare = bytes(type.size) if isinstance(default, Undefined) else format_of(type).pack(default)
        pairs = zip(found.written[place], found.data[place], spare, strict=True)
        return format_of(type).unpack(bytes(own if is_written else other for is_written, own, other in pairs))[0]

    def store(self, type: Scalar, value: Any, pointer: int) -> None:
        """Write a value of the type at the pointer. An undefined value makes the bytes unwritten."""
        found, offset = self.changed_place(pointer, type.size, type)
        place = slice(offset, offset + type.size)
        if isinstance(value, Undefined):
            found.written[place] = bytes(type.size)
        else:
            found.data[place] = format_of(type).pack(value)
            found.written[place] = b"\1" * type.size

    def copy(self, effect: Effect, source: int, target: int) -> None:
        """Copy an object of the object type of the effect, with the record of written bytes."""
        unit = object_type_of(effect)
        self.move(defined(source), defined(target), unit.size, unit)

    def execute(self, effect: Effect, values: Sequence[Any]) -> Any:
        """The result of an operation on memory, for the values of its operands."""
        return MEMORY_OPERATIONS[effect.op](self, effect, *values)

    def string(self, pointer: int, limit: int = -1) -> str:
        """The characters before the next zero byte, or the first `limit` ones unless it is negative."""
        found = ""
        while len(found) != limit and (byte := self.load(CHAR, moved(pointer, len(found)))):
            found += chr(byte & 0xFF)
        return found


MEMORY_OPERATIONS: Mapping[str, Callable[..., Any]] = for_every_operation(
    "cpsconv.core.evaluator",
    {
        "load": lambda memory, effect, pointer: memory.load(effect.type, pointer),
        "load_or": lambda memory, effect, pointer, default: memory.load_or(effect.type, pointer, default),
        "store": lambda memory, effect, value, pointer: memory.store(effect.operands[0].type, value, pointer),
        "copy": Memory.copy,
        "allocate": Memory.variable,
        "deallocate": lambda memory, effect, pointer: memory.end(pointer, "variable", effect.span),
        "make_constant": lambda memory, effect, pointer: memory.make_constant(pointer),
        "make_bytes_constant": lambda memory, effect, pointer, size: memory.make_bytes_constant(pointer, size),
        CREATE: Memory.on_heap,
        CREATE_ZEROED: lambda memory, effect, count, size: memory.on_heap(effect, count * size, initialised=True),
        RESIZE: Memory.resized,
        RELEASE: Memory.free,
    },
    [op for op, row in EFFECTS.items() if row.is_on_memory],
    memory=True,
)
"""The operations on memory, as functions from the memory, the effect and the values of its operands to its result."""
