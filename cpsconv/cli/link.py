"""The command `link`: programs that were converted separately become one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from cpsconv.cli import options, streams, terminal
from cpsconv.cli.batch import all_files, each, path_of
from cpsconv.cli.commands import Choice, Command
from cpsconv.cli.conversion import converted, linked
from cpsconv.cli.status import DONE
from cpsconv.emit import SUFFIXES, TARGETS, Style
from cpsconv.ir import Program
from cpsconv.source import DiagnosticError, Source, error, read_source


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
def link_command(
    files: Sequence[str],
    jobs: int,
    target: str,
    out: str | None,
    language: str | None,
    layout: Any,
    ascii: bool,
    width: int,
) -> int:
    """Link the programs in FILE... to one, and print it.

    Each FILE is CPS text, a program in JSON (docs/json.md), or a source, which is converted. A program with main must
    be complete; another one may use functions and data that later programs define (docs/linking.md).
    """
    found = [*each(files, lambda file: _program(read_source(file), language))]
    if failed := max(status for _, status in found):
        return failed
    program = linked([program for program, _ in found if program])
    with terminal.progress_bar():
        text = TARGETS[target](program, Style(layout, ascii, width))
    streams.write_result(text, path_of(out, files[0], SUFFIXES.get(target, f".{target}")))
    return DONE


def _program(source: Source, language: str | None) -> Program:
    """The program in a source. Raises `DiagnosticError` if the source is wrong."""
    if not source.text.startswith('{"format": "cpsconv"'):
        return converted(source, language=language)
    from cpsconv.json import from_json  # late: most programs are text

    try:
        return from_json(source.text)
    except ValueError as failure:
        raise DiagnosticError([error(f"{source.name}: {failure}", rule="file")]) from None
