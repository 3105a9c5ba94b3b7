"""What is wrong with a text that does not keep to the grammar: several faults in one go, in words."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cpsconv.grammar import END, Parser, Rejected
from cpsconv.operations.table import EFFECTS
from cpsconv.source import MAX_ERRORS, Diagnostic, Source, Span, error, in_source_order, too_many_errors
from cpsconv.text.reader import STRAY, Token, new_parser, tokens
from cpsconv.text.syntax import Application, Binding, Name

_EXPRESSION = {"NAME", "NUMBER", "STRING", "CHARACTER", "TRUTH", "UNDEF", "SCALAR", "LPAR", "PREFIX", "MINUS"}
_PHRASES = [
    ("a statement or a transfer", {"NAME", "LET"}, {"NAME", "LET", "BRANCH", "SWITCH"}),
    ("a transfer", {"NAME", "BRANCH"}, {"NAME", "BRANCH", "SWITCH"}),
    ("an expression", {"NAME", "LPAR"}, _EXPRESSION),
    ("a literal", {"NUMBER", "STRING"}, {"NUMBER", "STRING", "CHARACTER", "TRUTH", "MINUS"}),
    ("a type", {"SCALAR"}, {"SCALAR", "LPAR"}),
    ("an operator", {"OPERATOR"}, {"OPERATOR", "MINUS"}),
    ("a name", {"NAME"}, {"NAME"}),
    ("a number", {"NUMBER"}, {"NUMBER"}),
]
"""What to call symbols: a phrase, which of them tell that it is meant, and all that it covers."""

_SYMBOLS = {
    "ARROW": "→",
    "BECOMES": ":=",
    "BOTTOM": "⊥",
    "BRANCH": "branch",
    "CASE": "⇒",
    "RPAR": ")",
    "COLON": ":",
    "COMMA": ",",
    "DOT": ".",
    "IN": "in",
    "LAMBDA": "λ",
    "LBRACE": "{",
    "LET": "let",
    "LPAR": "(",
    "MINUS": "-",
    "RBRACE": "}",
    "SEMICOLON": ";",
    "SWITCH": "switch",
    "UNDERSCORE": "_",
}

_STOPS = {"SEMICOLON", "RBRACE", "LET", "IN", "BOTTOM", "LAMBDA"}

_QUOTED = {'"': ("STRING", "string"), "'": ("CHARACTER", "character"), "`": ("NAME", "name")}
"""By the quote before it: the symbol, and what to call it."""

_UNCLOSED = "UNCLOSED"
"""What takes the place of the rest of a line, when that has been complained about."""

_LIKE_C = re.compile(
    r"(?:\s|//[^\n]*\n)*"
    r"(?:#|/\*|(?:_Bool|bool|char|const|double|extern|float|inline|int|long|short|signed|static|struct|typedef|unsigned"
    r"|void)\s+[\w*])"
)
"""How C may start, and CPS text does not."""


def syntax_errors(source: Source) -> list[Diagnostic]:
    """Every syntax error that can be told apart from the consequences of those before it.

    After an error, reading goes on behind the next semicolon if that ends the same statement, or if it is all that is
    wrong; else behind the function. Of a text in C only the first one is of interest.
    """
    found = in_source_order(_faults(source))
    if _LIKE_C.match(source.text):
        found[0].help = "this looks like C: `convert`, `run` and `check` read that with `--lang c`"
        return found[:1]
    if len(found) >= MAX_ERRORS and (span := found[MAX_ERRORS - 1].span):
        found[MAX_ERRORS - 1 :] = [too_many_errors(span)]
    return found


def _faults(source: Source) -> list[Diagnostic]:
    found: list[Diagnostic] = []
    read = list(_all_tokens(source, found))
    reading = new_parser()
    position = 0
    while position < len(read) and len(found) < MAX_ERRORS:
        try:
            reading.read([read[position]])
            position += 1
        except Rejected:
            if read[position].type != _UNCLOSED:
                found.append(_complaint(source, read[position], reading))
            if _is_needless(read[position], reading):
                position += 1
                continue
            position = _next(read, position, _STOPS)
            if read[position].type != "SEMICOLON" or not _unwind_to_statements(reading):
                position = _next(read, position, {"RBRACE"})
                reading = new_parser()
                if position + 2 >= len(read):  # no function follows
                    break
            position += 1
    return found


def _all_tokens(source: Source, found: list[Diagnostic]) -> Iterator[Token]:
    """The tokens of the text and its end. What is none is complained about; a character by itself is left out."""
    start = 0
    while True:
        for token in tokens(source.text, start):
            if token.type == STRAY:
                break
            yield token
        else:
            return
        found.append(_strange_character(source, token.start))
        if token.text in _QUOTED:
            token = _unclosed(source.text, token.start)
            yield token
        start = token.end


def _unclosed(text: str, start: int) -> Token:
    """The token that starts with the quote at `start`, which is not closed on its line.

    If there is an odd number of such quotes on the next line, the first of them was meant to close it.
    """
    quote = text[start]
    line_end, next_end = _line_end(text, start), _line_end(text, _line_end(text, start) + 1)
    if text.count(quote, line_end, next_end) % 2:
        end = text.index(quote, line_end) + 1
        return Token(_QUOTED[quote][0], text[start:end], start, end)
    return Token(_UNCLOSED, text[start:line_end], start, line_end)


def _line_end(text: str, start: int) -> int:
    end = text.find("\n", start)
    return end if end >= 0 else len(text)


def _strange_character(source: Source, start: int) -> Diagnostic:
    char = source.text[start]
    span = Span(source, start, start + 1)
    if char in _QUOTED:
        return error(f"this {_QUOTED[char][1]} is not closed on its line", span)
    return (
        error(f"`{char}` is not used in the language", span)
        if char.isprintable()
        else error(f"the character U+{ord(char):04X} is not used in the language", span)
    )


def _complaint(source: Source, token: Token, reading: Parser) -> Diagnostic:
    shown = "the end of the text" if token.type == END else f"`{token.text}`"
    span = Span(source, token.start, token.end)
    accepted = reading.accepted()
    outside = END in accepted or not reading.values
    expected = "a function" if outside else _in_words(accepted)
    return error(f"expected {expected}, found {shown}", span, help=_help(token, reading))


def _help(token: Token, reading: Parser) -> str | None:
    """The cure for some mistakes that are easily made."""
    if _is_behind_a_transfer(reading) or _is_needless(token, reading):
        return "the transfer that ends a body has no `;`"
    last = reading.values[-1:]
    if token.type == "LPAR" and last and isinstance(last[0], Name):
        return f"with arguments, it is written `λ(). {last[0].word}(…)`"
    return None


def _is_behind_a_transfer(reading: Parser) -> bool:
    """Whether a transfer and a semicolon are what was read last, the start of a continuation apart."""
    read = [*reading.values]
    while read and isinstance(read[-1], Token) and read[-1].type in ("NAME", "BECOMES", "LPAR"):
        read.pop()
    match read:
        case [*_, [*_, Binding(name="", expression=Application(name=name))]]:
            return name.word not in EFFECTS
        case [*_, Application(name=name), Token(type="SEMICOLON")]:
            return name.word not in EFFECTS
    return False


def _is_needless(token: Token, reading: Parser) -> bool:
    """Whether the token is a semicolon, and the body before it is complete."""
    accepted = reading.accepted()
    return token.type == "SEMICOLON" and not accepted.isdisjoint({"RBRACE", "IN"})


def _in_words(accepted: set[str]) -> str:
    words = []
    for phrase, telling, covered in _PHRASES:
        if telling <= accepted:
            accepted -= covered
            words.append(phrase)
    words += sorted(f"`{_SYMBOLS[symbol]}`" for symbol in accepted)
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _next(tokens: list[Token], position: int, types: set[str]) -> int:
    """The position of the next token of those types, or else of the last one."""
    return next((at for at in range(position, len(tokens)) if tokens[at].type in types), len(tokens) - 1)


def _unwind_to_statements(reading: Parser) -> bool:
    """Forget what was read of the innermost unfinished statement. Whether there is one."""
    while reading.values and not reading.has_action("LET"):
        reading.undo(1)
    return bool(reading.values)
