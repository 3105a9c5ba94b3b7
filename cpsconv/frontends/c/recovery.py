"""Reading on after a syntax error, so that all errors are found in one go.

Of the ways to mend the text at the error, inserting a token or leaving one out, that one is taken after which the most
tokens fit (Burke and Fisher 1987). If none helps, the statement or declaration in which the error lies is given up:
the parser goes back to where a statement may begin, `ERROR` stands for what is skipped, and reading goes on after the
next ``;`` or at the next brace or word that begins a statement.

The parser is lark's, fed a token at a time. Its stack is a list of states and, beside it, one of values.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from contextlib import suppress
from copy import copy
from typing import TYPE_CHECKING, Any

from cpsconv.frontends.c.faults import Faults
from cpsconv.frontends.c.headers import TypeName, Unsupported
from cpsconv.frontends.c.syntax import Name
from cpsconv.frontends.c.syntax_errors import (
    CLOSING,
    OPENING,
    TYPE_WORDS,
    complain,
    complain_of_type,
    just_after,
    open_brackets,
)
from cpsconv.frontends.c.tokens import END, MALFORMED, UNSUPPORTED, Scanner, Token
from cpsconv.ir import INT
from cpsconv.source import Source, Span

if TYPE_CHECKING:
    from lark.parsers.lalr_interactive_parser import InteractiveParser

_INSERTIONS = (";", ")", "]", ":", "0", "x", "(", "{", "int", ",")
_LOOKAHEAD = 6  # tokens on which a mended text is tried
_ENOUGH = 3  # of them must fit
_STATEMENT_WORDS = frozenset(
    ["if", "while", "do", "for", "switch", "return", "break", "continue", "goto", "case", "default"]
)


class Reader:
    """Feeds the tokens of one text to the parser."""

    def __init__(self, parser: InteractiveParser, scanner: Scanner, shown: dict[str, str], faults: Faults) -> None:
        self._parser = parser
        self._scanner = scanner
        self._shown = shown
        self._faults = faults
        self._tokens = scanner.tokens()
        self._ahead: deque[Token] = deque()
        self._previous: Token | None = None
        self._quiet_until = -1

    def read(self) -> Any:
        """What the whole text is made into, or None if it does not end as it should."""
        from lark.exceptions import UnexpectedToken

        feed: Any = self._parser.feed_token  # lark asks no more of a token than its type
        result = None
        while True:
            token = self._next()
            try:
                result = feed(token)
                self._previous = token
            except UnexpectedToken:
                self._recover(token)
            if token.type == END:
                return result

    def _next(self) -> Token:
        return self._ahead.popleft() if self._ahead else next(self._tokens)

    def _put_back(self, *tokens: Token) -> None:
        self._ahead.extendleft(reversed(tokens))

    def _window(self, token: Token) -> list[Token]:
        """`token` and some tokens after it."""
        while len(self._ahead) < _LOOKAHEAD - 1 and not (self._ahead and self._ahead[-1].type == END):
            self._ahead.append(next(self._tokens))
        return [token, *self._ahead]

    # --------------------------------------------------------------------------------------- what the parser knows

    @property
    def _states(self) -> list[Any]:
        return self._parser.parser_state.state_stack

    @property
    def _values(self) -> list[Any]:
        return self._parser.parser_state.value_stack

    def _accepted(self) -> set[str]:
        """The spellings of the tokens that fit here; the terminals' names where there are many spellings."""
        parser: Any = self._parser
        return {self._shown.get(type, type) for type in parser.accepts()}

    def _fitting(self, types: Iterable[str]) -> int:
        """How many tokens of these types, in this order, the parser would take."""
        from lark.exceptions import UnexpectedToken

        parser: Any = self._parser
        trial = parser.copy(deepcopy_values=False)
        trial.parser_state.parse_conf = copy(trial.parser_state.parse_conf)
        trial.parser_state.parse_conf.callbacks = {}
        count = 0
        with suppress(UnexpectedToken):
            for type in types:
                trial.feed_token(Token(type, "", _NOWHERE))
                count += 1
        return count

    # --------------------------------------------------------------------------------------------------- recovery

    def _recover(self, token: Token) -> None:
        """Complain of a token that the parser does not take, and see to it that reading can go on."""
        if token.type == UNSUPPORTED:
            self._replace_unsupported(token)
        elif token.type == MALFORMED:
            self._quiet_until = token.span.end
            if not self._mend(token, []):
                self._give_up(token)
        elif not self._mend_type(token):
            expected = self._complain(token)
            if token.type != END and not self._mend(token, [expected, *_INSERTIONS]):
                self._give_up(token)

    def _complain(self, token: Token) -> str:
        """Give the message, unless it is but a consequence of the last one. Gives what was expected."""
        faults = self._faults if token.span.start > self._quiet_until else Faults()
        return complain(token, self._previous, self._accepted(), self._values, faults)

    def _replace_unsupported(self, token: Token) -> None:
        """Complain of a word that the grammar does not have; go on with what it stands for, without its operand."""
        word: Unsupported = token.value
        self._faults.unsupported(word.subject, token.span)
        if word.operand:
            self._skip_operand(token.text.count("["))
        if word.stand_in:
            self._put_back(self._scanner.stand_in(word.stand_in, token.span))

    def _skip_operand(self, depth: int) -> None:
        """Skip what stands in brackets, of which `depth` have been opened already."""
        while not depth and self._window_starts_with(("volatile", "goto", "inline")):
            self._next()
        if not depth and not self._window_starts_with(("(",)):
            return
        while True:
            token = self._next()
            depth += (token.text in OPENING) - (token.text in CLOSING)
            if depth <= 0 or token.type == END:
                break
        if token.type == END:
            self._put_back(token)

    def _window_starts_with(self, spellings: tuple[str, ...]) -> bool:
        token = self._next()
        self._put_back(token)
        return token.text in spellings

    def _mend(self, token: Token, insertions: Iterable[str]) -> bool:
        """Insert one of the tokens, or leave `token` out, if enough of what follows then fits."""
        window = self._window(token)
        types = [token.type for token in window]
        inserted = [self._stand_in(text) for text in insertions if text]
        scores = [self._fitting([stand_in.type, *types]) - 1 for stand_in in inserted]
        scores.append(1 + self._fitting(types[1:]))
        best = max(scores)
        if best < min(_ENOUGH, len(window)):
            return False
        choice = scores.index(best)
        if choice < len(inserted):
            self._put_back(inserted[choice], token)
        return True

    def _stand_in(self, text: str) -> Token:
        return self._scanner.stand_in(text, just_after(self._previous.span) if self._previous else _NOWHERE)

    # ------------------------------------------------------------------------------------------ names of no type

    def _mend_type(self, token: Token) -> bool:
        """Complain of a name that stands where a type does, and take it for one."""
        values, states = self._values, self._states
        if token.type == "NAME" and values and values[-1] is self._previous and self._previous.type == "NAME":
            if "INT" not in self._choices(states[-2]):
                return False
            name = self._previous
            self._pop()
            self._put_back(self._type(name), token)
            return True
        if token.type == "NAME" and "INT" in self._choices(states[-1]) and "NAME" not in self._choices(states[-1]):
            if self._window(token)[1].type != "NAME":
                return False
            self._put_back(self._type(token))
            return True
        if token.type in _OPERANDS and len(values) > 2 and _is_parenthesised_name(values[-3:]):
            opening, name_node, closing = values[-3:]
            for _ in range(3):
                self._pop()
            name = Token("NAME", name_node.name, name_node.span)
            self._put_back(opening, self._type(name), closing, token)
            return True
        return False

    def _type(self, name: Token) -> Token:
        """A type in place of `name`, which is one from here on."""
        complain_of_type(name, self._scanner.words, self._faults)
        self._scanner.words[name.text] = TypeName(INT)
        return Token("TYPE", name.text, name.span, INT)

    def _choices(self, state: Any) -> Any:
        return self._parser.parser_state.parse_conf.states[state]

    def _pop(self) -> Any:
        self._states.pop()
        return self._values.pop()

    # ------------------------------------------------------------------------------------- giving a statement up

    def _give_up(self, token: Token) -> None:
        """Go back to where a statement or declaration can begin, and skip to where another one does."""
        from lark.exceptions import UnexpectedToken

        given_up: list[Any] = []
        error: Any = Token("ERROR", "", token.span)
        while True:
            with suppress(UnexpectedToken):
                self._parser.feed_token(error)
                break
            given_up.append(self._pop())
        opened = [bracket.text for bracket in open_brackets(given_up[::-1])]
        self._put_back(token)
        if "RBRACE" in self._choices(self._states[-1]):
            in_for = "(" in opened and any(isinstance(value, Token) and value.text == "for" for value in given_up)
            self._skip_statement(opened.count("{"), int(in_for))
        else:
            self._skip_declaration(opened.count("{"))

    def _skip_statement(self, braces: int, parentheses: int) -> None:
        """Skip the rest of a statement, in which that many braces are open, and parentheses that may hold a `;`."""
        while True:
            token = self._next()
            text = token.text
            if token.type == END or (not braces and (text in ("{", "}") or text in _STATEMENT_WORDS)):
                self._put_back(token)
                return
            if not braces and not parentheses and text == ";":
                return
            braces += (text == "{") - (text == "}")
            parentheses = max(0, parentheses + ((text == "(") - (text == ")") if parentheses else 0))

    def _skip_declaration(self, depth: int) -> None:
        """Skip the rest of a declaration or function, in which that many brackets are open."""
        while True:
            token = self._next()
            if token.type == END:
                self._put_back(token)
                return
            if not depth and token.text in TYPE_WORDS:
                self._put_back(token)
                return
            was_open = depth > 0
            depth = max(0, depth + (token.text in OPENING) - (token.text in CLOSING))
            if not depth and (token.text == ";" or (was_open and token.text == "}")):
                return


_OPERANDS = frozenset(["NAME", "NUMBER", "CHARACTER", "STRING", "CONSTANT"])
_NOWHERE = Span(Source("", ""), 0, 0)


def _is_parenthesised_name(values: Sequence[Any]) -> bool:
    opening, name, closing = values
    return (
        isinstance(name, Name)
        and isinstance(opening, Token)
        and opening.text == "("
        and isinstance(closing, Token)
        and closing.text == ")"
    )
