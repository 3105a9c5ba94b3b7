"""Bodies of functions and blocks: their scopes, their statements in order, and their labels."""

from __future__ import annotations

from itertools import pairwise

from cpsconv.core.source import Span
from cpsconv.core.trampoline import Work, perform
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.context import STATEMENTS, Statements, Typing, whole
from cpsconv.languages.c.syntax import tree as c


def type_body(typing: Typing, body: c.Compound) -> None:
    """Type the body of a function in the current scope, which has the parameters."""
    typing.is_in_body = True
    function = typing.function
    perform(_block(typing, body.items, function.body))
    _check_labels(typing, typing.labels)
    for offsets in function.assignments.values():
        offsets.sort()  # the step of a `for` is typed after its body
    typing.is_in_body = False


def statement(typing: Typing, node: c.Statement, into: Statements) -> Work | None:
    """Append the typed statement to `into`. Returns the rest of the work if the statement contains statements."""
    return STATEMENTS[type(node)](typing, node, into)


def scope(
    typing: Typing,
    items: list[c.Statement],
    into: Statements,
    final: tuple[c.Expression | None, list[t.Expression]] = (None, []),
) -> Work:
    """Type the statements of a block, a scope of its own, and its final expression, which is added to a list."""
    typing.scopes.enter()
    yield from _block(typing, items, into)
    expression, values = final
    if expression:
        values.append(whole(typing, expression))
    typing.scopes.leave()


def _block(typing: Typing, items: list[c.Statement], into: Statements) -> Work:
    """Type the statements of a block, in the current scope."""
    has_labels = c.LabelDeclaration in map(type, items)
    if has_labels:
        typing.local_labels.append({})
    typing.tree.compound(items)
    for item in items:
        if rest := STATEMENTS[type(item)](typing, item, into):
            yield rest
    if typing.switches:
        _record_surroundings(into)
    if has_labels:
        _check_labels(typing, typing.local_labels.pop())


def label_named(typing: Typing, name: str, span: Span) -> t.Label:
    """The label with that name, which may be defined later."""
    for labels in reversed(typing.local_labels):
        if name in labels:
            return labels[name]
    return typing.labels.get(name) or typing.labels.setdefault(name, new_label(name, span))


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


def new_label(name: str, span: Span) -> t.Label:
    return t.Label(span, name, t.Evaluate(span, None))


def _record_surroundings(items: Statements) -> None:
    """Record the statements before and after each case of a block; labels and null statements are none."""
    for before, item in pairwise(items):
        if isinstance(before, t.Case) and isinstance(item, t.Case):
            item.follows = before
    for before, item in pairwise(item for item in items if not isinstance(item, t.Label) and not t.is_empty(item)):
        if isinstance(before, t.Case):
            before.after = item
        elif isinstance(item, t.Case):
            item.before = before
