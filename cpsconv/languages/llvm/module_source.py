"""The text of a module as a source: its spans are reported where the user's files have them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from os.path import join

from cpsconv.core.source import DiagnosticError, Source, Span, read_source
from cpsconv.languages.llvm.debug_info import DebugInfo, Location
from cpsconv.languages.llvm.foreign_text import unquoted
from cpsconv.languages.llvm.forms import COMPUTATIONS
from cpsconv.languages.llvm.types import NAME
from cpsconv.languages.permissions import Confinement, NotPermitted

_WORD = re.compile(r"\w+|.")
_INSTRUCTION = re.compile(r"[^\n]*(?:\n(?:    (?!#)|  \])[^\n]*)*")
"""The text of an instruction, of which an ``invoke`` and a ``switch`` take several lines."""

_LINE = re.compile(r"[^\S\n]*(.*)")
_ITEM = re.compile(rf"(?ms)^(?:define [^\n]*?@({NAME})\(.*?^}}|@({NAME}) =[^\n]*)")
_OTHER = re.compile(r'\s*(?:[;#!}\]]|$|[-\w$.]+:|"[^"]*":|to label|unwind|cleanup$|catch |filter |i\d+ \S+, label)')
"""Functions, and lines without instructions, in a module that LLVM has written."""

_CALL = r"(?:(?:must|no)?tail\s+)?call"
_UPDATE = r"atomicrmw(?:\s+volatile)?\s+\w+"
_OTHERS = (
    "alloca br callbr catchpad catchret catchswitch cleanuppad cleanupret cmpxchg extractvalue fence freeze indirectbr"
    " insertvalue invoke landingpad load phi resume ret select store switch unreachable va_arg"
)
_COMPUTED = "|".join([*sorted(COMPUTATIONS), "extractelement", "insertelement", "shufflevector"])
_FIRST = rf"(?:{_CALL}|{_UPDATE}|{_OTHERS.replace(' ', '|')}|(?:{_COMPUTED})\b(?![^(,\n]*\())(?![-\w$.:])"
_LEXEMES = re.compile(
    rf"""(?m:^!.*)|;.*|"[^"]*":?|[-\w$.]+:|(?P<instruction>%{NAME}\s*=\s*(?:{_UPDATE}|{_CALL}|\w+)|{_FIRST})"""
    rf"""|(?P<data>@{NAME}(?=\s*=))|(?P<symbol>@{NAME})|(?P<define>define\b)|(?P<bracket>[(){{}}])|[-\w$.%!#^]+"""
)
"""Lexemes in any layout: instructions up to their operations, data, symbols and brackets of functions, and others."""

_DEBUG = re.compile(r"[^\n(]*@llvm\.dbg\.")


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
            theirs = dict(_instructions(self.original))
            self._lines = {}
            for symbol, lines in _written(self) if theirs else ():
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


def _instructions(source: Source) -> Iterator[tuple[str, list[Span]]]:
    """By symbols, the places in a user's file: of the head and the instructions of a function, or of data.

    Bitcode has none.
    """
    if source.undecoded is not None:
        return iter(())
    return _written(source) if source.text.startswith("; ModuleID = ") else _in_any_layout(source)


def _written(source: Source) -> Iterator[tuple[str, list[Span]]]:
    """Likewise, in a module that LLVM has written, where each instruction begins a line."""
    for match in _ITEM.finditer(source.text):
        position, found = match.start(), list[Span]()
        for line in match[0].split("\n"):
            if not _OTHER.match(line):
                found.append(Span(source, position, position + len(line)))
            position += len(line) + 1
        yield unquoted(match[1] or match[2]), found


def _in_any_layout(source: Source) -> Iterator[tuple[str, list[Span]]]:
    """Likewise. Calls that LLVM replaces by records of debug information are omitted."""
    symbol, depth, found = "", 0, list[Span]()
    for match in _LEXEMES.finditer(source.text):
        kind, place = match.lastgroup, Span(source, *match.span())
        if kind == "define" and not depth:
            symbol, found = "", [place]
        elif kind == "data" and not depth:
            yield unquoted(match[0][1:]), [place]
        elif kind == "symbol" and found and not symbol:
            symbol = unquoted(match[0][1:])
        elif kind == "bracket" and symbol:
            depth += 1 if match[0] in "({" else -1
            if match[0] == "}" and not depth:
                yield symbol, found
                symbol, found = "", []
        elif kind == "instruction" and depth and not _DEBUG.match(source.text, match.end()):
            found.append(place)
