"""The text of a module as a source: its spans are reported where the user's files have them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from os.path import join

from cpsconv.core.source import DiagnosticError, Source, Span, read_source
from cpsconv.languages.llvm.debug_info import DebugInfo, Location
from cpsconv.languages.llvm.places import places, places_as_written
from cpsconv.languages.permissions import Confinement, NotPermitted

_WORD = re.compile(r"\w+|.")
_INSTRUCTION = re.compile(r"[^\n]*(?:\n(?:    (?!#)|  \])[^\n]*)*")
"""The text of an instruction, of which an ``invoke`` and a ``switch`` take several lines."""

_LINE = re.compile(r"[^\S\n]*(.*)")


@dataclass(eq=False, repr=False, slots=True)
class ModuleSource(Source):
    """A module in normal form. `original` is the user's file, text or bitcode.

    A span is located in the source that was compiled, if the module has debug information for it. The line of this
    source is shown if its file can be read. Otherwise, a span is located in the user's text, or, of bitcode, in the
    normal form.
    """

    original: Source = field(default_factory=lambda: Source("", ""))
    debug: DebugInfo = field(default_factory=lambda: DebugInfo(""))
    _files: dict[tuple[str, str], Source | None] = field(default_factory=dict, init=False)
    _lines: dict[int, Span] | None = field(default=None, init=False)

    def origin(self, offset: int) -> tuple[str, int, int]:
        """File, line and column of a character in the source that was compiled, or the user's file."""
        start = self.text.rfind("\n", 0, offset) + 1
        location = self._location(offset)
        if location is not None:
            return location.file, location.line, max(location.column, 1)
        written = self._in_original(start)
        if written is None:
            return Source.origin(self, offset)
        return written.source.origin(written.start)

    def written(self, span: Span) -> Span:
        """The span in the source that was compiled, if it can be read; in the user's text, or here."""
        location = self._location(span.start)
        if location is None:
            return self._in_original(self.text.rfind("\n", 0, span.start) + 1) or span
        source = self._file(location)
        if source is None:
            return span
        if location.column == 0:
            return _without_indentation(source, source.offset(location.line, 1))
        return token_at(source, location.line, location.column, _WORD)

    @property
    def shown(self) -> Source | None:
        """The source that was compiled, if the module has one and it can be read. Bitcode is shown in normal form."""
        locations = filter(None, map(self.debug.location, re.findall("(?m)^define .*", self.text)))
        files = filter(None, map(self._file, locations))
        is_text = self.original.undecoded is None
        return next(files, None if is_text else self)

    def _location(self, offset: int) -> Location | None:
        instruction = _INSTRUCTION.match(self.text, offset)
        return self.debug.location(instruction[0] if instruction else "")

    def _file(self, location: Location) -> Source | None:
        """The file of a location, if it is permitted and the one that was compiled."""
        key = location.folder, location.file
        if key not in self._files:
            self._files[key] = self._read(location)
        return self._files[key]

    def _read(self, location: Location) -> Source | None:
        try:
            if not Confinement(self.original).has(location.folder or ".", location.file):
                return None
            source = read_source(join(location.folder, location.file))
        except (NotPermitted, DiagnosticError):
            return None
        from hashlib import md5  # late: it loads OpenSSL, and few modules have debug information

        digest = md5(source.text.encode("utf-8", "surrogateescape"), usedforsecurity=False).hexdigest()
        is_other = len(location.checksum) == len(digest) and location.checksum != digest
        return None if is_other else Source(location.file, source.text)

    def _in_original(self, start: int) -> Span | None:
        """The line of the user's text for the line that starts here."""
        if self._lines is None:
            theirs = dict(places(self.original))
            self._lines = {}
            for symbol, lines in places_as_written(self) if theirs else ():
                others = theirs.get(symbol, [])
                if others and len(others) != len(lines):
                    others = others[:1] * len(lines)
                self._lines.update((line.start, other) for line, other in zip(lines, others, strict=False))
        found = self._lines.get(start)
        return found and _without_indentation(found.source, found.start)


def _without_indentation(source: Source, start: int) -> Span:
    """The line that starts here, without its indentation."""
    line = _LINE.match(source.text, start)
    assert line
    return Span(source, *line.span(1))


def token_at(source: Source, line: int, column: int, pattern: re.Pattern[str]) -> Span:
    """The token of a pattern at a line and column of the text."""
    start = source.offset(line, column)
    token = pattern.match(source.text, start)
    return Span(source, start, token.end() if token else start + 1)
