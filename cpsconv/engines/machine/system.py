"""The system calls of a run: standard streams, files, the time. C's library is built on them
(`cpsconv.languages.c.library`).

A program may use what its `Access` grants. Every other call fails, as C permits.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any, Protocol, cast

from cpsconv.core.operations.printing import ByteStream, Printing
from cpsconv.engines.machine.limits import OutputBudget

_STATUS = struct.Struct("<3Q3I4xQ3q6q24x")
STATUS_SIZE = _STATUS.size
"""The layout and the size of glibc's `struct stat` on x86-64."""

_NOT_FOLLOWED = 0x100
"""The flag of Linux that, with the path of a symbolic link, denotes the link."""

NOW, OMITTED = (1 << 30) - 1, (1 << 30) - 2
"""The nanoseconds that stand, as on Linux, for the present and for no change."""


class Output(ByteStream, Protocol):
    """Standard output, which a file can replace."""

    def redirect(self, descriptor: int) -> None:
        """Write to the file with that descriptor from now on. The descriptor remains open."""


class RedirectedStream:
    """A stream within a budget, or the file that replaces it, to which data are written at once."""

    def __init__(self, stream: ByteStream, budget: OutputBudget) -> None:
        self._budget = budget
        self._replace(stream)

    def _replace(self, stream: ByteStream) -> None:
        write = stream.write
        self.write: Callable[[bytes], object] = (
            write if self._budget.left is None else partial(self._budget.write, write)
        )
        self.flush: Callable[[], object] = stream.flush

    def redirect(self, descriptor: int) -> None:
        """Write to the file from now on."""
        self.flush()
        self._replace(os.fdopen(descriptor, "wb", buffering=0, closefd=False))


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

    @property
    def is_input_only(self) -> bool:
        """Whether a run depends on its arguments and its standard input only."""
        return self.files is None and not self.has_clock and not self.has_environment


_access: ContextVar[Access] = ContextVar("access", default=Access())  # noqa: B039 -- immutable


@contextmanager
def granting(access: Access) -> Iterator[None]:
    """Let the programs that start within the block use the system so far."""
    token = _access.set(access)
    try:
        yield
    finally:
        _access.reset(token)


def granted() -> Access:
    """What programs that start now may use of the system."""
    return _access.get()


class System:
    """The system as one run sees it.

    As on Linux, a call that fails returns a negative error number. The descriptors 0 to 2 are the standard streams. The
    `budget` is that of the streams, and of all files together with them.
    """

    def __init__(self, output: Output, errors: ByteStream, budget: OutputBudget) -> None:
        self._output, self._errors, self._budget = output, errors, budget
        self._access = granted()
        self._files: dict[int, int] = {}  # the descriptor of this process for each of the program
        self._entries: dict[bytes, list[str]] = {}  # of the directories that were listed last

    def __del__(self) -> None:
        """Close the files that the program left open."""
        for descriptor in self._files.values():
            os.close(descriptor)

    def read(self, descriptor: int, size: int) -> bytes | int:
        """Read at most `size` bytes. At the end of the file, there are none."""
        if descriptor in self._files:
            data: bytes | int = _attempt(os.read, self._files[descriptor], size)
            return data
        if descriptor:
            return -errno.EBADF
        self._output.flush()
        stream = self._access.input or (cast(InputStream, sys.stdin.buffer) if sys.stdin else None)
        return stream.read1(size) if stream and size else b""

    def write(self, descriptor: int, data: bytes) -> int:
        """Write the bytes; the result is their number."""
        if descriptor in self._files:
            written: int = self._budget.write(partial(_attempt, os.write, self._files[descriptor]), data)
            return written
        if descriptor not in (1, 2):
            return -errno.EBADF
        if descriptor == 2:
            self._output.flush()
        (self._output if descriptor == 1 else self._errors).write(data)
        return len(data)

    def open(self, path: bytes, flags: int) -> int:
        """Open a file, with the flags of Linux on x86-64; the result is the lowest free descriptor, as on Linux."""
        place = self._place(path)
        if place is None:
            return -errno.EACCES
        self._output.flush()
        own: int = _attempt(os.open, place, flags | getattr(os, "O_CLOEXEC", 0), 0o666)
        if own < 0:
            return own
        descriptor = next(number for number in count(3) if number not in self._files)
        self._files[descriptor] = own
        return descriptor

    def close(self, descriptor: int) -> int:
        """Close a file. A standard stream remains open for this process."""
        if descriptor not in self._files:
            return 0 if 0 <= descriptor <= 2 else -errno.EBADF
        return _attempt(os.close, self._files.pop(descriptor)) or 0

    def redirect(self, descriptor: int) -> int:
        """Let standard output be the file with that descriptor."""
        if descriptor not in self._files:
            return -errno.EBADF
        self._output.redirect(self._files[descriptor])
        return 0

    def seek(self, descriptor: int, offset: int, whence: int) -> int:
        """Move the position in a file; the result is the new position."""
        if descriptor not in self._files:
            return -errno.ESPIPE if 0 <= descriptor <= 2 else -errno.EBADF
        position: int = _attempt(os.lseek, self._files[descriptor], offset, whence)
        return position

    def unlink(self, path: bytes) -> int:
        """Delete a file."""
        return self._attempt_at(path, os.unlink) or 0

    def make_directory(self, path: bytes, mode: int) -> int:
        """Make a directory."""
        return self._attempt_at(path, os.mkdir, mode) or 0

    def remove_directory(self, path: bytes) -> int:
        """Remove an empty directory."""
        return self._attempt_at(path, os.rmdir) or 0

    def current_directory(self) -> bytes | int:
        """The path of the folder in which relative paths start."""
        found: bytes | int = self._attempt_at(b".", os.fsencode)
        return found

    def entry(self, path: bytes, index: int) -> tuple[bytes, int] | int:
        """The name of an entry of a directory, and the kind of the file as in glibc's `struct dirent`, 0 if unknown.

        The entries are those of the time when the first one was requested. The result is 0 after the last one.
        """
        if index == 0:
            found = self._attempt_at(path, os.listdir)
            if isinstance(found, int):
                return found
            self._entries[path] = [".", "..", *found]
        names = self._entries.get(path, [])
        if index >= len(names):
            return 0
        name = os.fsencode(names[index])
        if index < 2:
            return name, stat.S_IFDIR >> 12
        return name, max(0, self._attempt_at(os.path.join(path, name), _kind, follows_links=False))

    def rename(self, old: bytes, new: bytes) -> int:
        """Rename a file."""
        places = self._place(old), self._place(new)
        return -errno.EACCES if None in places else _attempt(os.rename, *places) or 0

    def status(self, file: bytes | int, flags: int) -> bytes | int:
        """The status of the file with a path or descriptor, as glibc's `struct stat`. A standard stream is a pipe."""
        if file in (0, 1, 2):
            return _STATUS.pack(0, 0, 1, stat.S_IFIFO | 0o600, *[0] * 12)
        of = self._attempt_on(file, flags, os.stat)
        if isinstance(of, int):
            return of
        times = [part for each in (of.st_atime_ns, of.st_mtime_ns, of.st_ctime_ns) for part in divmod(each, 10**9)]
        numbers = [of.st_dev, of.st_ino, of.st_nlink, of.st_mode, of.st_uid, of.st_gid, of.st_rdev, of.st_size]
        return _STATUS.pack(*numbers, of.st_blksize, of.st_blocks, *times)

    def change_mode(self, file: bytes | int, mode: int) -> int:
        """Change the permissions of the file with a path or descriptor."""
        return self._attempt_on(file, 0, lambda found, **_: os.chmod(found, stat.S_IMODE(mode))) or 0

    def change_times(self, file: bytes | int, flags: int, accessed: tuple[int, int], modified: tuple[int, int]) -> int:
        """Change the times of the file, each in seconds since 1970 and nanoseconds, which may be `NOW` or `OMITTED`."""
        if flags & ~_NOT_FOLLOWED or not all(_are_nanoseconds(each) for _, each in (accessed, modified)):
            return -errno.EINVAL

        def change(found: str | int, *, follow_symlinks: bool) -> None:
            old = os.stat(found, follow_symlinks=follow_symlinks)
            times = _changed(accessed, old.st_atime_ns), _changed(modified, old.st_mtime_ns)
            os.utime(found, ns=times, follow_symlinks=follow_symlinks)

        return self._attempt_on(file, flags, change) or 0

    def _attempt_at(self, path: bytes, call: Callable[..., Any], *operands: Any, follows_links: bool = True) -> Any:
        """The result of a call on a path that the program may use, or a negative number."""
        place = self._place(path, follows_links=follows_links)
        return -errno.EACCES if place is None else _attempt(call, place, *operands)

    def _attempt_on(self, file: bytes | int, flags: int, call: Callable[..., Any]) -> Any:
        """The result of a call on a file that the program may use, by its path or descriptor, or a negative number."""
        follows_links = not flags & _NOT_FOLLOWED
        found = self._place(file, follows_links=follows_links) if isinstance(file, bytes) else self._files.get(file)
        if found is None:
            return -(errno.EBADF if isinstance(file, int) else errno.EACCES)
        return _attempt(call, found, follow_symlinks=follows_links)

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

    def _place(self, path: bytes, *, follows_links: bool = True) -> str | None:
        """The path of a file that the program may use; None for others. Relative paths start in its folder."""
        if self._access.files is None:
            return None
        if not path:  # no file, unlike the folder itself
            return ""
        folder = os.path.realpath(self._access.files)
        place = os.path.join(folder, os.fsdecode(path))
        above, name = os.path.split(place)
        is_link = not follows_links and os.path.islink(place)
        place = os.path.join(os.path.realpath(above), name) if is_link else os.path.realpath(place)
        slash = "/" if path.endswith(b"/") else ""  # after the name of a folder only
        return place + slash if os.path.commonpath([folder, place]) == folder else None


def _kind(place: str) -> int:
    """The kind of a file, of which the mode in `struct stat` has the bits above the lowest 12."""
    return os.lstat(place).st_mode >> 12


def _are_nanoseconds(number: int) -> bool:
    return 0 <= number < 10**9 or number in (NOW, OMITTED)


def _changed(new: tuple[int, int], old: int) -> int:
    """The time that a file gets, in nanoseconds since 1970."""
    seconds, nanoseconds = new
    known = {NOW: time.time_ns(), OMITTED: old}
    return known.get(nanoseconds, 10**9 * seconds + nanoseconds)


def _attempt(call: Any, *operands: Any, **options: Any) -> Any:
    """The result of a call of the operating system, or its negative error number."""
    try:
        return call(*operands, **options)
    except OSError as failure:
        return -(failure.errno or errno.EIO)
    except ValueError:  # a path with a zero, an offset out of range
        return -errno.EINVAL


class Effects(Printing):
    """The output operations and the system calls of one run, which write at most `max_output` bytes together."""

    def __init__(self, output: ByteStream, errors: ByteStream, max_output: int | None = None) -> None:
        budget = OutputBudget(max_output)
        streams = RedirectedStream(output, budget), RedirectedStream(errors, budget)
        super().__init__(*streams)
        self.system = System(*streams, budget)
