"""Bodies of functions and blocks: their scopes, their statements in order, and their labels."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from cpsconv.core.source import Span
from cpsconv.core.trampoline import Work, perform
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.context import STATEMENTS, Typing, whole
from cpsconv.languages.c.syntax import tree as c


def type_body(typing: Typing, body: c.Compound) -> None:
    """Type the body of a function in the current scope, which has the parameters."""
    typing.is_in_body = True
    typing.function.body = body.items
    perform(_block(typing, body.items))
    _check_labels(typing, typing.labels)
    for node, around in typing.gotos:
        entered = [each for each in node.label.protected if each not in around] if node.label else []
        report_entered(typing, "goto", node.span, entered)
    for offsets in typing.function.assignments.values():
        offsets.sort()  # the step of a `for` is typed after its body
    typing.is_in_body = False


def statement(typing: Typing, node: c.Statement) -> Work | None:
    """Type a statement. Returns the rest of the work if the statement contains statements."""
    return STATEMENTS[type(node)](typing, node)


def scope(typing: Typing, items: list[c.Statement], final: c.ExpressionStatement | None = None) -> Work:
    """Type the statements of a block, a scope of its own, and its `final` expression, which is a value."""
    typing.scopes.enter()
    yield from _block(typing, items)
    if final and final.expression:
        final.expression = whole(typing, final.expression)
    typing.scopes.leave()


def _block(typing: Typing, items: list[c.Statement]) -> Work:
    """Type the statements of a block, in the current scope."""
    has_labels = c.LabelDeclaration in map(type, items)
    if has_labels:
        typing.local_labels.append({})
    typing.tree.compound(items)
    for item in items:
        if rest := STATEMENTS[type(item)](typing, item):
            yield rest
    if typing.switches:
        _record_surroundings(items)
    if has_labels:
        _check_labels(typing, typing.local_labels.pop())


def label_named(typing: Typing, name: str, span: Span) -> t.Label:
    """The label with that name, which may be defined later."""
    for labels in reversed(typing.local_labels):
        if name in labels:
            return labels[name]
    return typing.labels.get(name) or typing.labels.setdefault(name, t.Label(span, name))


def _check_labels(typing: Typing, labels: dict[str, t.Label]) -> None:
    defined = [label.name for label in labels.values() if label.is_defined]
    for name, label in labels.items():
        if not label.is_defined:
            help = typing.errors.suggestion(name, defined)
            if typing.function.enclosing:
                help = help or "a nested function cannot jump to a label outside of it"
            typing.errors.report("undeclared", f"there is no label `{name}` in this function", label.span, help=help)
        elif not label.gotos and not label.number and not label.may_be_unused:
            typing.errors.warn("unused-label", f"the label `{name}` is never used", label.span)


def report_entered(typing: Typing, jump: str, span: Span, entered: Sequence[tuple[str, Span]]) -> None:
    """Report a jump that enters protected parts of the function (C17 6.8.6.1, paragraph 1, and 6.8.4.2)."""
    if entered:
        what, start = entered[0]
        typing.errors.report("misplaced", f"this `{jump}` jumps into {what}", span, notes=[("it begins here", start)])


def _record_surroundings(items: list[c.Statement]) -> None:
    """Record the statements before and after each case of a block; labels and null statements are none."""
    for before, item in pairwise(items):
        if isinstance(before, c.Case) and isinstance(item, c.Case):
            item.follows = before
    for before, item in pairwise(item for item in items if not isinstance(item, c.Label) and not c.is_empty(item)):
        if isinstance(before, c.Case):
            before.after = item
        elif isinstance(item, c.Case):
            item.before = before
