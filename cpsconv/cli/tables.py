"""The comparison of constructions, as a table for people and as JSON for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from cpsconv.explain.comparison import Row, totals

_FIGURES = ("continuations", "placed", "removed", "kept", "minimal", "arguments", "lookups")


def as_json(rows: Sequence[Row]) -> str:
    """A list of objects, one to a line. There is no `minimal` where that was not asked for."""
    objects = ({k: value for k, value in asdict(row).items() if k != "minimal" or value is not None} for row in rows)
    return "[" + ",\n ".join(map(json.dumps, objects)) + "]\n"


def as_table(rows: Sequence[Row]) -> str:
    """A line for each function and strategy, and in the end the total of each strategy. Nothing for no rows."""
    if not rows:
        return ""
    figures = [name for name in _FIGURES if name != "minimal" or rows[0].minimal is not None]
    lines = [["function", "strategy", *figures, "ms"]]
    for row in (*rows, *totals(rows)):
        title = f"{row.file}:{row.function}" if row.function else "total"
        numbers = ["-" if getattr(row, name) is None else str(getattr(row, name)) for name in figures]
        milliseconds = f"{1000 * row.seconds:.3f}"
        lines.append([title if row.strategy == rows[0].strategy else "", row.strategy, *numbers, milliseconds])
    return _aligned(lines)


def _aligned(lines: list[list[str]]) -> str:
    """The lines with their columns one below the other: two of words, to the left, and then numbers, to the right."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    aligned = []
    for line in lines:
        words = (cell.ljust(width) for cell, width in zip(line[:2], widths[:2], strict=True))
        numbers = (cell.rjust(width) for cell, width in zip(line[2:], widths[2:], strict=True))
        aligned.append("  ".join((*words, *numbers)) + "\n")
    return "".join(aligned)
