"""Several files at the same time: one child process per file, whose recorded output is replayed in order."""

from __future__ import annotations

import io
import os
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from threading import Thread
from typing import Any, Generic, Literal, TypeVar, Union

from cpsconv.cli import streams
from cpsconv.cli.commands import INTERNAL_ERROR, INTERRUPTED, WRONG_COMMAND_LINE
from cpsconv.progress import ignore, listening, report
from cpsconv.source import Diagnostic, DiagnosticError, error

T = TypeVar("T")

Result = tuple[Union[T, None], int]
"""The value of a job with status 0; or None with the exit status of its exception."""


class Pool(Generic[T]):
    """Child processes, one per file, at most `jobs` at the same time. Their output is replayed in order.

    `job` raises no exceptions but interrupts.
    """

    def __init__(self, files: Sequence[str], job: Callable[[str], Result[T]], jobs: int) -> None:
        self._files = files
        self._job = job
        self._jobs = jobs
        self._fork = get_context("fork")
        self._started = 0
        self._running: dict[Connection, tuple[int, ForkProcess]] = {}
        self._done: dict[int, tuple[Result[T], Record | Diagnostic]] = {}
        self._alive = os.pipe()  # its writing end is closed by the end of this process
        streams.fix_settings()

    def results(self) -> Iterator[Result[T]]:
        """The results in order, up to the first with a wrong command line, which the others share."""
        try:
            for number in range(len(self._files)):
                while number not in self._done:
                    self._start_children()
                    self._collect()
                result, record = self._done.pop(number)
                if isinstance(record, Diagnostic):
                    streams.report([record])
                else:
                    _replay(record)
                yield result
                if result[1] == WRONG_COMMAND_LINE:
                    return
        finally:
            for _, child in self._running.values():
                child.kill()
            for end in self._alive:
                os.close(end)

    def _start_children(self) -> None:
        while self._started < len(self._files) and len(self._running) < self._jobs:
            reader, writer = self._fork.Pipe(duplex=False)
            child = self._fork.Process(target=self._work, args=(self._files[self._started], writer))
            child.start()
            writer.close()
            self._running[reader] = self._started, child
            self._started += 1

    def _collect(self) -> None:
        """Wait for the end of at least one child."""
        ready = wait(self._running)
        for reader in [reader for reader in self._running if reader in ready]:
            number, child = self._running.pop(reader)
            try:
                self._done[number] = pickle.loads(reader.recv_bytes())
            except EOFError:
                child.join()
                code = child.exitcode or 0
                end = f"was ended by signal {-code}" if code < 0 else f"ended with status {code}"
                failure = error(f"{self._files[number]}: its process {end}", rule="internal")
                self._done[number] = (None, INTERNAL_ERROR), failure
            child.join()
            report("processing", self._started - len(self._running), len(self._files))

    def _work(self, file: str, writer: Connection) -> None:
        """The work of a child, which ends silently after an interrupt, or with its parent."""
        reader, parent = self._alive
        os.close(parent)
        Thread(target=lambda: os.read(reader, 1) or os._exit(INTERRUPTED), daemon=True).start()
        try:
            with _recorded() as record:
                result = self._job(file)
            writer.send_bytes(pickle.dumps((result, record)))
        except KeyboardInterrupt:
            os._exit(INTERRUPTED)


# -------------------------------------------------------------------------------------------------- recorded output

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
def _recorded() -> Iterator[Record]:
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


def _replay(record: Record) -> None:
    """Write recorded output, and collect recorded diagnostics."""
    for name, data in record:
        if name == "diagnostics":
            streams.settings.collected += pickle.loads(data)
        elif name == "stdout":
            streams.output().write(data)
        else:
            streams.write_error_data(data)
    streams.flush()
