"""Constructs of a tree that are not read, each with the reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cpsconv.core.source import Diagnostic, error
from cpsconv.languages.javascript.syntax import Node, preorder

_COMPARES = ("<", ">", "<=", ">=")
_IS_VALUE = "it is more than a type, so it cannot be erased"


def unsupported(root: Node) -> list[Diagnostic]:
    """The errors for what remains in a tree without types."""
    return [
        error(f"{what} is not read: {reason}", node.span, rule="unsupported")
        for node in preorder(root)
        for what, reason in (_REFUSED[node.kind](node) if node.kind in _REFUSED else ())
    ]


Reasons = Iterator[tuple[str, str]]


def _always(what: str, reason: str) -> Callable[[Node], Reasons]:
    return lambda node: iter([(what, reason)])


def _parameter(node: Node) -> Reasons:
    if node.children[0].kind != "decorator":
        yield "a parameter that declares a property", _IS_VALUE


def _import(node: Node) -> Reasons:
    if any(each.kind == "import_require_clause" for each in node.children):
        yield "`import … = require(…)`", _IS_VALUE


def _export(node: Node) -> Reasons:
    if not {"=", "namespace"}.isdisjoint(node.words):
        yield "this `export`", "it is no export of a module of JavaScript"


def _field(node: Node) -> Reasons:
    if "accessor" in node.words:
        yield "a field with `accessor`", "it is not a part of JavaScript"


def _assignment(node: Node) -> Reasons:
    if "using" in node.words:
        yield "`using`", "it is not a part of JavaScript"


def _comparison(node: Node) -> Reasons:
    """Type arguments of a tag, taken for comparisons by the grammar; and comparisons that it takes from the right."""
    left, right = node["left"], node["right"]
    if node["operator"].kind in _COMPARES and right.kind == "binary_expression" and right["operator"].kind in _COMPARES:
        yield "a comparison of a comparison", "TypeScript's grammar is ambiguous here: add parentheses"
    is_tag = node["operator"].kind == ">" and left.kind == "binary_expression" and left["operator"].kind == "<"
    if is_tag and right.kind == "template_string" and node.source.name.endswith(("ts", "tsx")):
        yield "a template after `>`", "it is ambiguous in TypeScript"


_REFUSED: dict[str, Callable[[Node], Reasons]] = {
    "decorator": _always("a decorator", "it is not a part of JavaScript"),
    "enum_declaration": _always("an enumeration", _IS_VALUE),
    **dict.fromkeys(("internal_module", "module"), _always("a namespace", _IS_VALUE)),
    "import_alias": _always("`import … = …`", _IS_VALUE),
    **dict.fromkeys(("required_parameter", "optional_parameter"), _parameter),
    "import_statement": _import,
    "export_statement": _export,
    "field_definition": _field,
    "assignment_expression": _assignment,
    "binary_expression": _comparison,
}
