"""Warnings about calls of `scanf` and similar functions: formats that do not fit the arguments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest

from cpsconv.abi.formats import MAX_POSITION
from cpsconv.core.operations.formats import number
from cpsconv.core.operations.python_formats import before_zero
from cpsconv.core.source import counted
from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.arguments import given_arguments
from cpsconv.languages.c.meaning.call_warnings import capacity
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    LONG_DOUBLE,
    LONG_LONG,
    SHORT,
    SIGNED_CHAR,
    UNKNOWN,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    VOID,
    WCHAR,
    CType,
    Pointer,
    pointer_to,
)

_DIRECTIVE = re.compile(
    r"%(?:(?P<position>[0-9]+)\$)?(?P<skips>\*?)'?(?P<width>[0-9]*)(?P<allocates>m?)(?P<length>hh|h|ll|l|j|z|t|L|q|)(?P<conversion>\[\^?\]?[^]]*\]|.?)",
    re.DOTALL,
)

_CHARACTERS = (CHAR, SIGNED_CHAR, UNSIGNED_CHAR)
_INTEGERS: dict[str, tuple[CType, ...]] = {
    "hh": (SIGNED_CHAR, UNSIGNED_CHAR, CHAR),
    "h": (SHORT, UNSIGNED_SHORT),
    "": (INT, UNSIGNED),
    **dict.fromkeys("ljzt", (LONG, UNSIGNED_LONG)),
    **dict.fromkeys(["ll", "L", "q"], (LONG_LONG, UNSIGNED_LONG_LONG)),
}
_FLOATS: dict[str, tuple[CType, ...]] = {"": (FLOAT,), "l": (DOUBLE,), "L": (LONG_DOUBLE,)}
_TEXTS: dict[str, tuple[CType, ...]] = {"": _CHARACTERS, "l": (WCHAR,)}
_TYPES: dict[str, dict[str, tuple[CType, ...]]] = {
    **dict.fromkeys("diouxXn", _INTEGERS),
    **dict.fromkeys("fFeEgGaA", _FLOATS),
    **dict.fromkeys("cs[", _TEXTS),
    "p": {"": (pointer_to(VOID),)},
}
"""The types of the objects that a conversion changes, by its length modifiers; the first one is named in messages."""


class ScanWarnings:
    """The check of the format and the arguments of a call."""

    def __init__(self, errors: Errors) -> None:
        self._warn = errors.warn

    def check(self, format: c.Expression, arguments: Sequence[c.Expression]) -> list[str]:
        """Check a call with that format, if it is a string literal or a choice between some.

        Returns the directives that have no pointer, if it is a literal; with the type of another argument, ``%d: int``.
        """
        texts = [each for each in t.texts_within(format) if isinstance(each, c.Decay)]
        wrong = [self._check_format(text, arguments) for text in texts]
        for argument in arguments if not texts else ():
            self._is_pointer(argument)
        return wrong[0] if len(texts) == 1 else []

    def _check_format(self, text: c.Decay, arguments: Sequence[c.Expression]) -> list[str]:
        directives = [*_directives(text.operand.format)]
        taken = _taken(directives)
        if not text.operand.text:
            self._warn("format-zero-length", "an empty `scanf` format", text.span)
            return []
        if unknown := [each[0] for each in directives if not _types(each)]:
            reason = "has no closing `]`" if unknown[0].endswith("[") else "is not a conversion of `scanf`"
            self._warn("format", f"`{unknown[0]}` {reason}", text.span)
            return []
        if len(arguments) < len(taken):
            given = given_arguments(len(arguments))
            message = f"the format takes {counted(len(taken), 'argument')} after it, but {given}"
            self._warn("format", message, text.span)
        wrong = []
        for directive, argument in zip_longest(taken, arguments[: len(taken) + 1]):
            if directive is None and argument is not None:
                self._warn("format-extra-args", "the format does not use this argument", argument.span)
            elif directive is not None and argument is None:
                wrong.append(directive[0])
            elif directive is not None and self._is_pointer(argument):
                self._check_argument(directive, argument)
            elif directive is not None and argument.type is not UNKNOWN:
                wrong.append(f"{directive[0]}: {argument.type}")
        return wrong

    def _is_pointer(self, argument: c.Expression) -> bool:
        type = argument.type
        if not isinstance(type, Pointer) and type is not UNKNOWN:
            span = argument.span
            help = f"write `&{span.source.text[span.start : span.end]}`" if isinstance(argument, c.Read) else None
            message = f"a value is read into the object at a pointer, but this is `{type}`"
            self._warn("format", message, span, help=help)
        return isinstance(type, Pointer)

    def _check_argument(self, directive: re.Match[str], argument: c.Expression) -> None:
        """Check the type of a pointer, and the length of an array of characters."""
        assert isinstance(argument.type, Pointer)
        given, wanted = argument.type.target, _types(directive)
        is_text = directive["conversion"][:1] in ("s", "[")
        fits = given.unqualified in wanted or (isinstance(given, Pointer) and wanted[0] is given.unqualified)
        if directive["conversion"] == "p":
            fits = isinstance(given, Pointer)
        if not fits:
            shown = directive[0]
            message = f"`{shown}` needs `{pointer_to(wanted[0])}`, but this is `{argument.type}`"
            self._warn("format", message, argument.span, help=_cure(directive, given))
        elif "const" in given.qualifiers:
            self._warn("format", f"`{directive[0]}` changes a constant object here", argument.span)
        elif is_text and directive["width"] and not directive["allocates"]:
            needed, room = int(directive["width"]) + 1, capacity(argument)
            if room is not None and needed > room and given.size == 1:
                message = f"`{directive[0]}` needs {needed} bytes with the final zero, but there are {room}"
                self._warn("format-overflow", message, argument.span)


def _directives(format: str) -> Iterator[re.Match[str]]:
    return (each for each in _DIRECTIVE.finditer(before_zero(format)) if each["conversion"] != "%")


def _taken(directives: Iterable[re.Match[str]]) -> list[re.Match[str] | None]:
    """The directive that changes the object at each argument; None for an argument that no position names."""
    found: dict[int, re.Match[str]] = {}
    count = 0
    for each in directives:
        if not each["skips"]:
            count += not each["position"]
            found.setdefault(number(each["position"] or str(count)), each)
    return [found.get(each) for each in range(1, min(max(found, default=0), MAX_POSITION) + 1)]


def _types(directive: re.Match[str]) -> tuple[CType, ...]:
    """The types of the objects that a directive may change; none if it is unknown."""
    types = _TYPES.get(directive["conversion"][:1], {}).get(directive["length"], ())
    if directive["conversion"] == "[" or directive["width"].strip("0") == "" != directive["width"]:
        return ()
    return tuple(map(pointer_to, types)) if directive["allocates"] else types


def _cure(directive: re.Match[str], given: CType) -> str | None:
    """The directive for an object of another type, or another argument."""
    kinds = [directive["conversion"], "d", "f"]
    if isinstance(given, Pointer) and given.target.unqualified in _types(directive):
        return "leave out `&`"
    for conversion in kinds:
        for length, types in _TYPES.get(conversion[:1], {}).items():
            if given.unqualified in types and not directive["allocates"]:
                return f"use `%{directive['width']}{length}{conversion}` for `{given.unqualified}`"
    return None
