"""The files that ``#include`` names: where they are searched, and which of them need not be read again."""

from __future__ import annotations

import glob
import os
import posixpath
import re
from collections.abc import Iterator
from functools import cache
from itertools import islice

from cpsconv.core.source import Source, read_source
from cpsconv.languages.c.preprocessor.settings import Settings
from cpsconv.languages.c.preprocessor.tokens import File
from cpsconv.languages.c.syntax.headers import COMPLETE, HEADERS
from cpsconv.languages.c.syntax.tokens import SplicedText
from cpsconv.languages.permissions import Confinement, NotPermitted
from cpsconv.platform.system_headers import COMPILERS, SYSTEM_FOLDERS

_COMMENTS = r"(?:\s|//[^\n]*|/\*[^*]*\*+(?:[^*/][^*]*\*+)*/)*"
_GUARD = re.compile(
    rf"{_COMMENTS}#[ \t]*(?:ifndef[ \t]+|if[ \t]*![ \t]*defined[ \t]*\(?[ \t]*)(\w+)[ \t]*\)?[ \t]*\r?\n"
)
_CONDITIONAL = re.compile(r"(?m)^[ \t]*#[ \t]*(if|el|endif)")


_BEFORE_SYSTEM = "endian.h", "bits/types.h", "features.h"
"""Headers that glibc's headers rely on, often by way of headers that are known by name. The last one is read first."""


class Folders:
    """Finds and reads the files that a source includes. A file is read once, and spliced once."""

    def __init__(self, source: Source, settings: Settings) -> None:
        self._folders = [*settings.quoted, *settings.folders, *settings.last_folders]
        self._confinement = Confinement(source, [*self._folders, *settings.included])
        self._number_of_quoted = len(settings.quoted)
        self._known = COMPLETE[settings.is_extended]
        self._sources: dict[str, Source] = {}
        self._spliced: dict[int, SplicedText] = {}
        self._once: set[str] = set()
        self._guards: dict[str, str | None] = {}
        self._has_system = False

    def find(self, name: str, file: File, is_quoted: bool, *, is_next: bool = False) -> tuple[str, int] | None:
        """The path of a file that `file` includes, and the number of its folder; None if there is no such file.

        Folder 0 is the folder of the including file, which is searched only for names in quotes, as are the `quoted`
        folders of the settings. The last ones are `SYSTEM_FOLDERS`, which are not searched for headers that are known
        completely, and the folder of the compiler, which is not searched for headers that are known.

        Raises `NotPermitted` if the file would be outside of the permitted folders (`cpsconv.languages.permissions`).
        """
        normal, folders = posixpath.normpath(name), [*self._folders]
        folders += [] if normal in self._known else SYSTEM_FOLDERS
        folders += [] if normal in HEADERS else _of_compiler()
        here = "" if file.source.name.startswith("<") else os.path.dirname(file.source.name)
        first = max(file.folder + 1 if is_next else 0, 0 if is_quoted else self._number_of_quoted + 1)
        for number, folder in islice(enumerate([here, *folders]), first, None):
            path = os.path.join(folder, name)
            try:
                if path in self._sources or self._confinement.has(folder, name):
                    return path, number
            except NotPermitted:
                if number <= len(self._folders) or os.path.isabs(name):  # `..` in a folder of the system is a miss
                    raise
        return None

    def before(self, folder: int) -> Iterator[tuple[str, int]]:
        """The files to be read before the first one of the system, the last one first, with their folders."""
        first = len(self._folders) + 1
        if folder >= first and not self._has_system:
            self._has_system = True
            for name in _BEFORE_SYSTEM:
                for number, system in enumerate(SYSTEM_FOLDERS, first):
                    if os.path.isfile(path := os.path.join(system, name)):
                        yield path, number

    def source(self, path: str, *, is_import: bool = False) -> Source | None:
        """The source in a file; None if it was read and contains ``#pragma once``, or was imported.

        With `is_import`, also None if it was read at all. Raises `DiagnosticError`.
        """
        if path in self._once or (self._once and os.path.realpath(path) in self._once):
            return None
        is_new = path not in self._sources
        if is_new:
            self._sources[path] = read_source(path)
        source = self._sources[path]
        if is_import:
            self.read_once(source)
        return source if is_new or not is_import else None

    def is_new(self, source: Source) -> bool:
        """Whether the text of the source was not read yet."""
        return id(source) not in self._spliced

    def spliced(self, source: Source) -> SplicedText:
        """The spliced text of a source."""
        if id(source) not in self._spliced:
            self._spliced[id(source)] = SplicedText(source.text)
        return self._spliced[id(source)]

    def read_once(self, source: Source) -> None:
        """The source contains ``#pragma once``, or is imported."""
        self._once |= {source.name, os.path.realpath(source.name)}

    def guard(self, path: str) -> str | None:
        """The macro that, if it is defined, makes the content of a file empty: its include guard."""
        if path not in self._sources:
            return None
        if path not in self._guards:
            self._guards[path] = _guard(self.spliced(self._sources[path]).text)
        return self._guards[path]


def _guard(text: str) -> str | None:
    """The name in the ``#ifndef`` around a whole text, if there is one."""
    first = _GUARD.match(text)
    if not first:
        return None
    depth = 0
    for match in _CONDITIONAL.finditer(text):
        depth += (match[1] == "if") - (match[1] == "endif")
        if depth == 0:
            end = text.find("\n", match.end())
            return first[1] if end < 0 or re.fullmatch(_COMMENTS, text[end:]) else None
        if depth == 1 and match[1] == "el":
            return None
    return None


@cache
def _of_compiler() -> list[str]:
    """The folder of the headers of the newest version of gcc, if there is one."""
    found = glob.glob(os.path.join(COMPILERS, "*", "include"))
    return sorted(found, key=lambda path: [*map(int, re.findall(r"\d+", path))])[-1:]
