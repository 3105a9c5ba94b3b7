"""What a run shows to the outside: the bytes that it writes to standard output, and its end."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import Union

from cpsconv.equivalence.inputs import Input
from cpsconv.evaluator import Halted, Outcome, Returned, evaluate, exit_status
from cpsconv.ir import Program
from cpsconv.operations.runtime_errors import ProgramError, StepLimit

_MOST_OUTPUT = 1_000_000  # bytes: an endless loop must not fill the memory


@dataclass(frozen=True, slots=True)
class Behaviour:
    """A run as it is seen from outside. What it writes to standard error, with places in the source, is left out."""

    output: bytes
    end: Union[Outcome, ProgramError]

    def is_like(self, other: Behaviour) -> bool:
        """Whether nobody could tell the two apart. Of a runtime error the kind counts, not wording nor position."""
        return self.output == other.output and _visible(self.end) == _visible(other.end)


def _visible(end: Union[Outcome, ProgramError]) -> object:
    if isinstance(end, Returned):
        return repr(end.value)  # in Python, 0.0 equals -0.0, and NaN not itself
    return type(end) if isinstance(end, ProgramError) else end


def observe(program: Program, entry: str, input: Input, max_steps: int) -> Behaviour:
    """Run a program from a function. The value of `main` is an exit status; a run that is too long, a `StepLimit`."""
    output = _Output()
    try:
        end = evaluate(program, entry, input, output=output, errors=io.BytesIO(), max_steps=max_steps)
    except ProgramError as fault:
        return Behaviour(output.getvalue(), fault)
    status = exit_status(entry, end)
    return Behaviour(output.getvalue(), end if status is None else Halted(status))


class _Output(io.BytesIO):
    """Takes so much, and no more."""

    def write(self, data: bytes, /) -> int:  # type: ignore[override]
        """Take the bytes. Raises `StepLimit` where that makes too many, in whatever pieces they come."""
        if self.tell() + len(data) > _MOST_OUTPUT:
            raise StepLimit(f"the program is not done after {_MOST_OUTPUT} bytes of output")
        return super().write(data)
