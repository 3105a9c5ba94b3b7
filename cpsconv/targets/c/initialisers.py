"""The initialisers of data, from their bytes and addresses."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from cpsconv.abi.complex_types import is_complex
from cpsconv.core import ir
from cpsconv.core.floating import Real
from cpsconv.core.operations.contents import is_regular
from cpsconv.core.operations.pointers import format_of
from cpsconv.core.operations.types import zero
from cpsconv.targets.c.pointers import length, unit
from cpsconv.targets.c.terms import scalar_literal, string_literal

MAX_LINE = 100

_MAX_ZEROS = 4096
"""The size of the largest object in another one whose zeros are written as standard C requires."""

_HEADERS = {"NULL": "stddef.h", "_MIN": "limits.h", "true": "stdbool.h", "false": "stdbool.h"}
_HEADERS |= dict.fromkeys(["INFINITY", "NAN", "HUGE_VALL", "nanl"], "math.h")

Address = Callable[[ir.Data | ir.Function, int, ir.Data | ir.Field], str]


class Initialiser:
    """Writes the initialiser of one `data`.

    `address` writes an address, given its target, the distance from the target's start, and the data or field that
    contains the address. `fields` has the names of fields; required headers are added to `headers`.
    """

    def __init__(self, data: ir.Data, fields: dict[ir.Field, str], address: Address, headers: set[str]) -> None:
        self.data = data
        self.fields = fields
        self.address = address
        self.headers = headers
        self._places = sorted(data.addresses)
        self._end = max([len(data.content), *(place + ir.PTR.size for place in self._places[-1:])])

    def text(self) -> str:
        """The initialiser, with line breaks if it is long."""
        shown = self._value(self.data, self.data.object_type, 0) or self._zero(self.data.object_type)
        self.headers.update(header for word, header in _HEADERS.items() if word in shown)
        return shown

    def _content(self, offset: int, size: int) -> bytes:
        """The content of a part, without zeros at its end."""
        return self.data.content[offset : offset + size].rstrip(b"\0")

    def _addresses(self, offset: int, size: int) -> list[int]:
        """The offsets of the addresses in a part of the content."""
        return self._places[bisect_left(self._places, offset) : bisect_left(self._places, offset + size)]

    def _is_zero(self, offset: int, size: int) -> bool:
        return not self._addresses(offset, size) and not self.data.content[offset : offset + size].strip(b"\0")

    def _value(self, place: ir.Data | ir.Field, type: ir.ObjectType, offset: int) -> str:
        """The initialiser of the object at the offset, which is in the data or field `place`; empty if it is zero."""
        if self._is_zero(offset, type.size):
            return ""
        if isinstance(type, ir.Array):
            return self._array(place, type, offset)
        if isinstance(type, ir.Struct):
            return self._union(type, offset) if type.is_union else self._struct(type, offset)
        if type is ir.PTR and offset in self.data.addresses:
            return self.address(*self.data.addresses[offset], place)
        return self._scalar(type, offset)

    def _scalar(self, type: ir.Scalar, offset: int) -> str:
        content = self._content(offset, type.size).ljust(type.size, b"\0")
        return self._literal(type, *format_of(type).unpack_from(content))

    @staticmethod
    def _literal(type: ir.Scalar, value: int | Real) -> str:
        if type is ir.PTR:
            return f"(void *){value}UL" if value else "NULL"
        return scalar_literal(ir.Constant(type, value), set())

    def _array(self, place: ir.Data | ir.Field, type: ir.Array, offset: int) -> str:
        inner, count = unit(type), length(type)
        assert count is not None
        if inner is ir.CHAR:
            text = self._content(offset, count).decode("latin-1")
            if len(text) < count and "\0" not in text:
                return string_literal(text)
        if isinstance(inner, ir.Scalar) and not self._addresses(offset, type.size):
            return _braces(self._scalars(inner, self._content(offset, type.size)))
        parts, zero = [], self._zero(inner)
        for index in range(min(count, -(-(self._end - offset) // inner.size))):
            parts.append(self._value(place, inner, offset + index * inner.size) or zero)
        while parts and parts[-1] == zero:
            parts.pop()
        return _braces(parts)

    def _scalars(self, type: ir.Scalar, content: bytes) -> list[str]:
        """The literals of scalars, without zeros at the end."""
        used = -(-len(content) // type.size) * type.size
        content, format = content.ljust(used, b"\0"), format_of(type)
        return [self._literal(type, *format.unpack_from(content, at)) for at in range(0, used, type.size)]

    def _zero(self, type: ir.ObjectType) -> str:
        """The initialiser of a zero object. (gcc warns of ``{0}`` for a struct in another one.)"""
        if isinstance(type, ir.Scalar):
            return scalar_literal(zero(type), set())
        if not 0 < type.size <= _MAX_ZEROS:
            return "{}"
        if isinstance(type, ir.Array):
            return f"{{{self._zero(unit(type))}}}"
        fields = [*type.fields.values()][: 1 if type.is_union else None]
        if is_complex(type):
            return self._zero(fields[0].type)
        return _braces([self._zero(field.type) for field in fields])

    def _struct(self, type: ir.Struct, offset: int) -> str:
        parts = [
            self._value(field, field.type, offset + field.offset) or self._zero(field.type)
            for field in type.fields.values()
        ]
        return f"__builtin_complex({', '.join(parts)})" if is_complex(type) else _braces(parts)

    def _union(self, type: ir.Struct, offset: int) -> str:
        """The first field that has the whole content, or the largest one."""
        for field in type.fields.values():
            rest = offset + field.type.size, type.size - field.type.size
            part = ir.Data("", field.type, self._content(offset, field.type.size))
            if self._is_zero(*rest) and is_regular(part) and self._has_addresses(field, offset):
                break
        else:
            field = max(type.fields.values(), key=lambda each: each.type.size)
        is_first = field is next(iter(type.fields.values()))
        value = self._value(field, field.type, offset) or self._zero(field.type)
        return f"{{{value}}}" if is_first else f"{{.{self.fields[field]} = {value}}}"

    def _has_addresses(self, field: ir.Field, offset: int) -> bool:
        """Whether the field has pointers where the content has addresses."""
        found = self._addresses(offset, field.struct.size)
        return not found or (unit(field.type) is ir.PTR) or isinstance(unit(field.type), ir.Struct)


def _braces(parts: list[str]) -> str:
    """The parts in braces, with line breaks if they are long."""
    if sum(len(part) + 2 for part in parts) <= MAX_LINE and not any("\n" in part for part in parts):
        return f"{{{', '.join(parts)}}}"
    lines, line = [], ""
    for part in parts:
        if line and len(line) + len(part) + 2 > MAX_LINE:
            lines.append(line)
            line = ""
        line += f"{', ' if line else ''}{part}"
    lines.append(line)
    return "{\n    " + ",\n    ".join(each.replace("\n", "\n    ") for each in lines) + ",\n}"
