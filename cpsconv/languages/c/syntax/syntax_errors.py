"""Messages of syntax errors, with the expected construct in words and the token found.

The parser's table gives the acceptable tokens. They are often many: a message names a construct instead of them, such
as a statement or an expression, or one of them, such as the missing `)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cpsconv.core.grammar import END
from cpsconv.core.source import Span, nearest
from cpsconv.languages.c.diagnostics import SyntaxErrors, misspelt_keyword
from cpsconv.languages.c.syntax.declaration_rules import SpecifierList
from cpsconv.languages.c.syntax.headers import TypeName, header_defining
from cpsconv.languages.c.syntax.rules import just_after
from cpsconv.languages.c.syntax.tokens import NameTable, Token
from cpsconv.languages.c.syntax.tree import Declaration

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {closing: opening for opening, closing in OPENING.items()}

DECLARATION = "declaration"
"""The expected "spelling" outside functions, where a declaration or function is expected."""

TYPE_WORDS = ["void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "static", "const"]
TYPE_WORDS += ["struct", "union", "enum", "typedef", "extern", "volatile", "register", "inline"]
"""The keywords with which most declarations begin."""

_MAX_TOKEN_LENGTH = 30  # characters in a message
_MAX_ALTERNATIVES = 3  # in a message
_SIMPLE_STATEMENTS = ("return", "goto", "break", "continue")


def open_brackets(values: Sequence[Any]) -> list[Token]:
    """The brackets that are open after these values of the parser's stack, outermost first."""
    opened: list[Token] = []
    for value in values:
        if isinstance(value, Token):
            if value.text in OPENING:
                opened.append(value)
            elif value.text in CLOSING:
                opened.pop()
    return opened


def report(
    token: Token, previous: Token | None, accepted: set[str], values: Sequence[Any], errors: SyntaxErrors
) -> str:
    """Report that `token` cannot follow `previous`. Returns the expected spelling, or "" if a bracket is unmatched.

    `accepted` holds the spellings of acceptable tokens, or the names of terminals with several spellings; `values` are
    the values on the parser's stack.
    """
    opened = open_brackets(values)
    if token.type == END and opened:
        _report_end(token, opened, errors)
        return ""
    if token.text in CLOSING and not _is_open(CLOSING[token.text], opened):
        errors.report("syntax", f"unmatched `{token.text}`", token.span)
        return ""
    if token.text == "else" and {"if", "}"} <= accepted:
        errors.report("syntax", "`else` without a previous `if`", token.span)
        return ""
    expected, words = (";", "`;`") if _ends_typedef(accepted, values) else _expected(accepted, token, previous)
    if words == "`;`" and previous:
        errors.report("syntax", f"expected `;` after {_unfinished(values)}", just_after(previous.span))
    else:
        found = "the end of the file" if token.type == END else f"`{_shortened(token.text)}`"
        errors.report(
            "syntax",
            f"expected {words} before {found}",
            token.span,
            help=_help(token, previous, words, accepted),
            notes=_note_of_opening(expected, opened, token),
        )
    return expected


def report_unknown_type(name: Token, names: NameTable, errors: SyntaxErrors) -> None:
    """Report that `name` is in the position of a type, but denotes none."""
    header = header_defining(name.text)
    types = [word for word, meaning in names.items() if isinstance(meaning, TypeName)] + TYPE_WORDS
    near = nearest(name.text, types) or misspelt_keyword(name.text)
    help = f"add `#include <{header}>`" if header else f"did you mean `{near}`?" if near else None
    errors.report("unknown-type", f"unknown type `{_shortened(name.text)}`", name.span, help=help)


def starts_line(token: Token) -> bool:
    """Whether the token is in the first column, as most declarations outside functions are."""
    return token.span.source.position(token.span.start)[1] == 1


def _shortened(text: str) -> str:
    """The text of a token, truncated for a message."""
    return text if len(text) <= _MAX_TOKEN_LENGTH else text[: _MAX_TOKEN_LENGTH - 1] + "…"


def _report_end(end: Token, opened: list[Token], errors: SyntaxErrors) -> None:
    innermost = opened[-1]
    note = (f"this `{innermost.text}` is not closed", innermost.span)
    errors.report("syntax", f"expected `{OPENING[innermost.text]}` before the end of the file", end.span, notes=[note])


def _is_open(bracket: str, opened: list[Token]) -> bool:
    """Whether `bracket` is open in the innermost block or, if it is a brace, in any block."""
    innermost = next((token.text for token in reversed(opened) if token.text in (bracket, "{")), None)
    return innermost == bracket


def _expected(accepted: set[str], token: Token, previous: Token | None) -> tuple[str, str]:
    """One expected spelling, and the words for all of them."""
    if "if" in accepted:
        return ";", "a statement"
    if "NUMBER" in accepted:
        return "0", "an expression"
    if END in accepted:
        return DECLARATION, "a type" if token.type == "NAME" else "a declaration"
    if {"int", "NAME", ")"} <= accepted and "*" not in accepted:
        return "int", "a parameter"
    if ")" in accepted and token.text in ("{", ";"):
        return ")", "`)`"
    if "NAME" in accepted:
        return "x", "a name"
    if {"{", ";"} <= accepted and previous and previous.text == ")":
        return (";" if starts_line(token) else "{"), "`{` or `;`"
    for closing in (";", ")", "]", ":", "}"):
        if closing in accepted:
            return closing, f"`{closing}`"
    if "int" in accepted:
        return "int", "a type"
    some = sorted(accepted)[:_MAX_ALTERNATIVES]
    return some[0], " or ".join(f"`{spelling}`" for spelling in some)


def _ends_typedef(accepted: set[str], values: Sequence[Any]) -> bool:
    """Whether a `typedef` may end here."""
    specifiers = [part for value in values if isinstance(value, SpecifierList) for part in value]
    return ";" in accepted and any(isinstance(each, Token) and each.text == "typedef" for each in specifiers)


def _unfinished(values: Sequence[Any]) -> str:
    """The construct that the missing `;` would end, according to the values on the parser's stack."""
    inner, last_word = 0, ""
    for value in reversed(values):
        if isinstance(value, SpecifierList | Declaration) and not inner:
            return "the declaration"
        if not isinstance(value, Token):
            continue
        inner += (value.text in CLOSING) - (value.text in OPENING)
        if inner < 0:
            break
        if value.text in _SIMPLE_STATEMENTS or (value.text == "do" and last_word == "while"):
            return f"the `{value.text}` statement"
        last_word = value.text if not inner and value.type not in ("NAME", "NUMBER") else last_word
    return "the expression" if open_brackets(values) else "the declaration"


def _help(token: Token, previous: Token | None, words: str, accepted: set[str]) -> str | None:
    if words == "a name" and token.text.isidentifier() and token.type not in ("NAME", "CONSTANT"):
        return f"`{token.text}` is a reserved word of C: choose another name"
    if words == "a declaration" and token.text == "{" and previous and previous.text == ";":
        return "remove the `;` before it, if it is the body of a function"
    if words == "a statement" and "int" not in accepted and token.text in TYPE_WORDS:
        return "enclose the declaration in braces: `{ … }`"
    return None


def _note_of_opening(expected: str, opened: list[Token], token: Token) -> list[tuple[str, Span | None]]:
    """A note on the opening bracket that `expected` would close, if it is on another line."""
    if expected not in CLOSING or not opened:
        return []
    opening = opened[-1]
    return [(f"to match this `{opening.text}`", opening.span)] if token.span.line != opening.span.line else []
