"""The system calls of a run: standard streams, files, the time. C's library is built on them (`cpsconv.library`).

A program may use what its `Access` grants. Every other call fails, as C permits.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, cast


class ByteStream(Protocol):
    """A binary stream: a file, `io.BytesIO`, ``sys.stdout.buffer``."""

    def write(self, data: bytes, /) -> object:
        """Write the bytes."""

    def flush(self) -> object:
        """Flush the buffer."""


class InputStream(Protocol):
    """A binary stream to read from."""

    def read1(self, size: int, /) -> bytes:
        """At most `size` bytes, at least one of them unless the stream has ended."""


@dataclass(frozen=True)
class Access:
    """What a program may use of the system.

    `input` is its standard input, by default that of the process. `files` is the folder whose files it may use, None
    for no files. If it `has_clock`, it knows the time; if it `has_environment`, the environment variables.
    """

    input: InputStream | None = None
    files: Path | None = None
    has_clock: bool = False
    has_environment: bool = False


_access: ContextVar[Access] = ContextVar("access", default=Access())  # noqa: B039 -- immutable


@contextmanager
def granting(access: Access) -> Iterator[None]:
    """Let the programs that start within the block use the system so far."""
    token = _access.set(access)
    try:
        yield
    finally:
        _access.reset(token)


class System:
    """The system as one run sees it.

    As on Linux, a call that fails returns a negative error number. The descriptors 0 to 2 are the standard streams.
    """

    def __init__(self, output: ByteStream, errors: ByteStream) -> None:
        self._output, self._errors = output, errors
        self._access = _access.get()
        self._files: set[int] = set()

    def __del__(self) -> None:
        """Close the files that the program left open."""
        for descriptor in self._files:
            os.close(descriptor)

    def read(self, descriptor: int, size: int) -> bytes | int:
        """Read at most `size` bytes. At the end of the file, there are none."""
        if descriptor in self._files:
            data: bytes | int = _attempt(os.read, descriptor, size)
            return data
        if descriptor:
            return -errno.EBADF
        self._output.flush()
        stream = self._access.input or (cast(InputStream, sys.stdin.buffer) if sys.stdin else None)
        return stream.read1(size) if stream else b""

    def write(self, descriptor: int, data: bytes) -> int:
        """Write the bytes; the result is their number."""
        if descriptor in self._files:
            written: int = _attempt(os.write, descriptor, data)
            return written
        if descriptor not in (1, 2):
            return -errno.EBADF
        if descriptor == 2:
            self._output.flush()
        (self._output if descriptor == 1 else self._errors).write(data)
        return len(data)

    def open(self, path: bytes, flags: int) -> int:
        """Open a file, with the flags of Linux on x86-64; the result is its descriptor."""
        place = self._place(path)
        if place is None:
            return -errno.EACCES
        descriptor: int = _attempt(os.open, place, flags | getattr(os, "O_CLOEXEC", 0), 0o666)
        if descriptor >= 0:
            self._files.add(descriptor)
        return descriptor

    def close(self, descriptor: int) -> int:
        """Close a file. A standard stream remains open for this process."""
        if descriptor not in self._files:
            return 0 if 0 <= descriptor <= 2 else -errno.EBADF
        self._files.remove(descriptor)
        return _attempt(os.close, descriptor) or 0

    def seek(self, descriptor: int, offset: int, whence: int) -> int:
        """Move the position in a file; the result is the new position."""
        if descriptor not in self._files:
            return -errno.ESPIPE if 0 <= descriptor <= 2 else -errno.EBADF
        position: int = _attempt(os.lseek, descriptor, offset, whence)
        return position

    def unlink(self, path: bytes) -> int:
        """Delete a file."""
        place = self._place(path)
        return -errno.EACCES if place is None else _attempt(os.unlink, place) or 0

    def rename(self, old: bytes, new: bytes) -> int:
        """Rename a file."""
        places = self._place(old), self._place(new)
        return -errno.EACCES if None in places else _attempt(os.rename, *places) or 0

    def time(self) -> int:
        """The seconds since 1970."""
        return int(time.time()) if self._access.has_clock else -errno.EPERM

    def clock(self) -> int:
        """The processor time of the process in microseconds."""
        return time.process_time_ns() // 1000 if self._access.has_clock else -errno.EPERM

    def environment(self, name: bytes) -> bytes | int:
        """The value of an environment variable."""
        value = os.environb.get(name) if self._access.has_environment else None
        return -errno.ENOENT if value is None else value

    def _place(self, path: bytes) -> str | None:
        """The path of a file that the program may use; None for others. Relative paths start in its folder."""
        if self._access.files is None:
            return None
        if not path:  # no file, unlike the folder itself
            return ""
        folder = os.path.realpath(self._access.files)
        place = os.path.realpath(os.path.join(folder, os.fsdecode(path)))
        slash = "/" if path.endswith(b"/") else ""  # after the name of a folder only
        return place + slash if os.path.commonpath([folder, place]) == folder else None


def _attempt(call: Any, *operands: Any) -> Any:
    """The result of a call of the operating system, or its negative error number."""
    try:
        return call(*operands)
    except OSError as failure:
        return -(failure.errno or errno.EIO)
    except ValueError:  # a path with a zero, an offset out of range
        return -errno.EINVAL
