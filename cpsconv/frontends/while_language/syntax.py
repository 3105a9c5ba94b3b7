"""The syntax of While: scanner, syntax tree and parser, by the grammar ``grammars/while.lark``."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

from cpsconv.frontends.reading import STRAY, ListRules, Rule, Token, limited, node, parsed, span_of, tokens_of, value
from cpsconv.grammar import END, Parser
from cpsconv.source import Diagnostic, DiagnosticError, Source, Span, error, printable
from cpsconv.trampoline import Walk, flattened

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
class Step:
    """A statement or condition, or the end of a construct (``else``, ``endif``, ``endwhile``).

    The kinds are those, ``skip``, ``assignment``, ``if``, ``while``, ``label``, ``goto`` and ``end``. `name` is the
    variable or label. The analysis sets `next`, the indices of the successors.
    """

    kind: str
    span: Span
    name: Token | None = None
    expression: Expression | None = None
    next: tuple[int, ...] = ()


class Statement(NamedTuple):
    """A statement, or a sequence: its steps and the statements in it, in the order of the text."""

    parts: list[Step | Statement]
    span: Span

    def steps(self) -> Walk[Step]:
        """All steps, for `cpsconv.trampoline.flattened`."""
        yield from (part.steps() if isinstance(part, Statement) else part for part in self.parts)


def postorder(expression: Expression) -> list[Expression]:
    """The parts of an expression, each after its operands, from left to right."""
    found, pending = [], [expression]
    while pending:
        found.append(part := pending.pop())
        pending += part.operands
    return found[::-1]


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


def _statement(kind: str, name: int | None = None, expression: int | None = None) -> Rule:
    """The rule of a statement of one step, with the numbers of the parts that are its name and expression."""

    def rule(rules: object, parts: list[Any]) -> Statement:
        given = [None if number is None else parts[number] for number in (name, expression)]
        return Statement([Step(kind, span_of(parts), given[0], given[1])], span_of(parts))

    return rule


class _Rules(ListRules):
    """The methods that make the nodes of the tree, one for each rule of the grammar."""

    start = node(Statement, 0)
    closed = value(lambda statements: statements, 0)
    skip = _statement("skip")
    assignment = _statement("assignment", 0, 2)
    jump = _statement("goto", 1)
    block = node(Statement, 1)
    labelled = node(lambda name, inner, span: Statement([Step("label", name.span, name), inner], span), 0, 2)
    binary = node(lambda left, word, right, span: Expression(word.text, (left, right), span), 0, 1, 2)
    unary = node(lambda word, operand, span: Expression(word.text, (operand,), span), 0, 1)
    number, name, truth = map(_atom, ("number", "variable", "truth"))

    def conditional(self, parts: list[Any]) -> Statement:
        span, otherwise = span_of(parts), parts[5:]
        after = Span(span.source, span.end, span.end)
        begin, middle, end = Step("if", span, None, parts[1]), Step("else", after), Step("endif", after)
        return Statement([begin, parts[3], middle, *otherwise, end], span)

    def loop(self, parts: list[Any]) -> Statement:
        span = span_of(parts)
        end = Step("endwhile", Span(span.source, span.end, span.end))
        return Statement([Step("while", span, None, parts[1]), parts[3], end], span)


# ------------------------------------------------------------------------------------------------------------ parser


def parse(source: Source, errors: list[Diagnostic]) -> list[Step]:
    """The steps of a source. Adds the syntax errors to `errors`. Raises `DiagnosticError` if there is no program.

    After an error, the statement is discarded up to the next ``;`` or brace, and replaced by ``skip``.
    """
    tree = parsed("while", _Rules(), tokens_of(source, "while", _MEANINGS), _recover, errors)
    if not isinstance(tree, Statement):
        raise DiagnosticError(limited(errors))
    return [*flattened(tree.steps()), Step("end", Span(source, len(source.text), len(source.text)))]


def _recover(parser: Parser, tokens: list[Token], position: int, errors: list[Diagnostic]) -> int:
    """Report the token, and replace the erroneous statement on the parser's stack by ERROR."""
    token = tokens[position]
    errors.append(_syntax_error(token, parser.accepted(), tokens[position - 1].text if position else ""))
    while tokens[position].type not in ("SEMICOLON", "RBRACE", END):
        position += 1
    while not parser.fitting(["ERROR"]):
        parser.undo(1)
    parser.read([Token("ERROR", "", token.span)])
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
