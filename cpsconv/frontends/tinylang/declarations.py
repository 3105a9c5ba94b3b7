"""Checks of modules, declarations and types.

The declarations of a block are checked in order, the bodies of its procedures after them: a body can use what follows.
So can the target of a pointer type. Nested procedures wait in a queue; nothing recurses over the nesting.
"""

from __future__ import annotations

from typing import NamedTuple

from cpsconv.frontends.tinylang import tree
from cpsconv.frontends.tinylang import typed_tree as t
from cpsconv.frontends.tinylang import types as ty
from cpsconv.frontends.tinylang.expressions import Expressions, procedure_type_name
from cpsconv.frontends.tinylang.scopes import (
    IN_OUT,
    Broken,
    ConstantEntry,
    Errors,
    ModuleEntry,
    Scope,
    TypeEntry,
    in_out,
    predeclared,
)
from cpsconv.frontends.tinylang.statements import Statements
from cpsconv.frontends.tinylang.types import BOOLEAN, INTEGER, UNKNOWN, Formal, Type, is_scalar
from cpsconv.source import Diagnostic, DiagnosticError
from cpsconv.trampoline import run

MAX_SIZE = (1 << 31) - 1
"""The largest size of a type in bytes."""

MAX_DEPTH = 50
"""The maximal nesting of arrays and records, and of type expressions."""


class _Waiting(NamedTuple):
    """A procedure, or the body of a module, whose block is still to be checked."""

    procedure: t.Procedure
    scope: Scope
    block: tree.Block


def checked(modules: list[tree.Module], warnings: list[Diagnostic]) -> list[t.Module]:
    """The typed modules. Raises `DiagnosticError` with all errors."""
    errors = Errors()
    scopes = {IN_OUT: in_out()}
    found = [_Checker(errors, module, scopes).module() for module in modules]
    if errors.found:
        raise DiagnosticError(errors.found + errors.warnings)
    t.find_captures([procedure for module in found for procedure in module.procedures])
    warnings += errors.warnings
    return found


class _Checker:
    """Checks one module. `scopes` has those of the modules before, and gets its own."""

    def __init__(self, errors: Errors, module: tree.Module, scopes: dict[str, Scope]) -> None:
        self.errors = errors
        self.node = module
        self.found = t.Module(module.name.text, module.name.span)
        self.scope = Scope(predeclared())
        self.waiting: list[_Waiting] = []
        self.pointers: list[tuple[ty.Pointer, tree.TypeNode]] = []
        self._import(scopes)
        self.imported = {*self.scope.names}
        self.scopes = scopes

    def _import(self, scopes: dict[str, Scope]) -> None:
        for each in self.node.imports:
            for name in each.names:
                if each.module is None:
                    self.errors.define(self.scope, name, ModuleEntry(name.text, scopes[name.text], name.span))
                elif entry := self.errors.look_up(scopes[each.module.text], name, each.module.text):
                    self.errors.define(self.scope, name, entry)

    def module(self) -> t.Module:
        """The typed module."""
        node = self.node
        self._require_end(node.name, node.end_name, "module")
        body = t.Procedure(node.name.text, node.name.span, node.name.text, None)
        self.waiting.append(_Waiting(body, self.scope, node.block))
        for each in self.waiting:
            self._block(each)
        exported = self.scopes[node.name.text] = Scope()
        exported.names |= {name: each for name, each in self.scope.names.items() if name not in self.imported}
        if node.block.statements is not None:
            self.found.body = body
        return self.found

    def _require_end(self, name: tree.Word, end: tree.Word, kind: str) -> None:
        if name.text != end.text:
            message = f"the {kind} `{name.text}` ends with the name `{end.text}`"
            self.errors.add(message, end.span, "end-name", notes=[(f"the {kind} begins here", name.span)])

    def _block(self, waiting: _Waiting) -> None:
        procedure, scope, block = waiting
        expressions = Expressions(self.errors, scope, procedure)
        for node in block.declarations:
            if isinstance(node, tree.Constant):
                self.errors.define(scope, node.name, self._constant(node, expressions))
            elif isinstance(node, tree.NamedType):
                type = self._type(node.type, expressions, node.name.text)
                self.errors.define(scope, node.name, TypeEntry(type, node.name.span))
            elif isinstance(node, tree.Variables):
                self._variables(node, expressions)
            else:
                self._procedure(node, expressions)
        for pointer, target in self.pointers:  # grows
            pointer.target = self._type(target, expressions)
        self.pointers.clear()
        procedure.end = block.end
        if block.statements is not None:
            procedure.statements = run(Statements(expressions).sequence(block.statements))

    # ------------------------------------------------------------------------------------------- declarations

    def _constant(self, node: tree.Constant, expressions: Expressions) -> ConstantEntry | Broken:
        value = run(expressions.constant(node.value))
        return Broken() if value.type is UNKNOWN else ConstantEntry(value.type, value.value, node.name.span)

    def _variables(self, node: tree.Variables, expressions: Expressions) -> None:
        type, owner = self._type(node.type, expressions), expressions.procedure
        is_global = expressions.scope is self.scope
        for name in node.names:
            variable = t.Variable(name.text, type, name.span, None if is_global else owner)
            (self.found if is_global else owner).variables.append(variable)
            self._define_variable(variable, name, expressions.scope)

    def _define_variable(self, variable: t.Variable, name: tree.Word, scope: Scope) -> None:
        if isinstance(variable.type, ty.Array):
            variable.keep_in_memory("it is an array", name.span)
        elif isinstance(variable.type, ty.Record) and variable.type.has_arrays:
            variable.keep_in_memory("it contains an array", name.span)
        self.errors.define(scope, name, Broken(name.span) if variable.type is UNKNOWN else variable)

    def _procedure(self, node: tree.Procedure, expressions: Expressions) -> None:
        enclosing = None if expressions.scope is self.scope else expressions.procedure
        procedure = t.Procedure(node.name.text, node.name.span, self.found.name, enclosing)
        self._require_end(node.name, node.end_name, "procedure")
        scope = Scope(expressions.scope)
        for parameters in node.parameters:
            type = self._type(parameters.type, expressions)
            for name in parameters.names:
                variable = t.Variable(name.text, type, name.span, procedure, True, parameters.is_reference)
                procedure.parameters.append(variable)
                if not (is_scalar(type) or parameters.is_reference):
                    variable.keep_in_memory("it is passed as a whole", name.span)
                self._define_variable(variable, name, scope)
        procedure.result = self._result(node.result, expressions)
        self.errors.define(expressions.scope, node.name, procedure)
        self.found.procedures.append(procedure)
        self.waiting.append(_Waiting(procedure, scope, node.block))

    def _result(self, node: tree.TypeNode | None, expressions: Expressions) -> Type | None:
        type = None if node is None else self._type(node, expressions)
        if node is not None and type is not None and not is_scalar(type):
            message = f"a procedure cannot return `{type.name}`, a record or array"
            self.errors.add(message, node.span, "type-mismatch", "return it in a VAR parameter")
            return UNKNOWN
        return type

    # --------------------------------------------------------------------------------------------------- types

    def _type(self, node: tree.TypeNode, expressions: Expressions, name: str = "", depth: int = 0) -> Type:
        """The type; `name` is the declared name. An erroneous one is `UNKNOWN`."""
        if depth > MAX_DEPTH:
            self.errors.add("types are nested too deeply", node.span, "nesting")
            return UNKNOWN
        if isinstance(node, tree.TypeName):
            return self._named(node, expressions)
        if isinstance(node, tree.Pointer):
            pointer = ty.Pointer(name or "POINTER")
            self.pointers.append((pointer, node.target))
            return pointer
        if isinstance(node, tree.ProcedureType):
            return self._procedure_type(node, expressions, name, depth)
        found = (
            self._array(node, expressions, name, depth)
            if isinstance(node, tree.Array)
            else self._record(node, expressions, name, depth)
        )
        if found.depth > MAX_DEPTH:
            self.errors.add("types are nested too deeply", node.span, "nesting")
        elif found.size > MAX_SIZE:
            self.errors.add("the type is larger than 2 GiB", node.span, "too-large")
        else:
            return found
        return UNKNOWN

    def _named(self, node: tree.TypeName, expressions: Expressions) -> Type:
        found, selectors = expressions.entry(node.names[0], [*node.names[1:]])
        if isinstance(found, TypeEntry) and not selectors:
            return found.type
        if found is not None and not isinstance(found, Broken):
            self.errors.add(f"`{node.names[-1].text}` is not a type", node.span, "type-mismatch")
        return UNKNOWN

    def _array(self, node: tree.Array, expressions: Expressions, name: str, depth: int) -> Type:
        length = run(expressions.constant(node.length))
        element = self._type(node.element, expressions, depth=depth + 1)
        if length.type is not INTEGER or element is UNKNOWN:
            if length.type is BOOLEAN:
                self.errors.add("the length of an array must be an INTEGER", node.length.span, "type-mismatch")
            return UNKNOWN
        if length.value < 1:
            self.errors.add("the length of an array must be at least 1", node.length.span, "bounds")
            return UNKNOWN
        return ty.Array(name or f"ARRAY [{length.value}] OF {element.name}", length.value, element)

    def _record(self, node: tree.Record, expressions: Expressions, name: str, depth: int) -> Type:
        record = ty.Record(name or "RECORD", node.span)
        names = Scope()
        for fields in node.fields:
            type = self._type(fields.type, expressions, depth=depth + 1)
            for field in fields.names:
                self.errors.define(names, field, Broken(field.span))
                record.add(field.text, type)
        if not node.fields:
            self.errors.add("a record has at least one field", node.span, "empty-record")
        return record

    def _procedure_type(self, node: tree.ProcedureType, expressions: Expressions, name: str, depth: int) -> Type:
        formals = [
            Formal(is_reference, self._type(type, expressions, depth=depth + 1))
            for is_reference, type in node.parameters
        ]
        result = self._result(node.result, expressions)
        return ty.Procedure(name or procedure_type_name(formals, result), formals, result)
