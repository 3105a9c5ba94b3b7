"""The external functions that the evaluator provides: some functions on strings and memory of the C library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from cpsconv.evaluator.memory import Memory
from cpsconv.evaluator.values import ExternalEntry
from cpsconv.ir import CHAR, INT, PTR, UNSIGNED_LONG, ContinuationType, Function, Scalar
from cpsconv.source import DiagnosticError, error


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
        self.memory.move(source, target, self.strlen(source) + 1)
        return target

    def memcpy(self, target: int, source: int, size: int) -> int:
        """C's memcpy and memmove. Bytes that were not written remain so."""
        if size:
            self.memory.move(source, target, size)
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


class _Row(NamedTuple):
    """A function of the library: the types of its parameters and result, and its implementation."""

    parameters: tuple[Scalar, ...]
    result: Scalar
    compute: Callable[..., Any]


_FUNCTIONS: Mapping[str, _Row] = {
    "strlen": _Row((PTR,), UNSIGNED_LONG, Library.strlen),
    "strcmp": _Row((PTR, PTR), INT, Library.strcmp),
    "strcpy": _Row((PTR, PTR), PTR, Library.strcpy),
    "memcpy": _Row((PTR, PTR, UNSIGNED_LONG), PTR, Library.memcpy),
    "memmove": _Row((PTR, PTR, UNSIGNED_LONG), PTR, Library.memcpy),
    "memset": _Row((PTR, INT, UNSIGNED_LONG), PTR, Library.memset),
    "memcmp": _Row((PTR, PTR, UNSIGNED_LONG), INT, Library.memcmp),
}


def entry_of_external(function: Function, library: Library) -> ExternalEntry:
    """The entry of an external function.

    Raises `DiagnosticError` if there is no such function, or it has another type.
    """
    row = _FUNCTIONS.get(function.name)
    if row is None:
        known = ", ".join(f"`{name}`" for name in _FUNCTIONS)
        message = f"the evaluator has no external function `{function.name}`"
        raise DiagnosticError([error(message, function.span, help=f"it has {known}", rule="external")])
    type = ContinuationType((*row.parameters, ContinuationType((row.result,))))
    if function.type != type:
        message = f"the external function `{function.name}` of the evaluator has the type `{type}`"
        raise DiagnosticError([error(message, function.span, rule="external")])
    return ExternalEntry(function.name, row.compute.__get__(library), returns_value=True)
