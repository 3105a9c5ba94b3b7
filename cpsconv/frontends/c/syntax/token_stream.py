"""The tokens of a source in the order in which the parser reads them, with lookahead and replacement for repairs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

from cpsconv.frontends.c.syntax.tokens import Scanner, Token
from cpsconv.frontends.c.types import TYPE_SPECIFIERS
from cpsconv.grammar import END, Parser

_BEFORE_STATEMENTS = frozenset(["{", "}", ";", ":", ")", "else", "do"])


class TokenStream:
    """The tokens of one source. `previous` is the last token that the parser has accepted."""

    def __init__(self, scanner: Scanner, parser: Parser) -> None:
        self.previous: Token | None = None
        self._parser = parser
        self._scopes = scanner.scopes
        self._tokens = scanner.tokens()
        self._ahead: deque[Token] = deque()

    def for_parser(self) -> Iterator[Token]:
        """The tokens for the parser up to `END`. The parser requests none after a token that it rejects."""
        ahead, tokens, scopes = self._ahead, self._tokens, self._scopes
        token = None
        while token is None or token.type != END:
            token = ahead.popleft() if ahead else next(tokens)
            if token.type == "TYPE":
                if self._is_declared() or self._is_label(token):
                    token = Token("NAME", token.text, token.span)
            elif token.type == "LBRACE":
                scopes.enter()
            elif token.type == "RBRACE":
                scopes.leave()
            yield token
            self.previous = token

    def _is_declared(self) -> bool:
        """Whether a name of a type is a plain name at this position: a declared name, a member, a tag, a label.

        It declares a name if it follows a complete type.
        """
        previous, parser = self.previous, self._parser
        if previous is None:
            return False
        if previous.type == "TYPE" or previous.text in TYPE_SPECIFIERS or self._ends_specifier(previous):
            return True
        return not parser.fitting(["TYPE"]) and parser.fitting(["NAME"]) > parser.fitting(["NUMBER"])

    def _is_label(self, token: Token) -> bool:
        """Whether the name of a type, the next token, is a label: where a statement begins, before a colon."""
        if self.previous is None or self.previous.text not in _BEFORE_STATEMENTS:
            return False
        fitting = self._parser.fitting
        if fitting(["NAME", "COLON"]) < 2 or fitting(["TYPE", "COLON"]) == 2:
            return False
        return self.window(token, 2)[-1].type == "COLON"

    def _ends_specifier(self, previous: Token) -> bool:
        """Whether `previous` ends the specifier of a struct, union or enumeration: it is its tag or its brace."""
        values = self._parser.values
        end = len(values) - 1
        if previous.text == "}":  # before it are the brace, the list of members or enumerators, and perhaps a comma
            end -= 4 if isinstance(values[-2], Token) else 3
            if end >= 0 and not _begins_specifier(values[end]):
                end -= 1  # the tag
        elif previous.type == "NAME":
            end -= 1
        return end >= 0 and _begins_specifier(values[end])

    def next(self) -> Token:
        """The next token, which is removed from the stream."""
        return self._ahead.popleft() if self._ahead else next(self._tokens)

    def window(self, token: Token, size: int) -> list[Token]:
        """`token` and the tokens after it up to `END`, at most `size` in all. They stay in the stream."""
        while len(self._ahead) < size - 1 and not (self._ahead and self._ahead[-1].type == END):
            self._ahead.append(next(self._tokens))
        return [token, *self._ahead]

    def put_back(self, *tokens: Token) -> None:
        """Put the tokens before the next one."""
        self._ahead.extendleft(reversed(tokens))


def _begins_specifier(value: Any) -> bool:
    """Whether a value of the parser is the keyword of a struct, union (with its attributes) or enumeration."""
    return isinstance(value, tuple) or (isinstance(value, Token) and value.text == "enum")
