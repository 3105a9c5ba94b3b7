"""The syntax of While: scanner, syntax tree and parser, by the grammar ``grammars/while.lark``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from cpsconv.frontends.reading import ListRules, Token
from cpsconv.grammar import END, Parser, Rejected, Tables, tables_of
from cpsconv.source import Diagnostic, DiagnosticError, Source, Span, error, max_errors, printable, too_many_errors

RULES = {
    "duplicate-label": "a second label of the same name",
    "stray-character": "a character that is not part of the language",
    "syntax": "tokens that do not form a program",
    "type-mismatch": "an operand, condition or assignment of an unsuitable type",
    "undeclared": "a `goto` to a label that does not exist",
}
"""The rules that errors of this front end name."""


@dataclass(eq=False, slots=True)
class Expression:
    """An operator with its operands; or a ``number``, ``truth`` value or ``variable``, whose text is `text`."""

    operator: str
    operands: tuple[Expression, ...]
    span: Span
    text: str = ""


@dataclass(eq=False, slots=True)
class Statement:
    """A statement of a `kind`, the name of its rule in the grammar; `name` is the variable or label that it names."""

    kind: str
    span: Span
    name: Token | None = None
    expression: Expression | None = None
    parts: tuple[Statement, ...] = ()


def postorder(expression: Expression) -> list[Expression]:
    """The parts of an expression, each after its operands, from left to right."""
    found, pending = [], [expression]
    while pending:
        found.append(part := pending.pop())
        pending += part.operands
    return found[::-1]


# ------------------------------------------------------------------------------------------------------------ tokens

_TOKEN = re.compile(
    r"(?P<skipped>\s+|//[^\n]*)|(?P<NUMBER>[0-9]+)|(?P<word>[^\W\d]\w*)|(?P<foreign>==|<>|&&|\|\||!(?!=))"
    r"|(?P<symbol>:=|<=|>=|!=|[-+*/%<>=(){};:])|(?P<textbook>[¬∧∨≤≥≠≔×])|(?P<stray>.)",
    re.DOTALL,
)
_TEXTBOOK = {"¬": "not", "∧": "and", "∨": "or", "≤": "<=", "≥": ">=", "≠": "!=", "≔": ":=", "×": "*"}
_CLASSES = {
    **dict.fromkeys(("=", "!=", "<", "<=", ">", ">="), "RELATION"),
    **dict.fromkeys("+-", "ADDITIVE"),
    **dict.fromkeys("*/%", "MULTIPLICATIVE"),
    **dict.fromkeys(("true", "false"), "TRUTH"),
}


def _tokens(source: Source, tables: Tables) -> Iterator[Token]:
    """The tokens of a source. A stray character is a token of the type ``STRAY``, which the parser rejects."""
    types = {**tables.spellings, **_CLASSES}
    for match in _TOKEN.finditer(source.text):
        kind, text = match.lastgroup or "", match[0]
        if kind == "skipped":
            continue
        span = Span(source, match.start(), match.end())
        meant = _TEXTBOOK.get(text, text)
        type = {"NUMBER": "NUMBER", "stray": "STRAY", "foreign": "STRAY"}.get(kind) or types.get(meant, "NAME")
        yield Token(type, meant, span)
    yield Token(END, "", Span(source, len(source.text), len(source.text)))


def label_names(source: Source) -> set[str]:
    """The names before a colon: the labels of a source, with those in statements with syntax errors."""
    return {one.text for one, other in pairwise(_tokens(source, tables_of("while"))) if other.type == "COLON"}


# ------------------------------------------------------------------------------------------------------------- rules


class _Rules(ListRules):
    """The methods that make the nodes of the tree, one for each rule of the grammar."""

    def start(self, parts: list[Any]) -> Statement:
        statements: list[Statement] = parts[0]
        return Statement("sequence", statements[0].span.to(statements[-1].span), parts=tuple(statements))

    def closed(self, parts: list[Any]) -> list[Statement]:
        statements: list[Statement] = parts[0]
        return statements

    def skip(self, parts: list[Any]) -> Statement:
        return Statement("skip", parts[0].span)

    def assignment(self, parts: list[Any]) -> Statement:
        return Statement("assignment", parts[0].span.to(parts[2].span), parts[0], parts[2])

    def conditional(self, parts: list[Any]) -> Statement:
        arms = tuple(parts[3::2])
        return Statement("conditional", parts[0].span.to(arms[-1].span), None, parts[1], arms)

    def loop(self, parts: list[Any]) -> Statement:
        return Statement("loop", parts[0].span.to(parts[3].span), None, parts[1], (parts[3],))

    def block(self, parts: list[Any]) -> Statement:
        return Statement("sequence", parts[0].span.to(parts[2].span), parts=tuple(parts[1]))

    def labelled(self, parts: list[Any]) -> Statement:
        return Statement("labelled", parts[0].span.to(parts[2].span), parts[0], parts=(parts[2],))

    def jump(self, parts: list[Any]) -> Statement:
        return Statement("jump", parts[0].span.to(parts[1].span), parts[1])

    def word(self, parts: list[Any]) -> None:
        """``then`` and ``do``, which have no meaning."""

    def binary(self, parts: list[Any]) -> Expression:
        left, operator, right = parts
        return Expression(operator.text, (left, right), left.span.to(right.span))

    def unary(self, parts: list[Any]) -> Expression:
        operator, operand = parts
        return Expression(operator.text, (operand,), operator.span.to(operand.span))

    def number(self, parts: list[Any]) -> Expression:
        return Expression("number", (), parts[0].span, parts[0].text)

    def name(self, parts: list[Any]) -> Expression:
        return Expression("variable", (), parts[0].span, parts[0].text)

    def truth(self, parts: list[Any]) -> Expression:
        return Expression("truth", (), parts[0].span, parts[0].text)


# ------------------------------------------------------------------------------------------------------------ parser


def parse(source: Source) -> tuple[Statement, list[Diagnostic]]:
    """The syntax tree of a source, and the syntax errors. Raises `DiagnosticError` if there is no tree.

    After an error, the statement is discarded up to the next ``;`` or brace, and replaced by ``skip``.
    """
    tables = tables_of("while")
    parser, errors = Parser(tables, _Rules()), list[Diagnostic]()
    tokens = _tokens(source, tables)
    token: Token | None = next(tokens, None)
    before = ""
    while token and len(errors) <= max_errors():
        following = None
        try:
            parser.read([token])
        except Rejected:
            errors.append(_syntax_error(token, parser.accepted(), before))
            following = _recovered(parser, token, tokens)
        before = token.text
        token = following or next(tokens, None)
    if len(errors) > max_errors():
        last = errors[max_errors()].span
        errors[max_errors() :] = [too_many_errors(last or Span(source, 0, 0))]
    result = parser.result()
    if not isinstance(result, Statement):
        raise DiagnosticError(errors)
    return result, errors


def _recovered(parser: Parser, token: Token, tokens: Iterator[Token]) -> Token | None:
    """Replace the erroneous statement on the parser's stack by ERROR. Returns the token to read again, if any."""
    following: Token | None = token
    while following and following.type not in ("SEMICOLON", "RBRACE", END):
        following = next(tokens, None)
    while True:
        try:
            parser.read([Token("ERROR", "", token.span)])
            break
        except Rejected:
            parser.undo(1)
    if not following or parser.fitting([following.type]):
        return following
    after = next(tokens, None)  # a brace was closed that is not open
    if after and after.type != "SEMICOLON" and parser.fitting(["SEMICOLON"]):
        parser.read([following._replace(type="SEMICOLON")])
    return after


_EXPECTED = {
    "SKIP": "a statement",
    "NUMBER": "an expression",
    "COLON": "`:=`",
    "RPAR": "`)`",
    "RBRACE": "`;` or `}`",
    "SEMICOLON": "`;`",
}
"""What is expected where tokens of these types are accepted; the first entry that applies."""


_ENDS = "a body of several statements is written in `{ … }`, without a word at its end"
_HELP = {
    "==": "`=` compares; an assignment is written `x := …`",
    "<>": "`!=` is the operator for unequal",
    "&&": "`and` is the operator",
    "||": "`or` is the operator",
    "!": "`not` is the operator",
    "=": "an assignment is written `x := …`; `=` compares",
    "else": "there is no `;` before `else`; several statements are written in `{ … }`",
    **dict.fromkeys(("od", "fi", "end", "endif", "endwhile", "done", "begin"), _ENDS),
}
"""The cures of common mistakes, by the token at which they are found."""


def _syntax_error(token: Token, accepted: set[str], before: str) -> Diagnostic:
    help = _HELP.get(token.text) or (_HELP.get(before) if "COLON" in accepted else None)
    if token.type == "STRAY":
        message = f"`{printable(token.text)}` is not part of the language"
        return error(message, token.span, help=help, rule="stray-character")
    if token.type == "RBRACE" and "SEMICOLON" in accepted:
        return error("this `}` closes no `{`", token.span, rule="syntax")
    found = "the end of the program" if token.type == END else f"`{token.text}`"
    span = token.span
    if token.type == END and span.start:
        span = Span(span.source, max(len(span.source.text.rstrip()) - 1, 0), len(span.source.text.rstrip()))
    expected = next((shown for type, shown in _EXPECTED.items() if type in accepted), "a label")
    return error(f"expected {expected}, found {found}", span, help=help, rule="syntax")
