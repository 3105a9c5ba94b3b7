"""The operations on memory, on the objects that `cpsconv.core.operations.objects` defines and checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from cpsconv.core.ir import Effect, object_type_of
from cpsconv.core.operations.completeness import for_every_operation
from cpsconv.core.operations.names import CREATE, CREATE_ZEROED, RELEASE, RESIZE
from cpsconv.core.operations.objects import Objects
from cpsconv.core.operations.runtime_errors import defined
from cpsconv.core.operations.table import EFFECTS


class Memory(Objects):
    """The objects of one run, and the operations on them. Each method raises `ProgramError` for what is wrong."""

    def copy(self, effect: Effect, source: int, target: int) -> None:
        """Copy an object of the object type of the effect, with the record of written bytes."""
        unit = object_type_of(effect)
        self.move(defined(source), defined(target), unit.size, unit)

    def execute(self, effect: Effect, values: Sequence[Any]) -> Any:
        """The result of an operation on memory, for the values of its operands."""
        return MEMORY_OPERATIONS[effect.op](self, effect, *values)


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
        RELEASE: Memory.release,
    },
    [op for op, row in EFFECTS.items() if row.is_on_memory],
    memory=True,
)
"""The operations on memory, as functions from the memory, the effect and the values of its operands to its result."""
