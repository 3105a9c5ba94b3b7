"""Several files at the same time: worker processes take files in turn; their recorded output is replayed in order."""

from __future__ import annotations

import _thread
import gc
import io
import os
import pickle
import select
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, NoReturn, TypeVar, Union

from cpsconv.cli import streams
from cpsconv.cli.commands import INTERNAL_ERROR, INTERRUPTED, WRONG_COMMAND_LINE
from cpsconv.core.progress import ignore, listening, report
from cpsconv.core.source import Diagnostic, DiagnosticError, error

T = TypeVar("T")

Result = tuple[Union[T, None], int]
"""The value of a job with status 0; or None with the exit status of its exception."""


@dataclass
class Worker:
    """A child process: the pipes for the numbers of files and for its results, and the numbers without a result."""

    pid: int
    numbers: int
    results: int
    given: list[int] = field(default_factory=list)

    def end(self) -> int:
        """Wait for the end of the process, and close the pipes. Returns the exit status, or the negative signal."""
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.numbers)
        os.close(self.results)
        return status


class Pool(Generic[T]):
    """At most `jobs` workers, which inherit what this process has imported. Their output is replayed in order.

    `job` raises no exceptions but interrupts. A worker that dies is an error of its file, and replaced.
    """

    def __init__(self, files: Sequence[str], job: Callable[[str], Result[T]], jobs: int) -> None:
        self._files = files
        self._job = job
        self._jobs = jobs
        self._started = 0
        self._workers: dict[int, Worker] = {}  # by the pipe with their results
        self._done: dict[int, tuple[Result[T], Record | Diagnostic]] = {}
        self._alive = os.pipe()  # its writing end is closed by the end of this process
        streams.fix_settings()
        gc.freeze()  # the workers need not examine, and so copy, what they inherit

    def results(self) -> Iterator[Result[T]]:
        """The results in order, up to the first with a wrong command line, which the others share."""
        try:
            while len(self._workers) < min(self._jobs, len(self._files)):
                self._supply(self._fork())
            for number in range(len(self._files)):
                while number not in self._done:
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
            for worker in self._workers.values():  # all before the first wait, so that they end at the same time
                os.kill(worker.pid, signal.SIGKILL)
            for worker in self._workers.values():
                worker.end()
            for end in self._alive:
                os.close(end)

    def _supply(self, worker: Worker) -> None:
        """Give the worker a file, and one ahead, for which it need not wait, while there are many; or end it."""
        while self._started < len(self._files):
            many = len(self._files) - self._started > 2 * self._jobs
            if len(worker.given) >= (2 if many else 1):
                break
            self._give(worker, self._started)
            self._started += 1
        if not worker.given:
            os.kill(worker.pid, signal.SIGKILL)

    def _give(self, worker: Worker, number: int) -> None:
        worker.given.append(number)
        with suppress(BrokenPipeError):  # the worker is dead, which `_collect` finds out
            _send(worker.numbers, number)

    def _collect(self) -> None:
        """Wait for at least one result, or the end of a worker."""
        poll = select.poll()
        for results, worker in self._workers.items():
            if worker.given:
                poll.register(results, select.POLLIN)
        for results, _ in poll.poll():
            worker = self._workers[results]
            try:
                done = _receive(results)
            except EOFError:
                done = (None, INTERNAL_ERROR), self._lost(worker)
                del self._workers[results]
            self._done[worker.given.pop(0)] = done
            if results in self._workers:
                self._supply(worker)
            elif worker.given or self._started < len(self._files):
                self._supply(self._fork(worker.given))
            waiting = sum(len(each.given) for each in self._workers.values())
            report("processing", self._started - waiting, len(self._files))

    def _lost(self, worker: Worker) -> Diagnostic:
        """The error for the file of a worker that has ended."""
        code = worker.end()
        end = f"was ended by signal {-code}" if code < 0 else f"ended with status {code}"
        return error(f"{self._files[worker.given[0]]}: its process {end}", rule="internal")

    def _fork(self, given: Sequence[int] = ()) -> Worker:
        """A new worker, with the files of one that has ended."""
        (numbers, to_worker), (results, from_worker) = os.pipe(), os.pipe()
        pid = os.fork()
        if not pid:
            os.close(to_worker)
            self._work(numbers, from_worker)
        os.close(numbers)
        os.close(from_worker)
        worker = self._workers[results] = Worker(pid, to_worker, results)
        for number in given:
            self._give(worker, number)
        return worker

    def _work(self, numbers: int, results: int) -> NoReturn:
        """The work of a worker, which ends silently after an interrupt, or with its parent."""
        status = INTERNAL_ERROR
        try:
            reader, parent = self._alive
            os.close(parent)
            _thread.start_new_thread(lambda: os.read(reader, 1) or os._exit(INTERRUPTED), ())
            null = os.open(os.devnull, os.O_RDONLY)
            os.dup2(null, 0)
            sys.stdin = open(null)  # noqa: SIM115 -- until the process ends
            while True:
                number = _receive(numbers)
                with _recorded() as record:
                    result = self._job(self._files[number])
                _send(results, (result, record))
        except KeyboardInterrupt:
            status = INTERRUPTED
        finally:
            os._exit(status)


def _send(pipe: int, value: object) -> None:
    """Write a value to a pipe, after the number of its bytes."""
    data = pickle.dumps(value)
    rest = memoryview(len(data).to_bytes(8, "little") + data)
    while rest:
        rest = rest[os.write(pipe, rest) :]


def _receive(pipe: int) -> Any:
    """The next value from a pipe. Raises `EOFError` if its writer has ended."""
    return pickle.loads(_read(pipe, int.from_bytes(_read(pipe, 8), "little")))


def _read(pipe: int, size: int) -> bytes:
    data = bytearray()
    while len(data) < size:
        part = os.read(pipe, min(size - len(data), 2**20))
        if not part:
            raise EOFError
        data += part
    return bytes(data)


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
    """Record the output of the block, and what follows, in this process; at its end, also the collected diagnostics."""
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
