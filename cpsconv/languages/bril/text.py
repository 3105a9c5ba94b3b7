"""The parser of Bril's text (``.bril``), by the grammar ``grammars/bril.lark``."""

from __future__ import annotations

from typing import Any

from cpsconv.core.grammar import END, Parser, tables_of
from cpsconv.core.source import Diagnostic, Source, Span, error
from cpsconv.languages.bril.tree import (
    REPORTED,
    Function,
    Import,
    Instruction,
    Label,
    Line,
    Literal,
    Module,
    Parameter,
    Word,
)
from cpsconv.languages.reading import ListRules, Token, discard, inserted, parsed, tokens_of, unexpected, value

MAX_DIGITS = 400
"""The maximal length of a number. (Longer ones are out of range, or precise beyond every float.)"""

LONG_NUMBER = "the number is too long"

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


def parse_text(source: Source, errors: list[Diagnostic]) -> Module:
    """The module in Bril's text. Adds all syntax errors to `errors`; the module lacks what has one."""
    items = parsed("bril", _TreeBuilder(errors), tokens_of(source, "bril"), _recovered, errors)
    return Module(
        [each for each in items if isinstance(each, Import)], [each for each in items if isinstance(each, Function)]
    )


def _recovered(parser: Parser, tokens: list[Token], position: int, errors: list[Diagnostic]) -> int:
    """Report the rejected token, and replace what it is part of by ERROR. Returns the position of the token to read."""
    for word in (";", "}"):
        for before in range(min(position, 2)):  # an operand may be the first word of the next line
            start = position - before
            is_possible = word == "}" or _starts_line(tokens, start)
            if before and parser.values[-1] is not tokens[start]:
                continue
            if is_possible and inserted(parser, tokens, start, word, "bril", errors, without=before):
                return start
    errors.append(unexpected(tokens[position], parser, "bril", _TITLES, "`@main { … }` is a function"))
    discard(parser, tokens[position])
    return _after_part(tokens, position, is_line=parser.fitting([tables_of("bril").spellings["}"]]) > 0)


def _starts_line(tokens: list[Token], at: int) -> bool:
    """Whether the token is a brace, or the first one of its line."""
    before, span = tokens[at - 1].span, tokens[at].span
    return tokens[at].text == "}" or "\n" in span.source.text[before.end : span.start]


def _after_part(tokens: list[Token], position: int, is_line: bool) -> int:
    """The position after the line or function; or before it, of what can follow: a brace, label or function."""
    for at in range(position, len(tokens)):
        is_label = tokens[at].type == "LABEL" and tokens[at + 1].text == ":"
        is_next = _is_function(tokens, at) or (is_line and is_label)
        if (is_next and (at > position or not is_line)) or (is_line and tokens[at].text == "}"):
            return at
        if tokens[at].text == (";" if is_line else "}"):
            return at + 1
    return len(tokens)


def _is_function(tokens: list[Token], at: int) -> bool:
    return tokens[at].type == "FUNCTION" and tokens[at + 1].text in ("(", "{", ":")


def _literal(token: Token) -> Literal | None:
    """The value of an operand of `const`; None if it is none, or is a number that is too long."""
    if token.type == "NUMBER":
        return number(token.text)
    if token.type == "CHARACTER":
        inner = token.text[1:-1]
        return _CONTROLS.get(inner, inner)
    return {"true": True, "false": False}.get(token.text) if token.type == "WORD" else None


def number(text: str) -> int | float | None:
    """The value of a number in text or JSON; None if it is too long."""
    if len(text) > MAX_DIGITS:
        return None
    return int(text) if text.lstrip("+-").isdigit() else float(text)


class _TreeBuilder(ListRules):
    """A method for each rule of the grammar, called by the parser with the values of the rule's parts.

    The value of a token is the token itself.
    """

    def __init__(self, errors: list[Diagnostic]) -> None:
        self.errors = errors

    def append(self, parts: list[Any]) -> list[Any]:
        found: list[Any] = parts[0]
        if parts[-1] is not None:
            found.append(parts[-1])
        return found

    def import_line(self, parts: list[Any]) -> Import:
        self._require_word(parts[0], "from")
        self._require_word(parts[2], "import")
        return Import(Word(parts[1].text[1:-1], parts[1].span), parts[3])

    def name(self, parts: list[Any]) -> tuple[Word, Word]:
        if len(parts) > 1:
            self._require_word(parts[1], "as")
        return _word(parts[0]), _word(parts[-1])

    function = value(lambda name, *rest: Function(_word(name), *rest), 0, 1, 2, 4)
    parameter = value(lambda name, type: Parameter(_word(name), type), 0, 2)
    plain_type = value(lambda name: name.text, 0)
    pointer_type = value(lambda pointer, target: f"{pointer.text}<{target}>", 0, 2)
    label = value(lambda name: Label(name.text[1:], name.span), 0)

    def effect(self, parts: list[Any]) -> Line:
        return self._instruction(*parts)

    def typed(self, parts: list[Any]) -> Line:
        destination, _, type, _, op, operands, end = parts
        return self._instruction(op, operands, end, destination, type)

    def untyped(self, parts: list[Any]) -> Line:
        destination, _, op, operands, end = parts
        return self._instruction(op, operands, end, destination)

    def _require_word(self, token: Token, word: str) -> None:
        if token.text != word:
            message = f"`{token.text}` is not expected here, but `{word}`"
            self.errors.append(error(message, token.span, rule="syntax"))

    def _instruction(
        self, op: Token, operands: list[Token], end: Token, name: Token | None = None, type: str | None = None
    ) -> Instruction:
        span = Span(end.span.source, (name or op).span.start, end.span.end - 1)  # without the semicolon
        destination = name and _word(name)
        if op.text == "const":
            return Instruction("const", span, destination, type, value=self._value(operands, span))
        names: dict[str, list[Word]] = {"WORD": [], "FUNCTION": [], "LABEL": []}
        for operand in operands:
            if operand.type in names:
                names[operand.type].append(_word(operand))
            else:
                message = f"`{op.text}` takes names: only `const` takes values"
                self.errors.append(error(message, operand.span, rule="literal"))
        known = op.text if len(operands) == sum(map(len, names.values())) else REPORTED
        return Instruction(known, span, destination, type, names["WORD"], names["FUNCTION"], names["LABEL"])

    def _value(self, operands: list[Token], span: Span) -> Literal | None:
        """The operand of `const`; None after an error."""
        value = _literal(operands[0]) if len(operands) == 1 else None
        if value is None:
            is_long = len(operands) == 1 and operands[0].type == "NUMBER"
            message = LONG_NUMBER if is_long else "`const` takes a number, a character, `true` or `false`"
            self.errors.append(error(message, operands[0].span if is_long else span, rule="literal"))
        return value


def _word(token: Token) -> Word:
    return Word(token.text.lstrip("@."), token.span)
