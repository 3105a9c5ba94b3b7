"""The table of objects of a running native program, and the slow path of its operations on memory.

The table has an entry for each object number: the address of the object's bytes, its size, and the size for stores. A
second table has records for messages: the sites of the creation and of the end, and the kind (see `checked_memory`).
Initial objects, which have no site, are described by `CheckedMemory.initial`.

The slow path performs an operation with the evaluator's code on a view of the native objects, so that this code raises
the error of the operation. An operation that is not wrong changes an object of which some bytes are constant. The size
for stores of such an object is 0, a mask has its constant bytes, and what the operation wrote to the view is written
back.
"""

from __future__ import annotations

import ctypes
import mmap
import os
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, cast, overload

from cpsconv.abi.attributes import is_setjmp
from cpsconv.core.attributes import stated
from cpsconv.core.entry import data_parameters
from cpsconv.core.ir import LONG, Call, Effect, Jump, Scalar, Type
from cpsconv.core.nodes import replace
from cpsconv.core.operations.objects import MemoryObject
from cpsconv.core.operations.pointers import number_of, offset_of
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.operations.table import LOAD_OR, OPERATIONS, STORE
from cpsconv.core.operations.types import wrap
from cpsconv.core.source import Span
from cpsconv.engines.llvm.checked_memory import FUNCTIONS, HEAP, CheckedMemory
from cpsconv.engines.llvm.child import NativeOutput, end, ending_failures, report_error
from cpsconv.engines.llvm.helpers import LIBRARY_FUNCTIONS, OBJECTS
from cpsconv.engines.machine.jumps import Jumps
from cpsconv.engines.machine.library import Library, entry_of_external
from cpsconv.engines.machine.limits import OutputBudget, OutputExhausted
from cpsconv.engines.machine.memory import Memory
from cpsconv.engines.machine.system import RedirectedStream, System


class _Entry(ctypes.Structure):
    _fields_ = (("base", ctypes.c_uint64), ("size", ctypes.c_uint32), ("writable", ctypes.c_uint32))


class _Record(ctypes.Structure):
    _fields_ = (("site", ctypes.c_int32), ("end", ctypes.c_int32), ("kind", ctypes.c_int32), ("next", ctypes.c_uint32))


SlowPath = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_int32, ctypes.c_int32, *[ctypes.c_uint64] * 3)
"""The type of the function of the host: the numbers of a site and of a library function, and up to three operands."""


class NativeObjects(Sequence[MemoryObject]):
    """The objects of the program that `engine` runs, by number, as the evaluator represents them: a view.

    To be created in the process of the program, before its start. Raises `MemoryError` if there is no space for it.
    """

    def __init__(self, memory: CheckedMemory, engine: Any, max_memory: int | None, budget: OutputBudget) -> None:
        self._memory = memory
        self._engine = engine
        self._initial = memory.initial.objects
        self._views: dict[int, MemoryObject] = {}
        self._constant: dict[int, Sequence[range]] = {}
        self._masks: dict[int, ctypes.Array[ctypes.c_char]] = {}
        try:
            self._maps = [mmap.mmap(-1, ctypes.sizeof(_Entry) * (OBJECTS + 1)) for _ in range(2 + memory.is_protected)]
        except OSError:
            raise MemoryError from None
        self._entries = (_Entry * (OBJECTS + 1)).from_buffer(self._maps[0])
        self._records = (_Record * (OBJECTS + 1)).from_buffer(self._maps[1])
        self._slow = SlowPath(self._perform_or_end)
        view = memory.initial
        view.objects = self  # type: ignore[assignment]
        errors = RedirectedStream(os.fdopen(2, "wb", buffering=0, closefd=False), budget)
        system = System(NativeOutput(budget), errors, budget)
        self._library = _NativeLibrary(view, system, self.address)
        self._state("objects").value = ctypes.addressof(self._entries)
        self._state("records").value = ctypes.addressof(self._records)
        if memory.is_protected:
            self._mask_of = (ctypes.c_void_p * (OBJECTS + 1)).from_buffer(self._maps[2])
            self._state("masks").value = ctypes.addressof(self._mask_of)
        self._state("slow").value = ctypes.cast(self._slow, ctypes.c_void_p).value or 0
        self._state("next").value = len(self._initial)
        taken = sum(2 * found.size for found in self._initial)
        self._state("left").value = (1 << 62) if max_memory is None else max(0, max_memory - taken)

    def _state(self, name: str) -> ctypes.c_uint64:
        return ctypes.c_uint64.from_address(self._engine.get_global_value_address(f"cpsconv.{name}"))

    def define(self) -> None:
        """Create the initial objects."""
        memory = self._memory
        for number, found in enumerate(self._initial):
            entry, record = self._entries[number], self._records[number]
            if found.origin == "data":
                entry.base, entry.size = memory.buffer_address(number), found.size
                entry.writable = 0 if found.constant else found.size
                if found.constant and memory.is_protected:
                    self._protect(number, found)
            record.site, record.kind = -1, memory.kind(number)
        if memory.functions:
            code = (ctypes.c_uint64 * len(memory.functions)).from_address(
                self._engine.get_global_value_address(FUNCTIONS)
            )
            for function, address in zip(memory.functions, code, strict=True):
                self._entries[number_of(memory.initial.pointer_of(function))].base = address

    def leaks(self) -> Counter[tuple[int, int]]:
        """The numbers of objects of `malloc` that were not freed, by the number of the site and the size."""
        end = 4 * len(self)
        entries, records = (memoryview(each).cast("I") for each in self._maps)
        living = zip(records[2:end:4], records[0:end:4], entries[2:end:4], strict=True)
        return Counter((site, size) for kind, site, size in living if kind == HEAP)

    def __len__(self) -> int:
        return self._state("next").value

    @overload
    def __getitem__(self, number: int) -> MemoryObject: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[MemoryObject]: ...

    def __getitem__(self, number: int | slice) -> MemoryObject | Sequence[MemoryObject]:
        if isinstance(number, slice):
            return [self[each] for each in range(*number.indices(len(self)))]
        if number in self._views:
            return self._views[number]
        entry, record = self._entries[number], self._records[number]
        found = self._created(number) if record.site >= 0 else replace(self._initial[number])
        if self._memory.is_protected:
            self._views[number] = found
        if found.size and not found.ended:
            found.data = bytearray(ctypes.string_at(entry.base, found.size))
            marks = ctypes.string_at(entry.base + found.size, found.size)
            found.written = bytearray(marks.replace(b"\xff", b"\1"))
        return found

    def _created(self, number: int) -> MemoryObject:
        """The description of an object that the program created."""
        record, size = self._records[number], self._entries[number].size
        effect = self._memory.sites[record.site]
        assert isinstance(effect, Effect)
        found = MemoryObject("heap", size, stated("resource", effect.attributes), start=effect.span)
        if effect.op == "allocate":
            element: Any = effect.of
            count = (size // element.size if element.size else 0) if effect.operands else None
            found = MemoryObject("variable", size, effect.name, element, count, effect.span)
            if self._entries[number].writable < size:
                found.constant = self._constant.get(number, [range(size)])
        if record.kind < 0:
            found.ended, found.end = True, self._memory.sites[record.end].span
        return found

    def _write_back(self) -> None:
        """Write the objects with constant bytes that the operation has viewed, and may have changed."""
        for number, found in self._views.items():
            if found.constant and not found.ended:
                entry = self._entries[number]
                if self._constant.get(number) is not found.constant:
                    self._protect(number, found)
                ctypes.memmove(entry.base, bytes(found.data), found.size)
                ctypes.memmove(entry.base + found.size, bytes(found.written).replace(b"\1", b"\xff"), found.size)
        self._views.clear()

    def _protect(self, number: int, found: MemoryObject) -> None:
        """Note the constant bytes of an object."""
        mask = bytearray(found.size)
        for each in found.constant:
            mask[each.start : each.stop] = bytes([1]) * (min(each.stop, found.size) - each.start)
        self._entries[number].writable, self._constant[number] = 0, found.constant
        self._masks[number] = ctypes.create_string_buffer(bytes(mask), found.size + 1)
        self._mask_of[number] = ctypes.addressof(self._masks[number])

    def address(self, pointer: int) -> int:
        """The address of the byte at a pointer into an object."""
        return int(self._entries[number_of(pointer)].base) + offset_of(pointer)

    # ------------------------------------------------------------------------------------------------ the slow path

    def _perform_or_end(self, site: int, library: int, *operands: int) -> int:
        """Perform an operation. An error is reported, and the state `failed` is set."""
        with ending_failures():
            try:
                result = self._perform(site, library, operands)
                self._write_back()
                return result
            except ProgramError as fault:
                notes = [(text, self._site_at(span)) for text, span in fault.diagnostic.notes]
                report_error("memory fault", type(fault), str(fault.args[0]), self._located(site), notes)
                self._state("failed").value = 1
                return 0
            except OutputExhausted:
                end("output", 0)

    def _site_at(self, span: Span | None) -> int:
        """The number of the first site with the span."""
        return next(number for number, site in enumerate(self._memory.sites) if site.span is span)

    def _located(self, site: int) -> int:
        """The site; that of the last call of the library if the site has no location."""
        if self._memory.sites[site].span is None:
            address = self._engine.get_global_value_address("cpsconv.library.call")
            site = ctypes.c_int32.from_address(address).value if address else site
        return site

    def _perform(self, site: int, library: int, operands: Sequence[int]) -> int:
        """Perform the operation of the site, or the call of a library function, with the evaluator's code."""
        place, view = self._memory.sites[site], self._memory.initial
        if library:
            name = LIBRARY_FUNCTIONS[library - 1]
            external = next(each for each in self._memory.externals if each.name == name)
            action = entry_of_external(external, self._library).compute
            return _result(action, [parameter.type for parameter in data_parameters(external)], operands)
        if isinstance(place, Jump):
            return self._library.jumps.find(operands[0])
        if isinstance(place, Call) and is_setjmp(place.callee):
            self._library.jumps.save(operands[0], operands[1])
        elif isinstance(place, Call):
            view.function_at(operands[0], place.callee.type)
        elif not OPERATIONS[place.op].is_on_memory:
            view.string(operands[0], wrap(LONG, operands[1]))
        elif isinstance(place, Effect) and place.op == STORE:
            view.store(cast(Any, place.operands[0].type), 0, operands[0])
        elif isinstance(place, Effect) and place.op == LOAD_OR:
            view.load_or(cast(Any, place.type), operands[0], 0)
        elif isinstance(place, Effect):
            return _result(view.action(place), [operand.type for operand in place.operands], operands)
        return 0


class _NativeLibrary(Library):
    """The external functions, which change native objects. `address` gives the address of a byte."""

    def __init__(self, memory: Memory, system: System, address: Callable[[int], int]) -> None:
        super().__init__(memory, system)
        self._address = address
        self.jumps: Jumps[int] = _NativeJumps(memory, self.put)

    def put(self, target: int, data: bytes) -> None:
        """Write the bytes into memory, and their marks."""
        found, _ = self.memory.place(target, len(data))
        if found.constant:
            super().put(target, data)
            return
        ctypes.memmove(self._address(target), data, len(data))
        ctypes.memset(self._address(target) + found.size, 0xFF, len(data))


class _NativeJumps(Jumps[int]):
    """The addresses of native buffers, as continuations. The native code ends the variables that a jump leaves."""

    def __init__(self, memory: Memory, put: Callable[[int, bytes], None]) -> None:
        super().__init__(memory)
        self._put = put

    def write(self, buffer: int, number: int) -> None:
        """Write the number of a continuation into a buffer."""
        self._put(buffer, number.to_bytes(8, "little"))

    def end_variables(self, first: int) -> None:
        """Do nothing."""


def _result(action: Callable[..., Any], types: Sequence[Type], operands: Sequence[int]) -> int:
    values = [wrap(type, value) for type, value in zip(types, operands, strict=False) if isinstance(type, Scalar)]
    return int(action(*values) or 0)
