"""What is wrong with a text that does not keep to the grammar: several faults in one go, in words."""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken
from lark.parsers.lalr_interactive_parser import InteractiveParser

from cpsconv.source import Diagnostic, Source, Span, error
from cpsconv.text.reader import parser

_MOST_ERRORS = 20

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
    "CLOSE": ")",
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


def syntax_errors(source: Source) -> list[Diagnostic]:
    """Every syntax error that can be told apart from the consequences of those before it.

    After an error, reading goes on behind the next semicolon if that ends the same statement; else behind the function.
    """
    found: list[Diagnostic] = []
    tokens = list(_tokens(source, found))
    reading = parser().parse_interactive("")
    position = 0
    while position < len(tokens) and len(found) < _MOST_ERRORS:
        try:
            reading.feed_token(tokens[position])
            position += 1
        except UnexpectedToken:
            found.append(_complaint(source, tokens[position], reading))
            position = _next(tokens, position, _STOPS)
            if tokens[position].type != "SEMICOLON" or not _unwind_to_statements(reading):
                position = _next(tokens, position, {"RBRACE"})
                reading = parser().parse_interactive("")
                if position + 2 >= len(tokens):  # no function follows
                    break
            position += 1
    return found


def _tokens(source: Source, found: list[Diagnostic]) -> Iterator[Token]:
    """The tokens of the text and its end; what is none is complained about, and left out."""
    thread = parser().parse_interactive(source.text).lexer_thread
    end = Token("$END", "", start_pos=len(source.text), end_pos=len(source.text))
    while True:
        try:
            yield from thread.lex(None)  # type: ignore[no-untyped-call]
        except UnexpectedCharacters as unexpected:
            start = unexpected.pos_in_stream
            assert start is not None and thread.state
            found.append(_strange_character(source, start))
            line_end = source.text.find("\n", start)
            skipped = (
                1 if source.text[start] not in "\"'`" else (line_end if line_end > 0 else len(source.text)) - start
            )
            thread.state.line_ctr.feed(source.text[start : start + skipped])
        else:
            yield end
            return


def _strange_character(source: Source, start: int) -> Diagnostic:
    char = source.text[start]
    span = Span(source, start, start + 1)
    if char in "\"'`":
        kind = {'"': "string", "'": "character", "`": "name"}[char]
        return error(f"this {kind} is not closed on its line", span)
    return (
        error(f"`{char}` is not used in the language", span)
        if char.isprintable()
        else error(f"the character U+{ord(char):04X} is not used in the language", span)
    )


def _complaint(source: Source, token: Token, reading: InteractiveParser) -> Diagnostic:
    shown = f"`{token}`" if token else "the end of the text"
    assert token.start_pos is not None and token.end_pos is not None
    span = Span(source, token.start_pos, token.end_pos)
    accepted: set[str] = reading.accepts()  # type: ignore[no-untyped-call]
    outside = "$END" in accepted or not reading.parser_state.value_stack
    expected = "a function" if outside else _in_words(accepted)
    return error(f"expected {expected}, found {shown}", span)


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


def _unwind_to_statements(reading: InteractiveParser) -> bool:
    """Forget what was read of the innermost unfinished statement. Whether there is one."""
    state = reading.parser_state
    table = state.parse_conf.parse_table.states
    while state.state_stack and "LET" not in table[state.state_stack[-1]]:
        state.state_stack.pop()
        if state.value_stack:
            state.value_stack.pop()
    return bool(state.state_stack)
