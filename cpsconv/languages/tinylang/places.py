"""The variables of a procedure's call, and the places that designators denote.

A scalar variable, and each scalar part of a record, is a variable of the program, unless there is a reason to keep it
in memory. The first run of a lowering finds the reasons.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

from cpsconv.core.construction import Variable as ProgramVariable
from cpsconv.core.construction.failures import fail
from cpsconv.core.ir import BOOL, INT, LONG, PTR, UNSIGNED_LONG, Constant, Scalar, Struct, Undef, Value, innermost
from cpsconv.core.source import Span, did_you_mean
from cpsconv.core.trampoline import Computation, Step
from cpsconv.languages.tinylang import tree
from cpsconv.languages.tinylang import types as ty
from cpsconv.languages.tinylang.objects import Items, Nest
from cpsconv.languages.tinylang.scopes import Entry, Errors, ModuleEntry, Procedure, Typed, Variable
from cpsconv.languages.tinylang.types import INTEGER, UNKNOWN, Type, is_scalar, named

NOWHERE = Constant(PTR, 0)
"""The address of a place with an error, or one that the first run does not know."""


class Place(NamedTuple):
    """A variable, or a part of it, or of an object that it points to: a variable of the program, or an address."""

    variable: Variable
    type: Type
    location: ProgramVariable | Value
    is_behind_pointer: bool
    span: Span


class Places:
    """The variables of a procedure in a nest, and its designators."""

    def __init__(self, items: Items, procedure: Procedure, nest: Nest, errors: Errors) -> None:
        self.items, self.b = items, items.builder
        self.procedure, self.nest, self.errors = procedure, nest, errors
        self.closures: dict[Procedure, Value] = {}
        self._variables: dict[tuple[Variable, str], ProgramVariable] = {}
        self._pointers: dict[Variable, ProgramVariable] = {}
        self._addresses: dict[Variable, Value] = {}
        self._allocated: list[Value] = []

    @abstractmethod
    def expression(self, node: tree.Expression, is_argument: bool = False) -> Step[Typed]:
        """The value of an expression."""

    # ------------------------------------------------------------------------------------- variables of the call

    def enter(self, variables: list[ProgramVariable]) -> None:
        """Begin the procedure, with the variables of its parameters: allocate its objects and closures."""
        for parameter, variable in zip(self.procedure.parameters, variables, strict=True):
            self._enter_parameter(parameter, variable)
        for outer in self.procedure.uses:
            if outer.is_cell:
                self._addresses[outer] = self._outer(outer)
            else:
                variable = self._variable(outer, outer.name, ty.scalar(outer.type))
                self.b.write_variable(variable, self._outer(outer), outer.span)
        for local in self.procedure.variables:
            if local.in_memory:
                self._allocate(local)
        self._create_closures()
        for procedure in self.procedure.values:
            closure = procedure.closure
            if closure is None:
                self.closures[procedure] = self.items.constant_closure(procedure)
            else:
                self.closures[procedure] = self._current(closure, closure.span)

    def leave(self, span: Span | None) -> None:
        """End the lifetimes of the objects, before a return."""
        for address in reversed(self._allocated):
            self.b.effect("deallocate", address, span=span)

    def _enter_parameter(self, parameter: Variable, variable: ProgramVariable) -> None:
        b, span = self.b, parameter.span
        if parameter.is_reference:
            self._pointers[parameter] = variable
        elif parameter.in_memory:
            given, address = b.read_variable(variable, span), self._allocate(parameter)
            if isinstance(parameter.type, (ty.Array, ty.Record)):
                b.effect("copy", given, address, of=self.items.struct(parameter.type), span=span)
            else:
                b.effect("store", given, address, span=span)
            return
        else:
            self._variables[parameter, parameter.name] = variable
        if parameter.is_captured:
            self.nest.values[parameter] = b.read_variable(variable, span)

    def _allocate(self, variable: Variable) -> Value:
        whole = self.items.object_type(variable.type)
        element = innermost(whole)[0]
        operands = [Constant(INT, whole.size // element.size)] if isinstance(variable.type, ty.Array) else []
        address = self.b.effect("allocate", *operands, of=element, name=variable.name, span=variable.span)
        self._addresses[variable] = self.nest.values[variable] = address
        self._allocated.append(address)
        return address

    def _create_closures(self) -> None:
        created: list[tuple[Procedure, Value, Span]] = []
        for procedure in self.procedure.closures:
            if closure := procedure.closure:
                of = self.items.closure(procedure)
                address = self.b.effect("allocate", of=of, name=closure.name, span=closure.span)
                self._addresses[closure] = self.nest.values[closure] = address
                self._allocated.append(address)
                created.append((procedure, address, closure.span))
        for procedure, address, span in created:
            captured = [self._current(each, span) for each in procedure.captured]
            self.items.fill_closure(procedure, address, captured)

    def _current(self, variable: Variable, span: Span) -> Value:
        """The value of a captured variable, or its address."""
        if variable.owner is not self.procedure:
            return self._outer(variable)
        if variable.is_cell:
            return self._address(variable, span)
        return self.b.read_variable(self._variable(variable, variable.name, ty.scalar(variable.type)), span)

    def _outer(self, variable: Variable) -> Value:
        """The value or address of a variable of an enclosing procedure."""
        value = self.nest.values.get(variable)
        if value is None:
            return Undef(ty.scalar(variable.type), variable.name, variable.span)
        return value if self.procedure is self.nest.root else self.b.free(value)

    def _variable(self, variable: Variable, path: str, type: Scalar) -> ProgramVariable:
        """The variable of the program for a scalar, or for a part of a record."""
        return self._variables.setdefault((variable, path), ProgramVariable(path, type, variable.span))

    def _address(self, variable: Variable, span: Span) -> Value:
        if variable.owner is None:
            return self.items.data[variable]
        if variable in self._pointers:
            return self.b.read_variable(self._pointers[variable], span)
        return self._addresses.get(variable, NOWHERE)

    def read(self, place: Place) -> Value:
        """The value at a place; the address of a record or array."""
        location = place.location
        if isinstance(location, ProgramVariable):
            return self.b.read_variable(location, place.span)
        if not is_scalar(place.type):
            return location
        return self.b.effect("load", location, type=ty.scalar(place.type), span=place.span)

    def write(self, place: Place, value: Value, span: Span) -> None:
        """Assign a value to the place of a scalar."""
        if isinstance(place.location, ProgramVariable):
            if place.variable.is_captured:
                self.nest.values[place.variable] = value
            self.b.write_variable(place.location, value, span)
        else:
            self.b.effect("store", value, place.location, span=span)

    # ---------------------------------------------------------------------------------------------- designators

    def entry(self, node: tree.Designator) -> tuple[Entry | None, list[tree.Selector]]:
        """The declaration of a name that modules may precede, and the further selectors."""
        found, selectors = self.errors.look_up(self.procedure.scope, node.name), node.selectors
        while isinstance(found, ModuleEntry) and selectors and isinstance(selectors[0], tree.Word):
            found, selectors = self.errors.look_up(found.scope, selectors[0], found.name), selectors[1:]
        return found, selectors

    def place(self, node: tree.Designator, what: str, is_argument: bool = False) -> Computation[Place | None]:
        """The place that the designator denotes. Reports one that denotes no variable."""
        found, selectors = self.entry(node)
        if isinstance(found, Variable):
            place: Place | None = yield self.selected(found, selectors, node, is_argument)
            return place
        if found is not None:
            self.errors.add(f"{what} must be a variable, but `{node.name.text}` is none", node.span, "assignment")
        return None

    def selected(
        self, variable: Variable, selectors: list[tree.Selector], node: tree.Designator, is_argument: bool
    ) -> Computation[Place | None]:
        """The place that the selectors denote; None after an error.

        The indices of an argument are checked here, since no access follows.
        """
        b, type, span = self.b, variable.type, node.span
        is_whole, is_behind_pointer = not variable.is_reference, False
        path = None if variable.owner is None or variable.is_cell else variable.name
        address = NOWHERE if path else self._address(variable, span)
        for each in selectors:
            here = Span(span.source, span.start, each.span.end)
            if isinstance(each, tree.Word):
                if not isinstance(type, ty.Record) or each.text not in type.fields:
                    self._report_field(type, each)
                    return None
                if path:
                    path = f"{path}.{each.text}"
                else:
                    field = self.items.struct(type).fields[each.text]
                    address = b.primitive("field", address, of=field, span=span)
                type, is_whole = type.fields[each.text], False
            elif isinstance(each, tree.Index):
                index = yield self._index(type, each)
                if not isinstance(type, ty.Array) or index is None:
                    return None
                element, count = self._element(type)
                is_part = count > 1 or not is_whole or isinstance(type.element, ty.Array)
                is_safe = isinstance(index, Constant) and 0 <= int(index.value) < type.length
                if (is_argument or is_part) and not is_safe:  # no access follows, or memory does not know the array
                    self._check_index(type, index, variable, Span(span.source, span.start, each.span.start), here)
                if count > 1:
                    index = b.primitive("*", index, Constant(LONG, count), span=here)
                address = b.primitive("element", address, index, of=element, span=here)
                type, is_whole = type.element, False
            elif isinstance(type, ty.Pointer):
                location = self._variable(variable, path, PTR) if path else address
                address = self.read(Place(variable, type, location, is_behind_pointer, here))
                path, type, is_whole, is_behind_pointer = None, type.target, True, True
            elif type is not UNKNOWN:
                self.errors.add(f"`^` follows a pointer, not {named(type)}", each.span, "type-mismatch")
                return None
        if type is UNKNOWN:
            return None
        location = self._variable(variable, path, ty.scalar(type)) if path and is_scalar(type) else address
        return Place(variable, type, location, is_behind_pointer, span)

    def _report_field(self, type: Type, name: tree.Word) -> None:
        if isinstance(type, ty.Record):
            help = did_you_mean(name.text, type.fields)
            self.errors.add(f"{named(type)} has no field `{name.text}`", name.span, "undeclared", help)
        elif type is not UNKNOWN:
            to_record = isinstance(type, ty.Pointer) and isinstance(type.target, ty.Record)
            help = f"write `^.{name.text}`" if to_record else None
            self.errors.add(f"{named(type)} has no fields", name.span, "type-mismatch", help)

    def _index(self, type: Type, node: tree.Index) -> Computation[Value | None]:
        """The value of an index; None after an error."""
        index: Typed = yield self.expression(node.subscript)
        if not isinstance(type, ty.Array):
            if type is not UNKNOWN:
                self.errors.add(f"`[` follows an array, not {named(type)}", node.span, "type-mismatch")
            return None
        if not self.is_(index, INTEGER, "an index"):
            return None
        if index.constant is not None and not 0 <= index.constant < type.length:
            message = f"index {index.constant} is out of bounds: {named(type)} has the indices 0 to {type.length - 1}"
            self.errors.add(message, index.span, "bounds")
            return None
        return index.value

    def is_(self, found: Typed, wanted: Type, what: str) -> bool:
        """Whether the expression has the type; reports another known one. False for an unknown one, too."""
        if found.type not in (wanted, UNKNOWN):
            message = f"{what} must be {named(wanted)}, but this is {named(found.type)}"
            self.errors.add(message, found.span, "type-mismatch")
        return found.type is wanted

    # -------------------------------------------------------------------------------------------------- indices

    def _element(self, array: ty.Array) -> tuple[Scalar | Struct, int]:
        """The innermost type of the elements, and how many of them are an element."""
        element = self.items.object_type(array.element)
        inner = innermost(element)[0]
        return inner, element.size // inner.size

    def _check_index(self, array: ty.Array, index: Value, variable: Variable, part: Span, span: Span) -> None:
        """End the run unless the index of the array at `part`, with which `span` ends, is within it.

        The error is that of memory for an index out of bounds, and natively a message. Memory knows whole objects only.
        So an object is accessed that has the name and the elements of the part.
        """
        b, element = self.b, array.element
        within, outside = b.continuation("within", span=span), b.continuation("outside", span=span)
        unsigned, length = b.convert(UNSIGNED_LONG, index), Constant(UNSIGNED_LONG, array.length)
        b.branch(b.primitive("<", unsigned, length, span=span), within, outside, span)
        b.open(outside)
        of = self.items.struct(element) if isinstance(element, (ty.Array, ty.Record)) else element.scalar
        like_part = b.effect("allocate", Constant(INT, array.length), of=of, name=_line(part), span=variable.span)
        b.effect("load", b.primitive("element", like_part, index, of=of, span=span), type=BOOL, span=span)
        fail(b, f"the index in `{_line(span)}` is out of bounds", span)
        b.open(within)


def _line(span: Span) -> str:
    """The text of a span in one line."""
    return " ".join(span.source.text[span.start : span.end].split())
