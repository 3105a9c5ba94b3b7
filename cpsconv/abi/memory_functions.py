"""The functions of C's library on memory, in Python, on the objects of a run.

`cpsconv/abi/memory/library.cps` defines them for functional targets; a test compares both.
"""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.core.operations import memory_errors
from cpsconv.core.operations.objects import Objects


class MemoryFunctions:
    """The functions on the objects of one run. `load` and `store` are those of a `char`."""

    def __init__(self, objects: Objects, load: Callable[[int], int], store: Callable[[int, int], None]) -> None:
        self._objects = objects
        self._load = load
        self._store = store

    def strlen(self, string: int) -> int:
        """C's strlen."""
        return len(self._objects.string(string))

    def strcmp(self, one: int, other: int) -> int:
        """C's strcmp: -1, 0 or 1."""
        left, right = self._objects.string(one), self._objects.string(other)
        return (left > right) - (left < right)

    def strcpy(self, target: int, source: int) -> int:
        """C's strcpy."""
        return self.memcpy(target, source, self.strlen(source) + 1)

    def memcpy(self, target: int, source: int, size: int) -> int:
        """C's memcpy. Places that overlap, and are not the same, are an error."""
        if 0 < abs(target - source) < size:
            found, offset = self._objects.place(source, size)
            self._objects.place(target, size)
            raise memory_errors.overlap(found, offset, size)
        return self.memmove(target, source, size)

    def memmove(self, target: int, source: int, size: int) -> int:
        """C's memmove. Bytes that were not written remain so."""
        if size:
            self._objects.move(source, target, size)
        return target

    def memset(self, target: int, value: int, size: int) -> int:
        """C's memset."""
        if size:
            self._objects.place(target, size)
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
