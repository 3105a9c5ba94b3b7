"""The external functions that the evaluator provides: some functions on strings and memory of the C library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cpsconv.entry import require_provided
from cpsconv.evaluator.memory import Memory
from cpsconv.evaluator.values import ExternalEntry
from cpsconv.ir import CHAR, Function


class Library:
    """The functions of one run, on its memory."""

    def __init__(self, memory: Memory) -> None:
        self.memory = memory
        self._load = memory.load(CHAR)
        self._store = memory.store(CHAR)

    def strlen(self, string: int) -> int:
        """C's strlen."""
        return len(self.memory.string(string))

    def strcmp(self, one: int, other: int) -> int:
        """C's strcmp: -1, 0 or 1."""
        left, right = self.memory.string(one), self.memory.string(other)
        return (left > right) - (left < right)

    def strcpy(self, target: int, source: int) -> int:
        """C's strcpy."""
        return self.memcpy(target, source, self.strlen(source) + 1)

    def memcpy(self, target: int, source: int, size: int) -> int:
        """C's memcpy and memmove. Bytes that were not written remain so."""
        if size:
            self.memory.move(source, target, size)
            self.memory.record_copy(source, target, size)
        return target

    def memset(self, target: int, value: int, size: int) -> int:
        """C's memset."""
        if size:
            self.memory.place(target, size)
        byte = (value & 0xFF) - (value & 0x80) * 2
        for index in range(size):
            self._store(byte, target + index)
        return target

    def memcmp(self, one: int, other: int, size: int) -> int:
        """C's memcmp: -1, 0 or 1."""
        for index in range(size):
            left, right = self._load(one + index) & 0xFF, self._load(other + index) & 0xFF
            if left != right:
                return 1 if left > right else -1
        return 0


_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "strlen": Library.strlen,
    "strcmp": Library.strcmp,
    "strcpy": Library.strcpy,
    "memcpy": Library.memcpy,
    "memmove": Library.memcpy,
    "memset": Library.memset,
    "memcmp": Library.memcmp,
}
"""The implementation of each of the `EXTERNAL_TYPES`."""


def entry_of_external(function: Function, library: Library) -> ExternalEntry:
    """The entry of an external function.

    Raises `DiagnosticError` if there is no such function, or it has another type.
    """
    require_provided(function, "the evaluator")
    return ExternalEntry(function.name, _FUNCTIONS[function.name].__get__(library), returns_value=True)
