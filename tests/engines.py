"""Observable behaviour of programs under each engine, including the location of a runtime error."""

from __future__ import annotations

import io
from collections.abc import Sequence

from cpsconv import Program
from cpsconv.engines import EngineName, prepare
from cpsconv.entry import Data, entry_of
from cpsconv.evaluator.machine import evaluate
from cpsconv.operations.runtime_errors import ProgramError, StepLimit

Seen = tuple[bytes, bytes, str]
"""The output of a run on its two streams, and its end."""


def seen(program: Program, arguments: Sequence[Data], engine: EngineName, max_steps: int | None = None) -> Seen:
    """The observable behaviour of a run. Raises `StepLimit` if the machine exceeds `max_steps`."""
    entry = entry_of(program)
    output, errors = io.BytesIO(), io.BytesIO()
    try:
        if engine == "machine":
            given = {"output": output, "errors": errors, "max_steps": max_steps}
            end = repr(evaluate(program, entry.name, arguments, **given))  # type: ignore[arg-type]
        else:
            end = repr(prepare(program, entry, engine)(arguments, output=output, errors=errors))
    except StepLimit:
        raise
    except ProgramError as fault:
        end = f"{type(fault).__name__}: {fault} {fault.diagnostic.notes}"
    return output.getvalue(), errors.getvalue(), end
