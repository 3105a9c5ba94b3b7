"""The texts of the items of a program beside its functions: structs, data, and external functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cpsconv.ir import CHAR, PTR, STRING, Array, Constant, Data, Function, ObjectType, Scalar, Struct, Type, innermost
from cpsconv.operations.pointers import format_of
from cpsconv.text.layout import Group, Piece, wrapped
from cpsconv.text.spelling import literal_text, quote_name


def item_text(item: Struct | Data | Function, symbols: Callable[[str], str]) -> Piece:
    """The text of a struct, of data, or of an external function; `symbols` spells symbols."""
    if isinstance(item, Struct):
        fields: list[Piece] = [
            f"{quote_name(each.name)} : {object_type_text(each.type)}" for each in item.fields.values()
        ]
        return Group(f"{'union' if item.is_union else 'struct'} {quote_name(item.name)} {{ ", fields, " }")
    if isinstance(item, Data):
        return wrapped(f"{'const' if item.is_constant else 'data'} {quote_name(item.name)} := ", _Content(item).text())
    parameters: list[Piece] = [f"{quote_name(each.name)} : {symbols(str(each.type))}" for each in item.parameters]
    opening, closing = f"extern {quote_name(item.name)}(", symbols(") → ⊥")
    return Group(opening, parameters, closing) if parameters else opening + closing


def object_type_text(type: ObjectType | Type | None) -> str:
    """The text of an object type: ``int``, ``point``, ``int[3][4]``."""
    if isinstance(type, Struct):
        return quote_name(type.name)
    if isinstance(type, Array):
        element, lengths = innermost(type)
        return f"{object_type_text(element)}{lengths}"
    return str(type)


class _Content:
    """Writes the initial content of data."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self.content = data.content.ljust(data.object_type.size, b"\0")
        self.end = max([len(data.content.rstrip(b"\0")), *(offset + PTR.size for offset in data.addresses)])

    def text(self) -> Piece:
        """``5``, ``"hello\\0"``, ``point { 0, 0 }``, ``int[4] { 1 }``, ``char[80] "hello"``"""
        type = self.data.object_type
        if isinstance(type, Scalar):
            return self.part(type, 0)
        if _is_string(type) and not self.data.addresses and self.end and type.size - self.end <= 1:
            return _string(self.content)
        if not self.is_regular(type, 0):
            return f"{object_type_text(type)} {_string(self.content[: self.end])}"
        return wrapped(f"{object_type_text(type)} ", self.part(type, 0))

    def part(self, type: ObjectType, offset: int) -> Piece:
        """The part of the content at the offset. (Recursive: types are nested at most `MAX_TYPE_DEPTH` deep.)"""
        if isinstance(type, Scalar):
            return self.scalar(type, offset)
        if _is_string(type) and self.end > offset:
            return _string(self.content[offset : min(self.end, offset + type.size)])
        parts = [self.part(part, place) for part, place in _parts(type, offset) if place < self.end]
        return Group("{ ", parts, " }") if parts else "{}"

    def scalar(self, type: Scalar, offset: int) -> str:
        """A scalar, or the address of an item and a place in it."""
        if type is PTR and offset in self.data.addresses:
            target, distance = self.data.addresses[offset]
            name = quote_name(target.name)
            return f"char.at({name}, {distance}l)" if distance else name
        (value,) = format_of(type).unpack_from(self.content, offset)
        return literal_text(Constant(type, value))

    def is_regular(self, type: ObjectType, offset: int) -> bool:
        """Whether the text of the parts denotes the content: no bytes are between parts, or in further union fields."""
        pending = [(type, offset)]
        covered = bytearray(self.content)
        while pending:
            part, place = pending.pop()
            if isinstance(part, Scalar):
                (value,) = format_of(part).unpack_from(covered, place)
                if part is PTR and value != 0 and place not in self.data.addresses:
                    return False
                if value != value or (part.kind == "bool" and covered[place] > 1):
                    return False  # a NaN has many representations
                covered[place : place + part.size] = bytes(part.size)
            else:
                pending += _parts(part, place)
        return not any(covered)


def _is_string(type: ObjectType) -> bool:
    return isinstance(type, Array) and type.element is CHAR


def _string(content: bytes) -> str:
    return literal_text(Constant(STRING, content.decode("latin-1")))


def _parts(type: ObjectType, offset: int) -> Iterator[tuple[ObjectType, int]]:
    """The elements, fields, or the first field of a union, with their offsets."""
    if isinstance(type, Array):
        for index in range(type.length):
            yield type.element, offset + index * type.element.size
    elif isinstance(type, Struct):
        for field in [*type.fields.values()][: 1 if type.is_union else None]:
            yield field.type, offset + field.offset
