"""Early errors of names and of the targets of assignments and declarations."""

from __future__ import annotations

import re
from collections.abc import Iterator

from cpsconv.abi.javascript import RESERVED_WORDS, STRICT_WORDS
from cpsconv.core.source import Diagnostic, error
from cpsconv.languages.javascript.contexts import Context
from cpsconv.languages.javascript.scopes import PATTERNS, imported_names, pattern_names
from cpsconv.languages.javascript.syntax import Node, unparenthesised

_RESTRICTED = ("eval", "arguments")
_LINKS = ("call_expression", "member_expression", "subscript_expression", "non_null_expression")
_SIMPLE = ("identifier", "undefined", "member_expression", "subscript_expression")


# --------------------------------------------------------------------------------------------------------------- names


def name_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for a name that is a reserved word, or `arguments` in the initialiser of a field."""
    if parent.kind.startswith("jsx_") or (parent.kind in _SPECIFIERS and not _is_local(node, parent)):
        return
    if parent.kind == "namespace_export":
        return
    yield from reserved(node, context)
    yield from malformed(node, parent, context)
    if node.text == "arguments" and not context.has_arguments and node.kind != "statement_identifier":
        yield error("`arguments` is not allowed in the initialiser of a class", node.span, rule="misplaced")


_SPECIFIERS = ("import_specifier", "export_specifier")


def _is_local(node: Node, parent: Node) -> bool:
    """Whether a name in an import or export denotes a variable of the module."""
    return parent.kind == "import_specifier" and node is parent.children[-1]


def malformed(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The error for a name with a character that names do not have."""
    plain = re.sub("[$\u200c\u200d]", "_", node.text.removeprefix("#"))
    if not plain.isidentifier():
        yield error("a name has only letters, digits, `_` and `$`", node.span, rule="syntax")


def reserved(node: Node, context: Context) -> Iterator[Diagnostic]:
    """The error for a name that is a reserved word."""
    name = node.text
    if name in RESERVED_WORDS or (name == "await" and context.reserves_await):
        yield error(f"`{name}` is a reserved word", node.span, rule="reserved-name")
    elif name == "yield" and context.is_generator:
        yield error("`yield` is a reserved word in a generator", node.span, rule="reserved-name")
    elif name in STRICT_WORDS and context.is_strict:
        yield error(f"`{name}` is a reserved word in strict mode", node.span, rule="reserved-name")


def bound(name: Node, context: Context) -> Iterator[Diagnostic]:
    """The error for a name that strict code neither declares nor assigns."""
    if context.is_strict and name.text in _RESTRICTED:
        message = f"strict mode does not allow to declare `{name.text}`, nor to assign to it"
        yield error(message, name.span, rule="strict-mode")


def pattern_errors(pattern: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for the names and other targets in a pattern that declares variables."""
    for name in pattern_names(pattern):
        yield from bound(name, context)
    waiting = [pattern]
    while waiting:
        node = waiting.pop()
        if node.kind in ("assignment_pattern", "object_assignment_pattern"):
            waiting.append(node["left"])
        elif node.kind == "pair_pattern":
            waiting.append(node["value"])
        elif node.kind in PATTERNS:
            waiting.extend(reversed(node.children))
        elif node.kind not in ("identifier", "shorthand_property_identifier_pattern", "undefined"):
            yield error("a declaration requires a name or pattern here", node.span, rule="syntax")


# -------------------------------------------------------------------------------------------------------- declarations


def declaration_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for the names that a statement declares."""
    for each in node.children:
        yield from pattern_errors(each["name"], context)
        if node.kind == "lexical_declaration":
            yield from _named_let(each["name"])


def _named_let(pattern: Node) -> Iterator[Diagnostic]:
    for name in pattern_names(pattern):
        if name.text == "let":
            yield error("`let` is not a name of a `let` or `const`", name.span, rule="reserved-name")


def loop_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for the variable or target of a ``for…in`` or ``for…of``."""
    kind = node.get("kind")
    if kind is None:
        yield from _target_errors(node["left"], context, may_be_pattern=True)
        return
    yield from pattern_errors(node["left"], context)
    if kind.kind != "var":
        yield from _named_let(node["left"])


def catch_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for the parameter of a ``catch``."""
    parameter = node.get("parameter")
    if parameter:
        yield from pattern_errors(parameter, context)


def import_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for the names that a module imports or exports."""
    if node.kind == "import_statement":
        for name in imported_names(node):
            yield from bound(name, context)
    elif node.get("source") is None:
        for clause in node.children:
            for each in clause.children if clause.kind == "export_clause" else ():
                yield from reserved(each["name"], context)


def rest_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for a rest that is not the last element, or is followed by a comma."""
    for each in node.children:
        if each.kind == "rest_pattern" and each is not node.parts[-2]:
            yield error("the rest is not the last element", each.span, rule="syntax")
        if each.kind == "rest_pattern" and node.kind == "object_pattern" and each.children[0].kind in PATTERNS:
            yield error("the rest of an object is no pattern", each.span, rule="syntax")


# ------------------------------------------------------------------------------------------------------------- targets


def assignment_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for the target of an assignment."""
    yield from _target_errors(node["left"], context, may_be_pattern=node.kind == "assignment_expression")


def update_errors(node: Node, parent: Node, context: Context) -> Iterator[Diagnostic]:
    """The errors for the operand of ``++`` and ``--``."""
    yield from _target_errors(node["argument"], context, may_be_pattern=False)


def _target_errors(target: Node, context: Context, may_be_pattern: bool) -> Iterator[Diagnostic]:
    waiting = [target]
    while waiting:
        node = waiting.pop()
        inner = unparenthesised(node)
        if node.kind in ("assignment_pattern", "object_assignment_pattern"):
            waiting.append(node["left"])
        elif node.kind == "pair_pattern":
            waiting.append(node["value"])
        elif node.kind in PATTERNS and may_be_pattern:
            waiting.extend(reversed(node.children))
        elif inner.kind not in (*_SIMPLE, "shorthand_property_identifier_pattern") or has_optional_link(inner):
            yield error("this expression cannot be assigned to", inner.span, rule="not-assignable")
        else:
            yield from bound(inner, context)


def has_optional_link(node: Node) -> bool:
    """Whether a chain of properties and calls has a ``?.``."""
    while node.kind in _LINKS:
        if node.get("optional_chain"):
            return True
        node = node.children[0]
    return False
