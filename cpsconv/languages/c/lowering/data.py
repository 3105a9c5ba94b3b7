"""The initial content of global variables: bytes, and the addresses among them."""

from __future__ import annotations

from collections.abc import Sequence

from cpsconv.core.ir import Data, Function
from cpsconv.core.operations.contents import put
from cpsconv.core.operations.pointers import format_of
from cpsconv.core.operations.types import wrap
from cpsconv.languages.c.complex_types import Complex
from cpsconv.languages.c.lowering.calls import Calls
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.constants import ComplexNumber, constant_value
from cpsconv.languages.c.meaning.extents import offset_of
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import CType
from cpsconv.languages.data_types import expressible_type


class Contents:
    """Defines the data for global variables."""

    def __init__(self, expressions: Calls) -> None:
        self._expressions = expressions
        self._objects = expressions.objects

    def define(self, variables: Sequence[t.Global]) -> None:
        """Define data, whose initial content may refer to all of them."""
        for variable in variables:
            self._objects.define(variable)
        for variable in variables:
            if variable.initial:
                self._fill(self._objects.data(variable), variable.initial)

    def _fill(self, data: Data, parts: Sequence[t.Part]) -> None:
        content = bytearray()
        for part in parts:
            offset, place = offset_of(part.place), part.place
            if isinstance(part.value, t.Repetition):
                _repeat(data, content, range(offset, offset + place.type.size), part.value.count)
            elif isinstance(part.value, c.StringLiteral):
                size = place.type.size or part.value.type.size  # that of a flexible array member
                put(content, offset, part.value.text.encode("latin-1")[:size])
            elif isinstance(place, c.Member) and place.field.bits is not None:
                _insert(content, offset, place, part)
            elif isinstance(place.type, Complex):
                _put_complex(content, offset, part.value, place.type)
            else:
                self._put(data, content, offset, part.value, place.type)
        data.content = bytes(content).rstrip(b"\0")
        data.object_type = expressible_type(self._expressions.emit.builder, data)

    def _put(self, data: Data, content: bytearray, offset: int, node: c.Expression, type: CType) -> None:
        """Put a number or an address into the content."""
        value = constant_value(node)
        assert not isinstance(value, ComplexNumber)
        data.addresses.pop(offset, None)
        if isinstance(value, tuple):
            symbol, distance = value
            if symbol is not None:
                data.addresses[offset] = self._target(symbol), distance
                value = 0
            else:
                value = distance
        if type.kind == "integer" or type.kind == "pointer":
            value = wrap(type.program, int(value))
        put(content, offset, format_of(type.program).pack(value))

    def _target(self, symbol: t.Global | t.Function | c.StringLiteral) -> Data | Function:
        if isinstance(symbol, t.Global):
            return self._objects.data(symbol)
        if isinstance(symbol, c.StringLiteral):
            return self._objects.string(symbol)
        assert isinstance(symbol, t.Function)
        return self._expressions.lvalues.built[symbol]


def _repeat(data: Data, content: bytearray, element: range, count: int) -> None:
    """Copy an element to those after it, with the addresses in it."""
    put(content, element.stop, bytes(content[element.start : element.stop]).ljust(len(element), b"\0") * count)
    addresses = [each for each in data.addresses.items() if each[0] in element]
    for distance in range(len(element), (count + 1) * len(element), len(element)) if addresses else ():
        data.addresses.update((offset + distance, target) for offset, target in addresses)


def _put_complex(content: bytearray, offset: int, node: c.Expression, type: Complex) -> None:
    """Put a complex number into the content."""
    value = constant_value(node)
    assert isinstance(value, ComplexNumber)
    for field, part in zip(type.parts, value.parts, strict=True):
        put(content, offset + field.offset, format_of(type.part.program).pack(part))


def _insert(content: bytearray, offset: int, place: c.Member, part: t.Part) -> None:
    """Put a number into a bit-field."""
    assert isinstance(part.value, c.Expression)
    value = constant_value(part.value)
    assert not isinstance(value, (tuple, ComplexNumber))
    field, bits = place.field, place.field.bits or 0
    size, mask = (field.bit_offset + bits + 7) // 8, (1 << bits) - 1
    unit = int.from_bytes(content[offset : offset + size], "little") & ~(mask << field.bit_offset)
    unit |= (int(value) & mask) << field.bit_offset
    put(content, offset, unit.to_bytes(size, "little"))
