"""Running a program: its output on standard output, its end as an exit status."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from cpsconv.cli import streams
from cpsconv.cli.status import ABORTED, DONE, RUNTIME_ERROR
from cpsconv.cli.times import Times
from cpsconv.engines import EngineName, Run, engine_for, prepare
from cpsconv.entry import entry_of, parse_arguments, shown_data
from cpsconv.evaluator import (
    Aborted,
    Outcome,
    Returned,
    TextTrace,
    Trace,
    TraceRecord,
    evaluate,
    exit_status,
    trace_as_json,
)
from cpsconv.ir import Function, Program
from cpsconv.operations.runtime_errors import ProgramError


def execute(
    program: Program,
    entry: str | None,
    arguments: Sequence[str],
    *,
    trace: str | None = None,
    max_steps: int | None = None,
    engine: EngineName | None = None,
    times: Times | None = None,
) -> int:
    """Run the program from `entry` with the arguments of a command line. The result is the exit status.

    `trace` is how transfers are shown: as ``text``, as ``json``, or not; steps are for the machine. Where `times`
    are given, they are completed and shown. Raises `DiagnosticError` where there is no such entry, the arguments do not
    fit it, or the engine cannot run the program.
    """
    function = entry_of(program, entry)
    values = parse_arguments(function, arguments)
    output, errors = streams.program_output(), streams.program_errors()
    is_stepwise = trace is not None or max_steps is not None
    name = "machine" if is_stepwise else engine_for(program, engine)
    spent = times or Times()
    try:
        with spent.of("compile"):
            run = _stepwise(program, function, trace, max_steps) if is_stepwise else prepare(program, function, name)
        with spent.of("run"):
            outcome = run(values, output=output, errors=errors)
    except ProgramError as fault:
        streams.complain([fault.diagnostic])
        return RUNTIME_ERROR
    finally:
        if times:
            times.tell(name)
    return _status(function.name, outcome)


def _stepwise(program: Program, function: Function, trace: str | None, max_steps: int | None) -> Run:
    """A run whose steps are shown or counted."""
    shown = _SHOWN[trace](program) if trace else None
    return partial(evaluate, program, function.name, trace=shown, max_steps=max_steps)


def _shown_as_text(program: Program) -> Trace:
    text = TextTrace(program)
    streams.tell(text.header())

    def show(record: TraceRecord) -> None:
        for line in text.lines(record):
            streams.tell(line)

    return show


_SHOWN: dict[str, Callable[[Program], Trace]] = {
    "text": _shown_as_text,
    "json": lambda program: lambda record: streams.tell(trace_as_json(record)),
}


def _status(entry: str, outcome: Outcome) -> int:
    """The exit status of the command after a run. A value that means none is shown instead."""
    status = exit_status(entry, outcome)
    if status is not None:
        return status
    if isinstance(outcome, Aborted):
        return ABORTED
    if isinstance(outcome, Returned) and outcome.value is not None:
        streams.write_data(f"{shown_data(outcome.value)}\n".encode("utf-8", "surrogateescape"))
    return DONE


def shown_end(entry: str, outcome: Outcome) -> str:
    """How a run from the function `entry` ended, in words."""
    status = exit_status(entry, outcome)
    if status is not None:
        return f"exit status {status}"
    if isinstance(outcome, Returned):
        return f"`{entry}` returned" + ("" if outcome.value is None else f" {shown_data(outcome.value)}")
    return "aborted"
