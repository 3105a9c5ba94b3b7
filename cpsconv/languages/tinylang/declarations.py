"""Checks of modules, declarations and types.

The declarations of a block are checked in order, the bodies of its procedures after them: a body can use what follows.
So can the target of a pointer type. Nested procedures wait in a queue; nothing recurses over the nesting.
"""

from __future__ import annotations

from cpsconv.core.construction import Builder
from cpsconv.core.ir import VOID
from cpsconv.core.source import Span
from cpsconv.languages.tinylang import tree
from cpsconv.languages.tinylang import types as ty
from cpsconv.languages.tinylang.expressions import Expressions
from cpsconv.languages.tinylang.objects import Items, Nest
from cpsconv.languages.tinylang.scopes import (
    IN_OUT,
    Errors,
    Module,
    ModuleEntry,
    Procedure,
    Scope,
    TypeEntry,
    Variable,
    in_out,
    predeclared,
)
from cpsconv.languages.tinylang.types import BOOLEAN, INTEGER, UNKNOWN, Formal, Type, is_scalar

MAX_SIZE = (1 << 31) - 1
"""The largest size of a type in bytes."""

MAX_DEPTH = 50
"""The maximal nesting of arrays and records, and of type expressions."""


def declared(modules: list[tree.Module], errors: Errors) -> list[Module]:
    """The modules with their declarations. Adds the errors in them."""
    scopes = {IN_OUT: in_out()}
    return [_Declarations(errors, module, scopes).module() for module in modules]


class _Declarations:
    """The declarations of one module. `scopes` has those of the modules before, and gets its own.

    Constants are computed as other expressions are, in a function that is dropped.
    """

    def __init__(self, errors: Errors, module: tree.Module, scopes: dict[str, Scope]) -> None:
        self.errors, self.node, self.scopes = errors, module, scopes
        self.found = Module(module.name.text, module.name.span)
        self.scope = predeclared().new_child()
        self.waiting: list[Procedure] = []
        self.pointers: list[tuple[ty.Pointer, tree.TypeNode]] = []
        self.items = Items(Builder(checked=False), [])
        self.items.builder.function("constants", [], VOID)

    def module(self) -> Module:
        """The module."""
        node = self.node
        for each in node.imports:
            for name in each.names:
                if each.module is None:
                    self.errors.define(self.scope, name, ModuleEntry(name.text, self.scopes[name.text], name.span))
                else:
                    entry = self.errors.look_up(self.scopes[each.module.text], name, each.module.text)
                    self.errors.define(self.scope, name, entry)
        imported = {*self.scope.maps[0]}
        self._require_end(node.name, node.end_name, "module")
        body = Procedure(node.name.text, node.name.span, node.name.text, None, node.block, self.scope)
        self.waiting.append(body)
        for procedure in self.waiting:  # grows
            self._block(procedure)
        own = {name: each for name, each in self.scope.maps[0].items() if name not in imported}
        self.scopes[node.name.text] = Scope(own)
        if node.block.statements is not None:
            self.found.body = body
        return self.found

    def _require_end(self, name: tree.Word, end: tree.Word, kind: str) -> None:
        if name.text != end.text:
            message = f"the {kind} `{name.text}` ends with the name `{end.text}`"
            self.errors.add(message, end.span, "end-name", notes=[(f"the {kind} begins here", name.span)])

    def _block(self, procedure: Procedure) -> None:
        expressions = Expressions(self.items, procedure, Nest(self.items), self.errors)
        for node in procedure.block.declarations:
            if isinstance(node, tree.Constant):
                value = expressions.constant(node.value)
                entry = None if value.type is UNKNOWN else value._replace(span=node.name.span)
                self.errors.define(procedure.scope, node.name, entry)
            elif isinstance(node, tree.NamedType):
                type = self._type(node.type, expressions, node.name.text)
                self.errors.define(procedure.scope, node.name, TypeEntry(type, node.name.span))
            elif isinstance(node, tree.Variables):
                self._variables(node, expressions)
            else:
                self._procedure(node, expressions)
        for pointer, target in self.pointers:  # grows
            pointer.target = self._type(target, expressions)
        self.pointers.clear()

    # ------------------------------------------------------------------------------------------- declarations

    def _variables(self, node: tree.Variables, expressions: Expressions) -> None:
        type, owner = self._type(node.type, expressions), expressions.procedure
        is_global = owner.scope is self.scope
        for name in node.names:
            variable = Variable(name.text, type, name.span, None if is_global else owner)
            (self.found if is_global else owner).variables.append(variable)
            self._define_variable(variable, name, owner.scope)

    def _define_variable(self, variable: Variable, name: tree.Word, scope: Scope) -> None:
        if isinstance(variable.type, ty.Array):
            variable.keep_in_memory("it is an array", name.span)
        elif isinstance(variable.type, ty.Record) and variable.type.has_arrays:
            variable.keep_in_memory("it contains an array", name.span)
        self.errors.define(scope, name, None if variable.type is UNKNOWN else variable)

    def _procedure(self, node: tree.Procedure, expressions: Expressions) -> None:
        name, outer = node.name, expressions.procedure
        self._require_end(name, node.end_name, "procedure")
        enclosing = None if outer.scope is self.scope else outer
        procedure = Procedure(name.text, name.span, self.found.name, enclosing, node.block, outer.scope.new_child())
        for parameters in node.parameters:
            type = self._type(parameters.type, expressions)
            for each in parameters.names:
                variable = Variable(each.text, type, each.span, procedure, True, parameters.is_reference)
                procedure.parameters.append(variable)
                if not (is_scalar(type) or parameters.is_reference):
                    variable.keep_in_memory("it is passed as a whole", each.span)
                self._define_variable(variable, each, procedure.scope)
        procedure.result = self._result(node.result, expressions)
        self.errors.define(outer.scope, name, procedure)
        self.found.procedures.append(procedure)
        self.waiting.append(procedure)

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
            return self._broken("types are nested too deeply", node.span, "nesting")
        if isinstance(node, tree.Designator):
            return self._named(node, expressions)
        if isinstance(node, tree.Pointer):
            pointer = ty.Pointer(name or "POINTER")
            self.pointers.append((pointer, node.target))
            return pointer
        if isinstance(node, tree.ProcedureType):
            return self._procedure_type(node, expressions, name, depth)
        if isinstance(node, tree.Array):
            found: Type = self._array(node, expressions, name, depth)
        else:
            found = self._record(node, expressions, name, depth)
        if found.depth > MAX_DEPTH:
            return self._broken("types are nested too deeply", node.span, "nesting")
        if found.size > MAX_SIZE:
            return self._broken("the type is larger than 2 GiB", node.span, "too-large")
        return found

    def _broken(self, message: str, span: Span, rule: str) -> Type:
        """Report an error in a type; returns the type of erroneous expressions."""
        return self.errors.add(message, span, rule).type

    def _named(self, node: tree.Designator, expressions: Expressions) -> Type:
        found, selectors = expressions.entry(node)
        if isinstance(found, TypeEntry) and not selectors:
            return found.type
        if found is None:
            return UNKNOWN
        words = [node.name, *(each for each in node.selectors if isinstance(each, tree.Word))]
        return self._broken(f"`{words[-1].text}` is not a type", node.span, "type-mismatch")

    def _array(self, node: tree.Array, expressions: Expressions, name: str, depth: int) -> Type:
        length = expressions.constant(node.length)
        element = self._type(node.element, expressions, depth=depth + 1)
        if length.type is BOOLEAN:
            return self._broken("the length of an array must be an INTEGER", node.length.span, "type-mismatch")
        if length.type is not INTEGER or length.constant is None or element is UNKNOWN:
            return UNKNOWN
        if length.constant < 1:
            return self._broken("the length of an array must be at least 1", node.length.span, "bounds")
        return ty.Array(name or f"ARRAY [{length.constant}] OF {element.name}", length.constant, element)

    def _record(self, node: tree.Record, expressions: Expressions, name: str, depth: int) -> Type:
        record = ty.Record(name or "RECORD", node.span)
        names = Scope()
        for fields in node.fields:
            type = self._type(fields.type, expressions, depth=depth + 1)
            for field in fields.names:
                self.errors.define(names, field, TypeEntry(type, field.span))
                record.add(field.text, type)
        if not node.fields:
            return self._broken("a record has at least one field", node.span, "empty-record")
        return record

    def _procedure_type(self, node: tree.ProcedureType, expressions: Expressions, name: str, depth: int) -> Type:
        formals = [
            Formal(is_reference, self._type(type, expressions, depth=depth + 1))
            for is_reference, type in node.parameters
        ]
        result = self._result(node.result, expressions)
        return ty.procedure_type(formals, result, name)
