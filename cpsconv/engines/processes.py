"""Child processes for runs: their start and end, their output, and their limits of processor time and memory.

The operating system counts the processor time of a child and ends it. So the limit holds at every moment, also in a
long operation of Python or of LLVM. The program that runs can neither catch nor block the signal.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import signal
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from typing import Any, BinaryIO, TypeVar

from cpsconv.core.operations.printing import ByteStream
from cpsconv.core.operations.runtime_errors import TimeLimit
from cpsconv.core.source import DiagnosticError, counted, error

T = TypeVar("T")

_DATA = 5  # the field of /proc/PID/statm with the number of pages of data and stack
_INTERVAL = 10  # milliseconds between two examinations of the memory of a child

_limit: float | None = None
"""The seconds of processor time that the run in this process may take, None without a limit."""


def time_left() -> float | None:
    """The seconds of processor time that the run in this process has left; None without a limit."""
    return None if _limit is None else max(_limit - time.process_time(), 0.001)


def limit_time(seconds: float) -> None:
    """End this process by the signal SIGPROF as soon as it has taken so many seconds of processor time."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGPROF])
    signal.setitimer(signal.ITIMER_PROF, max(seconds - time.process_time(), 0.001))


def restore_interrupts() -> None:
    """End this process at an interrupt, unless interrupts are ignored."""
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)


class TimeExhausted(Exception):
    """A run in another process has taken all of its time."""


class ProcessEnded(RuntimeError):
    """A process ended without a report, with an exit `status`, or by a signal, whose number is negated then."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status

    def __str__(self) -> str:
        return f"the process of the run ended with status {self.status}"


def data_size(process: int | str = "self") -> int | None:
    """The bytes of data of a process, with its stacks; None if the system does not tell."""
    try:  # without the layers of `pathlib`, since a comparison starts hundreds of runs
        with open(f"/proc/{process}/statm", "rb", buffering=0) as file:
            return int(file.read().split()[_DATA]) * os.sysconf("SC_PAGESIZE")
    except FileNotFoundError:
        return None


def in_fork(main: Callable[[int, int], None], memory: int | None = None) -> tuple[bytes, int]:
    """Call a function in a child process. Returns its report, and its exit status or, negated, the signal at its end.

    The function gets the descriptors of two pipes: it writes its report to the first; the second is the *lifeline*,
    which the child reads without success until the end of this process, however this process ends. The signal SIGKILL
    ends a child that takes more than `memory` bytes in addition to those of this process.
    """
    reading, writing = os.pipe()
    lifeline, held = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # about locks of other threads; the child needs none
        child = os.fork()
    if child == 0:
        try:
            os.close(held)
            os.close(reading)
            main(writing, lifeline)
        finally:
            os._exit(1)
    os.close(writing)
    os.close(lifeline)
    try:
        with open(reading, "rb") as channel:
            if memory is not None and (inherited := data_size()) is not None:
                _limit_memory(child, inherited + memory, reading)
            report = channel.read()
    except BaseException:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        _, status = os.waitpid(child, 0)
        os.close(held)
    return report, os.waitstatus_to_exitcode(status)


def _limit_memory(child: int, size: int, report: int) -> None:
    """Wait for the report of the child, or end the child when it has more than so many bytes of data.

    The system could enforce the limit, but Python loops without an end where an exception finds no memory at all.
    """
    channel = select.poll()
    channel.register(report, select.POLLIN)
    while not channel.poll(_INTERVAL):
        if (data_size(child) or 0) > size:
            os.kill(child, signal.SIGKILL)


def within_time(call: Callable[..., T], streams: Sequence[ByteStream], seconds: float, memory: int | None = None) -> T:
    """The result of a function of streams, which may take so many seconds of processor time, in a child process.

    On Linux, the child may take `memory` bytes in addition to those of this process; its memory is examined every
    10 ms. What the child writes is not buffered, so that nothing is lost. Raises the exception of the function,
    `TimeLimit`, `MemoryError`, `ProcessEnded` if the child ends otherwise, and `DiagnosticError` if the system has no
    such processes.
    """
    if not hasattr(os, "fork"):
        raise DiagnosticError([error("a limit of time requires a POSIX system", rule="tool")])
    with ExitStack() as stack:
        for stream in streams:
            stream.flush()
        files = [stack.enter_context(OutputFile(stream)) for stream in streams]

        def main(report_to: int, lifeline: int) -> None:
            global _limit
            _limit = seconds
            restore_interrupts()
            gc.freeze()  # no collection visits what the parent made: that would be time of the run
            threading.Thread(target=lambda: os.read(lifeline, 1) or os._exit(1), daemon=True).start()
            limit_time(seconds)
            try:
                report: tuple[T | None, Exception | None] = call(*map(_Unbuffered, files)), None
            except Exception as failure:
                # Some packages let exceptions be pickled with their context, which may be deep.
                failure.__traceback__ = failure.__cause__ = failure.__context__ = None
                report = None, failure
            signal.setitimer(signal.ITIMER_PROF, 0)
            with open(report_to, "wb") as channel:
                pickle.dump(report, channel)

        report, code = in_fork(main, memory)
    ended: Any = pickle.loads(report) if report else (None, _failure(code))
    result: T
    result, failure = ended
    if isinstance(failure, TimeExhausted):
        raise _time_error(seconds)
    if failure:
        raise failure
    return result


def _failure(code: int) -> BaseException:
    """The exception for a process that ended without a report, with a status or by a signal (a negative code)."""
    known: dict[int, BaseException] = {
        signal.SIGPROF: TimeExhausted(),
        signal.SIGINT: KeyboardInterrupt(),
        signal.SIGKILL: MemoryError(),  # the limit is reached, or the system has none left
    }
    return known.get(-code) or ProcessEnded(code)


def _time_error(seconds: float) -> TimeLimit:
    whole = counted(int(seconds), "second") if seconds == int(seconds) else f"{seconds:g} seconds"
    fault = TimeLimit(f"the program takes more than {whole} of processor time")
    fault.diagnostic.help = "does the program end? --timeout sets the limit"
    return fault


class OutputFile:
    """The file of a stream; for a stream without a file, a temporary one whose content is copied at the end."""

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._copied: BinaryIO | None = None

    def __enter__(self) -> OutputFile:
        try:
            self.descriptor: int = self._stream.fileno()  # type: ignore[attr-defined]
            os.fstat(self.descriptor)  # fails if the file is closed
        except (AttributeError, OSError):
            self._copied = tempfile.TemporaryFile()
            self.descriptor = self._copied.fileno()
        return self

    def __exit__(self, *_: object) -> None:
        if self._copied:
            with self._copied as file:
                file.seek(0)
                while data := file.read(1 << 20):
                    self._stream.write(data)
                self._stream.flush()


class _Unbuffered:
    """The stream to a file, without a buffer."""

    def __init__(self, file: OutputFile) -> None:
        self._descriptor = file.descriptor

    def write(self, data: bytes) -> None:
        """Write all of the data."""
        while data:
            data = data[os.write(self._descriptor, data) :]

    def flush(self) -> None:
        """Do nothing: there is no buffer."""

    def fileno(self) -> int:
        """The descriptor of the file."""
        return self._descriptor
