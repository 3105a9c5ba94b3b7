"""What the grammar's rules for specifiers make: the words of a type, in whatever order, and storage classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from cpsconv.frontends.c.rules_common import Parts, Rules, whole
from cpsconv.frontends.c.tokens import Token
from cpsconv.ir import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    SHORT,
    SIGNED_CHAR,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    VOID,
    Scalar,
)
from cpsconv.source import Span

_SPELLINGS = {
    VOID: "void",
    BOOL: "_Bool",
    CHAR: "char",
    SIGNED_CHAR: "signed char",
    UNSIGNED_CHAR: "unsigned char",
    SHORT: "short, short int, signed short, signed short int",
    UNSIGNED_SHORT: "unsigned short, unsigned short int",
    INT: "int, signed, signed int",
    UNSIGNED: "unsigned, unsigned int",
    LONG: "long, long int, signed long, signed long int, long long, long long int, signed long long, "
    "signed long long int",
    UNSIGNED_LONG: "unsigned long, unsigned long int, unsigned long long, unsigned long long int",
    FLOAT: "float",
    DOUBLE: "double",
}  # C17 6.7.2, paragraph 2
_TYPES = {
    tuple(sorted(spelling.split())): type for type, all in _SPELLINGS.items() for spelling in all.split(", ")
}  # the words of a type may come in any order
TYPE_SPECIFIERS = frozenset(word for words in _TYPES for word in words)
"""The words that make types."""

_NOT_TYPES = frozenset(
    ["const", "volatile", "restrict", "static", "extern", "auto", "register", "typedef", "inline", "_Noreturn"],
)  # the other specifiers


@dataclass(eq=False, slots=True)
class Foreign:
    """A specifier that is not supported yet."""

    span: Span
    subject: str


class Specifiers(list[Union[Token, Foreign]]):
    """What the rule `specifiers` makes."""


@dataclass(eq=False, slots=True)
class Specified:
    """What specifiers say: a type, whether it is constant, and the storage classes."""

    span: Span
    type: Scalar
    constant: bool
    storage: dict[str, Span]


class SpecifierRules(Rules):
    """Handles the rules from `specifiers` to `enumeration`."""

    def first_specifier(self, parts: Parts) -> Specifiers:
        """specifiers: specifier"""
        return Specifiers(parts)

    def specified(self, specifiers: Specifiers) -> Specified:
        """What the list that the rule `specifiers` makes says; complains if it does not make a type."""
        span = whole(specifiers)
        types: list[Token] = []
        storage: dict[str, Span] = {}
        foreign = False
        for part in specifiers:
            if isinstance(part, Foreign):
                self.faults.unsupported(part.subject, part.span)
                foreign = True
            elif part.text in _NOT_TYPES:
                storage[part.text] = part.span
            else:
                types.append(part)
        return Specified(span, INT if foreign else self._type(types, span), "const" in storage, storage)

    def _type(self, words: list[Token], span: Span) -> Scalar:
        """The type that the words make together, in whatever order."""
        if not words:
            self.faults.add("expected a type", Span(span.source, span.end, span.end))
            return INT
        if len(words) == 1 and words[0].type == "TYPE":
            named: Scalar = words[0].value
            return named
        spelling = tuple(sorted(word.text for word in words))
        if spelling == ("double", "long"):
            self.faults.unsupported("`long double` is", whole(words))
        elif spelling not in _TYPES:
            self.faults.add(f"`{' '.join(word.text for word in words)}` is not a type", whole(words))
        return _TYPES.get(spelling, INT)

    def structure(self, parts: Parts) -> Foreign:
        """structure: ("struct" | "union") NAME? ("{" members "}")?"""
        return Foreign(_head(parts), f"{parts[0].text}s are")

    def enumeration(self, parts: Parts) -> Foreign:
        """enumeration: "enum" NAME? ("{" enumerators ","? "}")?"""
        return Foreign(_head(parts), "enums are")


def _head(parts: Parts) -> Span:
    """The keyword of a structure and its name, if it has one."""
    keyword, name = parts[0], parts[1]
    span: Span = keyword.span
    return span.to(name.span) if isinstance(name, Token) and name.type == "NAME" else span
