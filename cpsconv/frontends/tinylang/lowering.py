"""The lowering of typed modules through the Builder: the program, and the statements of its procedures."""

from __future__ import annotations

from cpsconv.construction import Builder
from cpsconv.frontends.tinylang import typed_tree as t
from cpsconv.frontends.tinylang.names import MAIN
from cpsconv.frontends.tinylang.objects import Items, Scope, code_parameters, parameters, result_of
from cpsconv.frontends.tinylang.values import Values
from cpsconv.ir import INT, VOID, Constant, Function, InMemory, Program, SourceVariables, Undef
from cpsconv.source import Diagnostic, Source, Span, warning
from cpsconv.trampoline import Work, perform, run


class Lowering:
    """Constructs the program of typed modules. It can be called any number of times."""

    def __init__(
        self, modules: list[t.Module], warnings: list[Diagnostic], source: Source, entry: str | None = None
    ) -> None:
        self.modules = modules
        self.warnings = warnings
        self.source = source
        self.entry = entry

    def __call__(self, builder: Builder, warnings: list[Diagnostic]) -> Program:
        """The program, built with `builder`. Appends warnings."""
        warnings += self.warnings
        items = Items(builder, self.modules, self.entry)
        scope = Scope(items)
        for module in self.modules:
            for procedure in module.procedures:
                _Body(items, procedure, scope, warnings).procedure()
        main = self._main(items, scope, warnings)
        if main and self.entry and items.names.started:
            self._start(items, self.entry, items.names.started, main)
        for procedure in items.coded:  # appended to during iteration
            self._code(items, procedure)
        program = builder.program(self.source)
        program.symbols = items.symbols
        return program

    def _code(self, items: Items, procedure: t.Procedure) -> None:
        """The code of the closures of a procedure."""
        b = items.builder
        if procedure.captured:
            scope = Scope(items, procedure)
            _Body(items, procedure, scope, []).procedure()
            for each in scope.pending:  # appended to during iteration
                _Body(items, each, scope, []).procedure()
        else:
            variables = code_parameters(procedure)
            b.function(items.code(procedure).name, variables, result_of(procedure), procedure.span)
            arguments = [b.read_variable(variable, procedure.span) for variable in variables[1:]]
            b.ret(b.call(items.functions[procedure], arguments, procedure.span), procedure.span)
            b.finish()

    def _main(self, items: Items, scope: Scope, warnings: list[Diagnostic]) -> Function | None:
        """The function that executes the bodies of the modules, each after those that it imports, if they have any."""
        bodies = [module.body for module in self.modules if module.body]
        if not bodies:
            return None
        own, builder = self.modules[-1].body, items.builder
        calls = []
        for body in bodies:
            if body is not own:
                calls.append(builder.declare(items.names.fresh(f"{body.name}_body"), [], VOID, body.span))
                builder.function(calls[-1].name, [], VOID, body.span)
                _Body(items, body, scope, warnings).statements()
                builder.ret(span=body.end)
                builder.finish()
        span = self.modules[-1].span
        builder.function(MAIN, [], INT, span)
        for call in calls:
            builder.call(call, [], span)
        if own:
            _Body(items, own, scope, warnings, is_main=True).statements()
        builder.ret(Constant(INT, 0), own.end if own else span)
        return builder.finish()

    def _start(self, items: Items, name: str, procedure: t.Procedure, main: Function) -> None:
        """The function that executes the bodies of the modules, and then the procedure."""
        b, variables, span = items.builder, parameters(procedure), procedure.span
        b.function(name, variables, result_of(procedure), span)
        b.call(main, [], span)
        arguments = [b.read_variable(variable, span) for variable in variables]
        b.ret(b.call(items.functions[procedure], arguments, span), span)
        b.finish()


class _Body:
    """Lowers a procedure, or the body of a module."""

    def __init__(
        self, items: Items, procedure: t.Procedure, scope: Scope, warnings: list[Diagnostic], is_main: bool = False
    ) -> None:
        self._procedure = procedure
        self._warnings = warnings
        self._is_main = is_main
        self._items = items
        self._b = items.builder
        self._scope = scope
        self._values = Values(items, procedure, scope)

    def procedure(self) -> None:
        """Build the function of the procedure."""
        procedure, b = self._procedure, self._b
        self._values.enter(self._scope.open(procedure))
        self.statements()
        if procedure.result is not None and b.current is not None and b.current.is_reached:
            message = f"`{procedure.name}` may end without returning a value"
            self._warnings.append(warning(message, procedure.end, rule="return-type"))
        if b.current is not None:
            result = result_of(procedure)
            self._return(None if result is VOID else Undef(result, f"{procedure.name}()", procedure.end), procedure.end)
        function = b.finish()
        own = [each for each in [*procedure.parameters, *procedure.variables] if not each.is_reference]
        kept = [InMemory(each.name, each.span, *each.in_memory) for each in own if each.in_memory]
        if kept:
            b.variables[function] = SourceVariables(len(own) - len(kept), kept)

    def statements(self) -> None:
        """Lower the statements."""
        if self._procedure.name and self._procedure not in self._items.functions:
            self._values.enter([])
        perform(self._sequence(self._procedure.statements))

    def _sequence(self, statements: list[t.Statement]) -> Work:
        for each in statements:
            if isinstance(each, t.If):
                yield self._if(each)
            elif isinstance(each, t.While):
                yield self._while(each)
            else:
                run(self._simple(each))

    def _simple(self, node: t.Assign | t.Copy | t.Call | t.Return) -> object:
        if isinstance(node, t.Assign):
            return self._values.assign(node)
        if isinstance(node, t.Copy):
            return self._values.copy(node)
        if isinstance(node, t.Call):
            return self._values.call(node)
        value = None if node.value is None else run(self._values.value(node.value))
        if self._is_main:
            value = Constant(INT, 0)
        self._return(value, node.span)
        return None

    def _return(self, value: object, span: Span | None) -> None:
        self._values.leave(span)
        self._b.ret(value, span)  # type: ignore[arg-type]

    def _if(self, node: t.If) -> Work:
        b = self._b
        join = b.continuation("endif", span=node.span)
        for condition, statements in node.arms:
            then, otherwise = b.continuation("then", span=node.span), b.continuation("else", span=node.span)
            run(self._values.branch(condition, then, otherwise))
            b.open(then)
            yield self._sequence(statements)
            b.jump(join, node.span)
            b.open(otherwise)
        yield self._sequence(node.otherwise)
        b.jump(join, node.span)
        b.open(join)

    def _while(self, node: t.While) -> Work:
        b = self._b
        header, body, exit = [b.continuation(name, span=node.span) for name in ("while", "body", "exit")]
        b.jump(header, node.span)
        b.enter(header)
        run(self._values.branch(node.condition, body, exit))
        b.open(body)
        yield self._sequence(node.body)
        b.jump(header, node.span)
        b.seal(header)
        b.open(exit)
