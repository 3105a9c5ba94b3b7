"""The lowering of the typed tree's places to the places of the program, and of the operations on pointers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from cpsconv.core.construction import Variable
from cpsconv.core.ir import LONG, PTR, Constant, Function, Undef, Value
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Step
from cpsconv.languages.c.lowering.emission import Emitter
from cpsconv.languages.c.lowering.inner_arrays import InnerArray
from cpsconv.languages.c.lowering.objects import Objects
from cpsconv.languages.c.lowering.places import Address, Parts, Place, Places
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import Array, CType, FunctionType, Pointer

_Values = Callable[[c.Expression], Step[Any]]


Declare = Callable[[t.Local], Variable]
Initialise = Callable[[t.Declare], Computation[None]]


class Lvalues:
    """Finds the places of one function. `value` is the lowering of an expression to its value.

    `variables` has the variables of the scalars, `objects` the places of all other variables: addresses, and the parts
    of split ones. `built` has the functions of the program. `declare` is called for a variable without a declaration,
    such as the length of an array, `initialise` for a compound literal.
    """

    def __init__(
        self,
        emit: Emitter,
        places: Places,
        data: Objects,
        value: _Values,
        built: Mapping[t.Function, Function],
        declare: Declare,
        initialise: Initialise,
    ) -> None:
        self._emit = emit
        self._places = places
        self._data = data
        self._value = value
        self.variables: dict[t.Local, Variable] = {}
        self.objects: dict[t.Local, Place] = {}
        self.built = built
        self._declare = declare
        self._initialise = initialise
        self.values: dict[type, Callable[[Any], Step[Value]]] = {
            c.AddressOf: self._address_of,
            c.Decay: self._decay,
            c.LabelAddress: self._label_address,
        }

    # ------------------------------------------------------------------------------------------------------- places

    def place(self, node: Any, is_accessed: bool = True) -> Step[Place]:
        """The place that the node denotes, or its computation. A place that is not accessed has its address taken."""
        return self.of_variable(node.denoted) if type(node) is c.Name else self._place(node, is_accessed)

    def of_variable(self, variable: Any) -> Place:
        """The place of a `Local` or `Global`."""
        if type(variable) is t.Global:
            return Address(self._data.data(variable))
        return self.variables.get(variable) or self.objects.get(variable) or self._declare(variable)

    def _place(self, node: Any, is_accessed: bool) -> Computation[Place]:
        """The place of an expression: from the object itself on, through its members and elements."""
        node, steps = t.path(node)
        place: Place = yield self._innermost(node)
        inner = InnerArray(node, self._emit, self._places) if is_accessed else None
        for each in steps:
            if type(each) is c.Member:
                place = self._places.member(place, each.operand.type.unqualified, each.field)
            else:
                index = yield self._value(each.index)
                if inner:
                    inner.check(each, index)
                place = self._places.element(place, each.pointer.operand.type, index, each.span)
            if inner:
                inner.enter(each)
        return place

    def _innermost(self, node: Any) -> Step[Place]:
        """The place of a node that is neither a member nor an element of an array."""
        kind = type(node)
        if kind is c.Name:
            return self.of_variable(node.denoted)
        if kind is c.StringLiteral:
            return Address(self._data.string(node))
        if kind is c.Dereference:
            return self.pointee(node.pointer)
        if kind is c.Subscript:
            return self._element(node)
        if kind is c.CompoundLiteral:
            return self._literal(node)
        if kind is c.Temporary:
            return self._temporary(node)
        return self._erroneous(node)

    def _element(self, node: c.Subscript) -> Computation[Place]:
        place = yield self.pointee(node.pointer)
        index = yield self._value(node.index)
        return self._moved(place, node.pointer.type, index, node.span)

    def _literal(self, node: c.CompoundLiteral) -> Computation[Place]:
        yield self._initialise(node.declared)
        return self.objects.get(node.declared.variable) or self.variables[node.declared.variable]

    def _temporary(self, node: c.Temporary) -> Computation[Place]:
        value = yield self._value(node.operand)
        return Parts(value) if isinstance(value, list) else Address(value)

    def _erroneous(self, node: c.Expression) -> Computation[Place]:
        yield self._value(node)
        return Address(Undef(PTR, "unknown", node.span))

    def pointee(self, node: Any) -> Computation[Place]:
        """The place that a pointer points to."""
        sums: list[c.Binary] = []
        while True:
            kind = type(node)
            if kind is c.Binary:
                sums.append(node)
                node = node.left
            elif (kind is c.Convert or kind is c.Cast) and node.type.program is PTR is node.operand.type.program:
                node = node.operand
            else:
                break
        array: Array | None = None
        if kind is c.AddressOf:
            place: Place = yield self.place(node.operand, False)
        elif kind is c.Decay and not isinstance(node.operand.type, FunctionType):
            place, array = (yield self.place(node.operand, False)), node.operand.type
        else:
            pointer: Value = yield self._value(node)
            place = Address(pointer if pointer.type is PTR else Undef(PTR, "unknown", node.span))
        for each in reversed(sums):
            index = yield self._value(each.right)
            if each.op == "-":
                index = self._negated(index, each.span)
            if isinstance(place, Parts) and array is not None:
                place = self._places.element(place, array, index, each.span)
            else:
                place = self._moved(place, each.left.type, index, each.span)
        if isinstance(place, Parts) and array is not None and not sums:
            place = self._places.element(place, array, Constant(LONG, 0), node.span)
        return place

    def _moved(self, place: Place, type: CType, index: Value, span: Span) -> Place:
        if not isinstance(place, Address) or not isinstance(type, Pointer):
            return place  # erroneous
        return self._places.moved(place, type.target, index, span)

    def _negated(self, index: Value, span: Span) -> Value:
        if isinstance(index, Constant):
            return Constant(LONG, -int(index.value))
        return self._emit.primitive("neg", self._places.as_long(index, span), span=span)

    # ----------------------------------------------------------------------------------------------------- pointers

    def _address_of(self, node: c.AddressOf) -> Computation[Value]:
        return self._pointer_to((yield self.place(node.operand, False)), node.span)

    def _decay(self, node: c.Decay) -> Computation[Value]:
        if isinstance(node.operand.type, FunctionType):
            return self._emit.convert(PTR, self.built[node.operand.denoted], node.span)
        return self._pointer_to((yield self.place(node.operand, False)), node.span)

    def sum(self, node: c.Binary) -> Computation[Value]:
        """The sum or difference of a pointer and an integer."""
        return self._pointer_to((yield self.pointee(node)), node.span)

    def _pointer_to(self, place: Place, span: Span) -> Value:
        return self._places.pointer(place, span) if isinstance(place, Address) else Undef(PTR, "unknown", span)

    def difference(self, node: c.Binary) -> Computation[Value]:
        """The number of elements between two pointers."""
        emit, span = self._emit, node.span
        left = yield self._value(node.left)
        right = yield self._value(node.right)
        bytes = emit.primitive("-", emit.convert(LONG, left, span), emit.convert(LONG, right, span), span=span)
        assert isinstance(node.left.type, Pointer)
        size = self.size(node.left.type.target, span)
        if isinstance(size, Constant) and size.value in (0, 1):
            return bytes
        return emit.primitive("/", bytes, self._places.as_long(size, span), span=span)

    def size(self, type: CType, span: Span) -> Value:
        """The size of the objects of a type."""
        count: Value = Constant(LONG, 1)
        while isinstance(type, Array):
            count = self._places.product(count, self._places.length(type, span), span)
            type = type.element
        return self._places.product(count, Constant(LONG, self._places.types.of(type).size), span)

    def _label_address(self, node: c.LabelAddress) -> Value:
        assert node.label
        return self._emit.convert(PTR, Constant(LONG, node.label.number), node.span)
