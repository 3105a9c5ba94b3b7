"""What to say where the text is not C: what was expected, in words, and what was found.

What could come next is known from the parser's table. It is often much, an operator not the least, so it is told in
groups: a statement, an expression, the `)` that is missing.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cpsconv.frontends.c.diagnostics import Faults, near_statement
from cpsconv.frontends.c.syntax.declaration_rules import NESTED_FUNCTIONS, Declared, Specifiers
from cpsconv.frontends.c.syntax.headers import TypeName, header_declaring
from cpsconv.frontends.c.syntax.tokens import Token, Words
from cpsconv.grammar import END
from cpsconv.source import Span, nearest

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = {closing: opening for opening, closing in OPENING.items()}

_LONGEST_SHOWN = 30  # characters of a token in a message
_MOST_SHOWN = 3  # alternatives in a message
_SIMPLE_STATEMENTS = ("return", "goto", "break", "continue")

DECLARATION = "declaration"
"""What stands for the spelling of what is expected, where that is a function or declaration outside functions."""

TYPE_WORDS = ["void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "static", "const"]


def open_brackets(values: Sequence[Any]) -> list[Token]:
    """The opening brackets among the values on the parser's stack whose closing ones are not there, outermost first."""
    opened: list[Token] = []
    for value in values:
        if isinstance(value, Token):
            if value.text in OPENING:
                opened.append(value)
            elif value.text in CLOSING:
                opened.pop()
    return opened


def complain(token: Token, previous: Token | None, accepted: set[str], values: Sequence[Any], faults: Faults) -> str:
    """Say that `token` cannot stand after `previous`, where `accepted` could; gives the spelling that was expected.

    `accepted` has the spellings of what the parser would take, or the terminals' names where there are many spellings;
    `values` are those on the parser's stack.
    """
    opened = open_brackets(values)
    if token.type == END and opened:
        _complain_of_end(token, opened, faults)
        return ""
    if token.text in CLOSING and not _is_open(CLOSING[token.text], opened):
        faults.add(f"this `{token.text}` closes nothing", token.span)
        return ""
    if token.text == "else" and {"if", "}"} <= accepted:
        faults.add("this `else` has no `if` before it", token.span)
        return ""
    expected, words = _expected(accepted, token, previous)
    if words == "`;`" and previous:
        faults.add(f"expected `;` after {_unfinished(values)}", just_after(previous.span))
    else:
        found = "the end of the file" if token.type == END else f"`{shortened(token.text)}`"
        faults.add(
            f"expected {words} before {found}",
            token.span,
            help=_help(token, words, accepted),
            notes=_opened_here(expected, opened, token),
        )
    return expected


def complain_of_type(name: Token, words: Words, faults: Faults) -> None:
    """Say that `name` stands where a type does, but is none."""
    header = header_declaring(name.text)
    types = [word for word, meaning in words.items() if isinstance(meaning, TypeName)] + TYPE_WORDS
    near = nearest(name.text, types) or near_statement(name.text)
    help = f"`#include <{header}>` declares it" if header else f"did you mean `{near}`?" if near else None
    faults.add(f"there is no type `{shortened(name.text)}`", name.span, help=help)


def just_after(span: Span) -> Span:
    """The place behind a span."""
    return Span(span.source, span.end, span.end)


def starts_line(token: Token) -> bool:
    """Whether a token stands in the first column, as declarations outside functions mostly do."""
    return token.span.source.position(token.span.start)[1] == 1


def shortened(text: str) -> str:
    """The text of a token, of a length that suits a message."""
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 1] + "…"


def _complain_of_end(end: Token, opened: list[Token], faults: Faults) -> None:
    innermost = opened[-1]
    note = (f"this `{innermost.text}` is not closed", innermost.span)
    if innermost.text == "{":
        faults.withdraw(NESTED_FUNCTIONS)  # what followed the missing brace was not meant to be nested
    faults.add(f"expected `{OPENING[innermost.text]}` before the end of the file", end.span, notes=[note])


def _is_open(bracket: str, opened: list[Token]) -> bool:
    """Whether there is something to close: parentheses end, at the latest, where their block does."""
    for token in reversed(opened):
        if token.text == bracket:
            return True
        if token.text == "{":
            return False
    return False


def _expected(accepted: set[str], token: Token, previous: Token | None) -> tuple[str, str]:
    """One spelling of what is expected, and the words for it."""
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
    some = sorted(accepted)[:_MOST_SHOWN]
    return some[0], " or ".join(f"`{spelling}`" for spelling in some)


def _unfinished(values: Sequence[Any]) -> str:
    """What a `;` would end: the values on the parser's stack, down to the bracket around them, tell."""
    inner, last_word = 0, ""
    for value in reversed(values):
        if isinstance(value, Specifiers | Declared) and not inner:
            return "the declaration"
        if not isinstance(value, Token):
            continue
        inner += (value.text in CLOSING) - (value.text in OPENING)
        if inner < 0:
            break
        if value.text in _SIMPLE_STATEMENTS or (value.text == "do" and last_word == "while"):
            return f"the `{value.text}` statement"
        last_word = value.text if not inner and value.type not in ("NAME", "NUMBER") else last_word
    return "the expression"


def _help(token: Token, words: str, accepted: set[str]) -> str | None:
    if words == "a name" and token.text.isidentifier() and token.type not in ("NAME", "CONSTANT"):
        return f"`{token.text}` has a meaning of its own in C and cannot be a name"
    if words == "a statement" and "int" not in accepted and token.text in TYPE_WORDS:
        return "a declaration must be between braces here: `{ … }`"
    return None


def _opened_here(expected: str, opened: list[Token], token: Token) -> list[tuple[str, Span | None]]:
    """A note on the bracket that is to be closed, where it is on another line."""
    if expected not in CLOSING or not opened:
        return []
    opening = opened[-1]
    return [(f"to match this `{opening.text}`", opening.span)] if token.span.line != opening.span.line else []
