"""What C programs do when we convert and evaluate them: the counterpart of `testing.gcc`."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any, Literal

from cpsconv import Program, Source, convert, parse, pretty
from cpsconv.core import construction
from cpsconv.core.entry import entry_of, is_main, parse_arguments, shown_data
from cpsconv.core.operations.runtime_errors import ProgramError, StepLimit
from cpsconv.core.text import reformat
from cpsconv.engines import EngineName, engine_for, prepare
from cpsconv.engines.machine.machine import Aborted, Halted, Outcome, evaluate
from cpsconv.platform.runtime.command_line import with_command_line
from testing.expectations import Observation, Status

STRATEGIES = tuple(construction.STRATEGIES)
Layout = Literal["nested", "flat"]
LAYOUTS: tuple[Layout, ...] = ("nested", "flat")


def converted(text: str, strategy: str, **given: Any) -> Program:
    """The CPS program for a C program; what is `given` is for `convert`."""
    return convert(Source("program.c", text), strategy=strategy, **given)


def program_of(text: str) -> Program:
    """The program for a C program or a CPS text."""
    return parse(Source("program.cps", text)) if "→" in text else convert(Source("program.c", text))


def reread(program: Program, layout: Layout = "nested", *, ascii: bool = False) -> Program:
    """The program, printed and parsed back. The text of the result must be the same, and so its format."""
    text = pretty(program, layout=layout, ascii=ascii)
    again = parse(Source("program.cps", text))
    assert pretty(again, layout=layout, ascii=ascii) == text
    for kept in (None, layout):
        assert reformat(Source("program.cps", text), layout=kept, ascii=ascii) == text
    return again


def observe(
    program: Program, arguments: Sequence[str] = (), max_steps: int | None = None, engine: EngineName = "machine"
) -> Observation:
    """Run a program. The machine raises `StepLimit` if it goes on for long."""
    program = with_command_line(program)
    entry = entry_of(program)
    output, errors = io.BytesIO(), io.BytesIO()
    shown, status = "", 0  # type: tuple[str, Status]
    try:
        values = parse_arguments(entry, arguments)
        if engine == "machine":
            outcome = evaluate(program, entry.name, values, output=output, errors=errors, max_steps=max_steps)
        else:
            outcome = prepare(program, entry, engine_for(program, engine))(values, output=output, errors=errors)
    except StepLimit:
        raise
    except ProgramError:
        status = "error"
    else:
        shown, status = _end(outcome, entry.name)
    return Observation(output.getvalue().decode("latin-1") + shown, status)


def _end(outcome: Outcome, entry: str) -> tuple[str, Status]:
    """The value of the entry, where that is not `main`, as it is shown; and the exit status."""
    if isinstance(outcome, Aborted):
        return "", "abort"
    if isinstance(outcome, Halted):
        return "", outcome.status
    if is_main(entry) and isinstance(outcome.value, int):
        return "", outcome.value & 0xFF
    return "" if outcome.value is None else f"{shown_data(outcome.value)}\n", 0
