"""Warnings that need only the source and the syntax tree: comments, precedence, bodies, values, sequence points."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from cpsconv.core.operations.table import PRIMITIVES
from cpsconv.core.source import Source, Span
from cpsconv.core.trampoline import Computation, run
from cpsconv.languages.c.diagnostics import Errors
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.syntax.tree import Expression, Statement, is_empty
from cpsconv.languages.c.types import VOID

COMPARISONS = frozenset(name for name, row in PRIMITIVES.items() if row.kind == "comparison")
ORDERINGS = frozenset(name for name in COMPARISONS if PRIMITIVES[name].mirror != name)
_SUMS = frozenset("+-")


class TreeWarnings:
    """Warnings of mistakes in statements and expressions, for one function."""

    def __init__(self, errors: Errors) -> None:
        self._errors = errors

    # ------------------------------------------------------------------------------------------------- expressions

    def binary(self, node: c.Binary) -> None:
        """Check the precedence of an operation and its operands."""
        if type(node.left) is c.Binary or type(node.right) is c.Binary:
            confusing = _CONFUSING.get(node.op, frozenset())
            self._precedence(node, node.left, confusing)
            self._precedence(node, node.right, confusing)

    def logical(self, node: c.Logical) -> None:
        """Check the operands of ``&&`` or ``||``."""
        self.condition(node.left)
        self.condition(node.right)
        if node.op == "||":
            self._precedence(node, node.left, _IN_OR)
            self._precedence(node, node.right, _IN_OR)

    def _precedence(self, node: c.Binary | c.Logical, operand: Expression, confusing: frozenset[str]) -> None:
        """Warn if `operand` is an operation of `confusing` without parentheses."""
        if not isinstance(operand, (c.Binary, c.Logical)) or operand.op not in confusing or is_parenthesised(operand):
            return
        if node.op in ORDERINGS:
            message = f"`{operand.op}` and `{node.op}` do not form a range: `{node.op}` compares 0 or 1"
            help = "compare twice, and combine the results by `&&`"
        else:
            message = f"`{operand.op}` is applied before `{node.op}` here"
            help = f"add parentheses: `({text})`" if (text := _text(operand)) else "add parentheses"
        self._errors.warn("parentheses", message, operand.span, help=help)

    def condition(self, node: Any) -> None:
        """Warn of a condition that is probably not meant as one."""
        kind = type(node)
        if kind is c.Assign:
            if node.op is None and not is_parenthesised(node):
                message = "`=` as a condition assigns, and does not compare"
                help = "write `==` to compare, or add parentheses to assign"
                self._errors.warn("parentheses", message, node.span, help=help)
        elif kind is c.Conditional:
            arms = [arm.operand if isinstance(arm, c.Unary) else arm for arm in (node.then, node.otherwise)]
            numbers = [arm.value for arm in arms if isinstance(arm, c.Literal)]
            if not {*numbers} <= {0, 1} and all(isinstance(number, int) for number in numbers):
                self._errors.warn("int-in-bool-context", "a `?:` of numbers as a condition", node.span)

    def assignment(self, node: c.Assign) -> None:
        """Check ``a =+ b`` and ``a =- b``."""
        span, text = node.value.span, node.value.span.source.text
        if text[span.start] in _SUMS and text[span.start - 1] == "=" and text[span.start + 1].isspace():
            sign = text[span.start]
            message = f"`={sign}` assigns a value with a sign"
            operators = Span(span.source, span.start - 1, span.start + 1)
            help = f"did you mean `{sign}=`? Otherwise, write `= {sign}`"
            self._errors.warn("not-compound-assign", message, operators, help=help)

    def unused(self, node: Expression, what: str) -> None:
        """Warn if an expression whose value is not used has no effect after its last operand."""
        while isinstance(node, c.Comma):
            node = node.right
        match node:
            case c.Conditional() if has_effect(node):
                pass
            case c.Logical(right=c.Assign()) | c.Assign() | c.Increment() | c.CallExpression() | c.Erroneous():
                pass
            case c.StatementExpression() | c.VaArg():
                pass
            case c.Cast(type_name=c.TypeName() as name) if name.specifiers.type is VOID or has_effect(node.operand):
                pass
            case _:
                message = "the value of this expression is not used" if has_effect(node) else f"{what} has no effect"
                self._errors.warn("unused-value", message, node.span)

    # -------------------------------------------------------------------------------------------------- statements

    def structure(self, node: Statement) -> None:
        """Check the indentation of the statements of a block, and the bodies of an `if`."""
        if isinstance(node, c.Compound):
            self.compound(node.items)
        elif isinstance(node, c.If):
            self._bodies(node)

    def if_statement(self, node: c.If) -> None:
        """Check the condition and the bodies of an `if`."""
        self.condition(node.condition)
        self._bodies(node)

    def _bodies(self, node: c.If) -> None:
        if is_empty(node.then) and not node.otherwise:
            self._empty_body("if", node.then)
        if node.otherwise and is_empty(node.otherwise):
            self._empty_body("else", node.otherwise)
        if node.otherwise is None:
            inner = node.then
            while isinstance(inner, (c.While, c.For)):
                inner = inner.body
            if isinstance(inner, c.If) and inner.otherwise:
                span = _else_before(inner.otherwise)
                note = ("it belongs to this `if`", Span(span.source, inner.span.start, inner.span.start + 2))
                self._errors.warn(
                    "dangling-else",
                    "this `else` may be read as one of the outer `if`",
                    Span(span.source, node.span.start, node.span.start + 2),
                    notes=[("the `else`", span), note],
                    help="put the body of the outer `if` in braces",
                )

    def do_statement(self, node: c.Do) -> None:
        """Check the condition and the body of a `do`."""
        self.condition(node.condition)
        if is_empty(node.body):
            self._empty_body("do", node.body)

    def _empty_body(self, keyword: str, body: Statement) -> None:
        message = f"this `;` is the whole body of the `{keyword}`"
        self._errors.warn("empty-body", message, body.span, help="remove it, or write `{ }` for an empty body")

    def switch(self, node: c.Switch) -> None:
        """Warn of a statement before the first `case`."""
        first = node.body.items[0] if isinstance(node.body, c.Compound) and node.body.items else None
        if first and not isinstance(first, (c.Case, c.Label, c.Compound)) and not declares_only(first):
            self._errors.warn("switch-unreachable", "a statement before the first `case` is never executed", first.span)

    def compound(self, items: list[Statement]) -> None:
        """Check the indentation of each statement after an `if` or a loop."""
        for item, following in [each for each in pairwise(items) if type(each[0]) in _GUARDS]:
            body = _innermost(item)
            if type(following) is c.Compound and is_empty(body) and "\n" not in _between(body, following):
                if type(item) is not c.If:
                    self._empty_body("loop", body)
            elif type(body) is not c.Compound and (is_empty(body) or not _is_alone(body, following)):
                self._indentation(item, following)

    def _indentation(self, item: Statement, following: Statement) -> None:
        """Warn if `following` is indented as if it belonged to the last guarded statement in `item`."""
        if type(following) in _UNGUARDED or is_empty(following):
            return
        for guard, body in _guards(item):
            if type(body) is not c.Compound and _is_misleading(guard, body, following):
                keyword = guard.source.text[guard.start : guard.end]
                note = (f"the `{keyword}` does not control this statement", following.span)
                message = f"the statement after the body of this `{keyword}` is indented like the body"
                self._errors.warn("misleading-indentation", message, guard, notes=[note])
                return


ACTIONS = (c.Assign, c.Increment, c.CallExpression)
"""The expressions that have an effect of their own."""

_IN_OR = frozenset(["&&"])

_CONFUSING: dict[str, frozenset[str]] = {
    **dict.fromkeys(["<<", ">>"], _SUMS),
    **dict.fromkeys(ORDERINGS, ORDERINGS),
    **dict.fromkeys(COMPARISONS - ORDERINGS, COMPARISONS),
    "&": _SUMS | COMPARISONS,
    "^": _SUMS | COMPARISONS | {"&"},
    "|": _SUMS | COMPARISONS | {"&", "^"},
}
"""For each operator, those whose operations as its operands need parentheses for clarity, as in gcc."""


def is_same(left: Expression, right: Expression) -> bool:
    """Whether two expressions are equal and have no effects."""
    pending = [(left, right)]
    while pending:
        one, other = map(c.written, pending.pop())
        words = _WORDS.get(type(one))
        if words is None or type(one) is not type(other) or any(getattr(one, n) != getattr(other, n) for n in words):
            return False
        pending += zip(c.operands(one), c.operands(other), strict=True)
    return True


_WORDS: dict[type, tuple[str, ...]] = {
    c.Name: ("name",),
    c.Literal: ("type", "value"),
    **dict.fromkeys([c.Unary, c.Binary, c.Logical], ("op",)),
    **dict.fromkeys([c.Dereference, c.AddressOf, c.Subscript], ()),
    c.Member: ("name", "through_pointer"),
}
"""The expressions without effects of their own, and their fields that are no operands."""


def has_effect(node: Expression) -> bool:
    """Whether an expression may assign, call a function, or end the program."""
    pending = [node]
    for part in pending:  # appended to during iteration
        if isinstance(part, (*ACTIONS, c.StatementExpression, c.VaArg, c.CompoundLiteral)):
            return True
        if isinstance(part, c.Generic):
            pending += [expression for _, expression in part.associations]
        pending += c.operands(part)
    return False


def is_parenthesised(node: Expression) -> bool:
    """Whether the assignment or binary operation is in parentheses: its span includes them."""
    assert isinstance(node, (c.Assign, c.Binary, c.Logical))
    first = node.target if isinstance(node, c.Assign) else node.left
    return node.span.start < first.span.start


def _text(node: Expression) -> str:
    """The source text of a short expression, or nothing."""
    text = node.span.source.text[node.span.start : node.span.end]
    return text if len(text) < 40 and "\n" not in text else ""


def statements_within(node: Statement) -> Iterator[Statement]:
    """The statement and those in it, without those in expressions and nested functions."""
    pending = [node]
    for each in pending:  # appended to during iteration
        yield each
        match each:
            case c.Compound(items=items):
                pending += items
            case c.If(then=then, otherwise=otherwise):
                pending += [then, otherwise] if otherwise else [then]
            case c.While() | c.Do() | c.For() | c.Switch() | c.Case() | c.Label():
                pending.append(each.body)


def declares_only(node: Statement) -> bool:
    """Whether the statement is a declaration that computes nothing."""
    return isinstance(node, c.Declaration) and not any(each.initialiser for each in node.declarators)


# --------------------------------------------------------------------------------------------------------- comments

_COMMENT_OR_STRING = r"""(?sx) " (?:\\.|[^"\\])* " | ' (?:\\.|[^'\\])* ' | /\* .*? \*/ | // (?:\\\r?\n|[^\n])*"""


def may_have_doubtful_comments(source: Source) -> bool:
    """Whether `warn_of_comments` may have warnings of a source without syntax errors: a quick check."""
    text = source.text
    return text.count("/*") != text.count("*/") or "\\\n" in text or "\\\r" in text


def warn_of_comments(source: Source, errors: Errors) -> None:
    """Warn of a comment that seems to begin within another one, and of a line comment that includes the next line."""
    text = source.text
    for match in re.finditer(_COMMENT_OR_STRING, text):
        comment, start = match[0], match.start()
        if comment.startswith("/*") and (inner := comment.find("/*", 2)) > 0:
            errors.warn("comment", "`/*` within a comment", Span(source, start + inner, start + inner + 2))
        elif comment.startswith("//") and "\n" in comment:
            message = "a backslash at the end of this comment includes the next line"
            errors.warn("comment", message, Span(source, start, start + comment.index("\n")))


# ------------------------------------------------------------------------------------------------------ indentation

_GUARDS: dict[type, int] = {c.If: len("if"), c.While: len("while"), c.For: len("for")}
_UNGUARDED = (c.Case, c.Label)


def _last_part(item: Any) -> Statement:
    """The statement at the end of an `if` or loop."""
    part: Statement = (item.otherwise or item.then) if type(item) is c.If else item.body
    return part


def _innermost(item: Statement) -> Statement:
    """The statement at the end of an `if` or loop that is neither an `if` nor a loop."""
    while type(item) in _GUARDS:
        item = _last_part(item)
    return item


def _is_alone(body: Statement, following: Statement) -> bool:
    """Whether the body is at the end of a line that begins with its guard, the frequent case."""
    text, start = body.span.source.text, body.span.start
    before = text[text.rfind("\n", 0, start) + 1 : start]
    return not before.isspace() and before != "" and "\n" in _between(body, following)


def _between(body: Statement, following: Statement) -> str:
    return body.span.source.text[body.span.end : following.span.start]


def _guards(item: Statement) -> Iterator[tuple[Span, Statement]]:
    """The keywords in `item` that have a body at its end, outermost first, each with the body."""
    while type(item) in _GUARDS:
        body = _last_part(item)
        if isinstance(item, c.If) and item.otherwise:
            yield _else_before(body), body
        else:
            yield Span(item.span.source, item.span.start, item.span.start + _GUARDS[type(item)]), body
        item = body


def _else_before(body: Statement) -> Span:
    """The last ``else`` before `body`."""
    start = max(0, body.span.source.text.rfind("else", 0, body.span.start))
    return Span(body.span.source, start, start + len("else"))


def _is_misleading(guard: Span, body: Statement, following: Statement) -> bool:
    """Whether `following` seems to be guarded, by the rules of gcc's ``should_warn_for_misleading_indentation``."""
    text = guard.source.text
    (guard_line, guard_column), (body_line, body_column), (next_line, next_column) = (
        _line_and_column(text, start) for start in (guard.start, body.span.start, following.span.start)
    )
    first = guard_line
    while text[first].isspace():
        first += 1
    indentation = _line_and_column(text, first)[1]
    if body_line == next_line:
        return guard_line < body_line or guard_column == indentation
    if is_empty(body):  # of an `if`: reported as an empty body
        is_inside = next_column > indentation or (isinstance(following, c.Compound) and next_column == indentation)
        return guard_line == body_line and is_inside and not text.startswith("if", guard.start)
    return body_column == next_column > indentation


def _line_and_column(text: str, offset: int) -> tuple[int, int]:
    """The start of the line of a character, and its column; a tab extends to the next multiple of eight."""
    line = text.rfind("\n", 0, offset) + 1
    return line, len(text[line:offset].expandtabs(8))


# ------------------------------------------------------------------------------------------------- sequence points


def warn_of_sequence(expression: Expression, errors: Errors) -> None:
    """Warn of each variable that an expression changes and uses without a sequence point (C17 6.5, paragraph 2).

    Changes of objects in memory are not followed: whether two places are the same is not known.
    """
    found: dict[str, Span] = {}
    run(_accesses(expression, found))
    for name, span in found.items():
        message = f"the order of the change of `{name}` and its other use in this expression is undefined"
        errors.warn("sequence-point", message, span)


@dataclass(slots=True)
class _Accesses:
    """The variables that an expression reads and changes, with the spans of the changes.

    The changes in `pending` may happen after the value of the expression is computed.
    """

    reads: set[str] = field(default_factory=set)
    changes: dict[str, Span] = field(default_factory=dict)
    pending: dict[str, Span] = field(default_factory=dict)


def _accesses(node: Expression, found: dict[str, Span]) -> Computation[_Accesses]:
    """The accesses of an expression. Conflicts are added to `found`."""
    match node:
        case c.Name():
            return _Accesses({node.name})
        case c.Increment(target=c.Name(name=name)):
            return _Accesses(set(), {name: node.span}, {name: node.span})
        case c.Assign(target=c.Name(name=name)):
            value: _Accesses = yield _accesses(node.value, found)
            if name in value.pending:
                found.setdefault(name, node.span)
            value.reads.discard(name)
            value.changes[name] = value.pending[name] = node.span
            return value
        case c.AddressOf(operand=c.Name()):
            return _Accesses()
        case c.StatementExpression(expands=inner):
            expanded: _Accesses = (yield _accesses(inner, found)) if inner else _Accesses()
            return expanded
        case c.Comma() | c.Logical():
            left, right = (yield _accesses(node.left, found)), (yield _accesses(node.right, found))
            left.pending = {}
            return _together([left, right])
        case c.CallExpression():
            parts = [] if isinstance(c.written(node.callee), c.Name) else [(yield _accesses(node.callee, found))]
            for argument in (*node.arguments, *node.variable):
                parts.append((yield _accesses(argument, found)))
            called = _unordered(parts, found)
            called.pending = {}
            return called
        case c.Conditional():
            condition = yield _accesses(node.condition, found)
            condition.pending = {}
            arms = [arm for arm in (node.then, node.otherwise) if arm]
            parts = [condition]
            for arm in arms:
                parts.append((yield _accesses(arm, found)))
            return _together(parts)
    parts = []
    for operand in c.operands(node):  # also the address and the value of an assignment to an object in memory
        parts.append((yield _accesses(operand, found)))
    return parts[0] if len(parts) == 1 else _unordered(parts, found)


def _unordered(parts: list[_Accesses], found: dict[str, Span]) -> _Accesses:
    """The accesses of operands that are evaluated in any order."""
    for part in parts:
        for name, span in part.changes.items():
            if any(name in other.reads or name in other.changes for other in parts if other is not part):
                found.setdefault(name, span)
    return _together(parts)


def _together(parts: list[_Accesses]) -> _Accesses:
    """All accesses of `parts`, which are used up. Smaller sets are added to the largest one, in near-linear time."""
    largest = max(parts, key=lambda part: len(part.reads) + len(part.changes), default=_Accesses())
    for part in parts:
        if part is not largest:
            largest.reads |= part.reads
            largest.changes.update(part.changes)
            largest.pending.update(part.pending)
    return largest
