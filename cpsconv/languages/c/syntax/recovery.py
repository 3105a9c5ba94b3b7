"""Recovery from syntax errors, so that one run finds all errors.

At an error, the candidate repairs insert, delete or replace a token. The parser continues with the repair after which
most tokens fit (Burke and Fisher 1987). If no repair helps, the parser discards the statement or declaration with the
error: it returns to a state in which a statement may begin, reads `ERROR` instead of the skipped tokens, and continues
after the next ``;``, or at the next brace or keyword that begins a statement.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from cpsconv.core.grammar import END, Parser, Rejected
from cpsconv.core.source import Span, nearest
from cpsconv.languages.c.diagnostics import STATEMENT_KEYWORDS, SyntaxErrors, misspelt_keyword
from cpsconv.languages.c.syntax.declaration_rules import QUALIFIERS, STORAGE, SpecifierList
from cpsconv.languages.c.syntax.headers import Unsupported
from cpsconv.languages.c.syntax.rules import just_after
from cpsconv.languages.c.syntax.syntax_errors import (
    CLOSING,
    DECLARATION,
    OPENING,
    TYPE_WORDS,
    open_brackets,
    report,
    report_unknown_type,
    starts_line,
)
from cpsconv.languages.c.syntax.token_stream import TokenStream
from cpsconv.languages.c.syntax.tokens import MALFORMED, UNSUPPORTED, Scanner, Token
from cpsconv.languages.c.syntax.tree import Name
from cpsconv.languages.c.types import UNKNOWN

_INSERTIONS = (";", ")", "]", ":", "0", "x", "int")
_LOOKAHEAD = 6  # tokens with which a repair is tried, from the rejected one
_MIN_FITTING = 3  # following tokens that the parser must accept after a repair
_FIRST_WORDS = STATEMENT_KEYWORDS - {"else"}  # keywords that begin a statement
_DEFINING = ("struct", "union", "enum")
_BEFORE_TYPES = (*sorted(STORAGE), *sorted(QUALIFIERS), "unsigned", "signed", "long", "short")
_OPERANDS = frozenset(["NAME", "NUMBER", "CHARACTER", "STRING", "CONSTANT"])


class Recovery:
    """Repairs the state of the parser and the tokens of one source. The parser's rules add the declared names."""

    def __init__(
        self, parser: Parser, scanner: Scanner, stream: TokenStream, errors: SyntaxErrors, declared: set[str]
    ) -> None:
        self._parser = parser
        self._scanner = scanner
        self._stream = stream
        self._errors = errors
        self._declared = declared
        self._silent_until = -1  # the end of the last malformed token: errors up to there are its consequences
        self._unknown_types: set[str] = set()

    def recover(self, token: Token) -> None:
        """Report a token that the parser does not accept, and bring the parser into a state to continue."""
        if token.type == UNSUPPORTED:
            self._replace_unsupported(token)
        elif token.type == MALFORMED:
            self._silent_until = token.span.end
            self._errors.damage.append(token.span.start)
            if not self._repair(token, expected=""):
                self._discard(token)
        elif not self._repair_keyword(token) and not self._repair_type(token):
            damage = len(self._errors.damage)
            self._errors.damage.append(token.span.start)
            expected = self._report(token)
            if token.type == END:
                return
            if expected == DECLARATION or not self._repair(token, expected):
                self._discard(token)
            elif expected == self._stream.window(token, 2)[1].text == ";" and self._starts_line_or_ends_block(token):
                del self._errors.damage[damage:]  # the tree is the intended one

    def _starts_line_or_ends_block(self, token: Token) -> bool:
        text, before = token.span.source.text, self._stream.previous
        return token.text == "}" or (before is not None and "\n" in text[before.span.end : token.span.start])

    def _report(self, token: Token) -> str:
        """Report the error, unless it is a consequence of an earlier one. Returns the expected spelling."""
        may_be_closed = not self._scanner.malformed.isdisjoint(CLOSING)
        is_consequence = token.span.start <= self._silent_until or (token.type == END and may_be_closed)
        ignored = SyntaxErrors()  # created for each error, so that it does not reach its limit
        errors = ignored if is_consequence else self._errors
        accepted = self._scanner.shown(self._parser.accepted())
        return report(token, self._stream.previous, accepted, self._parser.values, errors)

    # ---------------------------------------------------------------------------------------- unsupported words

    def _replace_unsupported(self, token: Token) -> None:
        """Report a word that is missing in the grammar, skip its operand, and continue with its meaning, if any."""
        word: Unsupported = token.value
        self._errors.report_unsupported(word.subject, token.span)
        has_operand = word.operand and self._skip_operand(token.text.count("["))
        if word.meaning and has_operand == word.operand:
            self._stream.put_back(Token(word.meaning, token.text, token.span, UNKNOWN))

    def _skip_operand(self, depth: int) -> bool:
        """Skip an operand in brackets, of which `depth` are open already. Returns whether there is an operand."""
        while not depth and self._next_is("volatile", "goto", "inline"):
            self._stream.next()
        if not depth and not self._next_is("("):
            return False
        while True:
            token = self._stream.next()
            depth += (token.text in OPENING) - (token.text in CLOSING)
            if depth <= 0 or token.type == END:
                break
        if token.type == END:
            self._stream.put_back(token)
        return True

    def _next_is(self, *spellings: str) -> bool:
        token = self._stream.next()
        self._stream.put_back(token)
        return token.text in spellings

    # --------------------------------------------------------------------------------------------------- repairs

    def _repair(self, token: Token, expected: str) -> bool:
        """Delete `token`, or insert a token before it or instead of it, if enough of the following tokens then fit.

        Nothing is inserted if `expected` is empty.
        """
        here = just_after(self._stream.previous.span) if self._stream.previous else Span(token.span.source, 0, 0)
        insertions = (expected, *_INSERTIONS) if expected else ()
        inserted = [self._scanner.substitute(text, here) for text in insertions]
        repairs = [[new, token] for new in inserted]
        if token.text not in ("{", "}"):
            repairs += [[], *([new] for new in inserted)]
        following = [token.type for token in self._stream.window(token, _LOOKAHEAD)[1:]]
        scores = [self._parser.fitting([new.type for new in tokens] + following) - len(tokens) for tokens in repairs]
        enough = min(_MIN_FITTING, len([type for type in following if type != END]))
        if scores and max(scores) >= enough:
            chosen = repairs[scores.index(max(scores))]
        elif expected == ";" and scores[0] >= 0:
            chosen = repairs[0]
        else:
            return False
        self._stream.put_back(*chosen)
        return True

    def _repair_keyword(self, token: Token) -> bool:
        """If a name before `token` is a misspelt keyword of a statement, report the name and replace it."""
        found = self._possible_keyword()
        keyword = misspelt_keyword(found[0]) if found else None
        if not found or not keyword:
            return False
        text, span, following = found
        substitute = ";" if keyword == "else" else keyword  # the parser has reduced the `if` of an `else`
        tokens = [self._scanner.substitute(substitute, span), *following]
        types = [each.type for each in (*tokens, *self._stream.window(token, _LOOKAHEAD)[:_MIN_FITTING])]
        if self._parser.fitting(types, without=len(tokens)) < len(types):
            return False
        self._errors.report("unknown-statement", f"unknown statement `{text}`", span, help=f"did you mean `{keyword}`?")
        self._parser.undo(len(tokens))
        self._stream.put_back(*tokens, token)
        return True

    def _possible_keyword(self) -> tuple[str, Span, list[Token]] | None:
        """The last name read, if it may be a misspelt keyword, and tokens that replace the values after it."""
        match self._parser.values:
            case [*_, Token(type="NAME") as name]:
                return name.text, name.span, []  # retrun 0
            case [*_, Name(span=span, name=text), Token(text="(") as opening]:
                return text, span, [opening]  # fro (int i
            case [*_, Name(span=span, name=text), Token(text="(") as opening, [_], Token(text=")") as closing]:
                return text, span, [opening, self._scanner.substitute("0", opening.span), closing]  # whlie (x) {
        return None

    def _repair_type(self, token: Token) -> bool:
        """If an unknown name is in the position of a type, report the name and read it as a type, or as ``struct``."""
        for count, name, tokens in self._with_type(token):
            following = self._stream.window(token, _LOOKAHEAD)[1:3]
            if following and following[0].text in (",", ")", ";"):
                del following[1:]  # the next token may be an unknown type, too
            repairs = [tokens]
            keywords = _DEFINING if token.type == "NAME" else _BEFORE_TYPES
            if tokens[0].span is name.span and (keyword := nearest(name.text, keywords)):
                repairs.insert(0, [self._scanner.substitute(keyword, name.span), *tokens[1:]])
            for repair in repairs:
                types = [token.type for token in (*repair, *following)]
                if self._parser.fitting(types, without=count) == len(types):
                    if name.text not in self._unknown_types:
                        report_unknown_type(name, self._scanner.names, self._errors)
                        self._unknown_types.add(name.text)
                    self._parser.undo(count)
                    self._stream.put_back(*repair)
                    return True
        return False

    def _with_type(self, token: Token) -> Iterator[tuple[int, Token, list[Token]]]:
        """Names that may be meant as types: for each, the number of values to undo, the name, and the tokens to read.

        The tokens replace the undone values and `token`.
        """
        parser, values = self._parser, self._parser.values
        if token.type == "NAME" and parser.has_action("INT") and not parser.has_action("NAME"):
            if self._stream.window(token, _LOOKAHEAD)[1].type == "NAME":
                yield 0, token, [_type(token)]  # foo x, where an expression is not acceptable
            return
        match values:
            case [*_, under, Token(type="NAME") as name] if token.type in ("NAME", "TYPE") or token.text in TYPE_WORDS:
                if not isinstance(under, SpecifierList) or all(map(_is_storage, under)):
                    # foo x or cosnt int, after the word has been read as a variable
                    yield 1, name, [_type(name), token]
            case [*_, Token(text="(") as opening, Name(), Token(text=")") as closing] if token.type in _OPERANDS:
                name = Token("NAME", values[-2].name, values[-2].span)
                if name.text not in self._declared:
                    yield (3, name, [opening, _type(name), closing, token])  # (foo) x, as above

    # --------------------------------------------------------------------------------------------------- discarding

    def _discard(self, token: Token) -> None:
        """Return to a state in which a statement or declaration can begin, and skip to the next one."""
        discarded: list[Any] = []
        while True:
            with suppress(Rejected):
                self._parser.read([Token("ERROR", "", token.span)])
                break
            discarded += self._parser.undo(1)
        self._scanner.scopes.leave_discarded()
        opened = [bracket.text for bracket in open_brackets(discarded[::-1])]
        self._stream.put_back(token)
        if self._parser.has_action("RBRACE"):
            in_for = "(" in opened and any(isinstance(value, Token) and value.text == "for" for value in discarded)
            self._skip_statement(opened.count("{"), int(in_for))
        else:
            self._skip_declaration(len(opened), begun=bool(discarded))

    def _skip_statement(self, braces: int, parentheses: int) -> None:
        """Skip the rest of a statement with that many open braces, and open parentheses that may contain a `;`."""
        while True:
            token = self._stream.next()
            text = token.text
            if token.type == END or (not braces and (text in ("{", "}") or text in _FIRST_WORDS)):
                self._stream.put_back(token)
                return
            if not braces and not parentheses and text == ";":
                return
            braces += (text == "{") - (text == "}")
            if parentheses:
                parentheses += (text == "(") - (text == ")")

    def _skip_declaration(self, depth: int, begun: bool) -> None:
        """Skip the rest of a declaration or function with that many open brackets.

        If it has not `begun`, the tokens may be the rest of a function with a surplus brace: skip to the probable start
        of the next function, in the first column.
        """
        while True:
            token = self._stream.next()
            if token.type == END or (not depth and token.text in TYPE_WORDS and starts_line(token)):
                self._stream.put_back(token)
                return
            was_open = depth > 0
            depth = max(0, depth + (token.text in OPENING) - (token.text in CLOSING))
            if begun and not depth and (token.text == ";" or (was_open and token.text == "}")):
                return


def _is_storage(specifier: Any) -> bool:
    """Whether a specifier states no type: a type follows, or its place has an unknown name."""
    return isinstance(specifier, Token) and specifier.text in STORAGE | QUALIFIERS


def _type(name: Token) -> Token:
    return Token("TYPE", name.text, name.span, UNKNOWN)
