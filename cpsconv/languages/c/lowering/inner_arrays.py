"""Accesses outside of an *inner* array, a member or an element of another object.

Memory has the bounds of whole objects, so an access that leaves an inner array and stays in its object has no error. If
the index is a constant where it is used, the lowering knows better: it emits an access to an object that has the name,
the elements and the length of the array, which is always an error. So is a copy of a constant number of bytes from or
to a member that has fewer. (Programs clear an array of arrays from its first element on.)

Older programs declare an array at the end of a struct that continues in the memory after the struct. So the end of what
a pointer points to, and of a member of a union, is not known.
"""

from __future__ import annotations

from typing import Any

from cpsconv.core.ir import CHAR, INT, Constant, Value
from cpsconv.core.source import Span
from cpsconv.languages.c.lowering.emission import Emitter
from cpsconv.languages.c.lowering.places import Address, Places
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import Array, CType, VariableArray

_OBJECTS = (c.Name, c.StringLiteral, c.CompoundLiteral, c.Temporary)

_POINTERS = {"memcpy": 2, "memmove": 2, "memset": 1}
"""The functions that access the bytes at their first arguments, with the number of these arguments."""


def copied(call: c.CallExpression, arguments: list[Value], emit: Emitter, places: Places) -> list[Value]:
    """The arguments of a call. A member with fewer bytes than are accessed is replaced by an object like it."""
    count = _POINTERS.get(call.function.name, 0) if call.function else 0
    if not count or len(arguments) != 3 or not isinstance(size := arguments[2], Constant):
        return arguments
    result = [*arguments]
    for number, argument in enumerate(map(t.unconverted, call.arguments[:count])):
        if isinstance(argument, c.Decay) and isinstance(argument.operand, c.Member):
            base, steps = t.path(argument.operand)
            inner = InnerArray(base, emit, places)
            for step in steps:
                inner.enter(step)
            array: Any = argument.operand.type
            length = inner.length(array)
            if length and int(size.value) > length * places.types.of(array.element).size:
                result[number] = inner.like(argument.operand, length)
    return result


class InnerArray:
    """The part of an object that the steps of a place have reached, from the expression `base` on.

    `is_whole`: it is the object itself. `may_extend`: the object may continue after its end.
    """

    def __init__(self, base: c.Expression, emit: Emitter, places: Places) -> None:
        self._emit = emit
        self._places = places
        self._is_whole = isinstance(base, _OBJECTS)
        self._may_extend = not self._is_whole
        self._declared: Span = base.denoted.span if isinstance(base, c.Name) and base.denoted else base.span
        self._is_first = True

    def enter(self, node: Any) -> None:
        """Proceed to the member, or to an element."""
        if isinstance(node, c.Member):
            record: Any = node.operand.type.unqualified
            is_last = record.is_union or node.field is record.fields[-1]
            is_exact = record.is_union and isinstance(node.field.type, Array) and not self._may_extend
            self._may_extend = is_last and (self._may_extend or record.is_union) and not is_exact
            self._declared = node.field.span or self._declared
        else:
            self._may_extend = self._may_extend and not self._is_first and _length(node.pointer.operand.type) <= 1
        self._is_whole = self._is_first = False

    def check(self, node: c.Subscript, index: Value) -> None:
        """Emit an error if the index of the next element is certainly outside of an inner array."""
        array: Any = node.pointer.operand  # type: ignore[attr-defined]
        length = self.length(array.type)
        if length and isinstance(index, Constant) and not 0 <= int(index.value) < length:
            place = self._places.element(Address(self.like(array, length)), array.type, index, node.span)
            assert isinstance(place, Address)
            self._emit.effect("load", self._places.pointer(place, node.span), type=CHAR, span=node.span)

    def length(self, array: CType) -> int:
        """The length of the part, an array; 0 if it is no inner array, or its end is not known."""
        return 0 if self._is_whole or (self._may_extend and not self._is_first) else _length(array)

    def like(self, node: c.Expression, length: int) -> Value:
        """An object that has the name, the elements and the length of the part, an array."""
        array: Any = node.type
        of = self._places.types.of(array.element)
        return self._emit.effect("allocate", Constant(INT, length), of=of, name=_text(node.span), span=self._declared)


def _length(array: Any) -> int:
    return 0 if isinstance(array, VariableArray) else array.length or 0


def _text(span: Span) -> str:
    written = span.written
    return " ".join(written.source.text[written.start : written.end].split())
