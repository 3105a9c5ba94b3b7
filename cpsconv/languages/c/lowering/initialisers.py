"""The lowering of declarations: the allocation of variables, and their initialisation part by part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Any

from cpsconv.core.construction import Variable
from cpsconv.core.ir import INT, PTR, UNSIGNED_LONG, Constant, Function, Undef, Value
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.types import zero
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation, Step
from cpsconv.languages.c.lowering.emission import Emitter
from cpsconv.languages.c.lowering.lvalues import Lvalues
from cpsconv.languages.c.lowering.object_types import has_bit_fields
from cpsconv.languages.c.lowering.objects import Objects
from cpsconv.languages.c.lowering.places import Address, Parts, Place, Places, integer
from cpsconv.languages.c.lowering.promotion import NONE, Promotion
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.records import Field, Record
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import CHAR as C_CHAR
from cpsconv.languages.c.types import Array, CType, VariableArray, element_of

MAX_STORES = 16
"""The maximal number of scalars that are set to zero or copied from a string one by one."""


class Initialisers(metaclass=NodeType):
    """Declares and initialises the variables of functions."""

    _emit: Emitter
    _lvalues: Lvalues
    _places: Places
    _objects: Objects
    _value: Callable[[c.Expression], Step[Any]]
    _call_into: Callable[[Any, Value], Computation[Value | None]]
    _promotion: Promotion = NONE
    _assigned: dict[Variable, list[int]] = field(default_factory=dict)

    def begin(self, promotion: Promotion, assigned: dict[Variable, list[int]]) -> None:
        """Begin a function, with the variables of it that are `assigned` in loops and where."""
        self._promotion, self._assigned = promotion, assigned

    # ------------------------------------------------------------------------------------------------ declarations

    def allocate_at_start(self, scope: c.Statement | c.Expression | None) -> None:
        """Allocate the variables that exist from the start of a statement, or for None of the call, in its scope."""
        for local in self._promotion.at_start.get(scope, ()):
            name, alignment = local.name or "literal", local.alignment
            pointer = self._objects.allocate(local.type, name, local.span, alignment=alignment)
            self._lvalues.objects[local] = Address(pointer)

    def declare(self, node: t.Declare) -> Computation[None]:
        """Declare an array, struct or union, or a scalar in memory, and initialise it."""
        local = node.variable
        place = self._declared(local)
        yield self._initialised(place, node)
        if isinstance(place, Address):
            has_value = node.initial is not None or bool(node.parts) or node.is_zeroed
            self.make_constant(local, place, has_value)

    def make_constant(self, local: t.Local, place: Address, has_value: bool = True) -> None:
        """After its initialisation, make a variable constant that a pointer may change; if it `has_value`, members."""
        if local not in self._promotion.constant:
            return
        span = local.span
        if "const" in element_of(local.type).qualifiers:
            self._emit.effect("make_constant", self._places.pointer(place, span), span=span)
            return
        for part in self._places.types.constant_parts(local.type) if has_value else ():
            start = self._places.pointer(self._places.moved(place, C_CHAR, integer(part.start), span), span)
            self._emit.effect("make_bytes_constant", start, Constant(UNSIGNED_LONG, len(part)), span=span)

    def _initialised(self, place: Place, node: t.Declare) -> Computation[None]:
        local = node.variable
        if node.initial is not None and not isinstance(local.type, Record):
            self._places.store(place, (yield self._value(node.initial)), local.type, local.span.to(node.initial.span))
            return
        if t.is_call(node.initial) and isinstance(place, Address):
            yield self._call_into(node.initial, place.base)
            return
        if node.initial is not None:
            value = yield self._value(node.initial)
            self._places.assign(place, value, local.type.unqualified, local.span.to(node.initial.span))
            return
        self._clear(place, node)
        for part in node.parts:
            inner = yield self._lvalues.place(part.place)
            yield self._initialise(inner, part)

    def load_parameter(self, local: t.Local, pointer: Value) -> None:
        """Load the scalars of a split parameter that are accessed, from the copy at the pointer."""
        accessed, type = self._promotion.accessed.get(local, ()), local.type.unqualified
        assert isinstance(type, Record)
        for leaf, part in zip(self._places.types.leaves(type) or (), self._split(local).items, strict=True):
            assert isinstance(part, Variable)
            if any(leaf.steps[:length] in accessed for length in range(len(leaf.steps) + 1)):
                value = self._places.loaded_leaf(pointer, type, leaf, part.name, local.span)
                self._emit.write(part, value, local.span)

    def _declared(self, local: t.Local) -> Place:
        """The place of a variable that is declared now. The parts of a split one are undefined."""
        known = self._lvalues.objects.get(local)
        if local in self._promotion.split:
            parts = known if isinstance(known, Parts) else self._split(local)
            for part in parts.items:
                assert isinstance(part, Variable)
                self._emit.write(part, Undef(part.type, part.name, local.span), local.span)
            return parts
        if known is not None and local in self._promotion.early:
            return known
        count = self._length(local.type, local.span) if isinstance(local.type, VariableArray) else None
        place = Address(self._objects.allocate(local.type, local.name, local.span, count, alignment=local.alignment))
        self._lvalues.objects[local] = place
        return place

    def _length(self, type: CType, span: Span) -> Value:
        """The number of the innermost elements of an array of variable length."""
        count: Value = integer(1)
        while isinstance(type, Array):
            count = self._places.product(count, self._places.length(type, span), span)
            type = type.element
        return count

    def _split(self, local: t.Local) -> Parts:
        """The variables of the scalars of a split object: ``p.x``, ``p.y``."""
        leaves = self._places.types.leaves(local.type)
        assert leaves is not None
        name = local.name or "literal"
        variables = [Variable(name + leaf.path, leaf.type.program, local.span) for leaf in leaves]
        self._assigned |= dict.fromkeys(variables, self._promotion.assigned.get(local, []))
        parts = self._lvalues.objects[local] = Parts(variables)
        return parts

    # ---------------------------------------------------------------------------------------------- initialisation

    def _clear(self, place: Place, node: t.Declare) -> None:
        """Set to zero what the parts of an initialiser do not cover."""
        type, span = node.variable.type, node.variable.span
        if not node.is_zeroed:
            return
        if isinstance(place, Parts):
            for part in place.items:
                assert isinstance(part, Variable)
                self._emit.write(part, zero(part.type), span)
        elif isinstance(place, Address):
            leaves = self._places.types.leaves(type, of_unions=True)
            if leaves is None or len(leaves) > MAX_STORES or has_bit_fields(type):
                self.fill(place, integer(0), self._size(type, span), span)
                return
            covered = set(map(_steps, node.parts))
            for leaf in leaves:
                if not any(leaf.steps[:count] in covered for count in range(len(leaf.steps) + 1)):
                    self._places.store(
                        self._places.leaf(place, type, leaf.steps, span), zero(leaf.type.program), leaf.type, span
                    )

    def _size(self, type: CType, span: Span) -> Value:
        if isinstance(type, VariableArray):
            return self._emit.convert(UNSIGNED_LONG, self._lvalues.size(type, span), span)
        return Constant(UNSIGNED_LONG, type.size)

    def _initialise(self, place: Place, part: t.Part) -> Computation[None]:
        node, span = part.value, part.value.span
        if isinstance(node, c.StringLiteral):
            self._copy_string(place, part.place.type, node)
        elif isinstance(node, t.Repetition):
            self._repeat(place, part.place.type, node)
        elif isinstance(part.place.type, Record):
            self._places.assign(place, (yield self._value(node)), part.place.type.unqualified, span)
        else:
            self._places.store(place, (yield self._value(node)), part.place.type, span)

    def _copy_string(self, place: Place, array: Array, node: c.StringLiteral) -> None:
        """Initialise an array of characters with a string, and zeros after it."""
        size, length, span = array.element.size, array.length or 0, node.span
        units = [node.text[at : at + size].encode("latin-1") for at in range(0, len(node.text), size)]
        if isinstance(place, Parts) or length <= MAX_STORES:
            type = array.element.program
            for index in range(length):
                unit = int.from_bytes(units[index], "little", signed=type.signed) if index < len(units) else 0
                element = self._places.element(place, array, integer(index), span)
                self._places.store(element, Constant(type, unit), array.element, span)
            return
        assert isinstance(place, Address)
        copied = min(len(units) + 1, length)
        if units:
            source = self._objects.string(node)
            self.call(
                "memcpy", [self._places.pointer(place, span), source, Constant(UNSIGNED_LONG, copied * size)], span
            )
        else:
            copied = 0
        if copied < length:
            rest = self._places.moved(place, array.element, integer(copied), span)
            self.fill(rest, integer(0), Constant(UNSIGNED_LONG, (length - copied) * size), span)

    def _repeat(self, place: Place, type: CType, node: t.Repetition) -> None:
        """Copy an element to those after it, each time twice as many."""
        assert isinstance(place, Address)
        copied, pointer = 1, self._places.pointer(place, node.span)
        while copied <= node.count:
            more = min(copied, node.count + 1 - copied)
            target = self._places.pointer(self._places.moved(place, type, integer(copied), node.span), node.span)
            self.call("memcpy", [target, pointer, Constant(UNSIGNED_LONG, more * type.size)], node.span)
            copied += more

    # ------------------------------------------------------------------------------------- functions of the library

    def fill(self, place: Address, byte: Value, size: Value, span: Span) -> None:
        """Set bytes in memory."""
        self.call("memset", [self._places.pointer(place, span), byte, size], span)

    def call(self, name: str, arguments: list[Value], span: Span) -> None:
        """Call `memset` or `memcpy`, which is declared on the first use."""
        self._emit.call(self._library(name), arguments, span)

    def _library(self, name: str) -> Function:
        found = self._emit.builder.declared(name)
        if found is None:
            second = ("c", INT) if name == "memset" else ("source", PTR)
            found = self._emit.builder.external(name, [("target", PTR), second, ("size", UNSIGNED_LONG)], PTR)
        return found


def _steps(part: t.Part) -> tuple[Field | int, ...]:
    """The fields and indices that lead to the part."""
    steps = t.path(part.place)[1]
    return tuple(each.field if isinstance(each, c.Member) else int(each.index.value) for each in steps)
