"""The syntax of While: scanner, syntax tree and parser, by the grammar ``grammars/while.lark``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

from cpsconv.core.grammar import END, Parser
from cpsconv.core.source import Diagnostic, DiagnosticError, Source, Span, error, printable
from cpsconv.languages.reading import (
    STRAY,
    ListRules,
    Rule,
    Token,
    discard,
    limited,
    node,
    parsed,
    span_of,
    tokens_of,
    value,
)

RULES = {
    "duplicate-label": "a second label of the same name",
    "stray-character": "a character that is not part of the language",
    "syntax": "tokens that do not form a program",
    "type-mismatch": "an operand, condition or assignment of an unsuitable type",
    "undeclared": "a `goto` to a label that does not exist",
}
"""The rules that errors of this front end name."""

T = TypeVar("T")


@dataclass(eq=False, slots=True)
class Expression:
    """An operator with its operands; or a ``number``, ``truth`` value or ``variable``, whose text is `text`."""

    operator: str
    operands: tuple[Expression, ...]
    span: Span
    text: str = ""


@dataclass(eq=False, slots=True)
class Statement:
    """A statement; its kind is ``skip``, ``assignment``, ``sequence``, ``if``, ``while``, ``label`` or ``goto``.

    `name` is the variable or label, `parts` are the statements in it: a ``sequence`` or an ``if`` has several.
    """

    kind: str
    span: Span
    name: Token | None = None
    expression: Expression | None = None
    parts: Sequence[Statement] = ()

    def all(self) -> Iterator[Statement]:
        """The statement and those in it, in the order of the text."""
        pending = [self]
        while pending:
            yield (found := pending.pop())
            pending += found.parts[::-1]


def postorder(expression: Expression) -> list[Expression]:
    """The parts of an expression, each after its operands, from left to right."""
    found, pending = [], [expression]
    while pending:
        found.append(part := pending.pop())
        pending += part.operands
    return found[::-1]


def evaluated(expression: Expression, value: Callable[[Expression, list[T]], T]) -> T:
    """The value of an expression. `value` computes that of a part from the values of its operands."""
    values: list[T] = []
    for part in postorder(expression):
        operands = [values.pop() for _ in part.operands]
        values.append(value(part, operands[::-1]))
    return values[0]


# ------------------------------------------------------------------------------------------------------------ tokens

_MEANINGS = {"¬": "not", "∧": "and", "∨": "or", "≤": "<=", "≥": ">=", "≠": "!=", "≔": ":=", "×": "*"}
"""The spellings of the symbols of textbooks."""


def label_names(source: Source) -> set[str]:
    """The names before a colon: the labels of a source, with those in statements with syntax errors."""
    tokens = tokens_of(source, "while", _MEANINGS)
    return {one.text for one, other in pairwise(tokens) if other.type == "COLON"}


# ------------------------------------------------------------------------------------------------------------- rules


def _atom(operator: str) -> Rule:
    return node(lambda token, span: Expression(operator, (), span, token.text), 0)


def _statement(kind: str, name: int | None = None, expression: int | None = None, *statements: int) -> Rule:
    """The rule of a statement, with the numbers of the parts that are its name, expression and statements."""

    def rule(rules: object, parts: list[Any]) -> Statement:
        given: dict[int | None, Any] = dict(enumerate(parts))
        inner = [given[number] for number in statements if number in given]
        return Statement(kind, span_of(parts), given.get(name), given.get(expression), inner)

    return rule


class _Rules(ListRules):
    """The methods that make the nodes of the tree, one for each rule of the grammar."""

    start = node(lambda statements, span: Statement("sequence", span, parts=statements), 0)
    block = node(lambda statements, span: Statement("sequence", span, parts=statements), 1)
    closed = value(lambda statements: statements, 0)
    skip = _statement("skip")
    assignment = _statement("assignment", 0, 2)
    jump = _statement("goto", 1)
    labelled = _statement("label", 0, None, 2)
    conditional = _statement("if", None, 1, 3, 5)
    loop = _statement("while", None, 1, 3)
    binary = node(lambda left, word, right, span: Expression(word.text, (left, right), span), 0, 1, 2)
    unary = node(lambda word, operand, span: Expression(word.text, (operand,), span), 0, 1)
    number, name, truth = map(_atom, ("number", "variable", "truth"))


# ------------------------------------------------------------------------------------------------------------ parser


def parse(source: Source, errors: list[Diagnostic]) -> Statement:
    """The statements of a source. Adds the syntax errors to `errors`. Raises `DiagnosticError` if there is no program.

    After an error, the statement is discarded up to the next ``;`` or brace, and replaced by ``skip``.
    """
    tree = parsed("while", _Rules(), tokens_of(source, "while", _MEANINGS), _recover, errors)
    if not isinstance(tree, Statement):
        raise DiagnosticError(limited(errors))
    return tree


def _recover(parser: Parser, tokens: list[Token], position: int, errors: list[Diagnostic]) -> int:
    """Report the token, and replace the erroneous statement on the parser's stack by ERROR."""
    token = tokens[position]
    errors.append(_syntax_error(token, parser.accepted(), tokens[position - 1].text if position else ""))
    while tokens[position].type not in ("SEMICOLON", "RBRACE", END):
        position += 1
    discard(parser, token)
    if parser.fitting([tokens[position].type]):
        return position
    if tokens[position + 1 :] and tokens[position + 1].type != "SEMICOLON" and parser.fitting(["SEMICOLON"]):
        parser.read([tokens[position]._replace(type="SEMICOLON")])  # a brace was closed that is not open
    return position + 1


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
    if token.type in (STRAY, "FOREIGN"):
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
