"""Several files per command: processed independently, in turn or in parallel, with output in order; and their paths."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from os.path import basename, exists, isdir, join, samefile, splitext
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, Union

import click

from cpsconv.cli import streams, terminal
from cpsconv.cli.status import DONE, INTERNAL_ERROR, INTERRUPTED, WRONG_COMMAND_LINE, report_failure
from cpsconv.progress import ignore, listening, report
from cpsconv.source import STANDARD_INPUT, Diagnostic, DiagnosticError, error

if TYPE_CHECKING:
    from multiprocessing.connection import Connection
    from multiprocessing.context import ForkProcess

T = TypeVar("T")


Result = tuple[Union[T, None], int]
"""The value of a job with status 0; or None with the exit status of its exception."""


def run(files: Sequence[str], job: Callable[[str], int], jobs: int, headed: bool = False) -> int:
    """Call `job`, which returns an exit status, with each file. Returns the highest exit status.

    With `headed`, each of several files is announced on standard output. Exceptions are reported, and concern one file.
    """
    if len(files) == 1:
        return _processed(job, files[0])

    def announced(file: str) -> int:
        if headed:
            streams.write_result(f"==> {file} <==\n")
            streams.flush()
        return job(file)

    return max(status or value or DONE for value, status in each(files, announced, jobs))


def each(files: Sequence[str], job: Callable[[str], T], jobs: int = 1) -> Iterator[Result[T]]:
    """The results of the job for each file, in order. `jobs` is the number of processes; 0: one per processor.

    Exceptions are reported, except those that concern the whole command: an interrupt, a closed standard output.
    """
    jobs = min(jobs or os.cpu_count() or 1, len(files))
    job = partial(_processed, job)
    with terminal.progress_bar():
        if jobs > 1 and hasattr(os, "fork") and not any(path_and_function(file)[0] == "-" for file in files):
            yield from _Pool(files, job, jobs).results()
            return
        for number, file in enumerate(files, 1):
            terminal.count_progress(number, len(files))
            try:
                yield job(file), DONE
            except (click.ClickException, click.exceptions.Exit, OSError):
                raise
            except Exception as failure:
                yield None, _reported(failure, file) if len(files) > 1 else report_failure(failure)


def _reported(failure: Exception, file: str) -> int:
    """Report the exception; texts of errors without a location name the file, one of several. Returns the status."""
    path, _ = path_and_function(file)
    found = failure.diagnostics if isinstance(failure, DiagnosticError) else []
    for each in found if terminal.settings.diagnostics == "text" else []:
        if each.span is None and each.rule != "file" and path not in each.message:
            each.message = f"{file}: {each.message}"
    return report_failure(failure)


def _processed(job: Callable[[str], T], file: str) -> T:
    """The result of the job. Diagnostics without a span concern the file."""
    path, _ = path_and_function(file)
    terminal.settings.file = STANDARD_INPUT if path == "-" else path
    return job(file)


# ------------------------------------------------------------------------------------------------------- in parallel


class _Pool(Generic[T]):
    """Child processes, one per file, at most `jobs` at the same time. Their output is replayed in order."""

    def __init__(self, files: Sequence[str], job: Callable[[str], T], jobs: int) -> None:
        from multiprocessing import get_context

        self._files = files
        self._job = job
        self._jobs = jobs
        self._fork = get_context("fork")
        self._started = 0
        self._running: dict[Connection, tuple[int, ForkProcess]] = {}
        self._done: dict[int, tuple[Result[T], Record | Diagnostic]] = {}
        self._alive = os.pipe()  # its writing end is closed by the end of this process
        terminal.fix_settings()

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
        import pickle
        from multiprocessing.connection import wait

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
        import pickle
        from threading import Thread

        reader, parent = self._alive
        os.close(parent)
        Thread(target=lambda: os.read(reader, 1) or os._exit(INTERRUPTED), daemon=True).start()
        try:
            with _recorded() as record:
                try:
                    result: Result[T] = self._job(file), DONE
                except Exception as failure:
                    result = None, _reported(failure, file)
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
    import pickle

    record: Record = []
    sys.stdout, sys.stderr = (
        io.TextIOWrapper(_Recorder(name, record), "utf-8", "backslashreplace", write_through=True)  # type: ignore[type-var]
        for name in ("stdout", "stderr")
    )
    terminal.settings.collected = []
    terminal.forget_progress()
    with listening(ignore):
        yield record
    record.append(("diagnostics", pickle.dumps(terminal.settings.collected)))


def _replay(record: Record) -> None:
    """Write recorded output, and collect recorded diagnostics."""
    import pickle

    for name, data in record:
        if name == "diagnostics":
            terminal.settings.collected += pickle.loads(data)
        elif name == "stdout":
            streams.output().write(data)
        else:
            streams.write_error_data(data)
    streams.flush()


# ------------------------------------------------------------------------------------------------------------- paths


def path_and_function(target: str) -> tuple[str, str | None]:
    """The path in FILE[:FUNCTION], and the function's name, if any; a colon may also be part of the path."""
    path, colon, function = target.rpartition(":")
    return (path, function) if colon and path and not exists(target) else (target, None)


def path_and_entry(file: str, entry: str | None) -> tuple[str, str | None]:
    """The path in FILE[:FUNCTION], and the function to start. Raises `click.UsageError` if it is given twice."""
    path, function = path_and_function(file)
    if function is not None and entry is not None:
        raise click.UsageError(f"{file} names the function to start: --entry cannot name another one")
    return path, function if entry is None else entry


def is_folder(out: str) -> bool:
    """Whether OUT denotes a folder, which need not exist."""
    return isdir(out) or out.endswith(("/", os.sep))


def path_of(out: str | None, target: str, suffix: str, *, in_place: bool = False) -> str | None:
    """OUT for FILE[:FUNCTION]: if it is a folder, the file in it that is named after the target, with the suffix.

    Raises `DiagnosticError` if the file is FILE itself, unless `in_place`.
    """
    if out is None or not is_folder(out):
        return out
    path, _ = path_and_function(target)
    written = join(out, _stem(target) + suffix)
    if not in_place and exists(written) and exists(path) and samefile(written, path):
        raise DiagnosticError([error(f"{written}: is the input, and would be overwritten", rule="file")])
    return written


def _stem(target: str) -> str:
    path, function = path_and_function(target)
    stem = "stdin" if path == "-" else splitext(basename(path))[0]
    return f"{stem}.{function}" if function else stem


def prepare_folder(out: str, targets: Sequence[str]) -> None:
    """Create OUT if it is a folder.

    Raises `click.UsageError` if several targets would be written to the same file; `DiagnosticError` if the folder
    cannot be created.
    """
    if out == "-":
        return
    if len(targets) > 1 and not is_folder(out):
        raise click.UsageError(f"several files are written to a folder: {out} is no folder; end its name with /")
    written: dict[str, str] = {}
    for target in targets:
        path = join(out, _stem(target))
        if path in written:
            raise click.UsageError(f"{written[path]} and {target} would be written to the same file {path}.…")
        written[path] = target
    if is_folder(out):
        streams.create_folder(out)
