"""Instructions that allocate and access objects in memory, and compute addresses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, cast

from cpsconv.abi.attributes import ON_STACK
from cpsconv.core.ir import NO_ATTRIBUTES, Constant, Value
from cpsconv.languages.arithmetic import BINARY
from cpsconv.languages.llvm.debug_info import declared
from cpsconv.languages.llvm.lowering import hint
from cpsconv.languages.llvm.module_text import RECORD, Line
from cpsconv.languages.llvm.ours.intrinsics import UPDATES
from cpsconv.languages.llvm.ours.object_types import Inexpressible, alignment_of, count_of, element_of
from cpsconv.languages.llvm.ours.operands import Aggregate, instruction_of
from cpsconv.languages.llvm.promotion import allocated_type
from cpsconv.languages.llvm.types import first_type

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.lowering import FunctionLowering


class Accesses:
    """The instructions of one function, by `handlers`. `allocated` are the objects that its returns deallocate."""

    def __init__(self, function: FunctionLowering) -> None:
        self.function, self.make, self.items, self.memory = function, function.make, function.items, function.memory
        self.allocated: list[Value] = []
        blocks = function.function.blocks
        lines = [line for block in blocks for line in block.lines]
        self._masked = _masked(lines)
        self._records = {
            line.names[0]: line for line in lines if line.op == RECORD and line.names and declared(line.text)
        }
        fixed = [line for line in blocks[0].lines if line.op == "alloca" and line.result]
        self._objects_at = {line.result: allocated_type(line.text) for line in fixed}
        self.handlers: dict[str, Callable[[Line], Any]] = {
            "alloca": self._allocate,
            "load": self._loaded,
            "store": self._stored,
            "atomicrmw": self._changed_atomically,
            "cmpxchg": self._exchanged,
            "fence": lambda line: None,
            "getelementptr": self._element,
        }

    def _allocate(self, line: Line) -> Value:
        text, *others = instruction_of(line.text).parts
        type = self.items.types.of(text)
        counts = self.function.operands(line, [each for each in others if each[0] == "i"])
        is_fixed = all(isinstance(each, Constant) for each in counts) and line.result in self._objects_at
        value = self.make.builder.effect(
            "allocate",
            *(counts or count_of(type)),
            of=type if counts else element_of(type),
            name=self._name_of(line.result or ""),
            span=self._records.get(line.result or "", line),
            alignment=alignment_of(type, instruction_of(line.text).alignment),
            attributes=NO_ATTRIBUTES if is_fixed else {ON_STACK: True},
        )
        if is_fixed:
            self.allocated.append(value)
        return value

    def _name_of(self, allocation: str) -> str:
        """The name of the variable in an allocation."""
        described = declared(self._records[allocation].text) if allocation in self._records else None
        return (described and self.function.debug.variable_name(described)) or hint(allocation)

    def _loaded(self, line: Line) -> Any:
        """A load. Of a value of which some bits are used, and of an object of another type, bytes may be unwritten."""
        type, address, *_ = instruction_of(line.text).parts
        [pointer] = self.function.operands(line, [address])
        is_converted = bool(line.names) and self._objects_at.get(line.names[0], type) != type
        return self.memory.load(type, pointer, is_part=line.result in self._masked or is_converted)

    def _stored(self, line: Line) -> None:
        stored, address, *_ = instruction_of(line.text).parts
        value, pointer = self.function.operands(line, [stored, address])
        self.memory.store(first_type(stored), value, pointer)

    def _changed_atomically(self, line: Line) -> Value:
        """``atomicrmw``: the old value in memory, which an operation replaces."""
        words, (address, part, *_) = instruction_of(line.text)
        pointer, value = self.function.operands(line, [address, part])
        self.function.require_value(value)
        compute, type = BINARY.get(words[-1]) or UPDATES.get(words[-1]), first_type(part)
        if compute is None:
            raise Inexpressible(f"`atomicrmw {words[-1]}`")
        old = self.memory.load(type, pointer)
        self.memory.store(type, compute(self.make, old, value), pointer)
        return cast(Value, old)

    def _exchanged(self, line: Line) -> Aggregate:
        """``cmpxchg``: the old value in memory, and whether it was the expected one and has been replaced."""
        parts = instruction_of(line.text).parts[:3]
        pointer, compared, value = self.function.operands(line, parts)
        type = first_type(parts[1])
        old = self.memory.load(type, pointer)
        is_equal = self.make("==", old, compared)
        self.memory.store(type, self.make.either(is_equal, value, old), pointer)
        return Aggregate(f"{{ {type}, i1 }}", [old, is_equal])

    def _element(self, line: Line) -> Value:
        type, *operands = instruction_of(line.text).parts
        pointer, *indices = self.function.operands(line, operands)
        for each in pointer, *indices:
            self.function.require_value(each)
        if line.names and line.names[0] in self._objects_at and line.result:
            self._objects_at[line.result] = self._element_type(type, indices[1:])
        return self.memory.element(type, pointer, indices)

    def _element_type(self, type: str, indices: Sequence[Value]) -> str:
        """The text of the type of an element within an object."""
        for index in indices:
            type, _ = self.items.types.member(type, int(index.value) if isinstance(index, Constant) else 0)
        return type


def _masked(lines: Sequence[Line]) -> set[str]:
    """The values of which only some bits are used: ``and`` with a constant is all that reads them.

    So compilers change bit-fields, whose other bits may never have been written.
    """
    uses = Counter(name for line in lines for name in line.names)
    alone = [line.names[0] for line in lines if line.op == "and" and len(line.names) == 1]
    return {name for name in alone if uses[name] == 1}
