"""Reading on after a syntax error, so that all errors are found in one go.

Of the ways to mend the text at the error, inserting, leaving out or replacing a token, that one is taken after which
the most tokens fit (Burke and Fisher 1987). If none helps, the statement or declaration with the error is given up: the
parser goes back to where a statement may begin, `ERROR` stands for what is skipped, and reading goes on after the
next ``;`` or at the next brace or word that begins a statement.

The parser is lark's, fed a token at a time. Its stack is a list of states and, beside it, one of values.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from copy import copy
from typing import TYPE_CHECKING, Any

from cpsconv.frontends.c.faults import Faults
from cpsconv.frontends.c.headers import Unsupported, header_declaring
from cpsconv.frontends.c.rules_declarations import Specifiers
from cpsconv.frontends.c.syntax import Name
from cpsconv.frontends.c.syntax_errors import (
    CLOSING,
    DECLARATION,
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

_INSERTIONS = (";", ")", "]", ":", "0", "x", "int", ",")
_LOOKAHEAD = 6  # tokens on which a mended text is tried
_ENOUGH = 2  # of them must fit, beside the token at the error
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
        self._unheard = Faults()
        self._unknown_types: set[str] = set()

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

    def _fitting(self, types: Iterable[str], without: int = 0) -> int:
        """How many tokens of these types, in this order, the parser would take, the last values on its stack undone."""
        from lark.exceptions import UnexpectedToken

        parser: Any = self._parser
        trial = parser.copy(deepcopy_values=False)
        trial.parser_state.parse_conf = copy(trial.parser_state.parse_conf)
        trial.parser_state.parse_conf.callbacks = {}
        for stack in (trial.parser_state.state_stack, trial.parser_state.value_stack):
            del stack[len(stack) - without :]
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
            if token.type != END and (expected == DECLARATION or not self._mend(token, [expected, *_INSERTIONS])):
                self._give_up(token)

    def _complain(self, token: Token) -> str:
        """Give the message, unless it is but a consequence of the last one. Gives what was expected."""
        from_macro = not self._scanner.defined.isdisjoint((token.text, self._previous.text if self._previous else ""))
        faults = self._unheard if from_macro or token.span.start <= self._quiet_until else self._faults
        return complain(token, self._previous, self._accepted(), self._values, faults)

    def _replace_unsupported(self, token: Token) -> None:
        """Complain of a word that the grammar does not have; go on with what it stands for, without its operand."""
        word: Unsupported = token.value
        self._faults.unsupported(word.subject, token.span)
        has_operand = word.operand and self._skip_operand(token.text.count("["))
        if word.stand_in and has_operand == word.operand:
            self._put_back(self._scanner.stand_in(word.stand_in, token.span))

    def _skip_operand(self, depth: int) -> bool:
        """Skip what stands in brackets, of which `depth` have been opened already. Gives whether there is something."""
        while not depth and self._window_starts_with(("volatile", "goto", "inline")):
            self._next()
        if not depth and not self._window_starts_with(("(",)):
            return False
        while True:
            token = self._next()
            depth += (token.text in OPENING) - (token.text in CLOSING)
            if depth <= 0 or token.type == END:
                break
        if token.type == END:
            self._put_back(token)
        return True

    def _window_starts_with(self, spellings: tuple[str, ...]) -> bool:
        token = self._next()
        self._put_back(token)
        return token.text in spellings

    def _mend(self, token: Token, insertions: Iterable[str]) -> bool:
        """Leave `token` out, or put an insertion before it or in its place, if enough of what follows then fits."""
        here = just_after(self._previous.span) if self._previous else _NOWHERE
        inserted = [self._scanner.stand_in(text, here) for text in insertions if text]
        mended = [[new, token] for new in inserted] + [[]] + [[new] for new in inserted]
        window = self._window(token)
        following = [token.type for token in window[1:]]
        scores = [self._fitting([new.type for new in tokens] + following) - len(tokens) for tokens in mended]
        best = max(scores)
        if best < min(_ENOUGH, len(following)):
            return False
        self._put_back(*mended[scores.index(best)])
        return True

    # ------------------------------------------------------------------------------------------ names of no type

    def _mend_type(self, token: Token) -> bool:
        """If a name stands where a type does, complain of it and take it for one."""
        for count, name, tokens in self._with_type(token):
            following = self._window(token)[1:_ENOUGH]
            types = [token.type for token in (*tokens, *following)]
            if self._fitting(types, without=count) == len(types):
                if name.text not in self._unknown_types | self._scanner.defined:
                    complain_of_type(name, self._scanner.words, self._faults)
                    self._unknown_types.add(name.text)
                for _ in range(count):
                    self._pop()
                self._put_back(*tokens)
                return True
        return False

    def _with_type(self, token: Token) -> Iterator[tuple[int, Token, list[Token]]]:
        """How a name could be meant for a type: the name, and tokens in place of `token` and that many values."""
        values, previous = self._values, self._previous
        choices = self._choices(self._states[-1])
        if token.type != "NAME" or not previous:
            pass
        elif "NAME" not in choices and "INT" in choices and self._window(token)[1].type == "NAME":
            yield 0, token, [_type(token)]  # foo x, where no statement can be
        elif (
            len(values) > 1
            and values[-1] is previous
            and previous.type == "NAME"
            and not isinstance(values[-2], Specifiers)
        ):
            yield 1, previous, [_type(previous), token]  # foo x, where foo has been taken for a variable
        if token.type in _OPERANDS and _is_parenthesised_name(values[-3:]):
            opening, node, closing = values[-3:]
            name = Token("NAME", node.name, node.span)
            if header_declaring(name.text):
                yield (
                    3,
                    name,
                    [opening, _type(name), closing, token],
                )  # (foo) x, where foo has been taken for a variable

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
            self._skip_declaration(len(opened), begun=bool(given_up))

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

    def _skip_declaration(self, depth: int, begun: bool) -> None:
        """Skip the rest of a declaration or function, in which that many brackets are open.

        If it has not `begun`, this may be the rest of a function with a brace too many: skip to what looks like the
        next function, in the first column.
        """
        while True:
            token = self._next()
            if token.type == END or (not depth and token.text in TYPE_WORDS and _starts_line(token)):
                self._put_back(token)
                return
            was_open = depth > 0
            depth = max(0, depth + (token.text in OPENING) - (token.text in CLOSING))
            if begun and not depth and (token.text == ";" or (was_open and token.text == "}")):
                return


_OPERANDS = frozenset(["NAME", "NUMBER", "CHARACTER", "STRING", "CONSTANT"])
_NOWHERE = Span(Source("", ""), 0, 0)


def _type(name: Token) -> Token:
    return Token("TYPE", name.text, name.span, INT)


def _is_parenthesised_name(values: list[Any]) -> bool:
    match values:
        case [Token(text="("), Name(), Token(text=")")]:
            return True
    return False


def _starts_line(token: Token) -> bool:
    return token.span.source.position(token.span.start)[1] == 1
