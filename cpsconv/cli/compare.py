"""The command `compare`: the strategies side by side, as a table or as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import click

from cpsconv.cli import options, streams, terminal
from cpsconv.cli.batch import complete_file, each, path_and_function
from cpsconv.cli.commands import Command
from cpsconv.cli.status import DONE
from cpsconv.entry import require_function
from cpsconv.explain import comparison
from cpsconv.explain.comparison import Row, totals
from cpsconv.source import read_source, shortened


@click.command(
    cls=Command,
    examples=[
        "cpsconv compare examples/fig5.c",
        "cpsconv compare --strategy scc,cytron --repeat 25 examples/gcd.c:gcd",
        "cpsconv compare --json examples/fig*.c > rows.json",
    ],
)
@click.argument("files", metavar="FILE[:FUNCTION]...", nargs=-1, required=True, shell_complete=complete_file)
@options.strategies
@options.minimal
@options.optimisation
@options.explicit_memory
@options.option("--json", "as_json", is_flag=True, help="Print a list of objects, with times in seconds.")
@options.option(
    "--repeat",
    type=click.IntRange(min=1),
    metavar="N",
    default=5,
    show_default=True,
    help="Number of timed constructions; the median is printed.",
)
@options.language
def compare(files: Sequence[str], jobs: int, as_json: bool, **given: Any) -> int:
    """Construct the programs in FILE... with several strategies, and compare them.

    For each function and strategy: the number of continuations; the number of parameters placed, removed again, and
    kept; the number left after Algorithm 5 (minimal); the number of arguments of the kept parameters; the number of
    continuations that look-ups visited; and the time in milliseconds from the syntax tree to the finished function.
    For functions with arrays, structs or addresses, also the number of variables that became values (promoted), and
    that are in memory.
    Files with errors are skipped. With -O, operations are simplified during the constructions. With -j, the
    constructions slow each other down.
    """
    rows: list[Row] = []
    status = DONE
    for found, end in each(files, lambda file: _rows(file, **given), jobs):
        rows += found or []
        status = max(status, end)
    streams.write_result(_json(rows) if as_json else _table(rows))
    return status


def _rows(file: str, **given: Any) -> list[Row]:
    """The rows of FILE[:FUNCTION]."""
    path, function = path_and_function(file)
    rows = comparison.compare(read_source(path), **given)
    if function is None:
        return rows
    require_function(function, (row.function for row in rows))
    return [row for row in rows if row.function == function.strip("`")]


_MIN_TITLE = 12  # columns
_FIGURES = ("continuations", "placed", "removed", "kept", "minimal", "arguments", "lookups", "promoted", "in_memory")
_OPTIONAL = ("minimal", "promoted", "in_memory")  # omitted if no row has the figure


def _json(rows: Sequence[Row]) -> str:
    """A list of objects, one per line. Figures that were not computed are omitted."""
    objects = (
        {k: value for k, value in asdict(row).items() if k not in _OPTIONAL or value is not None} for row in rows
    )
    return "[" + ",\n ".join(map(json.dumps, objects)) + "]\n"


def _table(rows: Sequence[Row]) -> str:
    """A line for each function and strategy, then the total of each strategy; empty if there are no rows."""
    if not rows:
        return ""
    width = terminal.width("stdout")
    figures = [
        name for name in _FIGURES if name not in _OPTIONAL or any(getattr(row, name) is not None for row in rows)
    ]
    lines = [["function", "strategy", *(name.replace("_", " ") for name in figures), "ms"]]
    for row in (*rows, *totals(rows)):
        title = f"{row.file}:{row.function}" if row.function else "total"
        numbers = ["-" if getattr(row, name) is None else str(getattr(row, name)) for name in figures]
        milliseconds = f"{1000 * row.seconds:.3f}"
        title = shortened(title, max(_MIN_TITLE, width // 3)) if width else title
        lines.append([title if row.strategy == rows[0].strategy else "", row.strategy, *numbers, milliseconds])
    columns = [*zip(*lines, strict=True)]
    sides = "<<" + ">" * (len(figures) + 1)
    padded = [
        [f"{cell:{side}{max(map(len, column))}}" for cell in column]
        for side, column in zip(sides, columns, strict=True)
    ]
    parts = _parts(padded[:2], padded[2:], width)
    return "\n".join("".join("  ".join(line) + "\n" for line in zip(*part, strict=True)) for part in parts)


_Columns = list[list[str]]


def _parts(titles: _Columns, figures: _Columns, width: int | None) -> Iterator[_Columns]:
    """The columns as tables of at most `width` columns, each with the titles and at least one column of figures."""
    part = [*titles]
    for column in figures:
        if width and len(part) > len(titles) and sum(len(each[0]) + 2 for each in (*part, column)) - 2 > width:
            yield part
            part = [*titles]
        part.append(column)
    yield part
