"""The places of functions, instructions and data in the text of a module, in any layout."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cpsconv.core.source import Source, Span
from cpsconv.languages.llvm.foreign_text import unquoted
from cpsconv.languages.llvm.forms import COMPUTATIONS
from cpsconv.languages.llvm.types import NAME

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


def places(source: Source) -> Iterator[tuple[str, list[Span]]]:
    """By symbols, the places in a user's file: of the head and the instructions of a function, or of data.

    Bitcode has none.
    """
    if source.undecoded is not None:
        return iter(())
    return places_as_written(source) if source.text.startswith("; ModuleID = ") else _places_in_any_layout(source)


def places_as_written(source: Source) -> Iterator[tuple[str, list[Span]]]:
    """Likewise, in a module that LLVM has written, where each instruction begins a line."""
    for match in _ITEM.finditer(source.text):
        position, found = match.start(), list[Span]()
        for line in match[0].split("\n"):
            if not _OTHER.match(line):
                found.append(Span(source, position, position + len(line)))
            position += len(line) + 1
        yield unquoted(match[1] or match[2]), found


def _places_in_any_layout(source: Source) -> Iterator[tuple[str, list[Span]]]:
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
