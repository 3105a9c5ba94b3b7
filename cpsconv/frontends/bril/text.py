"""The parser of Bril's text (``.bril``), by the grammar ``grammars/bril.lark``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from cpsconv.frontends.bril.tree import Function, Import, Instruction, Label, Line, Literal, Module, Parameter, Word
from cpsconv.grammar import END, Parser, Rejected, tables_of
from cpsconv.source import DiagnosticError, Source, Span, error

STRAY = "STRAY"
"""The type of the token for a character that starts no other token."""

MAX_DIGITS = 400
"""The maximal length of a number. (Longer ones are out of range, or precise beyond every float.)"""

_CONTROLS = {"\\0": "\0", "\\a": "\a", "\\b": "\b", "\\t": "\t", "\\n": "\n", "\\v": "\v", "\\f": "\f", "\\r": "\r"}
_TITLES = {
    "WORD": "a name",
    "FUNCTION": "`@function`",
    "LABEL": "`.label`",
    "NUMBER": "a number",
    "CHARACTER": "a character",
    "STRING": "a path in quotes",
    END: "the end of the text",
}


class Token(NamedTuple):
    """A token; `type` is the name of its terminal."""

    type: str
    text: str
    span: Span


def parse_text(source: Source) -> Module:
    """The module in Bril's text. Raises `DiagnosticError` for the first syntax error."""
    parser = Parser(tables_of("bril"), _TreeBuilder())
    try:
        parser.read(_tokens(source))
    except Rejected as failure:
        raise _unexpected(failure.args[0], parser) from None
    items = parser.result()
    return Module(
        [item for item in items if isinstance(item, Import)], [item for item in items if isinstance(item, Function)]
    )


def _tokens(source: Source) -> Iterator[Token]:
    spellings = tables_of("bril").spellings
    for match in _pattern().finditer(source.text):
        kind = str(match.lastgroup)
        if kind not in ("SPACE", "COMMENT"):
            yield Token(spellings.get(match[0], kind), match[0], Span(source, *match.span()))
    yield Token(END, "", Span(source, len(source.text), len(source.text)))


@cache
def _pattern() -> re.Pattern[str]:
    """The pattern of one token."""
    tables = tables_of("bril")
    punctuators = "|".join(map(re.escape, tables.spellings))
    patterns = tables.patterns | {"PUNCTUATOR": punctuators, STRAY: r"[\s\S]"}
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in patterns.items()))


def _unexpected(token: Token, parser: Parser) -> DiagnosticError:
    spelled = {type: f"`{text}`" for text, type in tables_of("bril").spellings.items()}
    expected = sorted(_TITLES.get(type) or spelled[type] for type in parser.accepted())
    *others, last = expected
    wanted = f"{', '.join(others)} or {last}" if others else last
    found = f"`{token.text}`" if token.text else _TITLES[END]
    help = "`@main { … }` is a function" if token.type == END and not parser.values else None
    return DiagnosticError([error(f"{found} is not expected here, but {wanted}", token.span, help=help, rule="syntax")])


def _literal(token: Token) -> Literal | None:
    """The value of an operand of `const`; None if it is none. Raises `DiagnosticError` for a number out of range."""
    if token.type == "NUMBER":
        return number(token.text, token.span)
    if token.type == "CHARACTER":
        inner = token.text[1:-1]
        return _CONTROLS.get(inner, inner)
    return {"true": True, "false": False}.get(token.text) if token.type == "WORD" else None


def number(text: str, span: Span) -> int | float:
    """The value of a number in text or JSON. Raises `DiagnosticError` if it is too long."""
    if len(text) > MAX_DIGITS:
        raise DiagnosticError([error("the number is too long", span, rule="literal")])
    return int(text) if text.lstrip("+-").isdigit() else float(text)


class _TreeBuilder:
    """A method for each rule of the grammar, called by the parser with the values of the rule's parts.

    The value of a token is the token itself. Lists grow in place, in constant time per element.
    """

    def nothing(self, parts: list[Any]) -> list[Any]:
        return []

    def no_type(self, parts: list[Any]) -> None:
        return None

    def first(self, parts: list[Any]) -> list[Any]:
        return [parts[0]]

    def second(self, parts: list[Any]) -> Any:
        return parts[1]

    def append(self, parts: list[Any]) -> list[Any]:
        found: list[Any] = parts[0]
        found.append(parts[-1])
        return found

    append_after_comma = append

    def import_line(self, parts: list[Any]) -> Import:
        _require_word(parts[0], "from")
        _require_word(parts[2], "import")
        return Import(Word(parts[1].text[1:-1], parts[1].span), parts[3])

    def name(self, parts: list[Any]) -> tuple[Word, Word]:
        if len(parts) > 1:
            _require_word(parts[1], "as")
        return _word(parts[0]), _word(parts[-1])

    def function(self, parts: list[Any]) -> Function:
        name, parameters, result, _, lines, _ = parts
        return Function(_word(name), parameters, result, lines)

    def parameter(self, parts: list[Any]) -> Parameter:
        return Parameter(_word(parts[0]), parts[2])

    def plain_type(self, parts: list[Any]) -> str:
        return str(parts[0].text)

    def pointer_type(self, parts: list[Any]) -> str:
        return f"{parts[0].text}<{parts[2]}>"

    def label(self, parts: list[Any]) -> Label:
        return Label(parts[0].text[1:], parts[0].span)

    def effect(self, parts: list[Any]) -> Line:
        op, operands, end = parts
        return _instruction(op, operands, op.span.to(end.span), None, None)

    def typed(self, parts: list[Any]) -> Line:
        destination, _, type, _, op, operands, end = parts
        return _instruction(op, operands, destination.span.to(end.span), _word(destination), type)

    def untyped(self, parts: list[Any]) -> Line:
        destination, _, op, operands, end = parts
        return _instruction(op, operands, destination.span.to(end.span), _word(destination), None)


def _require_word(token: Token, word: str) -> None:
    if token.text != word:
        raise DiagnosticError([error(f"`{token.text}` is not expected here, but `{word}`", token.span, rule="syntax")])


def _word(token: Token) -> Word:
    return Word(token.text.lstrip("@."), token.span)


def _instruction(op: Token, operands: list[Token], span: Span, destination: Word | None, type: str | None) -> Line:
    span = Span(span.source, span.start, span.end - 1)  # without the semicolon
    if op.text == "const":
        values = [_literal(operand) for operand in operands]
        if len(values) != 1 or values[0] is None:
            raise DiagnosticError(
                [error("`const` takes a number, a character, `true` or `false`", span, rule="literal")]
            )
        return Instruction("const", span, destination, type, value=values[0])
    names: dict[str, list[Word]] = {"WORD": [], "FUNCTION": [], "LABEL": []}
    for operand in operands:
        if operand.type not in names:
            message = f"`{op.text}` takes names: only `const` takes values"
            raise DiagnosticError([error(message, operand.span, rule="literal")])
        names[operand.type].append(_word(operand))
    return Instruction(op.text, span, destination, type, names["WORD"], names["FUNCTION"], names["LABEL"])
