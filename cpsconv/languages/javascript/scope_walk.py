"""The walk over a tree that finds its scopes: first all declarations and uses, then what each use denotes.

`var` and functions are hoisted, so uses are resolved when the walk is complete. The functions of the walk are work for
`cpsconv.core.trampoline`: trees may be nested deeply.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from cpsconv.core.source import Span
from cpsconv.core.trampoline import Work, perform
from cpsconv.languages.javascript import jsx, literals
from cpsconv.languages.javascript.scopes import (
    CLASSES,
    DECLARED_FUNCTIONS,
    FUNCTIONS,
    LEXICAL,
    LOOPS,
    PATTERNS,
    Binding,
    Function,
    Program,
    Reference,
    Scope,
    has_use_strict,
    imported_names,
    parameters_of,
    pattern_names,
)
from cpsconv.languages.javascript.syntax import Node, unparenthesised


class _Use(NamedTuple):
    """A use of a name, to be resolved; an assignment is complete at `assigned`."""

    node: Node
    name: str
    scope: Scope
    reads: bool
    assigned: int | None
    is_declaration: bool


_NAMING = ("identifier", "shorthand_property_identifier_pattern", "property_identifier", "string", "number")
"""The kinds of targets and keys that give functions their names."""


class ScopeWalk:
    """Finds the scopes of a program."""

    def __init__(self, root: Node, as_module: bool) -> None:
        self.program = Program(root, as_module)
        self.uses: list[_Use] = []
        self.elements = dict[Scope, Span]()
        function = self.program.root
        function.parameters = function.body = self._opened(root, function, None)
        self.scope = function.body

    def run(self) -> Program:
        """The program, with all references resolved."""
        root = self.program.root
        self._hoist(root.node.children, root.body)
        perform(self._all(root.node.children))
        for use in sorted(self.uses, key=lambda use: use.assigned is None):  # assignments first
            self._resolve(use)
        for name in self.program.exported & root.body.names.keys():
            root.body.names[name].is_module = True
        for scope in self.elements:
            self._keep_factory(scope)
        return self.program

    # -------------------------------------------------------------------------------------------- declarations

    def _opened(self, node: Node, function: Function, parent: Scope | None) -> Scope:
        scope = self.program.scopes[node] = Scope(node, function, parent)
        return scope

    def _declare(self, name: str, kind: str, span: Span, scope: Scope) -> Binding:
        binding = scope.names.get(name)
        if binding is None:
            binding = scope.names[name] = Binding(name, kind, span, scope)
            scope.function.bindings.append(binding)
        return binding

    def _declare_var(self, name: Node) -> Binding:
        """Declare a name in the body of its function; a parameter of this name is the same variable, or its origin."""
        function = self.scope.function
        parameter = function.parameters.names.get(name.text) if function.body is not function.parameters else None
        if parameter and function.has_simple_parameters and function.body.names.get(name.text) is None:
            return function.body.names.setdefault(name.text, parameter)
        binding = self._declare(name.text, "var", name.span, function.body)
        binding.origin = binding.origin or parameter
        return binding

    def _hoist(self, statements: list[Node], scope: Scope) -> None:
        """Declare the functions, classes and lexical variables of a list of statements in their scope."""
        for each in statements:
            node = each
            if node.kind == "export_statement":
                declaration = node.get("declaration")
                if declaration is None:
                    continue
                node = declaration
            while node.kind == "labeled_statement":
                node = node["body"]
            if node.kind in DECLARED_FUNCTIONS:
                self._hoist_function(node, scope)
            elif node.kind == "class_declaration":
                self._declare(node["name"].text, "class", node["name"].span, scope).initialised = node.end
            elif node.kind == "lexical_declaration":
                self._declare_lexical(node, scope)

    def _declare_lexical(self, node: Node, scope: Scope) -> None:
        for declarator in node.children:
            for name in pattern_names(declarator["name"]):
                binding = self._declare(name.text, node["kind"].kind, name.span, scope)
                binding.initialised = declarator.end

    def _hoist_function(self, node: Node, scope: Scope) -> None:
        name, function = node["name"], scope.function
        outermost = scope is function.body
        if outermost and function.body is not function.parameters and function.has_simple_parameters:
            parameter = function.parameters.names.get(name.text)
            if parameter:
                scope.names.setdefault(name.text, parameter)
        binding = self._declare(name.text, "function", name.span, scope)
        binding.assigned.append((scope.node.start, function, name.span))
        if not outermost and not function.is_strict and node.kind == "function_declaration":
            around = [each for each in scope.chain() if each.function is function][1:]
            hides = any(name.text in each.names for each in around if each is not function.body)
            outer = function.body.names.get(name.text)
            if not hides and (outer is None or outer.kind in ("var", "function", "parameter")):
                self.program.copies[node.start] = binding, self._declare_var(name)

    # ---------------------------------------------------------------------------------------------------- walk

    def _all(self, nodes: list[Node]) -> Work:
        for node in nodes:
            yield self._visit(node)

    def _visit(self, node: Node) -> Work:
        method = getattr(self, f"_visit_{node.kind}", None)
        if method is not None:
            yield method(node)
        elif node.kind in FUNCTIONS:
            yield self._function(node, FUNCTIONS[node.kind])
        elif node.kind in CLASSES:
            yield self._class(node)
        elif node.kind in LOOPS:
            yield self._loop(node)
        else:
            yield self._all(node.children)

    def _within(self, node: Node, statements: list[Node], parts: list[Node]) -> Work:
        """Visit the parts of a node that is a scope; it declares the names of the statements."""
        before, self.scope = self.scope, self._opened(node, self.scope.function, self.scope)
        self._hoist(statements, self.scope)
        yield self._all(parts)
        self.scope = before

    def _visit_statement_block(self, node: Node) -> Work:
        yield self._within(node, node.children, node.children)

    def _visit_switch_statement(self, node: Node) -> Work:
        yield self._visit(node["value"])
        body = node["body"]
        statements = [each for case in body.children for each in case.all("body")]
        yield self._within(body, statements, body.children)

    def _visit_catch_clause(self, node: Node) -> Work:
        before, self.scope = self.scope, self._opened(node, self.scope.function, self.scope)
        parameter = node.get("parameter")
        if parameter:
            for name in pattern_names(parameter):
                self._declare(name.text, "catch", name.span, self.scope)
            yield self._pattern(parameter, parameter.end, declares=True)
        yield self._visit(node["body"])
        self.scope = before

    def _loop(self, node: Node) -> Work:
        self.scope.function.loops.append(node)
        before, self.scope = self.scope, self._opened(node, self.scope.function, self.scope)
        if node.kind == "for_in_statement":
            yield self._for_in(node)
        else:
            self._hoist([*node.all("initializer")], self.scope)
            yield self._all(node.children)
        self.scope = before

    def _for_in(self, node: Node) -> Work:
        kind = node.get("kind")
        left = node["left"]
        if kind:
            for name in pattern_names(left):
                if kind.kind == "var":
                    self._declare_var(name)
                else:
                    self._declare(name.text, kind.kind, name.span, self.scope).initialised = node["right"].end
        yield self._visit(node["right"])
        yield self._pattern(left, node["body"].start, declares=kind is not None)
        yield self._visit(node["body"])

    def _visit_variable_declaration(self, node: Node) -> Work:
        for declarator in node.children:
            for name in pattern_names(declarator["name"]):
                self._declare_var(name)
            if declarator.get("value"):
                yield self._pattern(declarator["name"], declarator.end)
                yield self._named(declarator["value"], declarator["name"])

    def _visit_lexical_declaration(self, node: Node) -> Work:
        for declarator in node.children:
            yield self._pattern(declarator["name"], declarator.end, declares=True)
            if declarator.get("value"):
                yield self._named(declarator["value"], declarator["name"])

    def _named(self, value: Node, name: Node) -> Work:
        """Visit a value; a function or class in it without a name gets the name of its target or property."""
        yield self._visit(value)
        known = literals.name_text(name)
        function = self._give_name(value, known) if name.kind in _NAMING else None
        binding = self.scope.names.get(known)
        if function and binding and binding.kind == "const" and binding.span.start == name.start:
            binding.declared = function

    def _give_name(self, value: Node, name: str) -> Function | None:
        """Give a function or class without a name this one. The result is the function, if it is one."""
        inner = unparenthesised(value)
        if inner.kind == "class" and inner.get("name") is None:
            self.program.class_names[inner.start] = name
        elif inner.kind in FUNCTIONS and inner.kind not in DECLARED_FUNCTIONS:
            function = self.program.functions[inner.start]
            function.name = function.name or name
            return function
        return None

    def _visit_jsx_opening_element(self, node: Node) -> Work:
        self.elements.setdefault(self.scope, node.span)
        name = node.get("name")
        yield self._all([each for each in node.children if each is not name or not jsx.is_intrinsic(each)])

    _visit_jsx_self_closing_element = _visit_jsx_opening_element

    def _visit_jsx_closing_element(self, node: Node) -> Work:
        yield from ()

    def _visit_jsx_attribute(self, node: Node) -> Work:
        value = jsx.attribute_value(node)
        if value:
            yield self._named(value, node.children[0])

    def _visit_pair(self, node: Node) -> Work:
        yield self._visit(node["key"])
        yield self._named(node["value"], node["key"])

    def _visit_assignment_expression(self, node: Node) -> Work:
        left = unparenthesised(node["left"])
        yield self._pattern(left, node.end)
        yield self._named(node["right"], left)

    def _visit_augmented_assignment_expression(self, node: Node) -> Work:
        left = unparenthesised(node["left"])
        yield self._target(left, node.end, reads=True)
        yield self._named(node["right"], left)

    def _visit_update_expression(self, node: Node) -> Work:
        yield self._target(unparenthesised(node["argument"]), node.end, reads=True)

    def _target(self, node: Node, end: int, reads: bool = False, declares: bool = False) -> Work:
        if node.kind in ("identifier", "shorthand_property_identifier_pattern"):
            self._use(node, node.text, reads=reads, assigned=end, declares=declares)
        else:
            yield self._visit(node)

    def _pattern(self, node: Node, end: int, declares: bool = False) -> Work:
        """Visit a pattern, whose names are assigned when the offset `end` is reached; it may declare them."""
        if node.kind in ("assignment_pattern", "object_assignment_pattern"):
            yield self._pattern(node["left"], end, declares)
            yield self._named(node["right"], node["left"])
        elif node.kind == "pair_pattern":
            yield self._visit(node["key"])
            yield self._pattern(node["value"], end, declares)
        elif node.kind in PATTERNS:
            for each in node.children:
                yield self._pattern(each, end, declares)
                for name in pattern_names(each) if declares and each is not node.children[-1] else ():
                    if binding := self.scope.names.get(name.text):  # not a `var`
                        binding.parts.append(range(each.end, node.end))
        else:
            yield self._target(unparenthesised(node), end, declares=declares)

    # ------------------------------------------------------------------------------------------------- functions

    def _function(self, node: Node, kind: str) -> Work:
        outer, name = self.scope, node.get("name")
        if kind == "method" and name:
            yield self._visit(name)
        is_declared = node.kind in DECLARED_FUNCTIONS
        position = outer.node.start if is_declared else node.start
        body = node["body"]
        is_strict = outer.function.is_strict or kind in ("field", "static") or has_use_strict(body)
        function = Function(node, kind, outer.function, position, is_strict)
        self.program.functions[node.start] = function
        if name:
            function.name = name.text
        function.parameters = function.body = self.scope = self._opened(node, function, outer)
        if is_declared:
            self._own_name(node["name"].text, function, outer)
        elif kind == "function" and name:
            function.implicit["self"] = self._declare(name.text, "self", name.span, self.scope)
        for each in parameters_of(node):
            for each_name in pattern_names(each):
                self._declare(each_name.text, "parameter", each_name.span, function.parameters).initialised = each.end
            yield self._pattern(each, each.end, declares=True)
        yield self._body(function, body)
        self.scope = outer

    def _own_name(self, name: str, function: Function, outer: Scope) -> None:
        binding = outer.names.get(name)
        if binding:
            binding.declared = function

    def _body(self, function: Function, body: Node) -> Work:
        if body.kind == "statement_block":
            function.body = self.scope = self._opened(body, function, function.parameters)
            self._hoist(body.children, self.scope)
            yield self._all(body.children)
        else:
            yield self._visit(body)

    def _class(self, node: Node) -> Work:
        outer, name = self.scope, node.get("name")
        heritage = [each for each in node.children if each.kind == "class_heritage"]
        self.scope = self._opened(node, outer.function, outer)
        if name:
            binding = self._declare(name.text, "class name", name.span, self.scope)
            binding.initialised = node.end
            binding.assigned.append((node.end, outer.function, name.span))
            if node.kind == "class_declaration":
                self._use(name, name.text, reads=False, assigned=node.end, scope=outer, declares=True)
        strict, outer.function.is_strict = outer.function.is_strict, True
        yield self._all(heritage)
        for member in node["body"].children:
            yield self._member(member, bool(heritage))
        outer.function.is_strict = strict
        self.scope = outer

    def _member(self, member: Node, is_derived: bool) -> Work:
        if member.kind == "method_definition":
            yield self._function(member, "method")
            function = self.program.functions[member.start]
            function.is_derived = is_derived and function.name == "constructor" and "static" not in member.words
        elif member.kind == "class_static_block":
            yield self._initialiser(member, "static", member["body"])
        elif member.kind == "field_definition":
            yield self._visit(member["property"])
            value = member.get("value")
            if value:
                yield self._initialiser(member, "field", value)

    def _initialiser(self, member: Node, kind: str, body: Node) -> Work:
        outer = self.scope
        function = Function(member, kind, outer.function, member.start, True)
        self.program.functions[member.start] = function
        function.parameters = function.body = self.scope = Scope(member, function, outer)
        self.program.scopes[member] = self.scope
        yield self._body(function, body)
        self.scope = outer

    # -------------------------------------------------------------------------------------------------- references

    def _visit_identifier(self, node: Node) -> Work:
        self._use(node, node.text)
        yield from ()

    _visit_shorthand_property_identifier = _visit_identifier
    _visit_this = _visit_identifier

    def _visit_meta_property(self, node: Node) -> Work:
        if node.text.replace(" ", "") == "new.target":
            self._use(node, "new.target")
        yield from ()

    def _visit_super(self, node: Node) -> Work:
        self._use(node, "this")
        yield from ()

    def _visit_call_expression(self, node: Node) -> Work:
        if node["function"].kind == "super":
            yield self._visit(node["arguments"])
            self._use(node["function"], "this", reads=False, assigned=node.end)
        else:
            yield self._all(node.children)

    def _visit_import_statement(self, node: Node) -> Work:
        for name in imported_names(node):
            self._declare(name.text, "import", name.span, self.scope)
        yield from ()

    def _visit_export_statement(self, node: Node) -> Work:
        value = node.get("value")
        if value:
            name = self.program.default
            binding = self._declare(name, "const", node.span, self.scope)
            binding.initialised = node.end
            self._use(node, name, reads=False, assigned=node.end, declares=True)
            self.program.exported.add(name)
            yield self._visit(value)
            self._give_name(value, "default")
        elif node.get("source") is None:
            self.program.exported |= {*exported_names(node)}
            yield self._all(node.children)

    def _visit_export_specifier(self, node: Node) -> Work:
        self._use(node["name"], node["name"].text)
        yield from ()

    def _visit_break_statement(self, node: Node) -> Work:
        yield from ()

    _visit_continue_statement = _visit_break_statement

    def _use(
        self,
        node: Node,
        name: str,
        *,
        reads: bool = True,
        assigned: int | None = None,
        scope: Scope | None = None,
        declares: bool = False,
    ) -> None:
        self.uses.append(_Use(node, name, scope or self.scope, reads, assigned, declares))

    def _resolve(self, use: _Use) -> None:
        binding = self._implicit(use) if use.name in ("this", "new.target") else None
        if binding is None:
            binding = next((each.names[use.name] for each in use.scope.chain() if use.name in each.names), None)
        function = use.scope.function
        if binding is None and use.name == "arguments":
            binding = self._implicit(use)
        if binding is not None:
            binding = self._itself(binding, function)
            self._record(binding, use)
        self.program.references[use.node.start] = Reference(binding, function, use.is_declaration)

    def _keep_factory(self, scope: Scope) -> None:
        """Let the variable that a transformation of the elements in a scope may read keep its name and its values."""
        name = jsx.factory(self.program.root.node)
        binding = next((each.names[name] for each in scope.chain() if name in each.names), None)
        if binding:
            binding.reads += 1
            binding.is_module |= binding.scope is self.program.root.body
            if not binding.is_module and binding.kind in (*LEXICAL, "var", "function"):
                binding.cell = "an element may use it", self.elements[scope]

    def _implicit(self, use: _Use) -> Binding | None:
        """The binding of `this`, `arguments` or `new.target` of the nearest function that is no arrow function."""
        function = use.scope.function
        while function.kind == "arrow" and function.parent:
            function = function.parent
        if use.name == "arguments" and function.kind not in ("function", "method"):
            return None
        if use.name not in function.implicit:
            binding = Binding(use.name, use.name, use.node.span, function.parameters)
            binding.initialised = function.node.start
            function.implicit[use.name] = binding
        return function.implicit[use.name]

    def _itself(self, binding: Binding, function: Function) -> Binding:
        """The binding of a function's name inside the function, where it is never assigned again."""
        declared = binding.declared
        is_fixed = len(binding.assigned) == 1 and binding.kind in ("function", "const")
        if binding.function is self.program.root or declared is None or not is_fixed:
            return binding
        user: Function | None = function
        while user and user is not binding.function:
            if user is declared:
                if "self" not in user.implicit:
                    own = Binding(binding.name, "self", binding.span, user.parameters)
                    own.initialised = user.node.start
                    user.implicit["self"] = own
                return user.implicit["self"]
            user = user.parent
        return binding

    def _record(self, binding: Binding, use: _Use) -> None:
        function: Function | None = use.scope.function
        if use.assigned is not None:
            binding.assigned.append((use.assigned, use.scope.function, use.node.span))
        binding.reads += use.reads
        while function and function is not binding.function:
            function.captured.setdefault(binding, use.node.span)
            if function.parent is binding.function:
                binding.captures.append((function.position, function, use.node.span))
            function = function.parent


def exported_names(node: Node) -> Iterator[str]:
    """The names of variables that an ``export`` exports."""
    declaration = node.get("declaration")
    if declaration and declaration.get("name"):
        yield declaration["name"].text
    elif declaration:
        yield from (name.text for each in declaration.children for name in pattern_names(each["name"]))
    for clause in node.children:
        if clause.kind == "export_clause":
            yield from (each["name"].text for each in clause.children)
