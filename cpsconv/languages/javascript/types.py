"""The erasure of TypeScript's types from a tree, which is then a tree of JavaScript.

What has a meaning at run time is not erased, and is refused (`unsupported`): enumerations, namespaces, decorators, and
parameters that declare properties. An imported name is erased if it is not used as a value, as by `tsc`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from cpsconv.languages.javascript import jsx
from cpsconv.languages.javascript.syntax import Node, preorder

_DECLARED = ("interface_declaration", "type_alias_declaration")
_TYPES = frozenset(
    """type_annotation type_parameters type_arguments implements_clause ambient_declaration function_signature
    abstract_method_signature method_signature index_signature override_modifier asserts_annotation
    type_predicate_annotation""".split()  # noqa: SIM905
).union(_DECLARED)
"""The kinds of nodes without a meaning at run time."""

_WRAPPERS = (
    *("as_expression", "satisfies_expression", "non_null_expression", "instantiation_expression", "type_assertion"),
    "extends_clause",
)
_PARAMETERS = ("required_parameter", "optional_parameter")
_FIELD = "public_field_definition"
_CLAUSES = ("import_specifier", "export_specifier")
_EXPORTED_TYPES = re.compile(r"export\s+type\s*\*")


def erase_types(root: Node) -> None:
    """Erase the types in a tree."""
    types = {each["name"].text for each in preorder(root) if each.kind in _DECLARED}
    for node in reversed([*preorder(root)]):  # children before their parents
        node.parts = [*_kept(node.parts)]
        node.children = [each for each in node.children if each in node.parts]
        if node.kind in _WRAPPERS:
            _become(node, node.children[0])
        elif node.kind in _PARAMETERS:
            _erase_parameter(node)
        elif node.kind == _FIELD:
            node.kind, node.fields["property"] = "field_definition", node.fields.pop("name")
            node.children = [each for each in node.children if each.kind != "accessibility_modifier"]
        elif node.kind == "abstract_class_declaration":
            node.kind = "class_declaration"
        elif node.kind == "call_expression" and "?." in node.words:  # before type arguments
            node.fields["optional_chain"] = [each for each in node.parts if each.kind == "?."]
    _erase_names(root, types)


def _kept(parts: list[Node]) -> Iterator[Node]:
    """The parts of a node that are not erased; the comma after an erased one is erased, too."""
    is_erased = False
    for each in parts:
        was_erased, is_erased = is_erased, _is_type(each)
        if not is_erased and not (was_erased and each.kind == ","):
            yield each


def _erase_names(root: Node, types: set[str]) -> None:
    """Erase the imported names that are not used as values, and the exported names of types."""
    used = _names([each for each in root.children if each.kind != "import_statement"])
    if any(each.kind in jsx.ELEMENTS for each in preorder(root)):
        used.add(jsx.factory(root))
    types -= _names([each for each in root.children if "source" in each.fields or each.get("declaration")])
    for statement in root.children:
        for clause in statement.children:
            if clause.kind == "import_clause":
                _keep(clause, used)
            elif clause.kind == "export_clause" and statement.get("source") is None:
                clause.children = [each for each in clause.children if each["name"].text not in types]
    root.children = [each for each in root.children if _has_names(each)]


def _keep(clause: Node, used: set[str]) -> None:
    """Keep the names of an import that are used."""
    kept = list[Node]()
    for each in clause.children:
        if each.kind == "named_imports":
            each.children = [name for name in each.children if name.children[-1].text in used]
            kept += [each] * bool(each.children)
        else:  # a name, perhaps of a namespace
            kept += [each] * ((each.children or [each])[-1].text in used)
    clause.children = kept


def _has_names(statement: Node) -> bool:
    """Whether an import or export has names that are left, or no list of names at all."""
    clauses = [each for each in statement.children if each.kind in ("import_clause", "export_clause")]
    return not clauses or any(each.children for each in clauses)


def _names(nodes: list[Node]) -> set[str]:
    kinds = ("identifier", "type_identifier", "shorthand_property_identifier")
    return {each.text for node in nodes for each in preorder(node) if each.kind in kinds}


def _is_type(node: Node) -> bool:
    """Whether a node is erased, after its own parts are."""
    if node.kind in _CLAUSES:
        return "type" in node.words
    if node.kind in ("import_statement", "export_statement"):
        is_empty = node.kind == "export_statement" and not node.children and "*" not in node.words
        return is_empty or "type" in node.words or _EXPORTED_TYPES.match(node.text) is not None
    if node.kind in ("internal_module", "module"):
        return "body" in node.fields and not node["body"].children
    is_only_declared = node.kind == "field_definition" and not {"declare", "abstract"}.isdisjoint(node.words)
    is_this = node.kind == "this" and node.is_parameter
    is_empty = node.kind in ("class_heritage", "expression_statement") and not node.children
    return node.kind in _TYPES or is_only_declared or is_this or is_empty


def _become(node: Node, inner: Node) -> None:
    """Let a node be a copy of another one."""
    node.kind, node.start, node.end = inner.kind, inner.start, inner.end
    node.children, node.fields, node.words, node.parts = inner.children, inner.fields, inner.words, inner.parts


def _erase_parameter(node: Node) -> None:
    """Let a parameter be its pattern, perhaps with a default, unless it declares a property or has a decorator."""
    pattern, value = node.get("pattern"), node.get("value")
    if pattern is None or pattern.start != node.start:  # there are modifiers
        return
    if value is None:
        _become(node, pattern)
        node.is_parameter = True
    else:
        node.kind, node.children, node.parts = "assignment_pattern", [pattern, value], [pattern, value]
        node.fields = {"left": [pattern], "right": [value]}
