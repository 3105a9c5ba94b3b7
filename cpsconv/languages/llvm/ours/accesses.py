"""Instructions that allocate and access objects in memory, and compute addresses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, cast

from cpsconv.abi.attributes import ON_STACK
from cpsconv.core.ir import NO_ATTRIBUTES, Constant, Value
from cpsconv.languages.arithmetic import BINARY
from cpsconv.languages.llvm.debug_info import declared
from cpsconv.languages.llvm.lowering import hint
from cpsconv.languages.llvm.module_text import RECORD, Block, Line
from cpsconv.languages.llvm.ours.intrinsics import UPDATES
from cpsconv.languages.llvm.ours.object_types import Inexpressible, alignment_of, count_of, element_of
from cpsconv.languages.llvm.ours.operands import Aggregate, Handler, instruction_of
from cpsconv.languages.llvm.promotion import allocated_type
from cpsconv.languages.llvm.types import first_type

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.lowering import FunctionLowering


class Objects:
    """The objects of one function, by the names of their addresses.

    `types` has the texts of the types of objects of fixed size, and of their elements; `records` the debug information
    that declares the variables. `allocated` are the objects that returns deallocate, `masked` the values of which only
    some bits are used.
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        lines = [line for block in blocks for line in block.lines]
        fixed = [line for line in blocks[0].lines if line.op == "alloca" and line.result]
        self.types = {line.result: allocated_type(line) for line in fixed}
        self.records = {
            each.names[0]: each for each in lines if each.op == RECORD and each.names and declared(each.text)
        }
        self.allocated: list[Value] = []
        self.masked = _masked(lines)


def _masked(lines: Sequence[Line]) -> set[str]:
    """The values of which only some bits are used: ``and`` with a constant is all that reads them.

    So compilers change bit-fields, whose other bits may never have been written.
    """
    uses = Counter(name for line in lines for name in line.names)
    alone = [line.names[0] for line in lines if line.op == "and" and len(line.names) == 1]
    return {name for name in alone if uses[name] == 1}


def _allocate(function: FunctionLowering, line: Line) -> Value:
    text, *others = instruction_of(line.text).parts
    type = function.items.types.of(text)
    counts = function.operands(line, [each for each in others if each[0] == "i"])
    is_fixed = all(isinstance(each, Constant) for each in counts) and line.result in function.objects.types
    value = function.b.effect(
        "allocate",
        *(counts or count_of(type)),
        of=type if counts else element_of(type),
        name=_name_of(function, line.result or ""),
        span=function.objects.records.get(line.result or "", line),
        alignment=alignment_of(type, instruction_of(line.text).alignment),
        attributes=NO_ATTRIBUTES if is_fixed else {ON_STACK: True},
    )
    if is_fixed:
        function.objects.allocated.append(value)
    return value


def _name_of(function: FunctionLowering, allocation: str) -> str:
    """The name of the variable in an allocation."""
    described = declared(function.objects.records[allocation].text) if allocation in function.objects.records else None
    return (described and function.debug.variable_name(described)) or hint(allocation)


def _loaded(function: FunctionLowering, line: Line) -> Any:
    """A load. Of a value of which some bits are used, and of an object of another type, bytes may be unwritten."""
    type, address, *_ = instruction_of(line.text).parts
    [pointer] = function.operands(line, [address])
    is_converted = bool(line.names) and function.objects.types.get(line.names[0], type) != type
    return function.memory.load(type, pointer, is_part=line.result in function.objects.masked or is_converted)


def _stored(function: FunctionLowering, line: Line) -> None:
    stored, address, *_ = instruction_of(line.text).parts
    value, pointer = function.operands(line, [stored, address])
    function.memory.store(first_type(stored), value, pointer)


def _changed_atomically(function: FunctionLowering, line: Line) -> Value:
    """``atomicrmw``: the old value in memory, which an operation replaces."""
    words, (address, part, *_) = instruction_of(line.text)
    pointer, value = function.operands(line, [address, part])
    function.require_value(value)
    compute, type = BINARY.get(words[-1]) or UPDATES.get(words[-1]), first_type(part)
    if compute is None:
        raise Inexpressible(f"`atomicrmw {words[-1]}`")
    old = function.memory.load(type, pointer)
    function.memory.store(type, compute(function.make, old, value), pointer)
    return cast(Value, old)


def _exchanged(function: FunctionLowering, line: Line) -> Aggregate:
    """``cmpxchg``: the old value in memory, and whether it was the expected one and has been replaced."""
    parts = instruction_of(line.text).parts[:3]
    pointer, compared, value = function.operands(line, parts)
    type = first_type(parts[1])
    old = function.memory.load(type, pointer)
    is_equal = function.make("==", old, compared)
    function.memory.store(type, function.make.either(is_equal, value, old), pointer)
    return Aggregate(f"{{ {type}, i1 }}", [old, is_equal])


def _element(function: FunctionLowering, line: Line) -> Value:
    type, *operands = instruction_of(line.text).parts
    pointer, *indices = function.operands(line, operands)
    for each in pointer, *indices:
        function.require_value(each)
    if line.names and line.names[0] in function.objects.types and line.result:
        function.objects.types[line.result] = _element_type(function, type, indices[1:])
    return function.memory.element(type, pointer, indices)


def _element_type(function: FunctionLowering, type: str, indices: Sequence[Value]) -> str:
    """The text of the type of an element within an object."""
    for index in indices:
        type, _ = function.items.types.member(type, int(index.value) if isinstance(index, Constant) else 0)
    return type


ACCESSES: dict[str, Handler] = {
    "alloca": _allocate,
    "load": _loaded,
    "store": _stored,
    "atomicrmw": _changed_atomically,
    "cmpxchg": _exchanged,
    "fence": lambda function, line: None,
    "getelementptr": _element,
}
"""The instructions that allocate or access objects, or compute addresses."""
