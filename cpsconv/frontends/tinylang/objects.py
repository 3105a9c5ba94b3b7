"""The items of the program: object types, the variables of modules, functions, and closures of procedure values.

A procedure value is a pointer to a *closure*: a pointer to code, and the variables of enclosing procedures that the
procedure needs. The code is a function that takes the closure before the arguments, and calls the procedure.
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


def is_passed_by_address(variable: t.Variable) -> bool:
    """Whether a nested procedure gets the address of the variable, and not its value."""
    return variable.is_reference or variable.in_memory is not None


class Items:
    """The items of one program under construction."""

    def __init__(self, builder: Builder, modules: list[t.Module]) -> None:
        self.builder = builder
        self.names = Names(modules)
        self.data: dict[t.Variable, Data] = {}
        self.functions: dict[t.Procedure, Function] = {}
        self.symbols: dict[Function | Data, str] = {}
        self._types: dict[ty.Type, Struct] = {}
        self._closures: dict[t.Procedure, Struct] = {}
        self._codes: dict[t.Procedure, Function] = {}
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
                members.append((f"{variable.name}{number}", _passed(variable).type))
            self._closures[procedure] = self.builder.struct(f"{self.names.of[procedure]}_closure", members)
        return self._closures[procedure]

    def code(self, procedure: t.Procedure) -> Function:
        """The function that a closure of the procedure points to."""
        if procedure not in self._codes:
            name, result = self.names.fresh(f"{self.names.of[procedure]}_value"), result_of(procedure)
            variables = _code_parameters(procedure)
            self._codes[procedure] = self.builder.declare(name, variables, result, procedure.span)
        return self._codes[procedure]

    def constant_closure(self, procedure: t.Procedure) -> Data:
        """The closure of a procedure that needs no variables of enclosing procedures."""
        if procedure not in self._constants:
            addresses: dict[int, tuple[Data | Function, int]] = {0: (self.code(procedure), 0)}
            name = f"{self.names.of[procedure]}_closure"
            self._constants[procedure] = self.builder.data(name, PTR, addresses=addresses, is_constant=True)
        return self._constants[procedure]

    def build_codes(self) -> None:
        """Build the functions that closures point to."""
        b = self.builder
        for procedure, code in self._codes.items():
            variables = _code_parameters(procedure)
            b.function(code.name, variables, result_of(procedure), procedure.span)
            closure, *arguments = [b.read_variable(variable) for variable in variables]
            fields = [*self.closure(procedure).fields.values()][1:] if procedure.captured else []
            for field in fields:
                assert isinstance(field.type, Scalar)
                address = b.primitive("field", closure, of=field)
                arguments.append(b.effect("load", address, type=field.type))
            b.ret(b.call(self.functions[procedure], arguments, procedure.span))
            b.finish()

    def fill_closure(self, procedure: t.Procedure, closure: Value, captured: list[Value]) -> None:
        """Write a new closure of the procedure."""
        b, fields = self.builder, self.closure(procedure).fields.values()
        for field, value in zip(fields, [b.convert(PTR, self.code(procedure)), *captured], strict=True):
            b.effect("store", value, b.primitive("field", closure, of=field))


def parameters(procedure: t.Procedure) -> list[Variable]:
    """New variables for the parameters of the function: those of the source, then the captured ones."""
    return [*map(_parameter, procedure.parameters), *map(_passed, procedure.captured)]


def _parameter(variable: t.Variable) -> Variable:
    by_address = variable.is_reference or not ty.is_scalar(variable.type)
    return Variable(variable.name, PTR if by_address else ty.scalar(variable.type), variable.span)


def _passed(variable: t.Variable) -> Variable:
    """The variable that denotes a captured variable, or its address, in the nested procedure."""
    type = PTR if is_passed_by_address(variable) else ty.scalar(variable.type)
    return Variable(variable.name, type, variable.span)


def _code_parameters(procedure: t.Procedure) -> list[Variable]:
    return [Variable("closure", PTR, procedure.span), *map(_parameter, procedure.parameters)]
