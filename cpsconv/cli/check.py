"""The command `check`: certification of a file, or its comparison with a reference."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from cpsconv.cli import options, streams
from cpsconv.cli.convert import converted
from cpsconv.cli.status import DONE, WRONG_INPUT
from cpsconv.equivalence import TESTS, Method, as_json, as_text, equivalence
from cpsconv.frontends import CPS, language_of, language_of_source
from cpsconv.ir import Program
from cpsconv.source import Source, read_source


@click.command()
@options.file
@click.option("--against", metavar="REFERENCE", help="Test whether FILE behaves as this program.")
@click.option("--entry", metavar="NAME", help="Function to test (default: all functions that both programs have).")
@click.option("--tests", type=click.IntRange(min=1), metavar="N", help=f"Number of inputs (default: {TESTS}).")
@click.option(
    "--input",
    "inputs",
    metavar="'ARG ...'",
    multiple=True,
    callback=lambda context, parameter, given: [options.words(text) for text in given],
    help="Test this input; can be repeated.",
)
@click.option(
    "--max-steps",
    type=click.IntRange(min=1),
    metavar="N",
    help="Skip inputs for which REFERENCE does not end within N transfers.",
)
@click.option("--strict", is_flag=True, help="Also require FILE to reproduce REFERENCE's runtime errors.")
@click.option("--json", "as_data", is_flag=True, help="Print the result as JSON (docs/against.md).")
@options.language
def check(file: str, against: str | None, language: str | None, **method: Any) -> int:
    """Check FILE, C or CPS text, and print its errors and warnings.

    Form, names and types are checked; nothing is run. Warnings do not change the exit status. The conversion of a C
    program is also certified: the result behaves as the program, and has no unused or redundant parameter.

    With --against, FILE and REFERENCE, each C or CPS text, are checked and then run: each function that both have, on
    the same inputs, mainly small ones. The exit status is 1 if they differ.

    \b
    cpsconv check prog.c
    cpsconv check prog.cps
    cpsconv check solution.cps --against prog.c
    cpsconv check solution.cps --against prog.c --entry gcd --input '12 18' --input '0 -7'
    """
    options.require("against", *method)
    source = read_source(file)
    language = language or language_of_source(source)
    program = _certified(source, language)
    if against is not None:
        reference = read_source(against)
        return _compare(program, _certified(reference, language_of(reference.name) or language), **method)
    certified = "" if language == CPS else f", certified: {_size(program)}"
    streams.write_result(f"{source.name}: ok{certified}\n")
    return DONE


def _certified(source: Source, language: str) -> Program:
    """The program in a source; its conversion, if there is one, is certified."""
    return converted(source, language=language, certify=language != CPS)


def _compare(
    program: Program,
    reference: Program,
    entry: str | None,
    tests: int | None,
    inputs: Sequence[Sequence[str]],
    max_steps: int | None,
    strict: bool,
    as_data: bool,
) -> int:
    """Test a program against a reference and print the result. Returns 0 if they agree.

    Raises `DiagnosticError` if the programs have no function in common, or an input has the wrong form.
    """
    method = Method(tests or TESTS, inputs, max_steps, strict)
    with streams.progress_bar():
        found = equivalence(program, reference, entry, method)
    streams.write_result((as_json if as_data else as_text)(found))
    return DONE if found.holds else WRONG_INPUT


def _size(program: Program) -> str:
    continuations = [member for function in program.functions for member in function.continuations]
    parameters = sum(len(continuation.parameters) for continuation in continuations)
    return f"{_counted(len(continuations), 'continuation')}, {_counted(parameters, 'parameter')}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
