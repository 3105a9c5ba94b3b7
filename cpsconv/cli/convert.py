"""The commands `convert` and `fmt`, and the reading of FILE for all commands."""

from __future__ import annotations

from io import StringIO
from os.path import splitext
from typing import Any

import click

from cpsconv.cli import options, streams, terminal
from cpsconv.cli.batch import each_file, path_and_function, path_of
from cpsconv.cli.commands import Choice, Command
from cpsconv.cli.status import DONE, WRONG_INPUT
from cpsconv.emit import COMPLETE, SUFFIXES, TARGETS, Style
from cpsconv.frontends import CPS, language_of
from cpsconv.ir import Program
from cpsconv.pipeline import convert
from cpsconv.source import Diagnostic, DiagnosticError, Source, error, in_source_order, read_source
from cpsconv.transform import drop_unreachable_functions


def converted(
    source: Source, function: str | None = None, warnings: list[Diagnostic] | None = None, **given: Any
) -> Program:
    """The program in `source`, or its part that `function` may call; reports its warnings, and adds them to `warnings`.

    The options `given` are those of `cpsconv.pipeline.convert`. Raises `DiagnosticError` if the source is wrong, or has
    no such function.
    """
    warnings = [] if warnings is None else warnings
    if function is not None:  # it determines which functions are removed, not `main`
        given["optimise"] = {*given.get("optimise", ())} - {"functions"}
    with terminal.progress_bar():
        program = convert(source, warnings=warnings, **given)
    streams.report(in_source_order(warnings))
    if function is not None:
        from cpsconv.entry import function_named  # late: few commands name a function

        drop_unreachable_functions(program, [function_named(program, function)])
    return program


def read_cps_text(file: str, language: str | None = None) -> Source:
    """The source in `file`. Raises `DiagnosticError` if the suffix does not denote CPS text, without a `language`."""
    source = read_source(file)
    denoted = language or language_of(source.name)
    if denoted not in (None, CPS):
        cure = "`cpsconv convert` converts it to CPS text, and `cpsconv run` runs it"
        raise DiagnosticError([error(f"{source.name}: is not CPS text", help=cure, rule="language")])
    if denoted is None and splitext(source.name)[1]:
        cure = "choose the language with `--lang cps`, or rename the file to `….cps`"
        raise DiagnosticError([error(f"{source.name}: the suffix is not that of CPS text", help=cure, rule="language")])
    return source


@click.command(
    "convert",
    cls=Command,
    examples=[
        "cpsconv convert examples/fig8.c",
        "cpsconv convert -O --emit scheme examples/gcd.c -o gcd.scm",
        "cpsconv convert -j 4 examples/*.c -o converted/",
    ],
)
@each_file()
@options.construction
@options.option(
    "--emit",
    "target",
    type=Choice([*TARGETS]),
    default="cps",
    show_default=True,
    help="Output: CPS text, φ form, another language (docs/targets.md), JSON (docs/json.md), or a format for papers "
    "(docs/graph.md).",
)
@options.option("-E", "preprocess", is_flag=True, help="Print the preprocessed text of the C program FILE instead.")
@options.option("--out-of-ssa", is_flag=True, help="Write Bril with copies in place of `set` and `get` (docs/bril.md).")
@options.option("--certify", is_flag=True, help="Prove that the result behaves as FILE, or fail (docs/certificate.md).")
@options.layout
@options.out
@options.language
def convert_command(
    file: str,
    target: str,
    preprocess: bool,
    out_of_ssa: bool,
    out: str | None,
    layout: Any,
    ascii: bool,
    width: int,
    **given: Any,
) -> int:
    """Convert FILE and print the program.

    FILE may also be CPS text. Its continuations and parameters stay as they are, except with --thread-jumps.
    FILE:FUNCTION is the FUNCTION in FILE, with the functions that it calls; programs in other languages start with it.
    """
    options.exclude("certify", "optimise")  # the certificate compares the statements with those of the source
    path, function = path_and_function(file)
    if preprocess:
        streams.write_result(_preprocessed(path, given["language"]), path_of(out, path, ".i"))
        return DONE
    entry = function if target in COMPLETE else None
    program = converted(read_source(path), function, entry=entry, **given)
    with terminal.progress_bar():
        text = TARGETS[target](program, Style(layout, ascii, width, function, out_of_ssa))
    streams.write_result(text, path_of(out, file, SUFFIXES.get(target, f".{target}")))
    return DONE


def _preprocessed(path: str, language: str | None) -> str:
    """The preprocessed text of a C program. Raises `click.UsageError` if the file is in another language."""
    if (language or language_of(path)) != "c":
        raise click.UsageError("-E requires a program in C")
    from cpsconv.frontends.c.preprocessor import listing  # late: few commands need it

    return listing(read_source(path))


@click.command(
    cls=Command,
    examples=[
        "cpsconv convert examples/gcd.c | cpsconv fmt --layout flat -",
        "cpsconv fmt --check --diff docs/course/solutions/*.cps",
        "cpsconv fmt -j 4 docs/course/solutions/*.cps -o formatted/",
    ],
)
@each_file()
@options.layout
@options.out
@options.cps_language
@options.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if the text would change.")
@options.option("--diff", is_flag=True, help="Print the changes as a unified diff; exit with 1 if there are any.")
def fmt(file: str, out: str | None, language: str | None, only_check: bool, diff: bool, **style: Any) -> int:
    """Format the CPS text in FILE.

    Comments stay with the code that they precede or follow.
    """
    options.exclude("out", "only_check", "diff")
    from cpsconv.text import reformat  # late: `convert` to other targets does not need the printer

    source = read_cps_text(file, language)
    with terminal.progress_bar():
        text = reformat(source, **style)
    if diff:
        streams.write_result(_unified_diff(source, text))
    if only_check:
        if text != source.text:
            raise DiagnosticError([error(f"{source.name}: would be reformatted", rule="unformatted")])
        return DONE
    if diff:
        return WRONG_INPUT if text != source.text else DONE
    streams.write_result(text, path_of(out, file, ".cps", in_place=True))
    return DONE


def _unified_diff(source: Source, text: str) -> str:
    """The changes from the source to the text, as `patch` reads them."""
    from difflib import unified_diff  # late: few commands need it

    before, after = ([*StringIO(each)] for each in (source.text, text))
    lines = unified_diff(before, after, source.name, source.name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)
