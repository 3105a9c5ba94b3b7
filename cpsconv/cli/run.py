"""The commands `run` and `eval`: the execution of programs, with the end of a run as the exit status."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import click

from cpsconv.abi.library import with_library
from cpsconv.abi.runtime.command_line import given_command_line
from cpsconv.cli import options, streams
from cpsconv.cli.commands import ABORTED, DONE, NEGATIVE_ARGUMENTS, RUNTIME_ERROR, Choice, Command
from cpsconv.cli.files import Conversion, Conversions, all_files, path_and_entry, read_cps_text, run_each
from cpsconv.core.arguments import parse_arguments, shown_data
from cpsconv.core.entry import entry_of
from cpsconv.core.ir import Function, Program
from cpsconv.core.operations.leaks import Leaks, leak_report
from cpsconv.core.operations.printing import ByteStream
from cpsconv.core.operations.runtime_errors import AbortError, ProgramError
from cpsconv.core.operations.types import is_foreign, naming_types
from cpsconv.core.source import DiagnosticError, read_source
from cpsconv.engines import ENGINES, EngineName, Run, compiled, engine_for, runnable
from cpsconv.engines.machine.limits import Limits
from cpsconv.engines.machine.machine import Aborted, Outcome, Returned, evaluate, exit_status
from cpsconv.engines.machine.trace import Trace, TraceRecord
from cpsconv.engines.machine.trace_json import trace_as_json
from cpsconv.engines.machine.trace_text import TextTrace
from cpsconv.languages import CPS, LANGUAGES, Language, arguments_of, language_of


class Execution(NamedTuple):
    """How a program is run: by which engine, with which limits, and what is printed about the run."""

    trace: str | None
    max_steps: int | None
    limits: Limits
    timeout: float | None
    engine: EngineName | None
    check_leaks: bool
    timed: bool

    @property
    def machine_option(self) -> str | None:
        """The first option that only the engine `machine` has."""
        return "--trace" if self.trace else "--max-steps" if self.max_steps is not None else None


class Start(NamedTuple):
    """A program to run from `entry`, with arguments that have the form of the language.

    With `profile`, the result of the program is a number of instructions, which is printed.
    """

    convert: Callable[[], Program]
    entry: str | None
    arguments: Sequence[str]
    language: str = CPS
    profile: bool = False


_execution = options.together(
    options.entry,
    options.option(
        "--trace",
        type=Choice(["text", "json"]),
        bare="text",
        metavar="[=FORMAT]",
        help="Print each transfer on standard error, as a line of text or as JSON (--trace=json; docs/trace.md).",
    ),
    options.max_steps,
    options.limits,
    options.access,
    options.option(
        "--engine",
        type=Choice([*ENGINES]),
        help="Run the program by the evaluator, or compiled to Python or to native code (docs/engines.md). Default: "
        "python for first-order programs, machine for all others.",
    ),
    options.option(
        "--check-leaks",
        is_flag=True,
        help="Report memory of malloc that is not freed at the end (exit status 3; docs/memory.md).",
    ),
    options.option("--time", "timed", is_flag=True, help="Print the time of each phase on standard error."),
)


@click.command(
    cls=Command,
    context_settings=NEGATIVE_ARGUMENTS,
    examples=[
        "cpsconv run examples/gcd.c",
        "cpsconv run examples/gcd.c:gcd 12 -18",
        "cpsconv run examples/fig8.c 0 --trace",
    ],
)
@all_files("arguments", metavar="FILE... [ARGS]...")
@options.construction
@_execution
@options.option(
    "--profile",
    is_flag=True,
    help="Print the number of executed instructions on standard error (Bril only; docs/bril.md).",
)
@options.language
def run(
    files: Sequence[str],
    jobs: int,
    arguments: Sequence[str],
    entry: str | None,
    sandbox: bool,
    profile: bool,
    language: str | None,
    **given: Any,
) -> int:
    """Convert FILE and run it with ARGS.

    The run starts with main, or with the only function, or with the FUNCTION in FILE:FUNCTION. The value of main is the
    exit status; the value of another function is printed. Further words with the suffix of a language are files. If one
    of the files defines main, they are linked to one program (docs/linking.md); otherwise, they are run one after the
    other. After --, all words are ARGS.
    """
    execution = Execution(*map(given.pop, Execution._fields))
    given |= {"profile": profile, "is_part": len(files) > 1}

    def conversion(path: str, function: str | None) -> Conversion:
        return Conversion(partial(read_source, path), language=language, entry=function, **given)

    conversions = _conversions(files, entry, conversion)

    def execute(file: str, convert: Callable[[], Program]) -> int:
        path, function = path_and_entry(file, entry)
        own = language or conversions.language(file) or language_of(path)
        row = LANGUAGES[own] if own else Language(())
        if profile and (not row.profiles or function is not None):
            raise click.UsageError("--profile requires a program in Bril, started at main")
        start = Start(convert, function, arguments, own or CPS, profile)
        chosen = execution._replace(check_leaks=execution.check_leaks or row.checks_leaks)
        with naming_types(row.type_names):
            return _with_status(row.error_status, partial(_execute, start, chosen, conversions.seconds(file)))

    return _for_each_program(files, conversions, execute, jobs)


def _conversions(
    files: Sequence[str], entry: str | None, conversion: Callable[[str, str | None], Conversion]
) -> Conversions:
    """The conversions of the files; `conversion` takes the path of a file and the function to start.

    Raises `click.UsageError` if a function is given twice.
    """
    return Conversions({file: conversion(*path_and_entry(file, entry)) for file in files}, entry)


def _with_status(error_status: int | None, start: Callable[[], int]) -> int:
    """The exit status of a run; `error_status`, unless it is None, after every error but an exhausted limit."""
    if error_status is None:
        return start()
    try:
        return error_status if start() else DONE
    except DiagnosticError as failure:
        streams.report(failure.diagnostics)
        return error_status


@click.command(
    "eval",
    cls=Command,
    context_settings=NEGATIVE_ARGUMENTS,
    examples=[
        "cpsconv eval docs/course/solutions/maximum.cps 3 5",
        "cpsconv convert examples/fig8.c | cpsconv eval - 7",
    ],
)
@all_files("arguments", metavar="FILE... [ARGS]...")
@_execution
@options.allow_clock
@options.cps_language
@options.warnings
def eval_command(
    files: Sequence[str],
    jobs: int,
    entry: str | None,
    language: str | None,
    warn: Sequence[str],
    sandbox: bool,
    arguments: Sequence[str],
    **given: Any,
) -> int:
    """Run the CPS text in FILE with ARGS, as `run` does. FILE may also be a program in JSON."""

    def conversion(path: str, _: str | None) -> Conversion:
        return Conversion(partial(read_cps_text, path, language), language=CPS, warn=warn)

    conversions = _conversions(files, entry, conversion)

    def execute(file: str, convert: Callable[[], Program]) -> int:
        start = Start(convert, path_and_entry(file, entry)[1], arguments)
        return _execute(start, Execution(**given), conversions.seconds(file))

    return _for_each_program(files, conversions, execute, jobs)


def _for_each_program(
    files: Sequence[str], conversions: Conversions, execute: Callable[[str, Callable[[], Program]], int], jobs: int
) -> int:
    """Call `execute` with the file and the conversion of the program that all files are, or of each of them."""
    if main_file := conversions.main_file:
        return run_each([main_file], lambda file: execute(file, conversions.linked), 1)
    return run_each(files, lambda file: execute(file, partial(conversions.result, file)), jobs, headed=True)


def _execute(start: Start, execution: Execution, seconds: float) -> int:
    """Convert a program, which was read in some `seconds`, and run it. Returns the exit status.

    Raises `DiagnosticError` if there is no such entry, the arguments do not match its parameters, or the engine cannot
    run the program; `click.exceptions.Exit` after an exhausted limit, the same for all languages.
    """
    on_machine = execution.machine_option
    if on_machine and execution.engine not in (None, "machine"):
        raise click.UsageError(f"{on_machine} requires --engine machine")
    phases = {"convert": seconds}
    with _timed(phases, "convert"):
        entry = "main" if start.profile else start.entry
        program, function, arguments = linked(start.convert(), entry, start.arguments)
    values = parse_arguments(function, arguments_of(start.language, function, arguments))
    name = "machine" if on_machine else engine_for(program, execution.engine)

    def execute(output: ByteStream, errors: ByteStream) -> tuple[Outcome, Leaks | None, dict[str, float]]:
        leaks = Leaks() if execution.check_leaks else None
        with _timed(phases, "compile"):
            is_data = streams.settings.diagnostics != "text"
            ready, first = runnable(program, function, name, execution.limits, raises_errors=is_data)
            if on_machine:
                run = _on_machine(ready, first, execution, partial(_write_line, output, errors))
            else:
                run = compiled(name, ready, first)
        with _timed(phases, "run"):
            outcome = run(values, output=output, errors=errors, limits=execution.limits, leaks=leaks)
        return outcome, leaks, phases

    output, errors = streams.program_output(), streams.program_errors()
    try:
        outcome, leaks, phases = options.within_time(execute, [output, errors], execution.timeout)
    except ProgramError as failure:
        streams.report([failure.diagnostic])
        if failure.rule == "limit":
            raise click.exceptions.Exit(RUNTIME_ERROR) from None
        return ABORTED if isinstance(failure, AbortError) else RUNTIME_ERROR
    finally:
        if execution.timed:
            for phase, seconds in phases.items():
                streams.write_error(f"{phase:8}{seconds:9.3f} s")
            streams.write_error(f"{'engine':8}{name:>11}")
    status = _status(function.name, outcome)
    if leaks and not isinstance(outcome, Aborted):
        streams.report(leak_report(leaks))
        return RUNTIME_ERROR
    if start.profile and isinstance(outcome, Returned):
        streams.write_error(f"total_dyn_inst: {outcome.value}")
        return DONE
    return status


def linked(program: Program, entry: str | None, words: Sequence[str]) -> tuple[Program, Function, Sequence[str]]:
    """The program with the library, the function that a run of `entry` starts with, and the arguments.

    There are no arguments if a command line in the program's memory has the words. Raises `DiagnosticError` if there is
    no such function, or if a name has no definition. The given program may change.
    """
    program, arguments = given_command_line(program, entry, words)
    name = entry_of(program, entry).name
    if program.externals or program.external_data:
        from cpsconv.abi.linking import require_defined  # late: few programs have external functions

        require_defined(program, name)
    program = with_library(program, may_change=True)
    return program, entry_of(program, name), arguments


def _on_machine(program: Program, function: Function, execution: Execution, write: Callable[[str], None]) -> Run:
    """The program, ready to be run by the machine, which writes the lines of a trace."""
    listener = _TRACES[execution.trace](program, write) if execution.trace else None
    return partial(evaluate, program, function.name, trace=listener, max_steps=execution.max_steps)


def _write_line(output: ByteStream, errors: ByteStream, line: str) -> None:
    """Write a line of the trace to standard error, after flushing standard output."""
    output.flush()
    errors.write(streams.encoded(f"{line}\n"))
    errors.flush()


def _text_trace(program: Program, write: Callable[[str], None]) -> Trace:
    text = TextTrace(program, streams.width("stderr"))
    header = [text.header()]

    def print_record(record: TraceRecord) -> None:
        for line in (*header, *text.lines(record)):
            write(line)
        header.clear()  # it is before the first record only: no run, no trace

    return print_record


_TRACES: dict[str, Callable[[Program, Callable[[str], None]], Trace]] = {
    "text": _text_trace,
    "json": lambda program, write: lambda record: write(trace_as_json(record)),
}


def _status(entry: str, outcome: Outcome) -> int:
    """The exit status of the command after a run. Prints a returned value that is not an exit status."""
    status = exit_status(entry, outcome)
    if status is not None:
        return status
    if isinstance(outcome, Aborted):
        return ABORTED
    if isinstance(outcome, Returned) and outcome.value is not None and not is_foreign(outcome.type):
        streams.write_data(f"{shown_data(outcome.value)}\n".encode("utf-8", "surrogateescape"))
    return DONE


@contextmanager
def _timed(times: dict[str, float], phase: str) -> Iterator[None]:
    """Measure the time of the block, even if it raises an exception."""
    start = time.perf_counter()
    try:
        yield
    finally:
        times[phase] = times.get(phase, 0.0) + time.perf_counter() - start
