"""What a conversion may use of the system: files in permitted folders, which an input names, and perhaps the clock.

After links are resolved, a file that an input names is in or below the working directory, the folder of a source, a
folder that the user names, or a folder of the system. Whether any other file exists has no influence on the result: a
path is refused as soon as it leaves the permitted folders and the folders that contain them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, cached_property
from os.path import dirname, isfile, join, realpath
from typing import NamedTuple

from cpsconv.abi.system_headers import COMPILERS, SYSTEM_FOLDERS
from cpsconv.core.source import DiagnosticError, Source, Span, error, read_source, setting, undecodable

_MAX_LINKS = 40  # on one path, as in Linux


class Permissions(NamedTuple):
    """The `folders` that are permitted in addition, and whether the clock and the working directory are permitted."""

    folders: tuple[str, ...] = ()
    clock: bool = False
    working_directory: bool = True


_permissions: ContextVar[Permissions] = ContextVar("permissions", default=Permissions())  # noqa: B039 -- immutable


def current_permissions() -> Permissions:
    """The permissions in the current context."""
    return _permissions.get()


@contextmanager
def permitting(*folders: str, clock: bool = False, working_directory: bool = True) -> Iterator[None]:
    """Within the block, permit these folders, too, and perhaps the clock, but perhaps not the working directory."""
    now = current_permissions()
    changed = (*now.folders, *folders), now.clock or clock, now.working_directory and working_directory
    token = _permissions.set(Permissions(*changed))
    try:
        yield
    finally:
        _permissions.reset(token)


def folders_of(*names: str) -> list[str]:
    """The folders of the sources with these names. Standard input, and others like it, have none."""
    return [dirname(name) or os.curdir for name in names if not name.startswith("<")]


def permission() -> str:
    """The help for a file that is not permitted."""
    permit = setting("`-I FOLDER`", "`permitting(FOLDER)` of `cpsconv.languages.permissions`")
    return f"{permit} permits the files in FOLDER, besides those of the working directory and the sources' folders"


class NotPermitted(Exception):
    """A file is not in a permitted folder; whether it exists is not known."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the file `{name}` is not in a permitted folder")


class Confinement:
    """What a source, and the files that it names, may name. `further` are folders and files that the user names."""

    def __init__(self, source: Source, further: Iterable[str] = ()) -> None:
        permitted = current_permissions()
        here = [os.curdir] if permitted.working_directory else []
        self._named = [*here, *folders_of(source.name), *permitted.folders, *further]
        self._real = cache(_real)

    def has(self, folder: str, name: str) -> bool:
        """Whether the folder has a file of this name, and is permitted. Pipes and devices are no files.

        Raises `NotPermitted` if the name leads out of the permitted folders.
        """
        here = self._real(folder)
        if not self._is_inside(here):
            return False
        path = self._resolved(here, name)
        if path is None or not self._is_inside(path):
            raise NotPermitted(name)
        with suppress(ValueError):  # a null character
            return isfile(join(folder, name))
        return False

    @cached_property
    def _roots(self) -> tuple[str, ...]:
        paths = [*self._named, *SYSTEM_FOLDERS, COMPILERS]
        return tuple({join(_real(path), "") for path in paths} - {""})

    def _is_inside(self, path: str) -> bool:
        return join(path, "").startswith(self._roots)

    def _is_passable(self, path: str) -> bool:
        """Whether the path is in a permitted folder, or that of a folder that contains one, which thus exists."""
        return self._is_inside(path) or any(root.startswith(join(path, "")) for root in self._roots)

    def _resolved(self, here: str, name: str) -> str | None:
        """The path of a name seen from `here`, with links resolved; None if it leaves the passable folders before."""
        parts, links = [*reversed(name.split("/"))], 0
        here = "/" if name.startswith("/") else here
        while parts:
            part = parts.pop()
            if part in ("", "."):
                continue
            if not self._is_passable(here):
                return None
            before, here = here, dirname(here) if part == ".." else join(here, part)
            if part != ".." and (target := _link(here)) is not None:
                links += 1
                if links > _MAX_LINKS:
                    return None
                parts += reversed(target.split("/"))
                here = "/" if target.startswith("/") else before
        return here


def _link(path: str) -> str | None:
    """The target of a symbolic link; None for any other path."""
    with suppress(OSError, ValueError):
        return os.readlink(path)
    return None


def _real(path: str) -> str:
    """The path with links resolved; an empty path if there is none, as of a removed working directory."""
    with suppress(OSError, ValueError):
        return realpath(path)
    return ""


def imported_path(name: str, folders: Iterable[str], confinement: Confinement, at: Span) -> str | None:
    """The path of the file `name` in the first of the folders that has it, if any.

    Raises `DiagnosticError`, at the name `at`, if the file would be outside of the permitted folders.
    """
    try:
        return next((join(folder, name) for folder in folders if confinement.has(folder, name)), None)
    except NotPermitted as refused:
        raise DiagnosticError([error(str(refused), at, help=permission(), rule="import")]) from None


def imported_source(path: str, at: Span) -> Source:
    """The source of an imported file. Raises `DiagnosticError`, at the name `at`, if the file cannot be read."""
    try:
        source = read_source(path)
    except DiagnosticError as failure:
        raise DiagnosticError([error(failure.diagnostics[0].message, at, rule="import")]) from None
    if source.undecoded is not None:
        raise undecodable(source, source.undecoded)
    return source
