"""Accesses outside of an *inner* array, a member or an element of another object.

Memory has the bounds of whole objects, so an access that leaves an inner array and stays in its object has no error. If
the index is a constant where it is used, the lowering knows better: it emits an access to an object that has the name,
the elements and the length of the array, which is always an error.

Older programs declare an array at the end of a struct that continues in the memory after the struct. So the end of what
a pointer points to, and of a member of a union, is not known.
"""

from __future__ import annotations

from typing import Any

from cpsconv.frontends.c.lowering.emission import Emitter
from cpsconv.frontends.c.lowering.places import Address, Places
from cpsconv.frontends.c.meaning import typed_tree as t
from cpsconv.frontends.c.types import Array, VariableArray
from cpsconv.ir import CHAR, INT, Constant, Value
from cpsconv.source import Span

_OBJECTS = (t.Local, t.Global, t.String, t.LiteralObject, t.Temporary)


class InnerArray:
    """The part of an object that the steps of a place have reached, from the expression `base` on.

    `is_whole`: it is the object itself. `may_extend`: the object may continue after its end.
    """

    def __init__(self, base: t.Expression, emit: Emitter, places: Places) -> None:
        self._emit = emit
        self._places = places
        self._is_whole = isinstance(base, _OBJECTS)
        self._may_extend = not self._is_whole
        self._declared: Span = base.span
        self._is_first = True

    def enter_member(self, node: t.Member) -> None:
        """Proceed to the member."""
        record: Any = node.record.type.unqualified
        is_last = record.is_union or node.field is record.fields[-1]
        is_exact = record.is_union and isinstance(node.field.type, Array) and not self._may_extend
        self._may_extend = is_last and (self._may_extend or record.is_union) and not is_exact
        self._declared = node.field.span or self._declared
        self._is_whole = self._is_first = False

    def enter_element(self, node: t.Element, index: Value) -> None:
        """Proceed to the element. Emit an error if the index is certainly outside of an inner array."""
        array: Any = node.pointer.operand.type  # type: ignore[attr-defined]
        length: int = 0 if isinstance(array, VariableArray) else array.length or 0
        has_end = bool(length) and not self._is_whole and (self._is_first or not self._may_extend)
        if has_end and isinstance(index, Constant) and not 0 <= int(index.value) < length:
            self._emit_error(array, length, index, node)
        self._may_extend = self._may_extend and not self._is_first and length <= 1
        self._is_whole = self._is_first = False

    def _emit_error(self, array: Array, length: int, index: Value, node: t.Element) -> None:
        emit, of = self._emit, self._places.types.of(array.element)
        text = _text(node.pointer.operand.span)  # type: ignore[attr-defined]
        like = emit.effect("allocate", Constant(INT, length), of=of, name=text, span=self._declared)
        place = self._places.element(Address(like), array, index, node.span)
        assert isinstance(place, Address)
        emit.effect("load", self._places.pointer(place, node.span), type=CHAR, span=node.span)


def _text(span: Span) -> str:
    written = span.written
    return " ".join(written.source.text[written.start : written.end].split())
