"""Scopes: the declarations, functions and references of a program; `scope_walk` finds them.

A `Binding` is a declared name. `var` and functions are hoisted, so references are resolved when the walk is complete.
`this`, `arguments` and `new.target` are bindings of the function that has them, as is the name of a function inside
itself: its value never changes, and arrow functions capture it like any other variable. `captures` decides
what is a value, and what a cell.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cpsconv.abi.javascript.facts import IMPLICIT
from cpsconv.core.source import Span
from cpsconv.languages.javascript.syntax import Node

FUNCTIONS = {
    "function_declaration": "function",
    "generator_function_declaration": "function",
    "function_expression": "function",
    "generator_function": "function",
    "arrow_function": "arrow",
    "method_definition": "method",
}
"""The kinds of nodes that are functions, and the kinds of functions."""

DECLARED_FUNCTIONS = ("function_declaration", "generator_function_declaration")
CLASSES = ("class_declaration", "class")
LOOPS = ("for_statement", "for_in_statement", "while_statement", "do_statement")
LEXICAL = ("let", "const", "class", "using")
PATTERNS = ("object_pattern", "array_pattern", "assignment_pattern", "object_assignment_pattern", "rest_pattern")


class Binding:
    """A declared name: its kind is that of its declaration, such as `let`, `var`, `parameter` or `function`.

    `assigned` has the offsets at which assignments are complete, the initialisation among them, with their functions;
    `initialised` is its offset, and `parts` has the parts of its pattern that follow it. `captures` has, for each
    closure of its function that needs the variable, the offset at which the closure is created, the closure, and a use
    in it. `cell` is the reason for a cell, and its location. `is_marked` states whether its scope begins with a mark
    that it is not initialised.
    """

    def __init__(self, name: str, kind: str, span: Span, scope: Scope) -> None:
        self.name, self.kind, self.span, self.scope = name, kind, span, scope
        self.function = scope.function
        self.initialised = span.end
        self.parts: list[range] = []
        self.assigned: list[tuple[int, Function, Span]] = []
        self.captures: list[tuple[int, Function, Span]] = []
        self.reads = 0
        self.cell: tuple[str, Span] | None = None
        self.is_module = kind == "import"
        self.is_marked = False
        self.declared: Function | None = None
        self.origin: Binding | None = None

    @property
    def is_constant(self) -> bool:
        """Whether assignments other than the initialisation are errors."""
        return self.kind in ("const", "self", "import", "using", "class name", *IMPLICIT)

    def precedes(self, start: int) -> bool:
        """Whether the variable is initialised before what is at an offset in its function."""
        return start >= self.initialised or any(start in part for part in self.parts)

    def __repr__(self) -> str:
        return f"Binding({self.kind} {self.name})"


class Scope:
    """The names declared in a part of the tree, which is a block, function, loop, class or `catch`."""

    def __init__(self, node: Node, function: Function, parent: Scope | None) -> None:
        self.node, self.function, self.parent = node, function, parent
        self.names: dict[str, Binding] = {}

    def chain(self) -> Iterator[Scope]:
        """The scope and those around it."""
        scope: Scope | None = self
        while scope:
            yield scope
            scope = scope.parent


class Function:
    """A function of the source, or the program as a whole. `captured` has the bindings of functions around it.

    `position` is the offset at which its closure is created. `implicit` has the bindings that the function has without
    a declaration, as far as they are used.
    """

    def __init__(self, node: Node, kind: str, parent: Function | None, position: int, is_strict: bool) -> None:
        self.node, self.kind, self.parent, self.position, self.is_strict = node, kind, parent, position, is_strict
        self.captured: dict[Binding, Span] = {}
        self.implicit: dict[str, Binding] = {}
        self.name = ""
        self.parameters: Scope
        self.body: Scope
        self.loops: list[Node] = []
        self.bindings: list[Binding] = []
        self.is_derived = False

    @property
    def is_async(self) -> bool:
        """Whether the function is asynchronous."""
        return "async" in self.node.words and self.kind in ("function", "arrow", "method")

    @property
    def is_generator(self) -> bool:
        """Whether the function is a generator."""
        return "*" in self.node.words and self.kind in ("function", "method")

    @property
    def has_simple_parameters(self) -> bool:
        """Whether all parameters are names."""
        return all(each.kind == "identifier" for each in parameters_of(self.node))

    @property
    def has_mapped_arguments(self) -> bool:
        """Whether the elements of `arguments` are the parameters themselves, as in sloppy code."""
        return "arguments" in self.implicit and not self.is_strict and self.has_simple_parameters

    @property
    def shown(self) -> str:
        """The function in messages."""
        return f"the closure `{self.name}`" if self.name else "a closure"


class Reference(NamedTuple):
    """The binding that a name denotes, if any, in a function."""

    binding: Binding | None
    function: Function
    is_declaration: bool


class Program:
    """The scopes of a program: `scopes` and `functions` by the offsets of their nodes, `references` by those of names.

    `copies` has, for functions declared in blocks of sloppy code, the variable around the block that they are assigned
    to, too. `default` is the name of the variable that has the value of an ``export default``, which no other name is.
    """

    def __init__(self, root: Node, is_module: bool) -> None:
        self.is_module = is_module
        self.root = Function(root, "program", None, root.start, is_module or has_use_strict(root))
        self.functions: dict[int, Function] = {}
        self.scopes: dict[Node, Scope] = {}
        self.references: dict[int, Reference] = {}
        self.copies: dict[int, tuple[Binding, Binding]] = {}
        self.exported: set[str] = set()
        self.default = "_default"
        while self.default in root.source.text:
            self.default = f"_{self.default}"
        self.class_names: dict[int, str] = {}


def parameters_of(node: Node) -> list[Node]:
    """The parameters of a function."""
    single, several = node.get("parameter"), node.get("parameters")
    return [single] if single else several.children if several else []


def has_use_strict(body: Node) -> bool:
    """Whether a body begins with the directive ``use strict``, perhaps after others."""
    for each in body.children:
        if each.kind != "expression_statement" or each.children[0].kind != "string":
            return False
        if each.children[0].text[1:-1] == "use strict":
            return True
    return False


def is_module(root: Node) -> bool:
    """Whether a program is a module: by the suffix of its file, or as it imports or exports."""
    name = root.source.name
    if name.endswith((".mjs", ".mts", ".cjs", ".cts")):
        return name.endswith((".mjs", ".mts"))
    return any(each.kind in ("import_statement", "export_statement") for each in root.children)


def pattern_names(pattern: Node) -> Iterator[Node]:
    """The names that a pattern binds, in order."""
    waiting = [pattern]
    while waiting:
        node = waiting.pop()
        if node.kind in ("identifier", "shorthand_property_identifier_pattern"):
            yield node
        elif node.kind in ("assignment_pattern", "object_assignment_pattern"):
            waiting.append(node["left"])
        elif node.kind == "pair_pattern":
            waiting.append(node["value"])
        elif node.kind in PATTERNS:
            waiting.extend(reversed(node.children))


def imported_names(statement: Node) -> Iterator[Node]:
    """The names that an ``import`` declares."""
    for clause in statement.children:
        for each in clause.children if clause.kind == "import_clause" else ():
            if each.kind == "identifier":
                yield each
            elif each.kind == "namespace_import":
                yield each.children[0]
            else:
                yield from (specifier.get("alias") or specifier["name"] for specifier in each.children)
