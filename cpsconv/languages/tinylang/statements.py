"""The statements of a procedure, or of the body of a module."""

from __future__ import annotations

from functools import partial

from cpsconv.core.construction import Builder, Variable
from cpsconv.core.construction.structured import BranchTo, conditional, loop
from cpsconv.core.ir import INT, VOID, Constant, InMemory, Program, SourceVariables, Undef
from cpsconv.core.source import Source
from cpsconv.core.trampoline import Work, perform, run
from cpsconv.languages.tinylang import tree
from cpsconv.languages.tinylang.expressions import Expressions
from cpsconv.languages.tinylang.objects import Items, Nest, code_parameters, parameters, result_of
from cpsconv.languages.tinylang.scopes import Errors, Module, Procedure
from cpsconv.languages.tinylang.types import NIL, UNKNOWN, Array, Record


def program_of(
    modules: list[Module], builder: Builder, errors: Errors, source: Source, entry: str | None = None
) -> Program:
    """The program of the modules. Adds errors and warnings; with errors, it is not to be used.

    The function `entry` of the program executes the bodies of the modules first.
    """
    items = Items(builder, modules, entry)
    nest = Nest(items)
    for module in modules:
        for procedure in module.procedures:
            Statements(items, procedure, nest, errors).function()
    bodies = [module.body for module in modules if module.body]
    if bodies:
        _construct_main(items, bodies, modules[-1], nest, errors)
    if items.started and entry:
        _construct_start(items, entry, items.started)
    for procedure in items.with_code:  # grows
        _construct_code(items, procedure)
    return builder.program(source)


def _construct_main(items: Items, bodies: list[Procedure], module: Module, nest: Nest, errors: Errors) -> None:
    """The function that executes the bodies of the modules, each after those that it imports."""
    b, calls = items.builder, []
    for body in bodies:
        if body is not module.body:
            calls.append(items.declare(f"{body.name}_body", body, []))
            b.function(calls[-1].name, [], VOID, body.span)
            Statements(items, body, nest, errors).statements()
            b.ret(span=body.block.end)
            b.finish()
    b.function(items.main.name, [], INT, module.span)
    for call in calls:
        b.call(call, [], module.span)
    if module.body:
        Statements(items, module.body, nest, errors, is_main=True).statements()
    b.ret(Constant(INT, 0), module.body.block.end if module.body else module.span)
    b.finish()


def _construct_start(items: Items, name: str, procedure: Procedure) -> None:
    """The function that executes the bodies of the modules, and then the procedure."""
    b, variables, span = items.builder, parameters(procedure), procedure.span
    b.function(name, variables, result_of(procedure), span)
    b.call(items.main, [], span)
    _return_call(items, procedure, variables)


def _return_call(items: Items, procedure: Procedure, variables: list[Variable]) -> None:
    b, span = items.builder, procedure.span
    arguments = [b.read_variable(variable, span) for variable in variables]
    b.ret(b.call(items.functions[procedure], arguments, span), span)
    b.finish()


def _construct_code(items: Items, procedure: Procedure) -> None:
    """The code of the closures of a procedure."""
    if procedure.captured:
        nest = Nest(items, procedure)
        nest.pending.append(procedure)
        for each in nest.pending:  # grows
            Statements(items, each, nest, Errors([])).function()
    else:
        variables = code_parameters(procedure)
        items.builder.function(items.codes[procedure].name, variables, result_of(procedure), procedure.span)
        _return_call(items, procedure, variables[1:])


class Statements(Expressions):
    """The statements of a procedure in a nest, or of the body of a module. `is_main`: that of the main module."""

    def __init__(self, items: Items, procedure: Procedure, nest: Nest, errors: Errors, is_main: bool = False) -> None:
        super().__init__(items, procedure, nest, errors)
        self.is_main = is_main

    def function(self) -> None:
        """Build the function of the procedure."""
        procedure, b, end = self.procedure, self.b, self.procedure.block.end
        self.enter(self.nest.open(procedure))
        perform(self._sequence(procedure.block.statements or []))
        if b.current is not None:
            result = result_of(procedure)
            if result is not VOID and b.current.is_reached:
                self.errors.warn(f"`{procedure.name}` may end without returning a value", end, "return-type")
            self.leave(end)
            b.ret(None if result is VOID else Undef(result, f"{procedure.name}()", end), end)
        function = b.finish()
        own = [each for each in [*procedure.parameters, *procedure.variables] if not each.is_reference]
        kept = [InMemory(each.name, each.span, *each.in_memory) for each in own if each.in_memory]
        if kept:
            b.variables[function] = SourceVariables(len(own) - len(kept), kept)

    def statements(self) -> None:
        """Lower the statements of the body of a module."""
        self.enter([])
        perform(self._sequence(self.procedure.block.statements or []))

    def _sequence(self, nodes: list[tree.Statement]) -> Work:
        for node in nodes:
            if isinstance(node, tree.Conditional):
                arms = [
                    (self._condition(condition, "ELSIF" if number else "IF"), partial(self._sequence, body))
                    for number, (condition, body) in enumerate(node.arms)
                ]
                yield conditional(self.b, arms, partial(self._sequence, node.otherwise), node.span)
            elif isinstance(node, tree.Loop):
                condition = self._condition(node.condition, "WHILE")
                yield loop(self.b, condition, partial(self._sequence, node.body), node.span)
            elif isinstance(node, tree.Assignment):
                self._assign(node)
            elif isinstance(node, tree.Call):
                call = run(self.call(node))
                if call.type not in (NIL, UNKNOWN):
                    message = f"the value that `{node.callee.name.text}` returns is not used"
                    self.errors.add(message, node.span, "unused-result", "assign it to a variable")
            elif node is not None:
                self._return(node)

    def _assign(self, node: tree.Assignment) -> None:
        """The assignment: the value is computed before the place."""
        self.entry(node.target)  # reports an unknown name where it is first
        value = run(self.expression(node.value))
        target = run(self.place(node.target, "the target of `:=`"))
        if target is None:
            return
        self.change(target)
        if not self.require(value, target.type, f"the value for `{node.target.name.text}`"):
            return
        if isinstance(target.type, (Array, Record)):
            of = self.items.struct(target.type)
            self.b.effect("copy", value.value, self.read(target), of=of, span=node.span)
        else:
            self.write(target, value.value, node.span)

    def _return(self, node: tree.Return) -> None:
        value = None if node.value is None else run(self.expression(node.value))
        result, name = self.procedure.result, self.procedure.name
        if result and value:
            self.require(value, result, f"the value that `{name}` returns")
        elif value:
            self.errors.add(f"`{name}` returns no value", value.span, "type-mismatch")
        elif result:
            self.errors.add(f"`{name}` returns a value of the type `{result.name}`", node.span, "type-mismatch")
        self.leave(node.span)
        self.b.ret(Constant(INT, 0) if self.is_main else value.value if value else None, node.span)

    def _condition(self, node: tree.Expression, word: str) -> BranchTo:
        return lambda then, otherwise: run(self.branch(node, then, otherwise, f"the condition of `{word}`"))
