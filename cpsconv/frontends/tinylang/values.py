"""The lowering of expressions and places in a procedure.

A scalar variable, and each scalar part of a record, is a variable of the program, unless the checks found a reason to
keep it in memory. The result of a comparison is a `bool`; AND and OR are branches.
"""

from __future__ import annotations

from typing import Union

from cpsconv.construction import Block, Variable
from cpsconv.frontends.tinylang import typed_tree as t
from cpsconv.frontends.tinylang import types as ty
from cpsconv.frontends.tinylang.objects import Items, Scope
from cpsconv.frontends.tinylang.types import NIL
from cpsconv.ir import (
    ABORT,
    BOOL,
    INT,
    LONG,
    PTR,
    STRING,
    UNSIGNED_LONG,
    VOID,
    Constant,
    Scalar,
    Struct,
    Undef,
    Value,
    innermost,
)
from cpsconv.source import Span
from cpsconv.trampoline import Computation

NOWHERE = Constant(PTR, 0)

Located = Union[Variable, Value]
"""A variable of the program, or the address of a place in memory."""


class Values:
    """Lowers the expressions of one procedure, in a scope."""

    def __init__(self, items: Items, procedure: t.Procedure, scope: Scope) -> None:
        self._items = items
        self._b = items.builder
        self._procedure = procedure
        self._scope = scope
        self._variables: dict[tuple[t.Variable, str], Variable] = {}
        self._pointers: dict[t.Variable, Variable] = {}
        self._addresses: dict[t.Variable, Value] = {}
        self._closures: dict[t.Procedure, Value] = {}
        self._allocated: list[Value] = []

    # ------------------------------------------------------------------------------------- variables of the call

    def enter(self, variables: list[Variable]) -> None:
        """Begin the procedure, with the variables of its parameters: allocate its objects and closures."""
        for parameter, variable in zip(self._procedure.parameters, variables, strict=True):
            self._enter_parameter(parameter, variable)
        for outer in self._procedure.uses:
            if outer.is_cell:
                self._addresses[outer] = self._outer(outer)
            else:
                variable = self._variable(outer, outer.name, ty.scalar(outer.type))
                self._b.write_variable(variable, self._outer(outer), outer.span)
        for local in self._procedure.variables:
            if local.in_memory:
                self._allocate(local)
        for procedure, span in self._procedure.values.items():
            self._closures[procedure] = self._closure(procedure, span)

    def _outer(self, variable: t.Variable) -> Value:
        """The value or address of a variable of an enclosing procedure."""
        value = self._scope.values.get(variable)
        if value is None:
            return Undef(ty.scalar(variable.type), variable.name, variable.span)
        return value if self._procedure is self._scope.root else self._b.free(value)

    def _enter_parameter(self, parameter: t.Variable, variable: Variable) -> None:
        if parameter.is_reference:
            self._pointers[parameter] = variable
        elif parameter.in_memory is None:
            self._variables[parameter, parameter.name] = variable
        if parameter.is_captured and (parameter.is_reference or parameter.in_memory is None):
            self._scope.values[parameter] = self._b.read_variable(variable, parameter.span)
        if parameter.in_memory and not parameter.is_reference:
            given, address = self._b.read_variable(variable, parameter.span), self._allocate(parameter)
            if isinstance(parameter.type, (ty.Array, ty.Record)):
                self._b.effect("copy", given, address, of=self._items.struct(parameter.type), span=parameter.span)
            else:
                self._b.effect("store", given, address, span=parameter.span)

    def _allocate(self, variable: t.Variable) -> Value:
        type, b = variable.type, self._b
        if isinstance(type, ty.Array):
            element, count = self._element(type)
            length = Constant(INT, count * type.length)
            address = b.effect("allocate", length, of=element, name=variable.name, span=variable.span)
        else:
            of = self._items.object_type(type)
            address = b.effect("allocate", of=of, name=variable.name, span=variable.span)
        self._addresses[variable] = self._scope.values[variable] = address
        self._allocated.append(address)
        return address

    def _closure(self, procedure: t.Procedure, span: Span) -> Value:
        if not procedure.captured:
            return self._items.constant_closure(procedure)
        of = self._items.closure(procedure)
        closure = self._b.effect("allocate", of=of, name=f"{procedure.name} as a value", span=span)
        self._allocated.append(closure)
        self._items.fill_closure(procedure, closure, self._captured(procedure, span))
        return closure

    def leave(self, span: Span | None) -> None:
        """End the lifetimes of the objects, before a return."""
        for address in reversed(self._allocated):
            self._b.effect("deallocate", address, span=span)

    def _captured(self, procedure: t.Procedure, span: Span) -> list[Value]:
        """The values or addresses of the variables that the procedure captures."""
        return [self._current(each, span) for each in procedure.captured]

    def _current(self, variable: t.Variable, span: Span) -> Value:
        if variable.owner is not self._procedure:
            return self._outer(variable)
        if variable.is_cell:
            return self._address(variable, span)
        return self._b.read_variable(self._variable(variable, variable.name, ty.scalar(variable.type)), span)

    def _variable(self, variable: t.Variable, path: str, type: Scalar) -> Variable:
        """The variable of the program for a scalar, or for a part of a record."""
        found = self._variables.get((variable, path))
        if found is None:
            found = self._variables[variable, path] = Variable(path, type, variable.span)
        return found

    def _address(self, variable: t.Variable, span: Span) -> Value:
        if variable.owner is None:
            return self._items.data[variable]
        if variable in self._pointers:
            return self._b.read_variable(self._pointers[variable], span)
        return self._addresses[variable]

    # --------------------------------------------------------------------------------------------------- places

    def _is_variable(self, variable: t.Variable) -> bool:
        return variable.owner is not None and not variable.is_cell

    def locate(self, place: t.Place, is_argument: bool = False) -> Computation[Located]:
        """The variable or address of a place. The indices of an argument are checked here, since no access follows."""
        b, variable = self._b, place.variable
        path: str | None = variable.name if self._is_variable(variable) else None
        address: Value = NOWHERE if path else self._address(variable, place.span)
        type: ty.Type = variable.type
        for each in place.selectors:
            if isinstance(each, t.Field):
                type = each.record.fields[each.name]
                if path:
                    path = f"{path}.{each.name}"
                else:
                    field = self._items.struct(each.record).fields[each.name]
                    address = b.primitive("field", address, of=field, span=place.span)
            elif isinstance(each, t.Index):
                type = each.array.element
                index = yield self.value(each.subscript)
                address = self._indexed(address, index, each, variable, is_argument)
            else:
                assert isinstance(type, ty.Pointer)
                if path:
                    address = b.read_variable(self._variable(variable, path, PTR), each.span)
                else:
                    address = b.effect("load", address, type=PTR, span=each.span)
                path, type = None, type.target
        return self._variable(variable, path, ty.scalar(place.type)) if path else address

    def _indexed(self, array: Value, index: Value, node: t.Index, variable: t.Variable, is_argument: bool) -> Value:
        element, count = self._element(node.array)
        is_part = count > 1 or not node.is_whole or isinstance(node.array.element, ty.Array)
        is_safe = isinstance(index, Constant) and 0 <= int(index.value) < node.array.length
        if (is_argument or is_part) and not is_safe:  # no access follows, or memory does not know the array
            self._check_index(index, node, variable)
        if count > 1:
            index = self._b.primitive("*", index, Constant(LONG, count), span=node.span)
        return self._b.primitive("element", array, index, of=element, span=node.span)

    def _element(self, array: ty.Array) -> tuple[Scalar | Struct, int]:
        """The innermost type of the elements, and how many of them are an element."""
        element = self._items.object_type(array.element)
        inner = innermost(element)[0]
        return inner, element.size // inner.size

    def _check_index(self, index: Value, node: t.Index, variable: t.Variable) -> None:
        """End the run unless the index is within the array."""
        b, span = self._b, node.span
        within, outside = b.continuation("within", span=span), b.continuation("outside", span=span)
        length = Constant(UNSIGNED_LONG, node.array.length)
        b.branch(b.primitive("<", b.convert(UNSIGNED_LONG, index), length, span=span), within, outside, span)
        b.open(outside)
        self._fail(index, node, variable)
        b.open(within)

    def _fail(self, index: Value, node: t.Index, variable: t.Variable) -> None:
        """End the run with the error of memory for an index out of bounds, and natively with a message.

        Memory knows whole objects only. So an object is accessed that has the name and the elements of the part.
        """
        b, span = self._b, node.span
        element = node.array.element
        of = self._items.struct(element) if isinstance(element, (ty.Array, ty.Record)) else element.scalar
        length = Constant(INT, node.array.length)
        part = b.effect("allocate", length, of=of, name=_line(node.part), span=variable.span)
        b.effect("load", b.primitive("element", part, index, of=of, span=span), type=BOOL, span=span)
        text = f"{span}: runtime error: the index in `{_line(span)}` is out of bounds\n"
        b.effect("eprint", Constant(STRING, text.encode("utf-8", "replace").decode("latin-1")), span=span)
        b.leave(ABORT, span=span)

    def assign(self, node: t.Assign) -> Computation[None]:
        """The assignment: the value is computed before the place."""
        value = yield self.value(node.value)
        place = yield self.locate(node.target)
        if node.target.variable.is_captured and isinstance(place, Variable):
            self._scope.values[node.target.variable] = value
        self._write(place, value, node.span)

    def _write(self, place: Located, value: Value, span: Span) -> None:
        if isinstance(place, Variable):
            self._b.write_variable(place, value, span)
        else:
            self._b.effect("store", value, place, span=span)

    def copy(self, node: t.Copy) -> Computation[None]:
        """The assignment of a record or array."""
        source = yield self.locate(node.source)
        target = yield self.locate(node.target)
        assert isinstance(node.target.type, (ty.Array, ty.Record))
        self._b.effect("copy", source, target, of=self._items.struct(node.target.type), span=node.span)

    # --------------------------------------------------------------------------------------------------- values

    def value(self, node: t.Expression) -> Computation[Value]:
        """The value of an expression."""
        if isinstance(node, t.Constant):
            type = ty.scalar(node.type)
            return Constant(type, bool(node.value) if type is BOOL else node.value)
        if isinstance(node, t.Load):
            place = yield self.locate(node.place)
            if isinstance(place, Variable):
                return self._b.read_variable(place, node.span)
            return self._b.effect("load", place, type=ty.scalar(node.type), span=node.span)
        if isinstance(node, t.ProcedureValue):
            return self._closures[node.procedure]
        if isinstance(node, t.Call):
            result: Value = yield self.call(node)
            return result
        if isinstance(node, t.Unary):
            operand = yield self.value(node.operand)
            return self._b.primitive(node.op, operand, span=node.span)
        if isinstance(node, t.Text):
            return Constant(STRING, node.value.encode("utf-8", "replace").decode("latin-1"))
        if node.is_conditional:
            truth: Value = yield self._truth(node)
            return truth
        left = yield self.value(node.left)
        right = yield self.value(node.right)
        return self._b.primitive(node.op, left, right, span=node.span)

    def _truth(self, node: t.Binary) -> Computation[Value]:
        """The value of ``AND`` or ``OR``: a variable that each branch assigns."""
        b, variable = self._b, Variable(node.word, BOOL, node.span)
        true, false, join = [b.continuation(name, span=node.span) for name in ("true", "false", "decided")]
        yield self.branch(node, true, false)
        for block, value in ((true, True), (false, False)):
            b.open(block)
            b.write_variable(variable, Constant(BOOL, value), node.span)
            b.jump(join, node.span)
        b.open(join)
        return b.read_variable(variable, node.span)

    def branch(self, node: t.Expression, then: Block, otherwise: Block) -> Computation[None]:
        """Jump to `then` if the condition is true, else to `otherwise`."""
        if isinstance(node, t.Unary) and node.op == "!":
            yield self.branch(node.operand, otherwise, then)
        elif isinstance(node, t.Binary) and node.is_conditional:
            is_and = node.op == "&"
            right = self._b.continuation(node.word, span=node.span)
            yield self.branch(node.left, right if is_and else then, otherwise if is_and else right)
            self._b.open(right)
            yield self.branch(node.right, then, otherwise)
        else:
            condition = yield self.value(node)
            self._b.branch(condition, then, otherwise, node.span)

    # ----------------------------------------------------------------------------------------------------- calls

    def call(self, node: t.Call) -> Computation[Value | None]:
        """The result of the call; None if the procedure returns no value."""
        if isinstance(node.callee, str):
            yield self._predeclared(node)
            return None
        closure: Value = (yield self.value(node.callee)) if isinstance(node.callee, t.Load) else NOWHERE
        arguments = []
        for each in node.arguments:
            arguments.append(
                (yield self.locate(each, is_argument=True) if isinstance(each, t.Place) else self.value(each))
            )
        if isinstance(node.callee, t.Procedure):
            if node.callee is self._scope.root and node.callee.captured:
                arguments.insert(0, self._own_closure())
            return self._b.call(self._scope.function(node.callee), arguments, node.span)
        code = self._b.effect("load", closure, type=PTR, span=node.callee.span)
        result = VOID if node.type is NIL else ty.scalar(node.type)
        return self._b.call_through(code, [closure, *arguments], result, node.span)

    def _own_closure(self) -> Value:
        assert self._scope.closure is not None
        return self._scope.closure if self._procedure is self._scope.root else self._b.free(self._scope.closure)

    def _predeclared(self, node: t.Call) -> Computation[None]:
        b, span = self._b, node.span
        if node.callee in ("NEW", "DISPOSE"):
            yield self._allocation(node)
            return
        values = []
        for argument in node.arguments:
            assert not isinstance(argument, t.Place)
            values.append((yield self.value(argument)))
        if node.callee == "WriteLn":
            b.effect("putchar", Constant(INT, ord("\n")), span=span)
        elif node.callee == "WriteString":
            b.effect("printf", Constant(STRING, values[0].value.replace("%", "%%")), span=span)
        elif isinstance(values[1], Constant):
            width = str(values[1].value) if values[1].value else ""
            b.effect("printf", Constant(STRING, f"%{width}ld"), values[0], span=span)
        else:
            b.effect("printf", Constant(STRING, "%*ld"), b.convert(INT, values[1]), values[0], span=span)

    def _allocation(self, node: t.Call) -> Computation[None]:
        b, (argument,), span = self._b, node.arguments, node.span
        assert isinstance(argument, t.Place) and isinstance(argument.type, ty.Pointer)
        place = yield self.locate(argument)
        if node.callee == "NEW":
            size = Constant(UNSIGNED_LONG, self._items.object_type(argument.type.target).size)
            self._write(place, b.effect("malloc", size, span=span), span)
            return
        pointer = (
            b.read_variable(place, span)
            if isinstance(place, Variable)
            else b.effect("load", place, type=PTR, span=span)
        )
        b.effect("free", pointer, span=span)
        self._write(place, Constant(PTR, 0), span)


def _line(span: Span) -> str:
    """The text of a span in one line."""
    return " ".join(span.source.text[span.start : span.end].split())
