"""Generated files: computed from the sources by a module of the package, and kept.

A wheel has them in ``cpsconv/generated/``. A checkout, and thus an editable installation, has none: the cache of the
user keeps each file under a key, the digest of all sources that determine it, so that no file of other sources is read.
Damaged files are generated again. If the cache cannot be written, each process generates the files that it uses.

The cache also has texts that any function makes (`kept`), under keys that determine them.

A generator runs in a process of its own: a file depends neither on settings and registered extensions of the process
that needs it, nor on modules that this process loaded before a source was changed.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from os.path import dirname, expanduser, isabs, isdir, join
from typing import NamedTuple

from cpsconv.core.progress import report

PACKAGE = dirname(dirname(__file__))
_ROOT = dirname(PACKAGE)
_VERSIONS = 16  # versions of the sources whose files are kept: those of several checkouts, or before and after a change
_LAST = 64  # data of a kind that are kept


def data_folder(path: str) -> str:
    """The folder of the distribution's data with that path: in an installed package, or beside it in a checkout."""
    return folder if isdir(folder := join(PACKAGE, path)) else join(_ROOT, path)


class Generator(NamedTuple):
    """The generator of one kind of files: ``python -m module NAME…``, by `print_files`.

    `sources` are the files and folders that determine its output, relative to the folder that has the package.
    """

    kind: str
    module: str
    sources: tuple[str, ...]


@cache
def generated(generator: Generator, name: str) -> str:
    """The text of the file with that name."""
    with suppress(FileNotFoundError), open(join(PACKAGE, path_in_wheel(generator, name)), encoding="utf-8") as file:
        return file.read()
    return cached(generator, [name])[0]


def path_in_wheel(generator: Generator, name: str) -> str:
    """The path of the file in a wheel, relative to the package."""
    return f"generated/{generator.kind}/{name}.json"


def print_files(make: Callable[[str], str]) -> None:
    """Print the text of each file that the command line names, as a line of JSON."""
    for name in sys.argv[1:]:
        print(json.dumps(make(name)))


def cached(generator: Generator, names: Sequence[str]) -> list[str]:
    """The texts of the files with these names, from the cache. Files that it lacks are generated, and added to it."""
    key = digest_of(generator.sources)
    folder = join(_cache(), generator.kind, key)
    found = {name: _read(join(folder, name)) for name in names}
    if None in found.values():
        with _locked(dirname(folder)):
            found = {name: _read(join(folder, name)) for name in names}  # perhaps by another process now
            missing = [name for name, data in found.items() if data is None]
            texts = _output(generator, missing) if missing else []
            made = {name: text.encode() for name, text in zip(missing, texts, strict=True)}
            if _digest(generator.sources) == key:  # otherwise, a source was changed in the meantime
                _keep(folder, made, _VERSIONS)
            found |= made
    return [data.decode() for data in found.values() if data is not None]


def _output(generator: Generator, names: Sequence[str]) -> list[str]:
    """The texts of the files, generated. Raises `RuntimeError` with the error of a generator that fails."""
    from subprocess import PIPE, Popen, TimeoutExpired  # late: once for each version of the sources

    path = os.pathsep.join([_ROOT, *sys.path])  # of the modules that this process uses
    command = [sys.executable, "-m", generator.module, *names]
    with Popen(command, cwd=_ROOT, env={**os.environ, "PYTHONPATH": path}, stdout=PIPE, stderr=PIPE) as process:
        try:
            while True:
                report(f"generating {generator.kind}", 0, 1)
                with suppress(TimeoutExpired):
                    out, errors = process.communicate(timeout=0.1)
                    break
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise RuntimeError(f"{generator.module} failed:\n{errors.decode(errors='replace')}")
    return [json.loads(line) for line in out.splitlines()]


# ------------------------------------------------------------------------------------------------------- the key


def _digest(sources: Sequence[str]) -> str:
    """The digest of the names and contents of files and of those in folders, and of this module."""
    from _blake2 import blake2b  # late, as a wheel needs no key; `hashlib` would load OpenSSL

    digest = blake2b(digest_size=16)
    for path in _files([__file__, *(join(_ROOT, source) for source in sources)]):
        with open(path, "rb", buffering=0) as file:
            content = file.read()
        digest.update(f"{path[len(_ROOT) :]} {len(content)}\n".encode() + content)
    return digest.hexdigest()


digest_of = cache(_digest)
"""The same digest, of the sources at the first call."""


def _files(paths: Iterable[str]) -> Iterator[str]:
    """The files among the paths, and those below folders, without byte code and hidden files."""
    pending = [*paths]
    for path in pending:  # appended to during iteration
        if not isdir(path):
            yield path
            continue
        pending += [join(path, name) for name in sorted(os.listdir(path)) if name[0] != "." and name != "__pycache__"]


# ----------------------------------------------------------------------------------------------------- the cache


def _cache() -> str:
    """The folder of the cache, by the conventions of the system."""
    if sys.platform == "win32":
        folder = os.environ.get("LOCALAPPDATA", "")
    elif sys.platform == "darwin":
        folder = expanduser("~/Library/Caches")
    elif not isabs(folder := os.environ.get("XDG_CACHE_HOME", "")):
        folder = expanduser("~/.cache")
    return join(folder if isabs(folder) else os.devnull, "cpsconv")  # nothing can be written below the null device


def _read(path: str) -> bytes | None:
    """The content of a file in the cache; None if the file is missing or damaged."""
    from zlib import crc32

    with suppress(OSError), open(path, "rb") as file:
        checksum, data = file.read(8), file.read()
        return data if checksum == b"%08x" % crc32(data) else None
    return None


def kept(kind: str, key: str, make: Callable[[], bytes]) -> bytes:
    """Data that the function makes, and the cache keeps under a key, which all that determines the data determines.

    The cache has the last data of each kind.
    """
    folder = join(_cache(), kind, key)
    data = _read(join(folder, "data"))
    if data is None:
        data = make()
        _keep(folder, {"data": data}, _LAST)
    return data


def _keep(folder: str, files: Mapping[str, bytes], most: int) -> None:
    """Write each file as a whole, if possible, and remove the oldest folders beside its folder, if there are more."""
    from shutil import rmtree
    from zlib import crc32

    with suppress(OSError):
        os.makedirs(folder, exist_ok=True)
        for name, data in files.items():
            path = join(folder, name)
            temporary = f"{path}.{os.getpid()}"
            try:
                with open(temporary, "wb") as file:
                    file.write(b"%08x" % crc32(data) + data)
                os.replace(temporary, path)
            except OSError:
                with suppress(OSError):
                    os.remove(temporary)
        versions = filter(os.DirEntry.is_dir, os.scandir(dirname(folder)))
        for version in sorted(versions, key=lambda each: each.stat().st_mtime)[:-most]:
            rmtree(version, ignore_errors=True)


@contextmanager
def _locked(folder: str) -> Iterator[None]:
    """Exclude other processes that generate files for the folder, if files can be locked in it."""
    with ExitStack() as opened:
        with suppress(OSError):
            os.makedirs(folder, exist_ok=True)
            _lock(opened.enter_context(open(join(folder, "lock"), "ab")).fileno())
        yield


def _lock(file: int) -> None:
    """Lock an open file until it is closed."""
    if sys.platform == "win32":
        import msvcrt

        msvcrt.locking(file, msvcrt.LK_LOCK, 1)
    else:
        from fcntl import LOCK_EX, flock

        flock(file, LOCK_EX)
