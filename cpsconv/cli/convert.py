"""The commands that write programs as text: `convert`, `link` and `fmt`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from io import StringIO
from typing import Any

import click

from cpsconv.cli import options, streams
from cpsconv.cli.commands import DONE, WRONG_INPUT, Choice, Command
from cpsconv.cli.files import (
    Conversion,
    Conversions,
    all_files,
    converted,
    each,
    each_file,
    is_folder,
    linked,
    path_and_function,
    path_of,
    prepare_folder,
    read_cps_text,
    run_each,
)
from cpsconv.core.ir import Program
from cpsconv.core.source import DiagnosticError, Source, error, read_source
from cpsconv.languages import CPS, DEFAULT, LANGUAGES, is_data, language_of, module_of
from cpsconv.targets import COMPLETE, SUFFIXES, TARGETS, Style

RECORD = "record"
"""The output that is no target: it describes a conversion, not a program alone."""

_TARGETS_OF = {"out_of_ssa": ["bril", "bril-json"], "locations": ["mlir"], "functional": ["javascript"]}
"""The targets to which options apply, by the names of the options' parameters."""


@click.command(
    "convert",
    cls=Command,
    examples=[
        "cpsconv convert examples/fig8.c",
        "cpsconv convert -O --emit scheme examples/gcd.c -o gcd.scm",
        "cpsconv convert -j 4 examples/*.c -o converted/",
    ],
)
@all_files()
@options.construction
@options.option(
    "--emit",
    "target",
    type=Choice([*TARGETS, RECORD]),
    default="cps",
    show_default=True,
    help="Output: CPS text, φ form, another language (docs/targets.md), JSON (docs/json.md), the same with a record of "
    "FILE (docs/record.md), or a format for papers (docs/graph.md).",
)
@options.option("-E", "preprocess", is_flag=True, help="Print the preprocessed text of the C program FILE instead.")
@options.option("--out-of-ssa", is_flag=True, help="Write Bril with copies in place of `set` and `get` (docs/bril.md).")
@options.option("--locations", is_flag=True, help="Write MLIR with locations in FILE (docs/mlir.md).")
@options.option(
    "--functional",
    is_flag=True,
    help="Write a JavaScript program without loops, as those in other languages always are (docs/javascript.md).",
)
@options.option("--certify", is_flag=True, help="Prove that the result behaves as FILE, or fail (docs/certificate.md).")
@options.layout
@options.out
@options.language
@options.compiler
def convert_command(
    files: Sequence[str],
    jobs: int,
    target: str,
    preprocess: bool,
    out_of_ssa: bool,
    locations: bool,
    functional: bool,
    out: str | None,
    names: Any,
    layout: Any,
    ascii: bool,
    width: int,
    **given: Any,
) -> int:
    """Convert FILE and print the program.

    FILE may also be CPS text. Its continuations and parameters stay as they are, except with --thread-jumps.
    FILE:FUNCTION is the FUNCTION in FILE, with the functions that it calls; programs in other languages start with it.
    Several files of which one defines main are linked to one program, unless OUT is a folder (docs/linking.md).
    """
    options.exclude("certify", "optimise")  # the certificate compares the statements with those of the source
    for name, targets in _TARGETS_OF.items():
        options.require_value("target", targets, name)
    options.keep_instructions(target)  # a module is written in its own language as it was
    if target == RECORD:
        options.exclude("target", "optimise", title="--emit record")
        if out:
            prepare_folder(out, files)
        return run_each(files, partial(_write_record, out=out, **given), jobs)

    def emit(file: str, program: Program) -> int:
        entry = path_and_function(file)[1]
        if entry and target == "javascript" and "js.module" in program.attributes:
            raise click.UsageError(f"--emit javascript writes whole JavaScript programs, but {file} names a function")
        style = Style(layout, ascii, width, entry, out_of_ssa, names, locations, functional)
        with streams.progress_bar():
            text = TARGETS[target](program, style)
        streams.write_result(text, path_of(out, file, SUFFIXES.get(target, f".{target}")))
        return DONE

    def chosen(file: str) -> dict[str, Any]:
        function = path_and_function(file)[1]
        return {"function": function, "entry": function if target in COMPLETE else None, **given}

    def part(file: str) -> Conversion:
        return Conversion(partial(read_source, path_and_function(file)[0]), is_part=True, **chosen(file))

    def convert_alone(file: str) -> int:
        path, _ = path_and_function(file)
        if preprocess:
            streams.write_result(_preprocessed(path, given["language"]), path_of(out, path, ".i"))
            return DONE
        return emit(file, converted(read_source(path), **chosen(file)))

    if len(files) > 1 and not preprocess and not (out and is_folder(out)):
        conversions = Conversions({file: part(file) for file in files})
        if conversions.main_file:
            return emit(conversions.main_file, conversions.linked())
        if not out:
            return run_each(files, lambda file: emit(file, conversions.result(file)), jobs)
    if out:
        prepare_folder(out, files)
    return run_each(files, convert_alone, jobs)


def _write_record(file: str, out: str | None, **given: Any) -> int:
    """Write the record and the program of a file. Raises `click.UsageError` if a function is chosen."""
    path, function = path_and_function(file)
    if function is not None:
        raise click.UsageError(f"--emit record describes whole files, but {file} names a function")
    documents: list[str] = []
    converted(read_source(path), documents=documents, **given)
    streams.write_result(documents[0], path_of(out, file, ".record.json"))
    return DONE


def _preprocessed(path: str, language: str | None) -> str:
    """The preprocessed text of a C program. Raises `click.UsageError` if the file is in another language."""
    name = language or (DEFAULT if path == "-" else language_of(path)) or ""
    if name not in LANGUAGES or not LANGUAGES[name].preprocessor:
        raise click.UsageError("-E requires a program in C")
    module_of(name)
    text: str = import_module(LANGUAGES[name].preprocessor).listing(read_source(path))
    return text


@click.command(
    cls=Command,
    examples=[
        "cpsconv convert examples/gcd.c | cpsconv fmt --layout flat -",
        "cpsconv fmt --check --diff docs/course/solutions/*.cps",
        "cpsconv fmt -j 4 docs/course/solutions/*.cps -o formatted/",
    ],
)
@each_file()
@options.kept_layout
@options.out
@options.cps_language
@options.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if the text would change.")
@options.option("--diff", is_flag=True, help="Print the changes as a unified diff; exit with 1 if there are any.")
def fmt(file: str, out: str | None, language: str | None, only_check: bool, diff: bool, **style: Any) -> int:
    """Format the CPS text in FILE.

    Names stay as they are, and comments with the code that they precede or follow. A program in JSON becomes CPS text.
    """
    options.exclude("out", "only_check", "diff")
    from cpsconv.core.text import pretty, reformat  # late: `convert` to other targets does not need the printer

    source = read_cps_text(file, language)
    with streams.progress_bar():
        if is_data(source):
            text = pretty(converted(source, language=CPS), **{**style, "layout": style["layout"] or "nested"})
        else:
            text = reformat(source, **style)
    if diff:
        streams.write_result(_unified_diff(source, text))
    if only_check:
        if text != source.text:
            raise DiagnosticError([error(f"{source.name}: would be reformatted", rule="unformatted")])
        return DONE
    if diff:
        return WRONG_INPUT if text != source.text else DONE
    streams.write_result(text, path_of(out, file, ".cps"), in_place=True)
    return DONE


def _unified_diff(source: Source, text: str) -> str:
    """The changes from the source to the text, as `patch` reads them."""
    from difflib import unified_diff  # late: few commands need it

    before, after = ([*StringIO(each)] for each in (source.text, text))
    lines = unified_diff(before, after, source.name, source.name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in lines)


@click.command(
    "link",
    cls=Command,
    examples=[
        "cpsconv link examples/linking/main.c examples/linking/stack.c",
        "cpsconv link examples/linking/*.c -o program.cps",
        "cpsconv link --emit json examples/linking/*.c | head -c 100",
    ],
)
@all_files()
@options.option(
    "--emit", "target", type=Choice([*TARGETS]), default="cps", show_default=True, help="Output, as that of `convert`."
)
@options.layout
@options.out
@options.language
@options.warnings
@options.compiler
@options.unused_level
def link_command(
    files: Sequence[str],
    jobs: int,
    target: str,
    out: str | None,
    language: str | None,
    names: Any,
    layout: Any,
    ascii: bool,
    width: int,
    warn: Sequence[str],
) -> int:
    """Link the programs in FILE... to one, and print it.

    Each FILE is CPS text, a program in JSON (docs/json.md), or a source, which is converted. A program with main must
    be complete; another one may use functions and data that later programs define (docs/linking.md).
    """
    if out is not None:
        prepare_folder(out, files[:1])
    found = [*each(files, lambda file: converted(read_source(file), language=language, warn=warn))]
    if failed := max(status for _, status in found):
        return failed
    program = linked([program for program, _ in found if program])
    with streams.progress_bar():
        text = TARGETS[target](program, Style(layout, ascii, width, names=names))
    streams.write_result(text, path_of(out, files[0], SUFFIXES.get(target, f".{target}")))
    return DONE
