"""The items of the program: object types, the variables of modules, functions, and closures of procedure values.

A nested procedure is a nested function. A procedure value is a pointer to a *closure*: a pointer to code, and the
variables of enclosing procedures that the procedure needs. The code is a function that takes the closure before the
arguments. It is no nested function, since its address is taken: see `Scope`.
"""

from __future__ import annotations

from cpsconv.construction import Builder, Variable
from cpsconv.frontends.tinylang import typed_tree as t
from cpsconv.frontends.tinylang import types as ty
from cpsconv.frontends.tinylang.names import Names, mangled
from cpsconv.ir import PTR, VOID, Array, Data, Function, ObjectType, Scalar, Struct, Value


def result_of(procedure: t.Procedure) -> Scalar:
    """The type of the function's result."""
    return VOID if procedure.result is None else ty.scalar(procedure.result)


class Items:
    """The items of one program under construction."""

    def __init__(self, builder: Builder, modules: list[t.Module], entry: str | None = None) -> None:
        self.builder = builder
        self.names = Names(modules, entry)
        self.data: dict[t.Variable, Data] = {}
        self.functions: dict[t.Procedure, Function] = {}
        self.symbols: dict[Function | Data, str] = {}
        self._types: dict[ty.Type, Struct] = {}
        self._closures: dict[t.Procedure, Struct] = {}
        self.codes: dict[t.Procedure, Function] = {}
        self.coded: list[t.Procedure] = []
        self._constants: dict[t.Procedure, Data] = {}
        for module in modules:
            self._declare(module)

    def _declare(self, module: t.Module) -> None:
        for variable in module.variables:
            name = self.names.variable(module.name, variable.name)
            data = self.builder.data(name, self.object_type(variable.type), span=variable.span)
            self.data[variable] = data
            self.symbols[data] = mangled(module.name, variable.name)
        for procedure in module.procedures:
            name, result = self.names.of[procedure], result_of(procedure)
            self.functions[procedure] = self.builder.declare(name, parameters(procedure), result, procedure.span)
            self.symbols[self.functions[procedure]] = mangled(module.name, *procedure.path)

    # --------------------------------------------------------------------------------------------------- types

    def object_type(self, type: ty.Type) -> ObjectType:
        """The type of such objects in memory."""
        if isinstance(type, ty.Array):
            return Array(self.object_type(type.element), type.length)
        return self.struct(type) if isinstance(type, ty.Record) else type.scalar

    def struct(self, type: ty.Array | ty.Record) -> Struct:
        """The struct that is copied as objects of the type are."""
        if type not in self._types:
            if isinstance(type, ty.Record):
                members = [(name, self.object_type(each)) for name, each in type.fields.items()]
            else:
                members = [("elements", self.object_type(type))]
            name = type.name if type.name.isidentifier() else "array"
            self._types[type] = self.builder.struct(name, members)
        return self._types[type]

    # ------------------------------------------------------------------------------------------------- closures

    def closure(self, procedure: t.Procedure) -> Struct:
        """The struct of the closures of a procedure."""
        if procedure not in self._closures:
            members: list[tuple[str, ObjectType]] = [("code", PTR)]
            for number, variable in enumerate(procedure.captured, 1):
                members.append((f"{variable.name}{number}", _captured_type(variable)))
            self._closures[procedure] = self.builder.struct(f"{self.names.of[procedure]}_closure", members)
        return self._closures[procedure]

    def code(self, procedure: t.Procedure) -> Function:
        """The function that a closure of the procedure points to."""
        if procedure not in self.codes:
            name, result = self.names.fresh(f"{self.names.of[procedure]}_value"), result_of(procedure)
            variables = code_parameters(procedure)
            self.codes[procedure] = self.builder.declare(name, variables, result, procedure.span)
            self.coded.append(procedure)
        return self.codes[procedure]

    def constant_closure(self, procedure: t.Procedure) -> Data:
        """The closure of a procedure that needs no variables of enclosing procedures."""
        if procedure not in self._constants:
            addresses: dict[int, tuple[Data | Function, int]] = {0: (self.code(procedure), 0)}
            name = f"{self.names.of[procedure]}_closure"
            self._constants[procedure] = self.builder.data(name, PTR, addresses=addresses, is_constant=True)
        return self._constants[procedure]

    def fill_closure(self, procedure: t.Procedure, closure: Value, captured: list[Value]) -> None:
        """Write a new closure of the procedure."""
        b, fields = self.builder, self.closure(procedure).fields.values()
        for field, value in zip(fields, [b.convert(PTR, self.code(procedure)), *captured], strict=True):
            b.effect("store", value, b.primitive("field", closure, of=field))


class Scope:
    """The functions of procedures that use variables of others, and the values or addresses of such variables.

    The procedures of all modules are in one scope. The code of a closure, that of the procedure `root`, is another: it
    reads the variables from the `closure`. The procedures that it calls and that use such variables are nested in it,
    so they are built again, as functions with `pending` bodies.
    """

    def __init__(self, items: Items, root: t.Procedure | None = None) -> None:
        self.items = items
        self.root = root
        self.values: dict[t.Variable, Value] = {}
        self.closure: Value | None = None
        self.functions: dict[t.Procedure, Function] = {} if root else items.functions
        self.pending: list[t.Procedure] = []

    def function(self, procedure: t.Procedure) -> Function:
        """The function of a procedure in this scope."""
        if not procedure.captured:
            return self.items.functions[procedure]
        if procedure is self.root:
            return self.items.code(procedure)
        if procedure not in self.functions:
            name = self.items.names.fresh(self.items.names.of[procedure])
            function = self.items.builder.declare(name, parameters(procedure), result_of(procedure), procedure.span)
            self.functions[procedure] = function
            self.pending.append(procedure)
        return self.functions[procedure]

    def open(self, procedure: t.Procedure) -> list[Variable]:
        """Open the function of a procedure. Returns the variables of its parameters."""
        b, function, result = self.items.builder, self.function(procedure), result_of(procedure)
        variables = parameters(procedure)
        if procedure is not self.root:
            b.function(function.name, variables, result, procedure.span)
            return variables
        closure = Variable("closure", PTR, procedure.span)
        b.function(function.name, [closure, *variables], result, procedure.span)
        self.closure = b.read_variable(closure, procedure.span)
        _, *fields = self.items.closure(procedure).fields.values()
        for variable, field in zip(procedure.captured, fields, strict=True):
            assert isinstance(field.type, Scalar)
            address = b.primitive("field", self.closure, of=field, span=procedure.span)
            self.values[variable] = b.effect("load", address, type=field.type, span=procedure.span)
        return variables


def parameters(procedure: t.Procedure) -> list[Variable]:
    """New variables for the parameters of the function."""
    return [*map(_parameter, procedure.parameters)]


def _parameter(variable: t.Variable) -> Variable:
    by_address = variable.is_reference or not ty.is_scalar(variable.type)
    return Variable(variable.name, PTR if by_address else ty.scalar(variable.type), variable.span)


def _captured_type(variable: t.Variable) -> Scalar:
    """The type of a captured variable in a closure: that of its address, or of its value."""
    return PTR if variable.is_cell else ty.scalar(variable.type)


def code_parameters(procedure: t.Procedure) -> list[Variable]:
    """The variables of the parameters of the code of a closure."""
    return [Variable("closure", PTR, procedure.span), *map(_parameter, procedure.parameters)]
