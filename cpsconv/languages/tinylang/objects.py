"""The items of the program: object types, the variables of modules, functions, and closures of procedure values.

A nested procedure is a nested function. A procedure value is a pointer to a *closure*: a pointer to code, and the
variables of enclosing procedures that the procedure needs. The code is a function that takes the closure before the
arguments. It is no nested function, since its address is taken: see `Nest`.
"""

from __future__ import annotations

from cpsconv.abi.attributes import SYMBOL
from cpsconv.core.construction import Builder
from cpsconv.core.construction import Variable as ProgramVariable
from cpsconv.core.ir import INT, PTR, VOID, Array, Data, Function, ObjectType, Scalar, Struct, Value
from cpsconv.languages.tinylang import types as ty
from cpsconv.languages.tinylang.scopes import Module, Procedure, Variable

MAIN = "main"
"""The name of the function that executes the bodies of the modules."""


def mangled(*path: str) -> str:
    """The symbol of a declaration, by the names from its module's to its own: ``_t3Gcd3GCD``.

    (Nacke and Kwan, *Learn LLVM 17*, chapter 4.)
    """
    return "_t" + "".join(f"{len(name)}{name}" for name in path)


def result_of(procedure: Procedure) -> Scalar:
    """The type of the function's result."""
    return VOID if procedure.result is None else ty.scalar(procedure.result)


def parameters(procedure: Procedure) -> list[ProgramVariable]:
    """New variables for the parameters of the function."""
    found = []
    for each in procedure.parameters:
        by_address = each.is_reference or not ty.is_scalar(each.type)
        found.append(ProgramVariable(each.name, PTR if by_address else ty.scalar(each.type), each.span))
    return found


def _captured_type(variable: Variable) -> Scalar:
    """The type of a captured variable in a closure: that of its address, or of its value."""
    return PTR if variable.is_cell else ty.scalar(variable.type)


def code_parameters(procedure: Procedure) -> list[ProgramVariable]:
    """The variables of the parameters of the code of a closure."""
    return [ProgramVariable("closure", PTR, procedure.span), *parameters(procedure)]


class Items:
    """The items of one program under construction.

    Procedures of the main module keep their names; others get those of what encloses them. If the modules have bodies,
    `started` is the procedure with the name `entry`, and the name is free for the function that executes the bodies
    before this procedure.
    """

    def __init__(self, builder: Builder, modules: list[Module], entry: str | None = None) -> None:
        self.builder = builder
        self.data: dict[Variable, Data] = {}
        self.functions: dict[Procedure, Function] = {}
        self.codes: dict[Procedure, Function] = {}
        self.with_code: list[Procedure] = []
        self._types: dict[ty.Type, Struct] = {}
        self._closures: dict[Procedure, Struct] = {}
        self._constants: dict[Procedure, Data] = {}
        self._main = modules[-1].name if modules else ""
        for module, variable in [(each, variable) for each in modules for variable in each.variables]:
            name = variable.name if module.name == self._main else f"{module.name}_{variable.name}"
            symbol = {SYMBOL: mangled(module.name, variable.name)}
            type = self.object_type(variable.type)
            self.data[variable] = builder.data(name, type, span=variable.span, attributes=symbol)
        procedures = [procedure for module in modules for procedure in module.procedures]
        procedures.sort(key=lambda each: (each.module != self._main, each.enclosing is not None))  # keep their names
        self.started: Procedure | None = None
        if any(module.body for module in modules):
            self.main = builder.declare(MAIN, [], INT, modules[-1].span)
            startable = [each for each in procedures if self._name(each) == entry and not each.captured]
            self.started = next(iter(startable), None)
        if self.started and entry:
            builder.declare(entry, parameters(self.started), result_of(self.started), self.started.span)
        for procedure in procedures:
            self.functions[procedure] = self.declare(self._name(procedure), procedure, parameters(procedure))
            self.functions[procedure].attributes = {SYMBOL: mangled(procedure.module, *procedure.path)}

    def _name(self, procedure: Procedure) -> str:
        is_own = procedure.module == self._main and procedure.name != MAIN and procedure is not self.started
        return "_".join([*([] if is_own else [procedure.module]), *procedure.path[-3:]])

    def declare(self, hint: str, procedure: Procedure, variables: list[ProgramVariable]) -> Function:
        """A new function with the result of the procedure."""
        return self.builder.declare(self.builder.unused_name(hint), variables, result_of(procedure), procedure.span)

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

    def closure(self, procedure: Procedure) -> Struct:
        """The struct of the closures of a procedure."""
        if procedure not in self._closures:
            members: list[tuple[str, ObjectType]] = [("code", PTR)]
            for number, variable in enumerate(procedure.captured, 1):
                members.append((f"{variable.name}{number}", _captured_type(variable)))
            self._closures[procedure] = self.builder.struct(f"{self.functions[procedure].name}_closure", members)
        return self._closures[procedure]

    def code(self, procedure: Procedure) -> Function:
        """The function that a closure of the procedure points to."""
        if procedure not in self.codes:
            hint = f"{self.functions[procedure].name}_value"
            self.codes[procedure] = self.declare(hint, procedure, code_parameters(procedure))
            self.with_code.append(procedure)
        return self.codes[procedure]

    def constant_closure(self, procedure: Procedure) -> Data:
        """The closure of a procedure that needs no variables of enclosing procedures."""
        if procedure not in self._constants:
            addresses: dict[int, tuple[Data | Function, int]] = {0: (self.code(procedure), 0)}
            name = f"{self.functions[procedure].name}_closure"
            self._constants[procedure] = self.builder.data(name, PTR, addresses=addresses, is_constant=True)
        return self._constants[procedure]

    def fill_closure(self, procedure: Procedure, closure: Value, captured: list[Value]) -> None:
        """Write a new closure of the procedure."""
        b, fields = self.builder, self.closure(procedure).fields.values()
        for field, value in zip(fields, [b.convert(PTR, self.code(procedure)), *captured], strict=True):
            b.effect("store", value, b.primitive("field", closure, of=field))


class Nest:
    """The functions of procedures that use variables of others, and the values or addresses of such variables.

    The procedures of all modules are one nest. The code of a closure, that of the procedure `root`, is another: it
    reads the variables from the `closure`. The procedures that it calls and that use such variables are nested in it,
    so they are built again, as functions with `pending` bodies. The procedures `around` are `root` and those that
    enclose it: a call of them has other variables than those in the `closure`, so it is a call of their own code.
    """

    def __init__(self, items: Items, root: Procedure | None = None) -> None:
        self.items = items
        self.root = root
        self.around: set[Procedure] = set()
        while root:
            if root.captured:
                self.around.add(root)
            root = root.enclosing
        self.values: dict[Variable, Value] = {}
        self.closure: Value | None = None
        self.functions: dict[Procedure, Function] = {} if self.root else items.functions
        self.pending: list[Procedure] = []

    def function(self, procedure: Procedure) -> Function:
        """The function of a procedure in this nest."""
        if not procedure.captured:
            return self.items.functions[procedure]
        if procedure in self.around:
            return self.items.code(procedure)
        if procedure not in self.functions:
            hint = self.items.functions[procedure].name
            self.functions[procedure] = self.items.declare(hint, procedure, parameters(procedure))
            self.pending.append(procedure)
        return self.functions[procedure]

    def open(self, procedure: Procedure) -> list[ProgramVariable]:
        """Open the function of a procedure. Returns the variables of its parameters."""
        b, function, result = self.items.builder, self.function(procedure), result_of(procedure)
        variables = parameters(procedure)
        if procedure is not self.root:
            b.function(function.name, variables, result, procedure.span)
            return variables
        closure = ProgramVariable("closure", PTR, procedure.span)
        b.function(function.name, [closure, *variables], result, procedure.span)
        self.closure = b.read_variable(closure, procedure.span)
        _, *fields = self.items.closure(procedure).fields.values()
        for variable, field in zip(procedure.captured, fields, strict=True):
            assert isinstance(field.type, Scalar)
            address = b.primitive("field", self.closure, of=field, span=procedure.span)
            self.values[variable] = b.effect("load", address, type=field.type, span=procedure.span)
        return variables
