"""The commands that judge texts: `check`, `fmt`."""

from __future__ import annotations

from typing import Any

import click

from cpsconv.cli import against as agreement
from cpsconv.cli import options, progress, streams
from cpsconv.cli.sources import converted, read_cps_text
from cpsconv.cli.status import DONE
from cpsconv.frontends import CPS, language_of, language_of_source
from cpsconv.ir import Program
from cpsconv.source import DiagnosticError, Source, error, read_source


@click.command()
@options.file
@agreement.options
@options.language
def check(file: str, against: str | None, language: str | None, **method: Any) -> int:
    """Check FILE, C or CPS text, and show its errors and warnings.

    Types, names and form are checked; nothing is run. Warnings alone do not change the exit status. Of a C program
    the conversion is certified, too: the result does what the program does, and no parameter is unused or redundant.

    With --against, FILE and REFERENCE, each C or CPS text, are checked and then run: each function that both have, on
    the same inputs, small ones above all. The exit status is 1 if they differ.

    \b
    cpsconv check prog.c
    cpsconv check prog.cps
    cpsconv check solution.cps --against prog.c
    cpsconv check solution.cps --against prog.c --entry gcd --input '12 18' --input '0 -7'
    """
    agreement.require_reference(against, **method)
    source = read_source(file)
    language = language or language_of_source(source)
    program = _checked(source, language)
    if against is not None:
        return agreement.hold(program, _reference(read_source(against), language), **method)
    certified = "" if language == CPS else f", certified: {_size(program)}"
    streams.write_result(f"{source.name}: ok{certified}\n")
    return DONE


@click.command()
@options.file
@options.layout
@options.out
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if the text would change.")
def fmt(file: str, out: str | None, only_check: bool, **style: Any) -> int:
    """Lay out the CPS text in FILE anew.

    Comments stay with what they are about.

    \b
    cpsconv fmt prog.cps
    cpsconv fmt --layout flat --ascii prog.cps
    cpsconv fmt prog.cps -o prog.cps
    cpsconv fmt --check prog.cps
    """
    from cpsconv.text import reformat

    source = read_cps_text(file)
    with progress.shown():
        text = reformat(source, **style)
    if only_check:
        if text != source.text:
            raise DiagnosticError([error(f"{source.name}: would be laid out anew")])
        return DONE
    streams.write_result(text, out)
    return DONE


def _checked(source: Source, language: str) -> Program:
    """The program in a source; if it is converted, that is certified."""
    return converted(source, language=language, certify=language != CPS)


def _reference(source: Source, language: str) -> Program:
    """The program in a source that is of the given language where its own name does not tell."""
    return _checked(source, language_of(source.name) or language)


def _size(program: Program) -> str:
    continuations = [member for function in program.functions for member in function.continuations]
    parameters = sum(len(continuation.parameters) for continuation in continuations)
    return f"{_counted(len(continuations), 'continuation')}, {_counted(parameters, 'parameter')}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
