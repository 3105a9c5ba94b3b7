"""Rows as CSV, JSON Lines, and Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from cpsconv.core.source import DiagnosticError, error
from cpsconv.lab.stats.rows import Row

Columns = Mapping[str, type]


def csv_table(rows: Iterable[Row], columns: Columns) -> Iterator[bytes]:
    """The pieces of a table in CSV, whose first line has the names of the columns. An empty cell is a missing value."""
    for batch in _batches(rows):
        text = io.StringIO()
        writer = csv.DictWriter(text, columns, lineterminator="\n")
        if batch is None:
            writer.writeheader()
        else:
            writer.writerows(batch)
        yield _encoded(text.getvalue())


def json_lines(rows: Iterable[Row], columns: Columns) -> Iterator[bytes]:
    """The pieces of a table in JSON Lines: an object for each row, without missing values."""
    for row in rows:
        present = {name: row[name] for name in columns if row.get(name) is not None}
        yield _encoded(f"{json.dumps(present, ensure_ascii=False)}\n")


def parquet(rows: Iterable[Row], columns: Columns) -> Iterator[bytes]:
    """The pieces of a Parquet file with typed columns. Raises `DiagnosticError` if pyarrow is not installed."""
    try:
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    except ImportError:
        help = "install it with `pip install 'cpsconv[parquet]'`, or write CSV"
        raise DiagnosticError([error("a Parquet file needs the package pyarrow", help=help, rule="tool")]) from None
    types = {int: pyarrow.int64(), float: pyarrow.float64(), str: pyarrow.string()}
    schema = pyarrow.schema([(name, types[type]) for name, type in columns.items()])
    data = io.BytesIO()
    with ParquetWriter(data, schema) as writer:
        for batch in filter(None, _batches(rows)):
            writer.write_table(pyarrow.Table.from_pylist([*map(_valid, batch)], schema))
    yield data.getvalue()


FORMATS: dict[str, Callable[[Iterable[Row], Columns], Iterator[bytes]]] = {
    "csv": csv_table,
    "jsonl": json_lines,
    "parquet": parquet,
}
"""The formats of tables, by the suffix of their files."""

_BATCH = 10_000  # rows


def _batches(rows: Iterable[Row]) -> Iterator[list[Row] | None]:
    """None, then the rows in lists of limited length."""
    rows = iter(rows)
    yield None
    while batch := [*islice(rows, _BATCH)]:
        yield batch


def _valid(row: Row) -> dict[str, Any]:
    """The row with texts that have an encoding: bytes of paths and sources that are not UTF-8 are replaced."""
    return {name: _encoded(value).decode() if isinstance(value, str) else value for name, value in row.items()}


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")
