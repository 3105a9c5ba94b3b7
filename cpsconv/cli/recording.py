"""Recorded output of a process, which another process writes later."""

from __future__ import annotations

import io
import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

from cpsconv.cli import streams
from cpsconv.progress import ignore, listening
from cpsconv.source import DiagnosticError, error

Record = list[tuple[Literal["stdout", "stderr", "diagnostics"], bytes]]
"""Output: what was written to which stream; and the pickled diagnostics that were collected."""


MAX_RECORD = 2**28
"""The maximal number of bytes of standard output, and of standard error, that are recorded for a file."""


class _Recorder(io.BufferedIOBase):
    """A byte stream that records what is written to it."""

    def __init__(self, name: Literal["stdout", "stderr"], record: Record) -> None:
        self._name: Literal["stdout", "stderr"] = name
        self._record = record
        self._left = MAX_RECORD

    def writable(self) -> bool:
        """True."""
        return True

    def write(self, data: Any) -> int:
        """Record the data. Raises `DiagnosticError` if it is too much."""
        if len(data) > self._left:
            message = f"more than {MAX_RECORD // 2**20} MB of output cannot be recorded"
            raise DiagnosticError([error(message, help="process the file without -j", rule="too-large")])
        self._left -= len(data)
        self._record.append((self._name, bytes(data)))
        return len(data)


@contextmanager
def recorded() -> Iterator[Record]:
    """Record the output of the block, for the rest of this process; at its end, also the collected diagnostics."""
    record: Record = []
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(_Recorder(name, record), "utf-8", "backslashreplace", write_through=True)  # type: ignore[type-var]
        for name in ("stdout", "stderr")
    )
    streams.settings.collected = []
    streams.forget_progress()
    with listening(ignore):
        yield record
    record.append(("diagnostics", pickle.dumps(streams.settings.collected)))


def replay(record: Record) -> None:
    """Write recorded output, and collect recorded diagnostics."""
    for name, data in record:
        if name == "diagnostics":
            streams.settings.collected += pickle.loads(data)
        elif name == "stdout":
            streams.output().write(data)
        else:
            streams.write_error_data(data)
    streams.flush()
