"""Reads and assignments of names: values, cells, variables of the module, and global names."""

from __future__ import annotations

from cpsconv.abi.javascript import CELL, VALUE
from cpsconv.core.construction import Variable
from cpsconv.core.ir import Value
from cpsconv.core.source import Span
from cpsconv.languages.javascript.captures import needs_check
from cpsconv.languages.javascript.emission import Emission
from cpsconv.languages.javascript.scopes import LEXICAL, Binding, Function, Program, Scope
from cpsconv.languages.javascript.syntax import Node


class LoopAssignments:
    """The variables that a loop may assign after its initializer: a container for `Builder.continuation`."""

    def __init__(self, loop: Node, bindings: dict[Variable, Binding]) -> None:
        self._loop, self._bindings = loop, bindings
        initializer = loop.get("initializer")
        self._start = initializer.end if initializer else loop.start

    def __contains__(self, variable: object) -> bool:
        binding = self._bindings.get(variable)  # type: ignore[call-overload]
        if binding is None:
            return True
        start, end, scope = self._start, self._loop.end, binding.scope.node
        if start <= scope.start and scope.end <= end:
            return True
        if binding.cell:
            return scope is self._loop  # there is a new cell for each iteration
        return any(start < offset <= end for offset, _, _ in binding.assigned)


class Variables:
    """The variables of a function under construction."""

    def __init__(self, emission: Emission, program: Program, function: Function) -> None:
        self.emission, self.program, self.function = emission, program, function
        self.bindings: dict[Variable, Binding] = {}
        self._variables: dict[Binding, Variable] = {}

    def variable(self, binding: Binding) -> Variable:
        """The variable of a binding, whose value is the cell if it is a cell."""
        found = self._variables.get(binding)
        if found is None:
            found = Variable(binding.name, CELL if binding.cell else VALUE, binding.span)
            self._variables[binding] = found
            self.bindings[found] = binding
        return found

    def open(self, scope: Scope, span: Span) -> None:
        """Create the variables of a scope, whose block control enters."""
        for binding in scope.names.values():
            if binding.function is self.function and not binding.is_module and binding.kind != "parameter":
                self._create(binding, span)

    def _create(self, binding: Binding, span: Span) -> None:
        emission = self.emission
        if binding.origin:
            initial = self.current(binding.origin, span)
        elif binding.is_marked:
            initial = emission.operation("uninitialised", span=span)
        elif binding.cell or binding.kind == "var":
            initial = emission.undefined(span)
        else:
            return
        self.start(binding, initial, span)

    def start(self, binding: Binding, value: Value, span: Span) -> None:
        """Give a variable its first value, and its cell if it is one."""
        if binding.cell:
            value = self.emission.operation("cell", value, operand=binding.name, span=span)
        self.emission.b.write_variable(self.variable(binding), value, span)

    def copy(self, scope: Scope, span: Span) -> None:
        """Create new cells, for the next iteration of a loop, with the contents of the present ones."""
        for binding in scope.names.values():
            if binding.cell:
                self.start(binding, self.current(binding, span), span)

    # ------------------------------------------------------------------------------------------------- reads

    def current(self, binding: Binding, span: Span) -> Value:
        """The present value of a variable, without a check."""
        value = self.captured(binding, span)
        return self.emission.operation("get_cell", value, operand=binding.name, span=span) if binding.cell else value

    def captured(self, binding: Binding, span: Span) -> Value:
        """What a closure that captures a variable gets: its present value, or its cell."""
        is_own_this = binding.kind == "this" and binding.function is self.function
        if is_own_this and self.function.kind == "program":
            return self.emission.operation("this_module", span=span)
        value = self.emission.b.read_variable(self.variable(binding), span)
        is_converted = is_own_this and not self.function.is_strict
        return self.emission.operation("sloppy_this", value, span=span) if is_converted else value

    def read(self, node: Node, is_typeof: bool = False) -> Value:
        """The value of a name, or of `this` or `new.target`; `typeof` of a name that does not exist is no error."""
        binding, function, _ = self.program.references[node.start]
        if binding is None and node.text == "undefined":
            return self.emission.undefined(node.span)
        if binding is None or binding.is_module:
            name = node.text if binding is None or binding.kind != "this" else "this"
            operation = ("typeof_variable" if is_typeof else "global") if binding is None else "variable"
            return self.emission.operation(operation, operand=name, span=node.span)
        value = self.current(binding, node.span)
        if needs_check(binding, function, node.start):
            self.emission.operation("check", value, operand=binding.name, span=node.span)
        return value

    def is_global(self, node: Node) -> bool:
        """Whether a name is declared nowhere in the program."""
        return self.program.references[node.start].binding is None

    # ------------------------------------------------------------------------------------------- assignments

    def assign(self, node: Node, value: Value) -> None:
        """Assign to the variable that a name denotes."""
        binding, function, _ = self.program.references[node.start]
        if binding is None:
            name = "set_global" if self.function.is_strict else "set_global_sloppy"
            self.emission.operation(name, value, operand=node.text, span=node.span)
            return
        if not binding.is_module and needs_check(binding, function, node.start):
            self.emission.operation("check", self.current(binding, node.span), operand=binding.name, span=node.span)
        if binding.is_constant:
            if binding.kind != "self" or self.function.is_strict:
                self.emission.operation("assign_constant", operand=binding.name, span=node.span)
        else:
            self.write(binding, value, node.span)

    def initialise(self, node: Node, value: Value) -> None:
        """Give the declared variable its first value."""
        binding = self.program.references[node.start].binding
        assert binding
        self.begin(binding, value, node.span)

    def begin(self, binding: Binding, value: Value, span: Span) -> None:
        """Give a declared variable, which exists, its first value."""
        if binding.is_module and binding.kind in (*LEXICAL, "function"):
            self.emission.operation("initialise", value, operand=binding.name, span=span)
        else:
            self.write(binding, value, span)

    def write(self, binding: Binding, value: Value, span: Span) -> None:
        """Assign to a variable, without a check."""
        if binding.is_module:
            self.emission.operation("set_variable", value, operand=binding.name, span=span)
        elif binding.cell:
            cell = self.emission.b.read_variable(self.variable(binding), span)
            self.emission.operation("set_cell", cell, value, operand=binding.name, span=span)
        else:
            self.emission.b.write_variable(self.variable(binding), value, span)
