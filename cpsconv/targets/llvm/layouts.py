"""Object types in LLVM IR, and the initial content of data.

A struct type has the fields of the struct if LLVM lays them out in the same way. A union, or a struct with another
layout (packed, with bit-fields), is an array of integers of the same size and alignment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Union

from cpsconv.core import ir
from cpsconv.core.operations.pointers import format_of
from cpsconv.targets.llvm.vocabulary import escaped, literal, quoted, type_word

MAX_UNIT = 8  # bytes of the largest integer of x86-64

Address = Callable[[Union[ir.Data, ir.Function]], str]
"""Returns the constant pointer to data or a function."""


def memory_word(type: ir.ObjectType) -> str:
    """The type of an object in memory: ``[3 x %struct.point]``. A `bool` takes a byte."""
    lengths = []
    while isinstance(type, ir.Array):
        lengths.append(type.length)
        type = type.element
    word = struct_name(type) if isinstance(type, ir.Struct) else "i8" if type is ir.BOOL else type_word(type)
    for length in reversed(lengths):
        word = f"[{length} x {word}]"
    return word


def struct_name(struct: ir.Struct) -> str:
    """``%struct.point``"""
    kind = "union" if struct.is_union else "struct"
    return f"%{quoted(f'{kind}.{struct.name}')}"


class Layouts:
    """The layouts of the structs of a program."""

    def __init__(self) -> None:
        self._natural: dict[ir.Struct, bool] = {}

    def body(self, struct: ir.Struct) -> str:
        """The definition of a struct type."""
        if self.has_fields(struct):
            return f"{{ {', '.join(memory_word(field.type) for field in struct.fields.values())} }}"
        unit = _alignment(struct)
        return f"{{ [{struct.size // unit} x i{8 * unit}] }}"

    def has_fields(self, struct: ir.Struct) -> bool:
        """Whether the struct type has the fields of the struct."""
        if struct not in self._natural:
            self._natural[struct] = _is_natural(struct)
        return self._natural[struct]

    # --------------------------------------------------------------------------------------------------- content

    def initialiser(self, data: ir.Data, address: Address) -> str:
        """The type and the initial content of data."""
        type = data.object_type
        if not any(data.content) and not data.addresses:
            return f"{memory_word(type)} zeroinitializer"
        if type.size <= 4 * len(data.content) + MAX_ZEROS:
            content = _Content(self, data, address)
            text = content.of(type, 0)
            if content.is_complete:
                return f"{memory_word(type)} {text}"
        parts = [*_parts(data, address)]
        return f"<{{ {', '.join(word for word, _ in parts)} }}> <{{ {', '.join(map(' '.join, parts))} }}>"


MAX_ZEROS = 4096
"""The largest number of bytes without content in an array that is written element by element."""


def _alignment(type: ir.ObjectType) -> int:
    """The alignment of the type in LLVM."""
    return min(type.alignment, MAX_UNIT) or 1


def _is_natural(struct: ir.Struct) -> bool:
    """Whether LLVM lays out the fields as the struct does."""
    end = 0
    for field in struct.fields.values():
        end = -(-end // _alignment(field.type)) * _alignment(field.type)
        if field.offset != end:
            return False
        end += field.type.size
    alignment = max([_alignment(field.type) for field in struct.fields.values()], default=1)
    is_sized = alignment == _alignment(struct) and -(-end // alignment) * alignment == struct.size
    return is_sized and not struct.is_union


class _Content:
    """The content of data as a constant of the type of the data. `is_complete` is false if the type cannot show it."""

    def __init__(self, layouts: Layouts, data: ir.Data, address: Address) -> None:
        self._layouts = layouts
        self._data = data
        self._bytes = data.content.ljust(data.object_type.size, b"\0")
        self._address = address
        self._pending = set(data.addresses)
        self._is_typed = True

    @property
    def is_complete(self) -> bool:
        """Whether the constant has all bytes and addresses."""
        return self._is_typed and not self._pending

    def of(self, type: ir.ObjectType, start: int) -> str:
        """The part of the type at the offset `start`."""
        if isinstance(type, ir.Scalar):
            return self._scalar(type, start)
        if not any(self._bytes[start : start + type.size]) and not self._has_addresses(start, start + type.size):
            return "zeroinitializer"
        if isinstance(type, ir.Array):
            if type.element in _BYTES:
                return f'c"{escaped(self._bytes[start : start + type.size])}"'
            size, word = type.element.size, memory_word(type.element)
            elements = (f"{word} {self.of(type.element, start + n * size)}" for n in range(type.length))
            return f"[{', '.join(elements)}]"
        fields = type.fields.values()
        self._is_typed &= not type.is_union and self._layouts.has_fields(type)
        texts = (f"{memory_word(each.type)} {self.of(each.type, start + each.offset)}" for each in fields)
        return f"{{ {', '.join(texts)} }}"

    def _has_addresses(self, start: int, end: int) -> bool:
        return any(start <= at < end for at in self._pending)

    def _scalar(self, type: ir.Scalar, start: int) -> str:
        if type is ir.PTR and start in self._pending:
            self._pending.discard(start)
            return _pointer(*self._data.addresses[start], self._address)
        (value,) = format_of(type).unpack_from(self._bytes, start)
        if type is ir.PTR:
            return f"inttoptr (i64 {value} to ptr)" if value else "null"
        if value != value and type is not ir.LONG_DOUBLE:  # the literal of a NaN is not exact
            bits = int.from_bytes(self._bytes[start : start + type.size], "little")
            return f"bitcast (i{type.bits} {bits} to {type_word(type)})"
        return str(self._bytes[start]) if type is ir.BOOL else literal(ir.Constant(type, value))


_BYTES = ir.CHAR, ir.SIGNED_CHAR, ir.UNSIGNED_CHAR


def _pointer(target: ir.Data | ir.Function, offset: int, address: Address) -> str:
    text = address(target)
    return f"getelementptr (i8, ptr {text}, i64 {offset})" if offset else text


def _parts(data: ir.Data, address: Address) -> Iterator[tuple[str, str]]:
    """The types and texts of the parts of a constant: bytes, pointers, and zeros at the end."""
    end = 0
    for at, (target, offset) in sorted(data.addresses.items()):
        if at > end:
            yield _raw(data.content[end:at].ljust(at - end, b"\0"))
        yield "ptr", _pointer(target, offset, address)
        end = at + ir.PTR.size
    if end < len(data.content):
        yield _raw(data.content[end:])
    if rest := data.object_type.size - max(end, len(data.content)):
        yield f"[{rest} x i8]", "zeroinitializer"


def _raw(data: bytes) -> tuple[str, str]:
    return f"[{len(data)} x i8]", f'c"{escaped(data)}"'
