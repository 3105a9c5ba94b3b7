"""The child process in which native code runs, and the report of its end.

Native code may abort, overflow its stack or ignore interrupts, and it writes to buffers of the C library. So it runs in
a fork of the process, in a thread with a large stack, while the first thread of the child watches:

- the *lifeline*, a pipe without data. Only the parent has its writing end, so that the child reads the end of the file
  as soon as the parent has ended, even if SIGKILL ended the parent. Then the child ends as well.
- the error indicator of standard output: output that was lost ends the run.

The child reports the end of the run on another pipe. No signal ends native code that is correct, apart from those sent
by others: a program raises signals in a model of the operating system only. An overflow of the stack is made to differ
from all other wrong accesses: it ends the child by SIGBUS.
"""

from __future__ import annotations

import ctypes
import errno
import mmap
import os
import pickle
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import copy_context
from typing import Any, NoReturn

from cpsconv.engines.machine.limits import OutputBudget
from cpsconv.engines.processes import TimeExhausted, in_fork, limit_time, restore_interrupts, time_left

Report = tuple[Any, ...]
"""The end of a run: its kind, and further data. ``("lost", errno)`` is an end by lost output."""


class ChildFailed(Exception):
    """The child process could not run the function; the message is the exception, or the status of the child."""


class NativeCrash(Exception):
    """A signal that a fault of this package or of LLVM has caused ended the child."""


_CRASHES = (signal.SIGABRT, signal.SIGFPE, signal.SIGILL, signal.SIGSEGV, signal.SIGSYS, signal.SIGTRAP)
"""The signals that end a process with wrong code."""

_WATCH_INTERVAL = 0.1  # seconds between two checks of the error indicator
_SECONDS_TO_FLUSH = 1.0  # of processor time
_SPARE_STACK = 1 << 20  # bytes for the functions of the host and of the C library
_GUARD_SIZE = 1 << 16  # bytes at the end of the stack, which no frame of the C library exceeds
_BUFFER_SIZE = 1 << 16
_FULLY_BUFFERED, _LINE_BUFFERED = 0, 1  # as in stdio.h of the systems with a `fork`

_report_to: int | None = None
"""In the child, the descriptor of the pipe for the report."""

_addition: Callable[[str], object] = lambda kind: None  # noqa: E731
"""In the child, the function whose result follows a report of that kind."""

_error: Report = ()
"""In the child, the report of a runtime error."""


def add_to_report(addition: Callable[[str], object]) -> None:
    """In the child, add the result of the function, for the kind of the report, to the report."""
    global _addition
    _addition = addition


def end(*report: Any) -> NoReturn:
    """End the child with a report, after flushing its output. Output that was lost is reported instead.

    `ctypes.get_errno` must return the last error number of the program.
    """
    assert _report_to is not None
    lost = _lost_output()
    addition = None if lost else _addition(report[0])
    with open(_report_to, "wb") as channel:
        pickle.dump((("lost", lost) if lost else report, addition), channel)
    os._exit(0)


def report_error(*report: Any) -> None:
    """In the child, keep the report of a runtime error, until `end_after_error`."""
    global _error
    _error = report


def end_after_error() -> NoReturn:
    """End the child with the report of the runtime error."""
    end(*_error)


def end_output(is_error: bool, permitted: bytes) -> NoReturn:
    """End the child, whose program writes more than its limits allow, after the permitted part of the last output."""
    output = NativeOutput(OutputBudget())
    if is_error:
        output.flush()
        os.write(2, permitted)
    else:
        output.write(permitted)
    end("output", 0)


def in_child(call: Callable[[], None], outputs: Sequence[int], stack_size: int) -> tuple[Report, Any]:
    """Call a function, which must end with `end`, in a child process that writes to the files `outputs`.

    Returns the report, and the result of the function given to `add_to_report`. Raises `MemoryError` if the stack
    overflowed or memory was missing, `ChildFailed` if the child raised another exception, `NativeCrash` if a signal of
    `_CRASHES` ended the child, and the exception that corresponds to any other signal. Nothing of the child is left
    behind, however this process ends.
    """
    import resource  # noqa: F401  # late, as Windows has none, but here: else each child would load it again

    seconds = time_left()

    def main(report_to: int, lifeline: int) -> None:
        with ending_failures():
            _child_main(call, outputs, report_to, lifeline, stack_size, seconds)

    report, code = in_fork(main)
    if report:
        ended: tuple[Report, Any] = pickle.loads(report)
        (kind, *values), _ = ended
        if kind == "failed":
            raise MemoryError if values[0] is None else ChildFailed(values[0])
        if kind == "time":
            raise TimeExhausted
        return ended
    raise _ended_by(code)


def _ended_by(code: int) -> BaseException:
    """The exception for a child that ended without a report, with a status or by a signal (a negative code)."""
    if code >= 0:
        return ChildFailed(f"its process ended with status {code}")
    if -code in _BY_SIGNAL:
        return _BY_SIGNAL[-code]()
    name = signal.Signals(-code).name if -code in {*signal.Signals} else f"signal {-code}"
    return (NativeCrash if -code in _CRASHES else ChildFailed)(f"{name} ended the native code")


_BY_SIGNAL: Mapping[int, type[BaseException]] = {
    signal.SIGBUS: MemoryError,
    signal.SIGINT: KeyboardInterrupt,
    signal.SIGPIPE: BrokenPipeError,
    signal.SIGPROF: TimeExhausted,
}


def _end_failed(failure: BaseException) -> NoReturn:
    """End the child, and report the exception."""
    end("failed", None if isinstance(failure, MemoryError) else f"{type(failure).__name__}: {failure}")


@contextmanager
def ending_failures() -> Iterator[None]:
    """A context in which an exception ends the child."""
    try:
        yield
    except BaseException as failure:
        _end_failed(failure)


def _guarded(call: Callable[[], None]) -> None:
    with ending_failures():
        _mark_end_of_stack()
        call()


def _mark_end_of_stack() -> None:
    """Replace the end of this thread's stack by memory beyond the end of a file, whose access raises SIGBUS.

    Other systems than Linux raise SIGBUS themselves.
    """
    if sys.platform != "linux":
        return
    libc, attributes, start, size = _libc(), ctypes.create_string_buffer(256), ctypes.c_void_p(), ctypes.c_size_t()
    libc.pthread_self.restype = ctypes.c_ulong
    libc.pthread_getattr_np(ctypes.c_ulong(libc.pthread_self()), attributes)
    libc.pthread_attr_getstack(attributes, ctypes.byref(start), ctypes.byref(size))
    kind, fixed = mmap.PROT_READ | mmap.PROT_WRITE, mmap.MAP_SHARED | 0x10
    libc.mmap(start, ctypes.c_size_t(_GUARD_SIZE), kind, fixed, os.memfd_create("empty"), ctypes.c_long(0))


def _child_main(
    call: Callable[[], None],
    outputs: Sequence[int],
    report_to: int,
    lifeline: int,
    stack_size: int,
    seconds: float | None,
) -> NoReturn:
    """Call a function in a thread with a large stack, and watch. Signals end the process, as in C.

    It may take so many seconds of processor time. Then its output is flushed, or it is ended without that later.
    """
    import fcntl
    import resource

    global _report_to
    _report_to = report_to
    restore_interrupts()
    for number in (signal.SIGPIPE, signal.SIGBUS, *_CRASHES):
        signal.signal(number, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    # A descriptor may equal the target of another one, since standard streams may be closed.
    copies = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, 3) for each in (*outputs, report_to, lifeline)]
    *_, _report_to, lifeline = copies
    os.dup2(copies[0], 1)
    os.dup2(copies[1], 2)
    buffer = ctypes.create_string_buffer(_BUFFER_SIZE)  # with Python's option -u, there is none
    _libc().setvbuf(
        _stdout(), buffer, _LINE_BUFFERED if os.isatty(1) else _FULLY_BUFFERED, ctypes.c_size_t(_BUFFER_SIZE)
    )
    if seconds is not None:
        limit_time(seconds + _SECONDS_TO_FLUSH)
    _start(call, stack_size + _SPARE_STACK)
    while not select.select([lifeline], [], [], _interval(seconds))[0]:
        if _has_failed():
            end()
        if seconds is not None and time.process_time() >= seconds:
            end("time")
    os._exit(1)


def _interval(seconds: float | None) -> float:
    """The seconds until the next check, for a run that may take so many seconds of processor time."""
    return _WATCH_INTERVAL if seconds is None else min(_WATCH_INTERVAL, max(seconds - time.process_time(), 0))


def _start(call: Callable[[], None], stack_size: int) -> None:
    """Call a function in a thread with a stack of that size, which is halved as often as the system refuses it."""
    try:
        threading.stack_size(stack_size)
        threading.Thread(target=copy_context().run, args=(_guarded, call)).start()
    except (RuntimeError, OverflowError):
        if stack_size <= _SPARE_STACK:
            raise
        _start(call, stack_size // 2)


class NativeOutput:
    """Standard output with the buffer of the C library, within a budget."""

    def __init__(self, budget: OutputBudget) -> None:
        self._budget = budget

    def write(self, data: bytes) -> None:
        """Write the bytes after those that native code has written."""
        self._budget.write(self._write, data)

    def _write(self, data: bytes) -> None:
        _libc().fwrite(data, ctypes.c_size_t(1), ctypes.c_size_t(len(data)), _stdout())

    def flush(self) -> None:
        """Flush the buffer."""
        _libc().fflush(_stdout())

    def redirect(self, descriptor: int) -> None:
        """Write to the file with that descriptor from now on."""
        self.flush()
        os.dup2(descriptor, 1)


# ------------------------------------------------------------------------------------------------------- lost output


def _lost_output() -> int:
    """Flush the output; 0, or the error number if output was lost."""
    libc, before = _libc(), ctypes.get_errno()
    if libc.fflush(_stdout()):
        return ctypes.get_errno()
    if not _has_failed():
        return 0
    try:
        os.write(1, b"")
    except OSError as failure:
        return failure.errno or errno.EIO
    return before or errno.EIO


def _has_failed() -> bool:
    """Whether the C library could not write to standard output."""
    return bool(_libc().ferror(_stdout()))


def _stdout() -> ctypes.c_void_p:
    return ctypes.c_void_p.in_dll(_libc(), "__stdoutp" if sys.platform == "darwin" else "stdout")


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
