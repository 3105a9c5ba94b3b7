"""The continuations that `setjmp` saved, for `longjmp`.

A buffer in memory has the number of a saved continuation. A continuation can be entered as long as the call of the
function that saved it, its *activation*, has not returned. The activations that saved continuations form a stack:
`begin` and `end` enclose each of them (`cpsconv.abi.runtime.activations`), and a jump ends those above its
target, with all variables that were allocated since the continuation was saved.
"""

from __future__ import annotations

from typing import Generic, NamedTuple, TypeVar

from cpsconv.core.ir import LONG
from cpsconv.core.operations.memory_messages import message
from cpsconv.core.operations.runtime_errors import JumpError
from cpsconv.engines.machine.memory import Memory

Saved = TypeVar("Saved")


class _Entry(NamedTuple, Generic[Saved]):
    """A continuation, the number in its buffer, and the number of objects when it was saved."""

    continuation: Saved
    number: int
    objects: int


class Jumps(Generic[Saved]):
    """The continuations that can be entered: by activation and address of the buffer, in the form of an engine."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._load, self._store = memory.loader(LONG), memory.storer(LONG)
        self._activations: list[dict[int, _Entry[Saved]]] = []
        self._count = 0

    def begin(self) -> int:
        """Begin an activation. Returns the number of activations."""
        self._activations.append({})
        return len(self._activations)

    def end(self) -> int:
        """End the innermost activation. Returns the number of the others."""
        self._activations.pop()
        return len(self._activations)

    def save(self, buffer: int, continuation: Saved) -> None:
        """Save a continuation of the innermost activation in the buffer at that address."""
        self._count += 1
        self.write(buffer, self._count)
        self._activations[-1][buffer] = _Entry(continuation, self._count, len(self._memory.objects))

    def find(self, buffer: int) -> Saved:
        """The continuation in the buffer, which the program enters. Raises `ProgramError` if there is none."""
        number = self._load(buffer)
        for depth in range(len(self._activations), 0, -1):
            for address, entry in self._activations[depth - 1].items():
                if entry.number == number:
                    del self._activations[depth:]
                    self.end_variables(entry.objects)
                    self._activations[-1][address] = entry._replace(objects=len(self._memory.objects))
                    return entry.continuation
        raise JumpError(message("jump_returned" if 0 < number <= self._count else "jump_unset"))

    def write(self, buffer: int, number: int) -> None:
        """Write the number of a continuation into a buffer."""
        self._store(number, buffer)

    def end_variables(self, first: int) -> None:
        """End the lifetimes of the variables from that object on."""
        for number in range(first, len(self._memory.objects)):
            self._memory.end_variable(number)
