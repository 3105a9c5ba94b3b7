"""Reading on after a syntax error, so that all errors are found in one go.

Of the ways to mend the text at the error, inserting, leaving out or replacing a token, that one is taken after which
the most tokens fit (Burke and Fisher 1987). If none helps, the statement or declaration with the error is given up: the
parser goes back to where a statement may begin, `ERROR` stands for what is skipped, and reading goes on after the
next ``;`` or at the next brace or word that begins a statement.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from cpsconv.frontends.c.diagnostics import STATEMENT_WORDS, Faults, near_statement
from cpsconv.frontends.c.syntax.declaration_rules import TYPE_SPECIFIERS, Specifiers
from cpsconv.frontends.c.syntax.headers import Unsupported
from cpsconv.frontends.c.syntax.syntax_errors import (
    CLOSING,
    DECLARATION,
    OPENING,
    TYPE_WORDS,
    complain,
    complain_of_type,
    just_after,
    open_brackets,
    starts_line,
)
from cpsconv.frontends.c.syntax.tokens import MALFORMED, UNSUPPORTED, Scanner, Token
from cpsconv.frontends.c.syntax.tree import Name
from cpsconv.grammar import END, Parser, Rejected
from cpsconv.ir import INT
from cpsconv.source import Span

_INSERTIONS = (";", ")", "]", ":", "0", "x", "int")
_LOOKAHEAD = 6  # tokens on which a mended text is tried
_ENOUGH = 3  # of them must fit, beside the token at the error
_FIRST_WORDS = STATEMENT_WORDS - {"else"}  # those with which a statement begins


class Reader:
    """Feeds the tokens of one text to the parser, whose rules add to `declared` what names it declares."""

    def __init__(self, parser: Parser, scanner: Scanner, faults: Faults, declared: set[str]) -> None:
        self._parser = parser
        self._scanner = scanner
        self._faults = faults
        self._declared = declared
        self._tokens = scanner.tokens()
        self._ahead: deque[Token] = deque()
        self._previous: Token | None = None
        self._quiet_until = -1
        self._unknown_types: set[str] = set()

    def read(self) -> Any:
        """What the whole text is made into, or None if it does not end as it should."""
        token = None
        while token is None or token.type != END:
            try:
                self._parser.read(self._tokens_to_read())
                break
            except Rejected as rejected:
                [token] = rejected.args
                self._recover(token)
        return self._parser.result()

    def _tokens_to_read(self) -> Iterator[Token]:
        """The tokens for the parser. At one that does not fit, it asks for no more."""
        ahead, tokens = self._ahead, self._tokens
        while token := ahead.popleft() if ahead else next(tokens, None):
            if token.type == "TYPE" and self._is_declared_anew(token):
                token = Token("NAME", token.text, token.span)
            yield token
            self._previous = token

    def _next(self) -> Token:
        return self._ahead.popleft() if self._ahead else next(self._tokens)

    def _is_declared_anew(self, token: Token) -> bool:
        """Whether the name of a type that the text defines stands behind a type, and so is to be that of a variable."""
        previous = self._previous
        behind_type = previous is not None and (previous.type == "TYPE" or previous.text in TYPE_SPECIFIERS)
        return behind_type and token.text in self._scanner.defined

    def _put_back(self, *tokens: Token) -> None:
        self._ahead.extendleft(reversed(tokens))

    def _window(self, token: Token) -> list[Token]:
        """`token` and some tokens after it."""
        while len(self._ahead) < _LOOKAHEAD - 1 and not (self._ahead and self._ahead[-1].type == END):
            self._ahead.append(next(self._tokens))
        return [token, *self._ahead]

    # --------------------------------------------------------------------------------------------------- recovery

    def _recover(self, token: Token) -> None:
        """Complain of a token that the parser does not take, and see to it that reading can go on."""
        if token.type == UNSUPPORTED:
            self._replace_unsupported(token)
        elif token.type == MALFORMED:
            self._quiet_until = token.span.end
            if not self._mend(token, expected=""):
                self._give_up(token)
        elif not self._mend_keyword(token) and not self._mend_type(token):
            expected = self._complain(token)
            if token.type != END and (expected == DECLARATION or not self._mend(token, expected)):
                self._give_up(token)

    def _complain(self, token: Token) -> str:
        """Give the message, unless it is but a consequence of the last one. Gives what was expected."""
        no_wonder = not self._scanner.defined.isdisjoint((token.text, self._previous.text if self._previous else ""))
        may_be_closed = not self._scanner.malformed.isdisjoint(CLOSING)
        consequence = token.span.start <= self._quiet_until or (token.type == END and may_be_closed)
        unheard = Faults()  # a new one each time, which does not get too many
        faults = unheard if no_wonder or consequence else self._faults
        accepted = self._scanner.shown(self._parser.accepted())
        return complain(token, self._previous, accepted, self._parser.values, faults)

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

    def _mend(self, token: Token, expected: str) -> bool:
        """Leave `token` out, or put an insertion before it or in its place, if enough of what follows then fits.

        Nothing is inserted where nothing is `expected`.
        """
        here = just_after(self._previous.span) if self._previous else Span(token.span.source, 0, 0)
        insertions = (expected, *_INSERTIONS) if expected else ()
        inserted = [self._scanner.stand_in(text, here) for text in insertions]
        mended = [[new, token] for new in inserted]
        if token.text not in ("{", "}"):
            mended += [[], *([new] for new in inserted)]
        window = self._window(token)
        following = [token.type for token in window[1:]]
        scores = [self._parser.fitting([new.type for new in tokens] + following) - len(tokens) for tokens in mended]
        enough = min(_ENOUGH, len([type for type in following if type != END]))
        if scores and max(scores) >= enough:
            chosen = mended[scores.index(max(scores))]
        elif expected == ";" and scores[0] >= 0:
            chosen = mended[0]
        else:
            return False
        self._put_back(*chosen)
        return True

    # ------------------------------------------------------------------------------ misspelt words of statements

    def _mend_keyword(self, token: Token) -> bool:
        """If a name stands where the word of a statement was meant, complain of it and take it for that."""
        found = self._possible_keyword()
        keyword = near_statement(found[0]) if found else None
        if not found or not keyword:
            return False
        text, span, following = found
        meant = ";" if keyword == "else" else keyword  # the `if` that an `else` belongs to is complete already
        tokens = [self._scanner.stand_in(meant, span), *following]
        types = [each.type for each in (*tokens, *self._window(token)[:_ENOUGH])]
        if self._parser.fitting(types, without=len(tokens)) < len(types):
            return False
        self._faults.add(f"there is no statement `{text}`", span, help=f"did you mean `{keyword}`?")
        self._parser.undo(len(tokens))
        self._put_back(*tokens, token)
        return True

    def _possible_keyword(self) -> tuple[str, Span, list[Token]] | None:
        """The last name that was read, and tokens in place of what was read after it."""
        match self._parser.values:
            case [*_, Token(type="NAME") as name]:
                return name.text, name.span, []  # retrun 0
            case [*_, Name(span, text), Token(text="(") as opening]:
                return text, span, [opening]  # fro (int i
            case [*_, Name(span, text), Token(text="(") as opening, [_], Token(text=")") as closing]:
                return text, span, [opening, self._scanner.stand_in("0", opening.span), closing]  # whlie (x) {
        return None

    # ------------------------------------------------------------------------------------------ names of no type

    def _mend_type(self, token: Token) -> bool:
        """If a name stands where a type does, complain of it and take it for one."""
        for count, name, tokens in self._with_type(token):
            following = self._window(token)[1:3]
            if following and following[0].text in (",", ")", ";"):
                del following[1:]  # what is next may be of such a type, too
            types = [token.type for token in (*tokens, *following)]
            if self._parser.fitting(types, without=count) == len(types):
                if name.text not in self._unknown_types | self._scanner.defined:
                    complain_of_type(name, self._scanner.words, self._faults)
                    self._unknown_types.add(name.text)
                self._parser.undo(count)
                self._put_back(*tokens)
                return True
        return False

    def _with_type(self, token: Token) -> Iterator[tuple[int, Token, list[Token]]]:
        """How a name could be meant for a type: the name, and tokens in place of `token` and that many values."""
        parser, values = self._parser, self._parser.values
        if token.type == "NAME" and parser.has_action("INT") and not parser.has_action("NAME"):
            if self._window(token)[1].type == "NAME":
                yield 0, token, [_type(token)]  # foo x, where no expression can be
            return
        match values:
            case [*_, under, Token(type="NAME") as name] if token.type == "NAME":
                if not isinstance(under, Specifiers):
                    yield 1, name, [_type(name), token]  # foo x, where foo has been taken for a variable
            case [*_, Token(text="(") as opening, Name(), Token(text=")") as closing] if token.type in _OPERANDS:
                name = Token("NAME", values[-2].name, values[-2].span)
                if name.text not in self._declared:
                    yield 3, name, [opening, _type(name), closing, token]  # (foo) x, likewise

    # ------------------------------------------------------------------------------------- giving a statement up

    def _give_up(self, token: Token) -> None:
        """Go back to where a statement or declaration can begin, and skip to where another one does."""
        given_up: list[Any] = []
        while True:
            with suppress(Rejected):
                self._parser.read([Token("ERROR", "", token.span)])
                break
            given_up += self._parser.undo(1)
        opened = [bracket.text for bracket in open_brackets(given_up[::-1])]
        self._put_back(token)
        if self._parser.has_action("RBRACE"):
            in_for = "(" in opened and any(isinstance(value, Token) and value.text == "for" for value in given_up)
            self._skip_statement(opened.count("{"), int(in_for))
        else:
            self._skip_declaration(len(opened), begun=bool(given_up))

    def _skip_statement(self, braces: int, parentheses: int) -> None:
        """Skip the rest of a statement, in which that many braces are open, and parentheses that may hold a `;`."""
        while True:
            token = self._next()
            text = token.text
            if token.type == END or (not braces and (text in ("{", "}") or text in _FIRST_WORDS)):
                self._put_back(token)
                return
            if not braces and not parentheses and text == ";":
                return
            braces += (text == "{") - (text == "}")
            if parentheses:
                parentheses += (text == "(") - (text == ")")

    def _skip_declaration(self, depth: int, begun: bool) -> None:
        """Skip the rest of a declaration or function, in which that many brackets are open.

        If it has not `begun`, this may be the rest of a function with a brace too many: skip to what looks like the
        next function, in the first column.
        """
        while True:
            token = self._next()
            if token.type == END or (not depth and token.text in TYPE_WORDS and starts_line(token)):
                self._put_back(token)
                return
            was_open = depth > 0
            depth = max(0, depth + (token.text in OPENING) - (token.text in CLOSING))
            if begun and not depth and (token.text == ";" or (was_open and token.text == "}")):
                return


_OPERANDS = frozenset(["NAME", "NUMBER", "CHARACTER", "STRING", "CONSTANT"])


def _type(name: Token) -> Token:
    return Token("TYPE", name.text, name.span, INT)
