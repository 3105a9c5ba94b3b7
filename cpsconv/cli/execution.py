"""Running a program: its output on standard output, its end as an exit status."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from cpsconv.cli import streams
from cpsconv.cli.status import ABORTED, DONE, RUNTIME_ERROR
from cpsconv.evaluate import (
    Aborted,
    Outcome,
    Returned,
    RuntimeFault,
    TextTrace,
    Trace,
    TraceRecord,
    entry_of,
    evaluate,
    exit_status,
    parse_arguments,
    shown_data,
    trace_as_json,
)
from cpsconv.ir import Program


def execute(
    program: Program, entry: str | None, arguments: Sequence[str], trace: str | None, max_steps: int | None
) -> int:
    """Run the program from `entry` with the arguments of a command line. The result is the exit status.

    `trace` is how transfers are shown: as ``text``, as ``json``, or not. Raises `DiagnosticError` where there is no
    such entry, or the arguments do not fit it.
    """
    function = entry_of(program, entry)
    try:
        outcome = evaluate(
            program,
            function.name,
            parse_arguments(function, arguments),
            output=streams.program_output(),
            errors=streams.program_errors(),
            trace=_SHOWN[trace](program) if trace else None,
            max_steps=max_steps,
        )
    except RuntimeFault as fault:
        streams.complain([fault.diagnostic])
        return RUNTIME_ERROR
    return _status(function.name, outcome)


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
