"""Early errors: programs that the grammar of tree-sitter accepts, and JavaScript does not."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.core.source import Diagnostic, error
from cpsconv.languages.javascript.scopes import Program
from cpsconv.languages.javascript.syntax import Node, preorder


def early_errors(root: Node, program: Program) -> list[Diagnostic]:
    """The early errors of a program, and the constructs that are refused as they make names dynamic.

    These are ``with``, and a call of `eval` by this name.
    """
    found: list[Diagnostic] = []
    for node in preorder(root):
        if node.kind in ("lexical_declaration", "variable_declaration"):
            found += _without_values(node)
        elif node.kind == "with_statement":
            message = "`with` is not read: which variables a name denotes is known at run time only"
            found.append(error(message, node.span, rule="unsupported"))
        elif node.kind == "call_expression" and node["function"].text == "eval":
            reference = program.references.get(node["function"].start)
            if reference and reference.binding is None:
                message = "a direct call of `eval` is not read: it can assign to any variable"
                help = "call it by another name, as in `(0, eval)(text)`, to evaluate the text in the global scope"
                found.append(error(message, node["function"].span, help=help, rule="unsupported"))
    return found


def _without_values(declaration: Node) -> Iterator[Diagnostic]:
    """The errors for constants and patterns that have no initial value."""
    kind = declaration["kind"].kind if declaration.kind == "lexical_declaration" else "var"
    for each in declaration.children:
        if each.get("value") is None and (kind == "const" or each["name"].kind != "identifier"):
            what = "constant" if each["name"].kind == "identifier" else "pattern"
            yield error(f"this {what} has no initial value", each.span, rule="syntax")
