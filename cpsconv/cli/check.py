"""The command `check`: certification of a file, or its comparison with a reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from cpsconv.cli import options, streams, terminal
from cpsconv.cli.batch import JsonObjects, each_file, path_and_entry
from cpsconv.cli.commands import Command
from cpsconv.cli.convert import converted
from cpsconv.cli.status import DONE, WRONG_INPUT
from cpsconv.entry import function_named
from cpsconv.equivalence import TESTS, Method, as_json, as_text, equivalence
from cpsconv.erasure import erased
from cpsconv.frontends import CPS, language_of, language_of_source
from cpsconv.ir import Function, Program
from cpsconv.source import Diagnostic, Source, read_source


def _is_report(given: dict[str, Any]) -> bool:
    return given["against"] is not None and not given["as_data"]


@click.command(
    cls=Command,
    examples=[
        "cpsconv check -j 4 examples/fig*.c",
        "cpsconv check docs/course/solutions/maximum.cps --against docs/course/exercises/maximum.c",
        "cpsconv check -O examples/gcd.c:gcd --against examples/gcd.c --input '12 18' --input '0 -7'",
    ],
)
@each_file(headed=_is_report)
@options.option("--against", metavar="REFERENCE", help="Test whether FILE behaves as this program.")
@options.option(
    "--entry", metavar="NAME", help="Function to test, as FILE:NAME (default: all functions that both programs have)."
)
@options.option("--tests", type=click.IntRange(min=1), metavar="N", help=f"Number of inputs (default: {TESTS}).")
@options.option(
    "--input",
    "inputs",
    metavar="'ARG ...'",
    multiple=True,
    callback=lambda context, parameter, given: [options.words(text) for text in given],
    help="Test this input; can be repeated.",
)
@options.option(
    "--max-steps",
    type=click.IntRange(min=1),
    metavar="N",
    help="Skip inputs for which REFERENCE does not end within N transfers.",
)
@options.option("--strict", is_flag=True, help="Also require FILE to reproduce REFERENCE's runtime errors.")
@options.option("--json", "as_data", is_flag=True, help="Print the result as JSON (docs/against.md).")
@options.construction
@options.language
def check(
    file: str,
    against: str | None,
    entry: str | None,
    tests: int | None,
    inputs: Sequence[Sequence[str]],
    max_steps: int | None,
    strict: bool,
    as_data: bool,
    language: str | None,
    **construction: Any,
) -> int | JsonObjects:
    """Check FILE, C or CPS text, and print its errors and warnings.

    Form, names and types are checked; nothing is run. Warnings do not change the exit status, except with -Werror. The
    conversion of a C program, except with -O, is also certified: the result behaves as the program, and has no unused
    or redundant parameter.

    With --against, FILE and REFERENCE, each C or CPS text, are checked and then run: each function that both have, on
    the same inputs, mainly small ones. The exit status is 1 if they differ. The options of the construction apply to
    FILE only.
    """
    options.require("against", "entry", "tests", "inputs", "max_steps", "strict", "as_data")
    path, name = path_and_entry(file, entry)
    source = read_source(path)
    language = language or language_of_source(source)
    warnings: list[Diagnostic] = []
    program = _checked(source, language, warnings=warnings, **construction)
    if against is not None:
        reference = read_source(against)
        other = _checked(reference, language_of(reference.name) or language, warn=["no-check"])
        return _compare(
            erased(program), erased(other), name, Method(tests or TESTS, inputs, max_steps, strict), as_data
        )
    functions = program.functions if name is None else [function_named(program, name)]
    if not terminal.settings.quiet:
        checked = source.name if name is None else f"{source.name}:{name}"
        result = _counted(len(warnings), "warning") if warnings else "ok"
        certified = "" if language == CPS or construction["optimise"] else ", certified"
        size = "" if language == CPS else f": {_size(functions)}"
        streams.write_result(f"{checked}: {result}{certified}{size}\n")
    return DONE


def _checked(
    source: Source, language: str, optimise: Sequence[str] = (), warn: Sequence[str] = (), **construction: Any
) -> Program:
    """The program in a source; its conversion, if there is one, is certified, unless it is optimised.

    The groups of warnings that only this command enables are reported unless `warn` disables them.
    """
    certify = language != CPS and not optimise
    warn = ["check", *warn]
    return converted(source, language=language, certify=certify, optimise=optimise, warn=warn, **construction)


def _compare(
    program: Program, reference: Program, entry: str | None, method: Method, as_data: bool
) -> int | JsonObjects:
    """Test a program against a reference and print the result. Returns 0 if they agree.

    Raises `DiagnosticError` if the programs have no function in common, or an input has the wrong form.
    """
    with terminal.progress_bar():
        found = equivalence(program, reference, entry, method)
    status = DONE if found.holds else WRONG_INPUT
    if as_data:
        return JsonObjects([as_json(found)], status, alone=True)
    streams.write_result(as_text(found))
    return status


def _size(functions: Sequence[Function]) -> str:
    continuations = [member for function in functions for member in function.continuations]
    parameters = sum(len(continuation.parameters) for continuation in continuations)
    return f"{_counted(len(continuations), 'continuation')}, {_counted(parameters, 'parameter')}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
