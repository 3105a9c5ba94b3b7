"""The lowering of a program: its functions, one after the other, by calls of the Builder."""

from __future__ import annotations

from cpsconv.abi.javascript import MODULE, VALUE
from cpsconv.abi.javascript.facts import ModuleFacts, export_text
from cpsconv.core import ir
from cpsconv.core.construction import Builder
from cpsconv.core.source import Diagnostic, Source, in_source_order
from cpsconv.core.trampoline import Computation, run
from cpsconv.languages.javascript.closures import Closures, implicit_of, is_passed, parameters_in_program
from cpsconv.languages.javascript.emission import Emission
from cpsconv.languages.javascript.expressions import Expressions
from cpsconv.languages.javascript.scope_walk import exported_names
from cpsconv.languages.javascript.scope_warnings import scope_warnings
from cpsconv.languages.javascript.scopes import Function, Program, parameters_of
from cpsconv.languages.javascript.start import construct_start, declare_start
from cpsconv.languages.javascript.statements import Statements
from cpsconv.languages.javascript.syntax import Node
from cpsconv.languages.javascript.variables import Variables


class Lowering:
    """Constructs the program of a source when called. A run starts the function `started`, if it is given."""

    def __init__(self, program: Program, source: Source, started: Function | None = None) -> None:
        self.program, self.source, self.started = program, source, started

    def __call__(self, builder: Builder, warnings: list[Diagnostic]) -> ir.Program:
        if self.started:
            declare_start(builder, self.started)
        closures = Closures(builder, self.program)
        found = [*scope_warnings(self.program)]
        for function in [self.program.root, *self.program.functions.values()]:
            _FunctionLowering(builder, function, closures, found).lower()
        if self.started:
            construct_start(builder, self.started, closures)
        warnings += in_source_order(found)
        builder.attributes = {MODULE: _facts(self.program).text()}
        return builder.program(self.source)


class _FunctionLowering:
    """The lowering of one function."""

    def __init__(self, builder: Builder, function: Function, closures: Closures, warnings: list[Diagnostic]) -> None:
        self.b, self.function, self.closures = builder, function, closures
        self.emission = Emission(builder)
        self.variables = Variables(self.emission, closures.program, function)
        self.expressions = Expressions(self.emission, self.variables, closures)
        self.statements = Statements(self.emission, self.expressions, warnings)

    def lower(self) -> None:
        """Construct the function."""
        function, span = self.function, self.function.node.span
        declared = self.closures.functions[function]
        parameters = parameters_in_program(function)
        opened = self.b.function(declared.name, parameters, VALUE)
        run(self._body([*opened.parameters[: len(parameters)]]))  # explicit memory would follow
        if self.b.current is not None:
            self.b.ret(self.emission.undefined(span), span)
        finished = self.b.finish()
        kept = [ir.InMemory(each.name, each.span, *each.cell) for each in function.bindings if each.cell]
        values = [each for each in function.bindings if not each.cell and not each.is_module]
        if kept:
            self.b.variables[finished] = ir.SourceVariables(len(values), kept)

    def _body(self, parameters: list[ir.Value]) -> Computation[None]:
        node = self.function.node
        captured = [*filter(is_passed, self.function.captured)]
        implicit = [*implicit_of(self.function)]
        own = len(captured) + len(implicit)
        for binding, value in zip(captured, parameters, strict=False):
            self.b.write_variable(self.variables.variable(binding), value, binding.span)
        for binding, value in zip(implicit, parameters[len(captured) : own], strict=True):
            self.variables.start(binding, value, binding.span)
        self._create_implicit()
        yield self._parameters(parameters[own:])
        if node.kind == "program":
            self.statements.scope(node, node.children)
            yield self.statements.sequence(node.children)
            return
        body = node["value" if self.function.kind == "field" else "body"]
        if body.kind == "statement_block":
            self.statements.scope(body, body.children)
            yield self.statements.sequence(body.children)
        else:
            value = yield self.expressions.value(body)
            self.b.ret(value, body.span)

    def _create_implicit(self) -> None:
        """Give `this` of a derived class and `new.target` of the program their first values."""
        this, target = map(self.function.implicit.get, ("this", "new.target"))
        if this and self.function.is_derived:
            self.variables.start(this, self.emission.operation("uninitialised", span=this.span), this.span)
        if target and self.function.kind == "program":
            self.variables.start(target, self.emission.undefined(target.span), target.span)

    def _parameters(self, values: list[ir.Value]) -> Computation[None]:
        """Give the parameters their first values; those in patterns have cells and marks before."""
        is_simple = self.function.has_simple_parameters
        for binding in () if is_simple else self.function.parameters.names.values():
            if binding.kind == "parameter" and (binding.cell or binding.is_marked):
                mark = self.emission.operation("uninitialised", span=binding.span)
                self.variables.start(binding, mark, binding.span)
        for node, value in zip(parameters_of(self.function.node), values, strict=True):
            if is_simple:
                self._start_parameter(node.text, value)
            else:
                target = node.children[0] if node.kind == "rest_pattern" else node
                yield self.expressions.assign(target, value, is_declaration=True)

    def _start_parameter(self, name: str, value: ir.Value) -> None:
        binding = self.function.parameters.names[name]
        if self.function.has_mapped_arguments:
            value = self.emission.operation("parameter_cell", value, operand=name, span=binding.span)
            self.b.write_variable(self.variables.variable(binding), value, binding.span)
        else:
            self.variables.start(binding, value, binding.span)


def _item(node: Node) -> str:
    """The text of an import or export, without comments and what is erased."""
    if node.kind in ("import_clause", "named_imports", "export_clause"):
        names = ", ".join(map(_item, node.children))
        return names if node.kind == "import_clause" else f"{{ {names} }}" if names else "{}"
    if node.kind == "string" or not node.parts:
        return node.text
    return " ".join(_item(each) for each in node.parts if each.kind != ";")


def _facts(program: Program) -> ModuleFacts:
    """The kind of a program, and the imports and exports of a module."""
    items = list[str]()
    for node in program.root.node.children:
        is_default = "default" in node.words
        if node.kind == "import_statement" or (
            node.kind == "export_statement" and not node.get("declaration") and not node.get("value")
        ):
            items.append(f"{_item(node)};")
        elif node.kind == "export_statement":
            names = [program.default] if node.get("value") else [*exported_names(node)]
            items.append(export_text(names, is_default))
    if program.is_module and not items:
        items.append("export {};")  # without imports and exports, it would be a script
    return ModuleFacts(program.is_module, items)
