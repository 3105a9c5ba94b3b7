"""Runs of programs by the small evaluator: output, and end or error."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from io import BytesIO
from itertools import count
from typing import Any
from unittest.mock import patch

from cpsconv.abi.memory_functions import MemoryFunctions
from cpsconv.core.entry import Data
from cpsconv.core.evaluator import End, evaluate
from cpsconv.core.evaluator.evaluation import Evaluation
from cpsconv.core.evaluator.memory import Memory
from cpsconv.core.ir import CHAR, Program
from cpsconv.core.operations.runtime_errors import ProgramError, StepLimit


def _external(name: str) -> Callable[..., Any]:
    """A function of `MemoryFunctions` on the memory of the small evaluator."""

    def call(memory: Memory, *operands: Any) -> Any:
        return getattr(MemoryFunctions(memory, partial(memory.load, CHAR), partial(memory.store, CHAR)), name)(
            *operands
        )

    return call


EXTERNALS: Mapping[str, Callable[..., Any]] = {
    name: _external(name) for name in ("strlen", "strcmp", "strcpy", "memcpy", "memmove", "memset", "memcmp")
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
