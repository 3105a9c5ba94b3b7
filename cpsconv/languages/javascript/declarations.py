"""Early errors of declarations: names that are declared twice in a scope, and exports.

A `var` conflicts with a lexical declaration of the same name in its own scope, and in each scope around it up to its
function (ECMAScript, *Static Semantics: Early Errors* of blocks, functions and modules, with Annex B.3).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cpsconv.core.source import Diagnostic, error
from cpsconv.languages.javascript import literals
from cpsconv.languages.javascript.scopes import (
    DECLARED_FUNCTIONS,
    FUNCTIONS,
    LOOPS,
    Program,
    imported_names,
    parameters_of,
    pattern_names,
)
from cpsconv.languages.javascript.syntax import Node

_STATIC = ("class_static_block", "field_definition")


class _Scope:
    """The names of a scope: the lexical declarations with their kinds, and the `var`s."""

    def __init__(self, parent: _Scope | None, *, is_function: bool = False, is_strict: bool = False) -> None:
        self.parent, self.is_function = parent, is_function
        self.is_strict: bool = is_strict or (parent is not None and parent.is_strict)
        self.names: dict[str, tuple[str, Node]] = {}


class Declarations:
    """Finds the conflicts of the declarations of a program."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.found: list[Diagnostic] = []

    def errors(self) -> list[Diagnostic]:
        """The errors of all scopes."""
        root = self.program.root.node
        top = _Scope(None, is_function=True, is_strict=self.program.root.is_strict)
        self._hoist(root.children, top, is_lexical=self.program.is_module)
        waiting = [(each, top) for each in reversed(root.children)]
        while waiting:
            node, scope = waiting.pop()
            waiting.extend(reversed([*self._visit(node, scope)]))
        return self.found

    def _visit(self, node: Node, scope: _Scope) -> Iterator[tuple[Node, _Scope]]:
        """Record the declarations of a node; its children, with their scopes."""
        if node.kind in FUNCTIONS:
            yield from self._function(node, scope)
            return
        if node.kind in _STATIC:
            scope = _Scope(scope, is_function=True, is_strict=True)
            body = node.get("body")
            if body:
                self._hoist(body.children, scope)
                yield from ((each, scope) for each in body.children)
                return
        elif node.kind == "variable_declaration":
            for declarator in node.children:
                self._declare_vars(declarator["name"], scope)
        elif node.kind in ("statement_block", "switch_body"):
            scope = self._block(node, scope)
        elif node.kind in LOOPS:
            scope = self._loop(node, scope)
        elif node.kind == "catch_clause":
            yield from self._catch(node, scope)
            return
        elif node.kind in ("if_statement", "else_clause"):
            yield from ((each, self._arm(each, scope)) for each in node.children)
            return
        yield from ((each, scope) for each in node.children)

    # ---------------------------------------------------------------------------------------------------- scopes

    def _function(self, node: Node, outer: _Scope) -> Iterator[tuple[Node, _Scope]]:
        function = self.program.functions[node.start]
        scope = _Scope(outer, is_function=True, is_strict=function.is_strict)
        unique = function.is_strict or function.kind != "function" or not function.has_simple_parameters
        for parameter in parameters_of(node):
            for name in pattern_names(parameter):
                if unique and name.text in scope.names:
                    self._report(name, "parameter")
                scope.names[name.text] = "parameter", name
            yield parameter, scope
        body = node["body"]
        if body.kind != "statement_block":
            yield body, scope
            return
        self._hoist(body.children, scope)
        for each in body.children:
            yield each, scope
        if node.kind == "method_definition":
            yield node["name"], outer

    def _block(self, node: Node, outer: _Scope) -> _Scope:
        scope = _Scope(outer)
        cases = [each for case in node.children for each in case.all("body")]
        self._hoist(cases if node.kind == "switch_body" else node.children, scope, is_lexical=True)
        return scope

    def _arm(self, node: Node, outer: _Scope) -> _Scope:
        if node.kind not in DECLARED_FUNCTIONS:
            return outer
        scope = _Scope(outer)
        self._hoist([node], scope, is_lexical=True)
        return scope

    def _loop(self, node: Node, outer: _Scope) -> _Scope:
        scope = _Scope(outer)
        kind = node.get("kind")
        if kind and kind.kind == "var":
            self._declare_vars(node["left"], scope)
        elif kind:
            for name in pattern_names(node["left"]):
                self._declare(name, kind.kind, scope)
        else:
            self._hoist(node.all("initializer"), scope, is_lexical=True)
        return scope

    def _catch(self, node: Node, outer: _Scope) -> Iterator[tuple[Node, _Scope]]:
        scope, parameter = _Scope(outer), node.get("parameter")
        if parameter:
            kind = "catch name" if parameter.kind == "identifier" else "catch pattern"
            for name in pattern_names(parameter):
                self._declare(name, kind, scope)
            yield parameter, scope
        self._hoist(node["body"].children, scope, is_lexical=True)
        for each in node["body"].children:
            yield each, scope

    # ------------------------------------------------------------------------------------------------ declarations

    def _hoist(self, statements: Sequence[Node], scope: _Scope, is_lexical: bool = False) -> None:
        """Declare functions, classes and lexical names; functions are like `var` unless they are lexical."""
        for each in statements:
            node = each.get("declaration") or each
            while node.kind == "labeled_statement":
                node = node["body"]
            if node.kind in DECLARED_FUNCTIONS:
                is_plain = node.kind == "function_declaration" and "async" not in node.words and not scope.is_strict
                kind = "var" if not is_lexical else "block function" if is_plain else "function"
                self._declare(node["name"], kind, scope)
            elif node.kind == "class_declaration":
                self._declare(node["name"], "class", scope)
            elif node.kind == "lexical_declaration":
                for declarator in node.children:
                    for name in pattern_names(declarator["name"]):
                        self._declare(name, "let", scope)
            elif node.kind == "import_statement":
                for name in imported_names(node):
                    self._declare(name, "import", scope)

    def _declare(self, name: Node, kind: str, scope: _Scope) -> None:
        known, _ = scope.names.get(name.text, ("", name))
        both = (known, kind)
        repeats = kind == "var" and known in ("var", "parameter")
        if known and not repeats and both != ("block function", "block function"):
            self._report(name, "name")
        scope.names.setdefault(name.text, (kind, name))

    def _declare_vars(self, pattern: Node, inner: _Scope) -> None:
        for name in pattern_names(pattern):
            scope: _Scope = inner
            while True:
                known, other = scope.names.get(name.text, ("", name))
                if known not in ("", "var", "parameter", "catch name"):
                    self._report(max(name, other, key=lambda each: each.start), "name")
                if scope.is_function or scope.parent is None:
                    break
                scope = scope.parent
            scope.names.setdefault(name.text, ("var", name))

    def _report(self, name: Node, what: str) -> None:
        message = f"the {what} `{name.text}` is declared twice"
        self.found.append(error(message, name.span, rule="redefined"))


def export_errors(program: Program) -> Iterator[Diagnostic]:
    """The errors for names that are exported twice, and for those that are exported but not declared."""
    exported = set[str]()
    for statement in program.root.node.children:
        for name in _exported(statement) if statement.kind == "export_statement" else ():
            text = literals.name_text(name)
            if text in exported:
                yield error(f"`{text}` is exported twice", name.span, rule="redefined")
            exported.add(text)
        if statement.kind == "export_statement" and statement.get("source") is None:
            yield from _undeclared(statement, program)


def _exported(statement: Node) -> Iterator[Node]:
    """The nodes that give the names under which a statement exports."""
    declaration = statement.get("declaration")
    if "default" in statement.words:
        yield next(each for each in statement.parts if each.kind == "default")
    elif declaration and declaration.get("name"):
        yield declaration["name"]
    elif declaration:
        yield from (name for each in declaration.children for name in pattern_names(each["name"]))
    for clause in statement.children:
        if clause.kind == "namespace_export":
            yield clause.parts[-1]
        elif clause.kind == "export_clause":
            yield from (each.parts[-1] for each in clause.children)


def _undeclared(statement: Node, program: Program) -> Iterator[Diagnostic]:
    for clause in statement.children:
        for each in clause.children if clause.kind == "export_clause" else ():
            name = each["name"]
            if name.kind == "string" or name.text not in program.root.body.names:
                yield error(f"`{name.text}` is exported, but not declared", name.span, rule="undeclared")
