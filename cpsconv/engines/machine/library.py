"""The external functions that the evaluator provides: functions of C on strings and memory, and the system calls."""

from __future__ import annotations

import errno
import struct
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from cpsconv.abi.attributes import SETJMP
from cpsconv.abi.memory_functions import MemoryFunctions
from cpsconv.abi.prototypes import BEGIN_ACTIVATION, END_ACTIVATION, require_provided
from cpsconv.core.ir import CHAR, LONG, Function
from cpsconv.engines.machine.jumps import Jumps
from cpsconv.engines.machine.memory import Memory
from cpsconv.engines.machine.system import NOW, OMITTED, STATUS_SIZE, System
from cpsconv.engines.machine.values import ExternalEntry, SavingEntry


class Library(MemoryFunctions):
    """The functions of one run, on its memory and its system."""

    def __init__(self, memory: Memory, system: System) -> None:
        super().__init__(memory, memory.loader(CHAR), memory.storer(CHAR))
        self.memory = memory
        self.system = system
        self.jumps: Jumps[Any] = Jumps(memory)

    def memmove(self, target: int, source: int, size: int) -> int:
        """C's memmove, which is recorded for traces."""
        super().memmove(target, source, size)
        self.memory.record_copy(source, target, size)
        return target

    # ------------------------------------------------------------------------------------------------ system calls

    def read(self, descriptor: int, target: int, size: int) -> int:
        """Read at most `size` bytes into memory; the result is their number. The pointer to no bytes may be null."""
        if size:
            self.memory.place(target, size)
        data = self.system.read(descriptor, size)
        if isinstance(data, int):
            return data
        if data:
            self.put(target, data)
        return len(data)

    def write(self, descriptor: int, source: int, size: int) -> int:
        """Write `size` bytes of memory, 0 for those that were never written, as padding. Returns their number."""
        if size == 0:
            return self.system.write(descriptor, b"")
        found, offset = self.memory.place(source, size)
        return self.system.write(descriptor, bytes(found.data[offset : offset + size]))

    def put(self, target: int, data: bytes) -> None:
        """Write the bytes into memory."""
        for index, (value,) in enumerate(struct.iter_unpack("b", data)):
            self._store(value, target + index)

    def open(self, path: int, flags: int) -> int:
        """Open a file."""
        return self.system.open(self.path(path), flags)

    def unlink(self, path: int) -> int:
        """Delete a file."""
        return self.system.unlink(self.path(path))

    def rename(self, old: int, new: int) -> int:
        """Rename a file."""
        return self.system.rename(self.path(old), self.path(new))

    def current_directory(self, target: int, size: int) -> int:
        """Write the path of the current directory into memory; the result is its length."""
        path = self.system.current_directory()
        if isinstance(path, int) or len(path) >= size:
            return path if isinstance(path, int) else -errno.ERANGE
        self.put(target, path + b"\0")
        return len(path)

    def entry(self, path: int, index: int, target: int) -> int:
        """Write the name of an entry of a directory into memory; the result is its kind plus 1, 0 after the last."""
        found = self.system.entry(self.path(path), index)
        if isinstance(found, int):
            return found
        name, kind = found
        self.put(target, name[:255] + b"\0")
        return kind + 1

    def status(self, path: int, number: int, target: int) -> int:
        """Write the status of a file into memory, as a `struct stat` of glibc."""
        self.memory.place(target, STATUS_SIZE)
        status = self.system.status(*self._file(path, number))
        if isinstance(status, int):
            return status
        self.put(target, status)
        return 0

    def change_mode(self, path: int, number: int, mode: int) -> int:
        """Change the permissions of a file."""
        file, _ = self._file(path, number)
        return self.system.change_mode(file, mode)

    def change_times(self, path: int, number: int, times: int) -> int:
        """Change the times of a file to the two `struct timespec` in memory."""
        load = self.memory.loader(LONG)

        def time(place: int) -> tuple[int, int]:
            nanoseconds = load(place + 8)
            return (0 if nanoseconds in (NOW, OMITTED) else load(place)), nanoseconds

        return self.system.change_times(*self._file(path, number), time(times), time(times + 16))

    def environment(self, name: int, target: int, size: int) -> int:
        """Write the value of an environment variable, which may be cut, into memory; the result is its length."""
        value = self.system.environment(self.path(name))
        if isinstance(value, int):
            return value
        self.put(target, value[: size - 1] + b"\0")
        return len(value)

    def _file(self, path: int, number: int) -> tuple[bytes | int, int]:
        """The path of a file and the flags, which `number` is, or its descriptor without flags if the path is null."""
        return (self.path(path), number) if path else (number, 0)

    def path(self, text: int) -> bytes:
        """The path at a pointer."""
        return self.memory.string(text).encode("latin-1")


_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "strlen": Library.strlen,
    "strcmp": Library.strcmp,
    "strcpy": Library.strcpy,
    "memcpy": Library.memcpy,
    "memmove": Library.memmove,
    "memset": Library.memset,
    "memcmp": Library.memcmp,
    "__read": Library.read,
    "__write": Library.write,
    "__open": Library.open,
    "__close": lambda library, descriptor: library.system.close(descriptor),
    "__redirect": lambda library, descriptor: library.system.redirect(descriptor),
    "__seek": lambda library, *operands: library.system.seek(*operands),
    "__environment": Library.environment,
    "__unlink": Library.unlink,
    "__rename": Library.rename,
    "__make_directory": lambda library, path, mode: library.system.make_directory(library.path(path), mode),
    "__remove_directory": lambda library, path: library.system.remove_directory(library.path(path)),
    "__current_directory": Library.current_directory,
    "__entry": Library.entry,
    "__status": Library.status,
    "__change_mode": Library.change_mode,
    "__change_times": Library.change_times,
    "__time": lambda library: library.system.time(),
    "__clock": lambda library: library.system.clock(),
    BEGIN_ACTIVATION: lambda library: library.jumps.begin(),
    END_ACTIVATION: lambda library: library.jumps.end(),
}
"""The implementation of each of the functions of `PROVIDED` other than `setjmp`."""


def entry_of_external(function: Function, library: Library) -> ExternalEntry:
    """The entry of an external function.

    Raises `DiagnosticError` if there is no such function, or it has another type.
    """
    require_provided(function, "the evaluator")
    if function.name == SETJMP:
        return SavingEntry(function.name, library.jumps.save, returns_value=True)
    return ExternalEntry(function.name, partial(_FUNCTIONS[function.name], library), returns_value=True)
