"""Runs of programs by the small evaluator: output, and end or error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import BytesIO
from itertools import count
from typing import Any
from unittest.mock import patch

from cpsconv.core.entry import Data
from cpsconv.core.evaluator import End, evaluate
from cpsconv.core.evaluator.evaluation import Evaluation
from cpsconv.core.evaluator.memory import Memory
from cpsconv.core.ir import CHAR, Program
from cpsconv.core.operations import memory_errors
from cpsconv.core.operations.runtime_errors import ProgramError, StepLimit


def _strcmp(memory: Memory, one: int, other: int) -> int:
    left, right = memory.string(one), memory.string(other)
    return (left > right) - (left < right)


def _memmove(memory: Memory, target: int, source: int, size: int) -> int:
    if size:
        memory.move(source, target, size)
    return target


def _memcpy(memory: Memory, target: int, source: int, size: int) -> int:
    if 0 < abs(target - source) < size:
        found, offset = memory.place(source, size)
        memory.place(target, size)
        raise memory_errors.overlap(found, offset, size)
    return _memmove(memory, target, source, size)


def _memset(memory: Memory, target: int, value: int, size: int) -> int:
    if size:
        found, offset = memory.place(target, size)
        memory.changed_place(target, 1, CHAR)
        found.data[offset : offset + size] = bytes([value & 0xFF]) * size
        found.written[offset : offset + size] = b"\1" * size
    return target


def _memcmp(memory: Memory, one: int, other: int, size: int) -> int:
    for index in range(size):
        left, right = (memory.load(CHAR, start + index) & 0xFF for start in (one, other))
        if left != right:
            return 1 if left > right else -1
    return 0


EXTERNALS: Mapping[str, Callable[..., Any]] = {
    "strlen": lambda memory, string: len(memory.string(string)),
    "strcmp": _strcmp,
    "strcpy": lambda memory, target, source: _memcpy(memory, target, source, len(memory.string(source)) + 1),
    "memcpy": _memcpy,
    "memmove": _memmove,
    "memset": _memset,
    "memcmp": _memcmp,
}
"""The external functions that every engine provides."""


@contextmanager
def limited(max_steps: int) -> Iterator[None]:
    """Let runs raise `StepLimit` if they make too many transfers."""
    steps, follow = count(), Evaluation.follow

    def counted(*run: Any) -> Any:
        if next(steps) >= max_steps:
            raise StepLimit("too many transfers")
        return follow(*run)

    with patch.object(Evaluation, "follow", counted):
        yield


def behaviour(
    program: Program, entry: str | None = None, arguments: Sequence[Any] = (), max_steps: int = 100_000
) -> tuple[bytes, End | str] | None:
    """The output of a run, and its end or its error with the location; None if it makes too many transfers."""
    output = BytesIO()
    with limited(max_steps):
        try:
            end: End | str = evaluate(program, entry, arguments, output=output, errors=output, externals=EXTERNALS)
        except StepLimit:
            return None
        except ProgramError as fault:
            end = str(fault)
    return output.getvalue(), end


def result(program: Program, entry: str | None = None, arguments: Sequence[Data] = ()) -> Any:
    """The value that the program returns. Raises `ProgramError` if the program causes a runtime error."""
    output = BytesIO()
    (value,) = evaluate(program, entry, arguments, output=output, errors=output, externals=EXTERNALS).arguments
    return value
