"""Checked memory in native code: pointers with the number of an object, and checks before each access.

A pointer is a 64-bit integer, as in the evaluator (`cpsconv.core.operations.pointers`). `native_objects` has the table
of objects; the templates in `helpers` access it. Every operation on memory is the call of a helper with a fast path. If
a check fails, the helper calls the host, which performs the operation with the evaluator's code: that code raises the
error. So the native code decides whether an operation is correct, and never why it is not.

An address computed in steps, ``int.at(point.x(point.at(p, i)), j)``, has the object of its *root* `p`. Accesses use the
root to find the object, and so LLVM finds it once for all accesses with this root. The offset is a separate value,
which has 64 bits, so that it cannot wrap around to a correct one. `Offsets.far` is not limited to 32 bits yet: a check
rejects it anyway.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard, Union

from cpsconv.abi.attributes import CONSTANT_BYTES, LONGJMP, is_setjmp
from cpsconv.abi.library import enters_library
from cpsconv.abi.prototypes import require_provided
from cpsconv.core import ir
from cpsconv.core.analysis.graph import addressed_functions, transfer_uses
from cpsconv.core.operations.completeness import for_every_operation
from cpsconv.core.operations.objects import MemoryObject
from cpsconv.core.operations.pointers import MAX_SIZE, number_of
from cpsconv.core.operations.table import (
    ALLOCATE,
    COPY,
    ELEMENT,
    FIELD,
    LOAD,
    LOAD_OR,
    MAKE_BYTES_CONSTANT,
    MAKE_CONSTANT,
    OPERATIONS,
    STORE,
)
from cpsconv.core.source import Span
from cpsconv.engines.llvm.constant_stores import constant_stores
from cpsconv.engines.llvm.lasting_variables import lasting_variables
from cpsconv.engines.llvm.whole_objects import whole_objects
from cpsconv.engines.machine.memory import Memory
from cpsconv.targets.llvm.calling_convention import Prototype, by_pointer, external_prototype, wrapper
from cpsconv.targets.llvm.instructions import Instructions, Operand
from cpsconv.targets.llvm.memory_model import MemoryModel, MemoryWriter
from cpsconv.targets.llvm.vocabulary import NULL, POINTER, resizing, type_word

Site = Union[ir.Statement, ir.Call, ir.Jump]
"""A statement, call or jump that may fail; its number is its index in `CheckedMemory.sites`."""

VARIABLE, HEAP, FIRST_FUNCTION_TYPE = 1, 2, 16
"""The kinds of living objects, in the table. A function has its number of its type, others the kind 0."""

JUMP_BUFFER = 208
"""The bytes of a native buffer of `setjmp`: 200 on Linux, followed by the number of objects at the call."""

FUNCTIONS = "cpsconv.functions"
"""The global array with the code of the functions that have objects."""

DATA = "cpsconv.data"
"""The beginning of the symbols of the bytes of initial objects; their numbers follow."""


@dataclass(frozen=True, slots=True)
class Offsets:
    """The names of two values: an offset in the limits of a pointer, and the same before it was limited.

    The first one is defined only if the pointer itself or a further address needs it.
    """

    limited: str
    far: str


class CheckedMemory(MemoryModel):
    """The memory of a module for the host.

    `initial` has the objects at the start of a run, `functions` those functions among them, `types` the numbers of the
    types of functions, `symbols` the addresses of data that are accessed by name. A program is `is_protected` if some
    bytes of an object may be constant, and others not.
    """

    pointer = ir.UNSIGNED_LONG

    def prepare(self) -> None:
        """Compute what the model needs before the functions are written."""
        self.sites: list[Site] = []
        self._jump_buffers: dict[ir.Call, str] = {}
        self.symbols: dict[str, int] = {}
        self.numbers_of_types: dict[ir.ContinuationType, int] = {}
        self.initial = Memory()
        self.initial.define(self.program)
        self.functions = addressed_functions(self.program)
        for function in self.functions:
            self.initial.pointer_of(function)
        self.buffers = [_taken_buffer(each) for each in self.initial.objects]
        self._roots: dict[ir.Value, ir.Value] = {}
        self._offsets: dict[ir.Value, Offsets] = {}
        self._constants: dict[ir.Value, int | None] = {}
        self._bases, self._pointers, self._used = _uses_of_values(self.program)
        self._lasting = lasting_variables(self.program, self.root)
        self._merged = constant_stores(self.program, self._lasting, self.constant_offset, self.root)
        self._addresses: dict[ir.Value, str] = {}
        self._written: dict[ir.Value, str] = {}
        self.is_protected = _has_constant_bytes(self.program)
        self.externals = self._used_externals()
        self._whole = whole_objects(self.program, self.externals, self.uncertain, self._pointers, self.root)
        for external in self.externals:
            require_provided(external, "the evaluator")

    def _used_externals(self) -> list[ir.Function]:
        transfers = [member.transfer for member in self.program.members()]
        called = {transfer.callee for transfer in transfers if isinstance(transfer, ir.Call)}
        used = called.union(self.functions)
        return [each for each in self.program.externals if each in used and not is_setjmp(each)]

    @property
    def is_used(self) -> bool:
        """Whether the program uses memory."""
        return bool(self.sites)

    def site(self, place: Site) -> str:
        """The number of the place of an operation that may fail, as an operand."""
        self.sites.append(place)
        return f"i32 {len(self.sites) - 1}"

    # ------------------------------------------------------------------------------------------------- the model

    def address(self, target: ir.Data | ir.Function) -> str:
        """The pointer to data or to a function."""
        return str(self.initial.pointer_of(target))

    def external(self, function: ir.Function) -> Prototype:
        """The prototype of the helper for an external function."""
        return external_prototype(function, f"@cpsconv.library.{function.name}", self.pointer)

    def string(self, to: Instructions, statement: ir.Statement, pointer: Operand, limit: str) -> tuple[list[str], str]:
        """The instructions that check a string for output, of at most `limit` bytes, and the ``i8*`` to it."""
        lines, limit_operand = [], f"i64 {limit}"
        if limit.startswith("%"):
            wide = to.fresh("limit")
            lines.append(f"{wide} = sext i32 {limit} to i64")
            limit_operand = f"i64 {wide}"
        text = to.fresh("text")
        called = f"{self.support.helper('string')}({pointer}, {limit_operand}, {self.site(statement)})"
        return [*lines, f"{text} = call {POINTER} {called}"], text

    def before_call(self, to: Instructions, call: ir.Call) -> Iterator[str]:
        """Store the number of the call, for errors."""
        variable = "library.call" if enters_library(call) else "site"
        self.support.helper(variable)
        yield f"store {self.site(call)}, i32* @cpsconv.{variable}"

    def start(self, to: Instructions, function: ir.Function) -> Iterator[str]:
        """A native buffer for each call of `setjmp`."""
        for member in function.members():
            if isinstance(call := member.transfer, ir.Call) and is_setjmp(call.callee):
                self._jump_buffers[call] = to.fresh("jump.buffer")
                yield f"{self._jump_buffers[call]} = alloca [{JUMP_BUFFER} x i8], align 16"

    def jump_buffer(self, to: Instructions, call: ir.Call, pointer: Operand) -> tuple[list[str], str]:
        """The instructions that save the address of the native buffer, and that address as an operand."""
        buffer = f"{POINTER} {self._jump_buffers[call]}"
        return [f"call void {self.support.helper('save')}({pointer}, {buffer}, {self.site(call)})"], buffer

    def jump(self, span: Span | None, operands: Sequence[Operand]) -> str:
        """The call of the helper that finds the native buffer and jumps."""
        site = self.site(ir.Jump(ir.Edge(LONGJMP), span))
        return f"call void {self.support.helper('jump')}({', '.join(map(str, operands))}, {site})"

    def code(self, to: Instructions, call: ir.Call, pointer: Operand) -> tuple[list[str], str]:
        """The instructions that check a call through a pointer, and the address of the code."""
        code, site = to.fresh("code"), self.site(call)
        self.support.helper("site")
        type = self._number_of_type(call.callee.type)
        called = f"{self.support.helper('function')}({pointer}, i32 {type}, {site})"
        return [f"store {site}, i32* @cpsconv.site", f"{code} = call {POINTER} {called}"], code

    def definitions(self) -> Iterator[str]:
        """The code of the functions with objects, and the functions that call external ones for pointers."""
        if not self.is_used:
            return
        for name in ("new", "slowly", *["masks"] * self.is_protected):
            self.support.helper(name)
        yield from (f"@{symbol} = external global [0 x i8]" for symbol in self.symbols)
        code = []
        for function in self.functions:
            inner = self.prototypes[function]
            if function in self.externals:
                own = by_pointer(function, self.uncertain, self.support.counts_calls, self.pointer)
                yield from ("", *wrapper(own, inner, self.support, "internal "))
                code.append(f"{POINTER} {own.symbol}")
            else:
                code.append(f"{POINTER} {inner.symbol}")
        if code:
            yield from ("", f"@{FUNCTIONS} = dso_local global [{len(code)} x {POINTER}] [{', '.join(code)}]")
        for function in self.externals:
            self.support.helper(f"library.{function.name}")

    def _number_of_type(self, type: ir.ContinuationType) -> int:
        return self.numbers_of_types.setdefault(type, FIRST_FUNCTION_TYPE + len(self.numbers_of_types))

    def kind(self, number: int) -> int:
        """The kind of an initial object, in the table."""
        found = self.initial.called(number << 32)
        return self._number_of_type(found.type) if found else 0

    def buffer_address(self, number: int) -> int:
        """The address of the bytes of an initial object, followed by its marks."""
        return ctypes.addressof(ctypes.c_char.from_buffer(self.buffers[number]))

    # ------------------------------------------------------------------------------------------------- addresses

    def root(self, value: ir.Value) -> ir.Value:
        """The pointer from which an address was computed."""
        path = []
        while value not in self._roots and _is_address(value):
            path.append(value)
            value = value.operands[0]
        root = self._roots.get(value, value)
        self._roots.update((each, root) for each in path)
        return root

    def offsets(self, to: Instructions, value: ir.Value) -> tuple[list[str], Offsets]:
        """Instructions, and the offsets of a pointer that they define."""
        if (constant := self.constant_offset(value)) is not None:
            return [], Offsets(str(_limited(constant)), str(constant))
        if _is_address(value):
            if value not in self._offsets:
                own = to.operand(value).text
                limited = to.fresh("offset") if value in self._pointers else own
                self._offsets[value] = Offsets(limited, to.fresh("far") if self.is_limited(value) else own)
            return [], self._offsets[value]
        lines: list[str] = []
        name = to.computed(lines, "offset", f"call i64 {self.support.helper('offset')}({to.operand(value)})")
        return lines, Offsets(name, name)

    def constant_offset(self, value: ir.Value) -> int | None:
        """The offset of a pointer, before it is limited; None if it is not constant."""
        path = []
        while value not in self._constants and _is_address(value):
            path.append(value)
            value = value.operands[0]
        offset = self._constants.get(value, 0 if _is_start(value) else None)
        for each in reversed(path):
            distance = _constant_distance(each)
            offset = None if offset is None or distance is None else _limited(offset) + distance
            self._constants[each] = offset
        return offset

    def is_at(self, address: ir.Value, distance: str) -> bool:
        """Whether all uses of the address, which is only accessed, can have the `distance` from an object's start."""
        if self.is_limited(address) or address in self._offsets:
            return False
        self._offsets[address] = Offsets(distance, distance)
        return True

    def is_limited(self, address: ir.Value) -> bool:
        """Whether the offset of an address is needed in the limits of a pointer."""
        return address in self._pointers or address in self._bases

    def is_pointer(self, address: ir.Value) -> bool:
        """Whether the address is needed as a pointer."""
        return address in self._pointers

    def is_lasting(self, variable: ir.Value) -> bool:
        """Whether accesses of the variable use its address."""
        return variable in self._lasting

    def size_of_lasting(self, variable: ir.Value) -> int:
        """The size of a lasting variable in bytes."""
        return self._lasting[variable]

    def address_of(self, to: Instructions, variable: ir.Value) -> str:
        """The name of the address of the bytes of a lasting variable, which is defined after its allocation."""
        if variable not in self._addresses:
            self._addresses[variable] = to.fresh("address")
        return self._addresses[variable]

    def merged(self, store: ir.Statement, value: Operand) -> Operand | None:
        """The value that the store writes; None if it is a part of the store before it."""
        stored = self._merged.get(store)
        if stored is None:
            return value
        return Operand(_UNSIGNED[len(stored)], str(int.from_bytes(stored, "little"))) if stored else None

    def is_unwritten_load(self, value: ir.Value) -> bool:
        """Whether the value is a load of an object that may be unwritten, undefined if one of its bytes is."""
        if not isinstance(value, ir.Effect) or value.op != LOAD_OR or not isinstance(value.operands[1], ir.Undef):
            return False
        return value in self.uncertain and not self.is_whole(value.operands[0])

    def is_only_stored(self, value: ir.Value) -> bool:
        """Whether the value has no use but as the value that stores store."""
        return value not in self._used

    def is_written(self, to: Instructions, loaded: ir.Value) -> str:
        """The name of whether the bytes that `_load_unwritten` loads were written, which is defined after the load."""
        if loaded not in self._written:
            self._written[loaded] = to.fresh("is.written")
        return self._written[loaded]

    def place(self, to: Instructions, pointer: ir.Value) -> tuple[list[str], str]:
        """Instructions, and the root and offset of a place as operands."""
        lines, offsets = self.offsets(to, pointer)
        return lines, f"{to.operand(self.root(pointer))}, i64 {offsets.far}"

    def is_whole(self, pointer: ir.Value) -> bool:
        """Whether every byte of the object was written."""
        return self.root(pointer) in self._whole

    def access(self, to: Instructions, helper: str, pointer: ir.Value) -> tuple[list[str], str, str]:
        """Instructions, the kind of the helper for an access, and the place as operands.

        The address of data is a symbol, so that the text has no address, and their size a constant; those of a lasting
        variable are known. An access of an object that stays written needs no marks.
        """
        lines, place = self.place(to, pointer)
        root = self.root(pointer)
        is_store = helper == "store"
        if isinstance(root, ir.Data) and not (is_store and CONSTANT_BYTES in root.attributes):
            number = number_of(self.initial.pointer_of(root))
            size = 0 if is_store and root.is_constant else root.object_type.size
            helper += "_in"
            symbol = f"{DATA}.{number}"
            self.symbols[symbol] = self.buffer_address(number)
            place = f"{POINTER} @{symbol}, i64 {size}, {place}"
        elif root in self._lasting:
            helper += "_in"
            place = f"{POINTER} {self.address_of(to, root)}, i64 {self._lasting[root]}, {place}"
        elif is_store and self.is_protected:
            helper = "protected_store"
        return lines, helper + "_whole" * self.is_whole(root), place


_UNSIGNED = {type.size: type for type in (ir.UNSIGNED_CHAR, ir.UNSIGNED_SHORT, ir.UNSIGNED, ir.UNSIGNED_LONG)}
"""The unsigned types by their sizes."""


def _has_constant_bytes(program: ir.Program) -> bool:
    """Whether some bytes of an object may be constant, and others not."""
    is_stated = any(CONSTANT_BYTES in each.attributes for each in program.data)
    return is_stated or any(each.op == MAKE_BYTES_CONSTANT for each in program.statements())


_PLACES = {ELEMENT: 0, FIELD: 0, LOAD: 0, LOAD_OR: 0, STORE: 1}
"""The index of the operand of which an operation needs the place only."""


def _uses_of_values(program: ir.Program) -> tuple[set[ir.Value], set[ir.Value], set[ir.Value]]:
    """The values to which further addresses are relative, those that are used as pointers, if they are any, and those
    with another use than as the value of a store.
    """
    bases, pointers, used = set[ir.Value](), set[ir.Value](), set[ir.Value]()
    for member in program.members():
        passed = [*transfer_uses(member)]
        pointers.update(passed)
        used.update(passed)
        for statement in member.body:
            if statement.op in (ELEMENT, FIELD):
                bases.add(statement.operands[0])
            used.update(statement.operands[statement.op == STORE :])
            if statement.op != COPY:
                place = _PLACES.get(statement.op)
                pointers.update(each for index, each in enumerate(statement.operands) if index != place)
    return bases, pointers, used


def _is_address(value: ir.Value) -> TypeGuard[ir.Primitive]:
    """Whether the value is computed from another address."""
    return isinstance(value, ir.Primitive) and value.op in (ELEMENT, FIELD)


def _is_start(value: ir.Value) -> bool:
    """Whether the value points to the start of an object, or is constant."""
    if isinstance(value, ir.Effect):
        return value.op in _ALLOCATIONS
    return isinstance(value, (ir.Data, ir.Function, ir.Constant))


_ALLOCATIONS = (ALLOCATE, "malloc", "calloc", "realloc")


def _taken_buffer(found: MemoryObject) -> bytearray:
    """The bytes of an initial object, which loses them, with a mark for each of them, and a further byte."""
    found.written = bytearray()
    buffer = bytearray(b"\xff") * (2 * found.size + 1)
    buffer[: found.size] = found.data
    found.data = bytearray()
    return buffer


def _address(
    memory: CheckedMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand]
) -> list[str]:
    """The offset of an element or field, and the pointer, if they are needed."""
    lines: list[str] = []
    last = ""
    if memory.constant_offset(statement) is None:
        lines, given = memory.offsets(to, statement.operands[0])
        distance = _distance(memory, to, statement, operands, lines)
        if given.limited == "0" and memory.is_at(statement, distance):
            return [*lines, ""]
        last = f"add nsw i64 {given.limited}, {distance}"
    _, own = memory.offsets(to, statement)
    if last and memory.is_limited(statement):
        lines.append(f"{own.far} = {last}")
        last = f"call i64 {memory.support.helper('limited')}(i64 {own.far})"
    if memory.is_pointer(statement):
        lines += [f"{own.limited} = {last}"] * (last != "")
        root = to.operand(memory.root(statement))
        last = f"call i64 {memory.support.helper('pointer')}({root}, i64 {own.limited})"
    return [*lines, last]


_FAR = 1 << 32
"""The largest index that is distinguished from larger ones: no object has so many elements."""


def _limited(offset: int) -> int:
    """The offset in the limits of a pointer."""
    return max(-(1 << 31), min(offset, (1 << 31) - 1))


def _constant_distance(statement: ir.Statement) -> int | None:
    """The distance of an element or field in bytes; None if it is not constant."""
    if isinstance(statement.of, ir.Field):
        return statement.of.offset
    index = statement.operands[1]
    if not isinstance(index, ir.Constant):
        return None
    return max(-_FAR, min(int(index.value), _FAR)) * ir.object_type_of(statement).size


def _distance(
    memory: CheckedMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand], lines: list[str]
) -> str:
    """The distance of an element or field in bytes, as a 64-bit integer. Its instructions are added to `lines`."""
    if (constant := _constant_distance(statement)) is not None:
        return str(constant)
    size, index = ir.object_type_of(statement).size, operands[1]
    wide = index.text
    if index.type.bits < 64:
        wide = to.computed(lines, "wide", f"{resizing(index.type, ir.LONG)} {index} to i64")
    else:
        limits = [("smax", -_FAR), ("smin", _FAR)] if index.type.signed else [("umin", _FAR)]
        for intrinsic, limit in limits:
            called = f"{memory.support.library(f'llvm.{intrinsic}.i64')}(i64 {wide}, i64 {limit})"
            wide = to.computed(lines, "wide", f"call i64 {called}")
    return wide if size == 1 else to.computed(lines, "distance", f"mul nsw i64 {wide}, {size}")


def _load(memory: CheckedMemory, to: Instructions, statement: ir.Statement, _: Sequence[Operand]) -> list[str]:
    lines, helper, place = memory.access(to, "load", statement.operands[0])
    type = memory.pointer if statement.type is ir.PTR else statement.type
    called = f"{memory.support.helper(helper, type)}({place}, {memory.site(statement)})"
    return [*lines, f"call {type_word(type)} {called}"]


def _load_or(
    memory: CheckedMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand]
) -> list[str]:
    """A load with a default value. If that may be undefined, the companion of the result depends on the marks."""
    result = to.operand(statement)
    if memory.is_whole(statement.operands[0]):
        always = [f"{result.unset} = bitcast {POINTER} {NULL} to {POINTER}"] * (result.unset != NULL)
        return [*always, *_load(memory, to, statement, operands)]
    if memory.is_unwritten_load(statement):
        return _load_unwritten(memory, to, statement, operands[1].unset)
    lines, place = memory.place(to, statement.operands[0])
    default = operands[1]
    if default.text == "undef":
        default = replace(default, text="null" if default.type is ir.PTR else "zeroinitializer")
    called = f"{memory.support.helper('load_or', result.type)}({default}, {place}, {memory.site(statement)})"
    loaded = f"call {type_word(result.type)} {called}"
    if result.unset == NULL:
        return [*lines, loaded]
    value, mark, is_written = to.fresh("loaded"), to.fresh("mark"), to.fresh("is.written")
    bits = f"i{result.type.bits}"
    return [
        *lines,
        f"{value} = {loaded}",
        f"{mark} = call {bits} {memory.support.helper('marks', result.type)}({place})",
        f"{is_written} = icmp eq {bits} {mark}, -1",
        f"{result.unset} = select i1 {is_written}, {POINTER} {NULL}, {POINTER} {default.unset}",
        f"bitcast {type_word(result.type)} {value} to {type_word(result.type)}",
    ]


def _load_unwritten(memory: CheckedMemory, to: Instructions, statement: ir.Statement, unset: str) -> list[str]:
    """A load that is undefined, with the companion `unset`, if a byte was not written. A copy needs no companion."""
    result = to.operand(statement)
    lines, helper, place = memory.access(to, "load", statement.operands[0])
    value, mark, is_written = to.fresh("loaded"), to.fresh("mark"), memory.is_written(to, statement)
    bits, marks = f"i{result.type.bits}", helper.replace("load", "marks")
    unchecked = f"{helper}_whole"
    called = f"{memory.support.helper(unchecked, result.type)}({place}, {memory.site(statement)})"
    lines += [
        f"{value} = call {type_word(result.type)} {called}",
        f"{mark} = call {bits} {memory.support.helper(marks, result.type)}({place})",
        f"{is_written} = icmp eq {bits} {mark}, -1",
    ]
    if not memory.is_only_stored(statement):
        lines.append(f"{result.unset} = select i1 {is_written}, {POINTER} {NULL}, {POINTER} {unset}")
    return [*lines, f"bitcast {type_word(result.type)} {value} to {type_word(result.type)}"]


def _store(memory: CheckedMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand]) -> list[str]:
    value, mark = memory.merged(statement, operands[0]), "-1"
    if value is None:
        return []
    lines, helper, place = memory.access(to, "store", statement.operands[1])
    bits = f"i{value.type.bits}"
    if value.unset != NULL:
        stored = statement.operands[0]
        if not memory.is_unwritten_load(stored):
            is_defined = to.fresh("is.defined")
            lines.append(f"{is_defined} = icmp eq {POINTER} {value.unset}, {NULL}")
        else:
            is_defined = memory.is_written(to, stored)
        mark = to.fresh("mark")
        lines.append(f"{mark} = select i1 {is_defined}, {bits} -1, {bits} 0")
    called = f"{memory.support.helper(helper, value.type)}({value}, {bits} {mark}, {place}, {memory.site(statement)})"
    return [*lines, f"call void {called}"]


def _copy(memory: CheckedMemory, to: Instructions, statement: ir.Statement, _: Sequence[Operand]) -> list[str]:
    source, target = statement.operands
    (lines, start), (more, end) = memory.place(to, source), memory.place(to, target)
    size = ir.object_type_of(statement).size
    called = f"{memory.support.helper('copy')}({start}, {end}, i64 {size}, {memory.site(statement)})"
    return [*lines, *more, f"call void {called}"]


def _allocate(
    memory: CheckedMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand]
) -> list[str]:
    """A lasting variable has a constant size; otherwise the number of elements is compared with the largest one."""
    if memory.is_lasting(statement):
        return _allocate_lasting(memory, to, statement)
    size, count = ir.object_type_of(statement).size, "1"
    lines: list[str] = []
    if operands:
        (given,) = operands
        count = given.text
        if given.type.bits < 64:
            count = to.fresh("count")
            lines.append(f"{count} = {resizing(given.type, ir.LONG)} {given} to i64")
    most = MAX_SIZE // size if size else -1
    called = f"{memory.support.helper('variable')}(i64 {count}, i64 {most}, i64 {size}, {memory.site(statement)})"
    return [*lines, f"call i64 {called}"]


def _allocate_lasting(memory: CheckedMemory, to: Instructions, statement: ir.Statement) -> list[str]:
    variable, address = to.fresh("variable"), memory.address_of(to, statement)
    operands = f"i64 {memory.size_of_lasting(statement)}, {memory.site(statement)}, i32 {VARIABLE}, i1 false"
    return [
        f"{variable} = call i64 {memory.support.helper('new')}({operands})",
        f"{address} = call {POINTER} {memory.support.helper('address')}(i64 {variable})",
        f"bitcast i64 {variable} to i64",
    ]


def _deallocate(
    memory: CheckedMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand]
) -> list[str]:
    """A lasting variable exists until then."""
    helper = memory.support.helper("end" if memory.is_lasting(statement.operands[0]) else "deallocate")
    return [f"call void {helper}({operands[0]}, {memory.site(statement)})"]


def _helper_call(kind: str, result: str) -> MemoryWriter:
    """A call of a helper with the operands and the site."""

    def write(
        memory: CheckedMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand]
    ) -> Sequence[str]:
        passed = ", ".join([*map(str, operands), memory.site(statement)])
        return [f"call {result} {memory.support.helper(kind)}({passed})"]

    return write


def _make_constant(
    memory: CheckedMemory, to: Instructions, statement: ir.Statement, operands: Sequence[Operand]
) -> list[str]:
    """If some bytes of an object may be constant, and others not, the host notes them."""
    if not memory.is_protected:
        return [f"call void {memory.support.helper(MAKE_CONSTANT)}({operands[0]}, {memory.site(statement)})"]
    size = operands[1] if statement.op == MAKE_BYTES_CONSTANT else "i64 0"
    return [f"call void {memory.support.helper(MAKE_BYTES_CONSTANT)}({operands[0]}, {size}, {memory.site(statement)})"]


CheckedMemory.writers = for_every_operation(
    "cpsconv.engines.llvm",
    {
        ELEMENT: _address,
        FIELD: _address,
        LOAD: _load,
        LOAD_OR: _load_or,
        STORE: _store,
        COPY: _copy,
        ALLOCATE: _allocate,
        "deallocate": _deallocate,
        MAKE_CONSTANT: _make_constant,
        MAKE_BYTES_CONSTANT: _make_constant,
        "free": _helper_call("free", "void"),
        **{op: _helper_call(op, "i64") for op in ("malloc", "calloc", "realloc")},
    },
    [op for op, row in OPERATIONS.items() if row.is_on_memory],
    memory=True,
)
