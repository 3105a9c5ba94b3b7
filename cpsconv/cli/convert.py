"""The commands `convert` and `fmt`, and the reading of FILE for all commands."""

from __future__ import annotations

from os.path import splitext
from typing import Any

import click

from cpsconv.cli import options, streams
from cpsconv.cli.status import DONE
from cpsconv.emit import TARGETS, Style
from cpsconv.frontends import CPS, language_of
from cpsconv.ir import Program
from cpsconv.pipeline import convert
from cpsconv.source import Diagnostic, DiagnosticError, Source, error, in_source_order, read_source


def converted(source: Source, **given: Any) -> Program:
    """The program in `source`; reports its warnings. The options `given` are those of `cpsconv.pipeline.convert`."""
    warnings: list[Diagnostic] = []
    with streams.progress_bar():
        program = convert(source, warnings=warnings, **given)
    streams.report(in_source_order(warnings))
    return program


def read_cps_text(file: str) -> Source:
    """The source in `file`. Raises `DiagnosticError` if the suffix is that of another language or unknown."""
    source = read_source(file)
    language = language_of(source.name)
    if language not in (None, CPS):
        cure = "`cpsconv convert` converts it to CPS text, and `cpsconv run` runs it"
        raise DiagnosticError([error(f"{source.name}: is not CPS text", help=cure)])
    if language is None and splitext(source.name)[1]:
        cure = "rename it to `….cps`, or pass it on standard input"
        raise DiagnosticError([error(f"{source.name}: the suffix is not that of CPS text", help=cure)])
    return source


@click.command("convert")
@options.file
@options.construction
@click.option(
    "--emit",
    "target",
    type=click.Choice([*TARGETS]),
    default="cps",
    show_default=True,
    help="Output: CPS text, φ form, another language (docs/targets.md), JSON (docs/json.md), or a format for papers "
    "(docs/graph.md).",
)
@click.option("--certify", is_flag=True, help="Prove that the result behaves as FILE, or fail (docs/certificate.md).")
@options.layout
@options.out
@options.language
def convert_command(
    file: str,
    target: str,
    out: str | None,
    layout: Any,
    ascii: bool,
    width: int,
    **given: Any,
) -> int:
    """Convert FILE and print the program.

    FILE may also be CPS text. Its continuations and parameters stay as they are, except with --thread-jumps.

    \b
    cpsconv convert examples/fig8.c
    cpsconv convert --emit ssa examples/fig8.c
    cpsconv convert --strategy basic --no-minimal loop.c     # keeps redundant parameters
    cpsconv convert -O --optimise no-cse prog.c
    cpsconv convert --emit json prog.c -o prog.json
    cpsconv convert --emit scheme prog.c -o prog.scm && guile --r7rs prog.scm
    cpsconv convert --lang c - < prog.c
    """
    options.exclude("certify", "optimise")  # the certificate compares the statements with those of the source
    program = converted(read_source(file), **given)
    with streams.progress_bar():
        text = TARGETS[target](program, Style(layout, ascii, width))
    streams.write_result(text, out)
    return DONE


@click.command()
@options.file
@options.layout
@options.out
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if the text would change.")
def fmt(file: str, out: str | None, only_check: bool, **style: Any) -> int:
    """Format the CPS text in FILE.

    Comments stay with the code that they precede or follow.

    \b
    cpsconv fmt prog.cps
    cpsconv fmt --layout flat --ascii prog.cps
    cpsconv fmt prog.cps -o prog.cps
    cpsconv fmt --check prog.cps
    """
    from cpsconv.text import reformat  # late: `convert` to other targets does not need the printer

    source = read_cps_text(file)
    with streams.progress_bar():
        text = reformat(source, **style)
    if only_check:
        if text != source.text:
            raise DiagnosticError([error(f"{source.name}: would be reformatted")])
        return DONE
    streams.write_result(text, out)
    return DONE
