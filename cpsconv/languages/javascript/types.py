"""The erasure of TypeScript's types from a tree, which is then a tree of JavaScript.

What has a meaning at run time is not erased, and is refused where it is lowered: enumerations, namespaces, decorators,
and parameters that declare properties. An import is erased if none of its names is used as a value, as by `tsc`.
"""

from __future__ import annotations

from cpsconv.languages.javascript.syntax import Node, preorder, refuse

_TYPES = frozenset(
    """type_annotation type_parameters type_arguments implements_clause interface_declaration type_alias_declaration
    ambient_declaration function_signature abstract_method_signature method_signature index_signature
    override_modifier asserts_annotation type_predicate_annotation""".split()  # noqa: SIM905
)
"""The kinds of nodes without a meaning at run time."""

_WRAPPERS = ("as_expression", "satisfies_expression", "non_null_expression", "instantiation_expression")
_PARAMETERS = ("required_parameter", "optional_parameter")
_FIELD = "public_field_definition"


def erase_types(root: Node) -> None:
    """Erase the types in a tree. Raises `DiagnosticError` for a parameter that declares a property."""
    for node in reversed([*preorder(root)]):  # children before their parents
        node.children = [each for each in node.children if not _is_type(each)]
        node.parts = [each for each in node.parts if not _is_type(each)]
        if node.kind in _WRAPPERS:
            _become(node, node.children[0])
        elif node.kind in _PARAMETERS:
            _erase_parameter(node)
        elif node.kind == _FIELD:
            node.kind, node.fields["property"] = "field_definition", node.fields.pop("name")
            node.children = [each for each in node.children if each.kind != "accessibility_modifier"]
        elif node.kind == "abstract_class_declaration":
            node.kind = "class_declaration"
        elif node.kind == "extends_clause":
            _become(node, node["value"])
    used = {name for each in root.children if each.kind != "import_statement" for name in _names(each)}
    root.children = [each for each in root.children if each.kind != "import_statement" or _is_needed(each, used)]


def _names(node: Node) -> set[str]:
    return {each.text for each in preorder(node) if each.kind in ("identifier", "shorthand_property_identifier")}


def _is_needed(statement: Node, used: set[str]) -> bool:
    """Whether an import is executed. Raises `DiagnosticError` if it imports types as well as values."""
    clause = next((each for each in statement.children if each.kind == "import_clause"), None)
    names = [each for each in preorder(clause) if each.kind == "identifier"] if clause else []
    needed = [each.text in used for each in names]
    if any(needed) and not (all(needed) and statement.text.count("type ") == 0):
        refuse(statement, "an import of types together with values")
    return clause is None or any(needed)


def _is_type(node: Node) -> bool:
    """Whether a node is erased, after its own parts are."""
    if node.kind in ("import_statement", "export_statement", "import_specifier", "export_specifier"):
        return "type" in node.words or (node.kind == "export_statement" and not node.children and "*" not in node.words)
    is_only_declared = node.kind == "field_definition" and not {"declare", "abstract"}.isdisjoint(node.words)
    is_this = node.kind == "this" and node.is_parameter
    return node.kind in _TYPES or is_only_declared or is_this or (node.kind == "class_heritage" and not node.children)


def _become(node: Node, inner: Node) -> None:
    """Let a node be a copy of another one."""
    node.kind, node.start, node.end = inner.kind, inner.start, inner.end
    node.children, node.fields, node.words, node.parts = inner.children, inner.fields, inner.words, inner.parts


def _erase_parameter(node: Node) -> None:
    pattern, value = node["pattern"], node.get("value")
    if node.children[0].kind == "accessibility_modifier" or "readonly" in node.words:
        refuse(node, "a parameter that declares a property")
    if value is None:
        _become(node, pattern)
        node.is_parameter = True
    else:
        node.kind, node.children, node.parts = "assignment_pattern", [pattern, value], [pattern, value]
        node.fields = {"left": [pattern], "right": [value]}
