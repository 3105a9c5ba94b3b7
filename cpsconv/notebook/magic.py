"""The cell magic ``%%cpsconv``: a command line whose file is the cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from keyword import iskeyword
from typing import Any, Literal

import click
from IPython.core.error import UsageError
from IPython.display import display

from cpsconv.abi.runtime.command_line import given_command_line
from cpsconv.cli import options, streams
from cpsconv.cli.commands import Choice, OptionalValues
from cpsconv.core.arguments import parse_arguments, shown_data
from cpsconv.core.construction import Event
from cpsconv.core.entry import entry_of
from cpsconv.core.ir import Function, Program
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.source import Diagnostic, DiagnosticError, Source, in_source_order, naming_options
from cpsconv.engines.machine.limits import Limits
from cpsconv.engines.machine.machine import Outcome, Returned, evaluate, exit_status
from cpsconv.lab.explain import narrate, transcript
from cpsconv.languages import CPS, DEFAULT, LANGUAGES
from cpsconv.pipeline import convert
from cpsconv.targets import TARGETS, Style
from cpsconv.targets.dot import graph
from cpsconv.targets.highlighting import html


def register(shell: Any) -> None:
    """Register the magic with an IPython shell."""

    def cpsconv(line: str, cell: str) -> None:
        """Convert the C program in the cell, and show it. ``%%cpsconv --help`` lists the options."""
        _invoke(line, Cell(Source("<cell>", f"\n{cell}"), shell.user_ns))  # the magic is line 1

    shell.register_magic_function(cpsconv, "cell")


@dataclass(frozen=True)
class Cell:
    """The text of a cell, and the namespace of the notebook."""

    source: Source
    names: dict[str, Any]


def _invoke(line: str, cell: Cell) -> None:
    """Run the command line of a magic on the cell.

    Raises `UsageError` if the line is wrong, and `DiagnosticError` if the cell is. IPython shows no traceback for them.
    """
    try:
        with naming_options(), convert_cell.make_context("%%cpsconv", options.words(line), obj=cell) as context:
            convert_cell.invoke(context)
    except click.ClickException as failure:
        raise UsageError(failure.format_message()) from None
    except click.exceptions.Exit:
        pass  # after --help


def _as_words(context: click.Context, parameter: click.Parameter, given: str | None) -> list[str] | None:
    return None if given is None else options.words(given)


def _identifier(context: click.Context, parameter: click.Parameter, given: str | None) -> str | None:
    if given is not None and (not given.isidentifier() or iskeyword(given)):
        raise click.BadParameter(f"{given!r} is not a Python identifier")
    return given


@click.command(cls=OptionalValues, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.argument("name", required=False, callback=_identifier)
@options.construction
@options.preprocessor
@options.option("--emit", "target", type=Choice(TARGETS), help="Show the program in this form (default: cps).")
@options.layout
@options.option("--graph", "drawn", is_flag=True, help="Draw the program.")
@options.option("--explain", "explained", is_flag=True, help="Print the construction step by step.")
@options.option("--run", "arguments", metavar="ARGS", callback=_as_words, help="Run it: --run '12 18', or --run ''.")
@options.option(
    "--entry", metavar="FUNCTION", help="The function that --run calls (default: main, or the only function)."
)
@options.limits
@options.option(
    "--lang", "language", type=Choice(LANGUAGES), default=DEFAULT, show_default=True, help="The cell's language."
)
@click.pass_obj
def convert_cell(
    cell: Cell,
    /,
    name: str | None,
    target: str | None,
    drawn: bool,
    explained: bool,
    arguments: Sequence[str] | None,
    entry: str | None,
    limits: Limits,
    timeout: float | None,
    sandbox: bool,
    language: str,
    names: Literal["source", "numbered", "all"],
    layout: Literal["nested", "flat"],
    ascii: bool,
    width: int,
    **given: Any,
) -> None:
    """Convert the program in the cell, and show it; NAME becomes a variable with the program.

    The CPS text is shown, unless the options request something else.
    """
    if explained and language == CPS:
        raise click.UsageError("CPS text is not converted: there is nothing to explain")
    events: list[Event] = []
    warnings: list[Diagnostic] = []
    observer = events.append if explained else None
    program = convert(cell.source, language=language, warnings=warnings, observer=observer, entry=entry, **given)
    streams.report(in_source_order(warnings))
    if name:
        cell.names[name] = program
    if explained:
        print(
            *("\n".join(transcript(narration)) for narration in narrate(program, events, given["strategy"])), sep="\n\n"
        )
    if drawn:
        display(graph(program))
    if arguments is not None:
        program, arguments = given_command_line(program, entry, arguments)
        _run(program, entry_of(program, entry), arguments, limits, timeout)
    if target or not (explained or drawn or arguments is not None):
        target = target or CPS
        _show(target, TARGETS[target](program, Style(layout, ascii, width, entry, names=names)))


def _show(target: str, text: str) -> None:
    if target == CPS:
        display({"text/html": html(text), "text/plain": text.rstrip("\n")}, raw=True)
    else:
        print(text, end="")


# ------------------------------------------------------------------------------------------------------- running


def _run(program: Program, entry: Function, arguments: Sequence[str], limits: Limits, timeout: float | None) -> None:
    """Run the program; print its output and its result. Raises `DiagnosticError` for a runtime error, too."""
    values = parse_arguments(entry, arguments)
    try:
        outcome = options.within_time(
            lambda output, errors: evaluate(program, entry.name, values, output=output, errors=errors, limits=limits),
            [streams.program_output(), streams.program_errors()],
            timeout,
        )
    except ProgramError as fault:
        raise DiagnosticError([fault.diagnostic]) from None
    if end := _end(entry.name, outcome):
        print(streams.encoded(end).decode())  # a string may contain any bytes


def _end(entry: str, outcome: Outcome) -> str | None:
    """The value of a function; for `main`, the exit status if it is not 0; or ``aborted``."""
    status = exit_status(entry, outcome)
    if status is not None:
        return f"exit status {status}" if status else None
    if isinstance(outcome, Returned):
        return None if outcome.value is None else shown_data(outcome.value)
    return "aborted"
