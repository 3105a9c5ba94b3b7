"""The observable behaviour of a run: the bytes on standard output, and the end."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Union

from cpsconv.equivalence.inputs import Input
from cpsconv.evaluator.machine import Halted, Outcome, Returned, evaluate, exit_status
from cpsconv.ir import Program
from cpsconv.operations.runtime_errors import ProgramError, StepLimit

MAX_OUTPUT = 1_000_000  # bytes: an endless loop must not fill the memory


@dataclass(frozen=True, slots=True)
class Behaviour:
    """The observable behaviour of a run, without standard error, which contains source locations."""

    output: bytes
    end: Union[Outcome, ProgramError]

    def is_equivalent(self, other: Behaviour) -> bool:
        """Whether both runs have the same output and end. Runtime errors are compared by class."""
        return self.output == other.output and _visible(self.end) == _visible(other.end)


def _visible(end: Union[Outcome, ProgramError]) -> object:
    if isinstance(end, Returned):
        return repr(end.value)  # in Python, 0.0 equals -0.0, and NaN not itself
    return type(end) if isinstance(end, ProgramError) else end


def observe(program: Program, entry: str, input: Input, max_steps: int) -> Behaviour:
    """The behaviour of a program, started with a function. A run that is too long ends with a `StepLimit`.

    The value of `main` is an exit status.
    """
    output = _Output()
    try:
        end = evaluate(program, entry, input, output=output, errors=io.BytesIO(), max_steps=max_steps)
    except ProgramError as fault:
        return Behaviour(output.getvalue(), fault)
    status = exit_status(entry, end)
    return Behaviour(output.getvalue(), end if status is None else Halted(status))


class _Output(io.BytesIO):
    """A buffer of at most `MAX_OUTPUT` bytes."""

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        """Append the bytes. Raises `StepLimit` if the output becomes too long."""
        if self.tell() + len(data) > MAX_OUTPUT:
            raise StepLimit(f"the program is not done after {MAX_OUTPUT} bytes of output")
        return super().write(data)
