"""The command `stats`: what became of each function in trees of files."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from os.path import basename, exists, isdir, join, normpath, splitext
from tempfile import TemporaryDirectory
from typing import Any

import click

from cpsconv.abi.libraries import installed
from cpsconv.cli import options, streams
from cpsconv.cli.commands import DONE, Choice, Command, OptionalValues
from cpsconv.cli.files import complete_file
from cpsconv.core.construction import STRATEGIES
from cpsconv.core.source import DiagnosticError, error, read_source, record_input
from cpsconv.lab.stats.corpus import Cluster, complete, dask, find_files, processes
from cpsconv.lab.stats.page import Page
from cpsconv.lab.stats.parts import Parts
from cpsconv.lab.stats.rows import Method, Row, Task, columns
from cpsconv.lab.stats.summary import Summary
from cpsconv.lab.stats.tables import FORMATS
from cpsconv.languages import LANGUAGES
from cpsconv.languages.permissions import Permissions, current_permissions

COMPILE_COMMANDS = "compile_commands.json"
"""The name of files with the command lines of C compilers, as CMake and Bear write them."""


@click.command(
    cls=Command,
    examples=[
        "cpsconv stats -j 2 examples",
        "cpsconv stats examples/fig8.c -o rows.csv --html rows.html",
        "cpsconv stats --strategy scc,cytron --emit jsonl examples/gcd.c",
    ],
)
@click.argument("files", metavar="PATH...", nargs=-1, required=True, shell_complete=complete_file)
@options.named_strategies(STRATEGIES)
@options.option(
    "--emit", type=Choice(["summary", *FORMATS]), help="What to write (default: by the suffix of OUT, else a summary)."
)
@options.out
@options.option("--html", metavar="OUT", help="Also write a page with plots to the file OUT.")
@options.option(
    "--parts",
    metavar="FOLDER",
    help="Keep the rows of each file in FOLDER, from which a second run continues (default: OUT.parts).",
)
@options.option(
    "--timeout",
    type=options.seconds,
    metavar="SECONDS",
    default="600",
    show_default=True,
    help="Refuse a file whose conversion takes more processor time.",
)
@options.option(
    "--max-memory", type=options.size, metavar="BYTES", help="Refuse a file whose conversion takes more memory."
)
@options.option("--independent", is_flag=True, help="Run the second checker, too (docs/certificate.md).")
@options.option("--dask", "address", metavar="ADDRESS", help="Convert on the Dask cluster with this scheduler.")
@options.language
@options.compiler
@options.unused_level
@options.unused_warnings
def stats(
    files: Sequence[str],
    jobs: int,
    strategies: list[str],
    emit: str | None,
    out: str | None,
    html: str | None,
    parts: str | None,
    timeout: float,
    max_memory: int | None,
    independent: bool,
    address: str | None,
    language: str | None,
) -> int:
    """Convert all files below PATH, and tabulate what became of each function.

    PATH is a file, a folder, in which the files with the suffixes .c, .bril, .mod and .while are converted, or a
    compile_commands.json. The table has a row for each file, with the reason if it is refused, and one for each
    function: its size, its loops, its variables in memory, and for each strategy the parameters placed, removed, kept
    and minimal, the arguments, the look-ups, and the time (docs/stats.md). OUT is written as CSV, JSON Lines or
    Parquet, by its suffix. After an interrupt, the same command continues.
    """
    if not hasattr(os, "fork"):
        raise DiagnosticError([error("`stats` requires a POSIX system", rule="tool")])
    if jobs != 1:  # the default
        options.exclude("address", "jobs")
    suffix = splitext(out or "")[1][1:]
    emit = emit or (suffix if suffix in FORMATS else "summary")
    tasks = [*_tasks(files, language)]
    if not tasks:
        raise DiagnosticError([error(f"{files[0]}: has no files to convert", rule="file")])
    method = Method(strategies, timeout, max_memory, independent)
    cluster: Cluster = partial(dask, address) if address else partial(processes, jobs or os.cpu_count() or 1)
    with ExitStack() as stack:
        folder = parts or (f"{out}.parts" if out and out != "-" else stack.enter_context(TemporaryDirectory()))
        streams.create_folder(folder)
        kept = Parts(folder, method)
        with streams.progress_bar(show_time=True):
            complete(kept, tasks, method, cluster)
        rows = partial(_rows, kept, tasks)
        if html:
            page = Page(strategies)
            for row in rows():
                page.add(row)
            streams.write_result(page.text(), html)
        if emit == "summary":
            streams.write_result(_summary(strategies, rows()), out)
        else:
            streams.write_pieces(FORMATS[emit](rows(), columns(strategies)), out)
    return DONE


def _rows(parts: Parts, tasks: Iterable[Task]) -> Iterator[Row]:
    for task in tasks:
        yield from parts.rows(task)


def _summary(strategies: Sequence[str], rows: Iterable[Row]) -> str:
    summary = Summary(strategies)
    for row in rows:
        summary.add(row)
    return "".join(f"{line}\n" for line in summary.lines())


# ---------------------------------------------------------------------------------------------------- what to convert


def _tasks(paths: Sequence[str], language: str | None) -> Iterator[Task]:
    """The files to convert. Raises `DiagnosticError` if a path leads to none."""
    for path in paths:
        if not exists(path):
            raise DiagnosticError([error(f"{path}: there is no such file", rule="file")])
    settings, permissions = _settings(), current_permissions()
    folders = [path for path in paths if isdir(path)]
    permissions = permissions._replace(folders=(*permissions.folders, *folders))
    for path in find_files(path for path in paths if basename(path) != COMPILE_COMMANDS):
        record_input(path)
        yield Task(path, os.getcwd(), language, settings, permissions)
    for path in paths:
        if basename(path) == COMPILE_COMMANDS:
            yield from _compiled(path, language)


def _settings() -> dict[str, Any]:
    """The current settings of the preprocessor of each language that has one."""
    modules = {name: installed(each.preprocessor) for name, each in LANGUAGES.items() if each.preprocessor}
    return {name: module.current_settings() for name, module in modules.items() if module}


def _compiled(path: str, language: str | None) -> Iterator[Task]:
    """The files that a compile_commands.json names, with the options of their command lines.

    Raises `DiagnosticError` if it is not such a file.
    """
    try:
        entries = [(each["directory"], each["file"], _words(each)) for each in json.loads(read_source(path).text)]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise DiagnosticError([error(f"{path}: is not a list of compile commands", rule="file")]) from None
    for directory, file, words in dict.fromkeys((directory, file, (*words,)) for directory, file, words in entries):
        full = normpath(join(directory, file))
        try:
            with _compiler.make_context("cc", [*words]):
                permitted = (directory, *current_permissions().folders)
                yield Task(full, directory, language, _settings(), Permissions(permitted))
        except click.UsageError as wrong:
            yield Task(full, directory, language, fault=wrong.format_message())


def _words(entry: dict[str, Any]) -> list[str]:
    """The words of a compiler's command line, without that of the compiler."""
    words = entry["arguments"] if "arguments" in entry else shlex.split(entry["command"])
    return [str(word) for word in words[1:]]


@click.command(
    cls=OptionalValues,
    reports_ignored=False,
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "allow_interspersed_args": True},
)
@options.preprocessor
@options.compiler
@options.unused_level
@options.unused_warnings
@options.option("-o", "out", expose_value=False)
def _compiler() -> None:
    """A C compiler, as far as its options concern conversions."""
