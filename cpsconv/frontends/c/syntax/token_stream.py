"""The tokens of a source in the order in which the parser reads them, with lookahead and replacement for repairs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from cpsconv.frontends.c.syntax.tokens import Scanner, Token
from cpsconv.frontends.c.types import TYPE_SPECIFIERS
from cpsconv.grammar import END


class TokenStream:
    """The tokens of one source. `previous` is the last token that the parser has accepted."""

    def __init__(self, scanner: Scanner) -> None:
        self.previous: Token | None = None
        self._defined = scanner.defined
        self._tokens = scanner.tokens()
        self._ahead: deque[Token] = deque()

    def for_parser(self) -> Iterator[Token]:
        """The tokens for the parser up to `END`. The parser requests none after a token that it rejects."""
        ahead, tokens = self._ahead, self._tokens
        token = None
        while token is None or token.type != END:
            token = ahead.popleft() if ahead else next(tokens)
            if token.type == "TYPE" and self._is_redeclared(token):
                token = Token("NAME", token.text, token.span)
            yield token
            self.previous = token

    def _is_redeclared(self, token: Token) -> bool:
        """Whether `token`, a type that the source defines, follows a type, and so declares a variable of its name."""
        previous = self.previous
        after_type = previous is not None and (previous.type == "TYPE" or previous.text in TYPE_SPECIFIERS)
        return after_type and token.text in self._defined

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
