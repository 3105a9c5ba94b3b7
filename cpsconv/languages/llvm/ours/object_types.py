"""The types of objects in memory that correspond to LLVM's types, with the layout of x86-64, and their scalars.

No operation of the program has a value of a struct, array or vector type: such a value is that of all scalars in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from cpsconv.core import ir
from cpsconv.core.construction import Builder
from cpsconv.core.ir import CHAR, INT, UNSIGNED_CHAR, Array, Constant, ObjectType, Scalar, Struct, Value, integer_type
from cpsconv.core.layout import laid_out
from cpsconv.core.operations.contents import unsound
from cpsconv.core.operations.types import is_storable
from cpsconv.languages.llvm.foreign_text import unquoted
from cpsconv.languages.llvm.types import members_of, scalar_of

BYTE = UNSIGNED_CHAR

_MAX_MEMBERS = 1 << 20
"""The members of an array or vector that are listed, each by itself."""

_SEQUENCE = re.compile(r"[\[<](\d+) x (.*)[\]>]", re.DOTALL)
"""An array or a vector: the number of its elements, and their type."""


class Inexpressible(Exception):
    """The program has no operation, type or value for a text of LLVM IR: the message names what it is."""


class Aggregate:
    """A value of a struct, array or vector type: the values of all scalars in it, in their order."""

    def __init__(self, type: str, scalars: Iterable[Value]) -> None:
        self.type, self.scalars = type, [*scalars]


def scalars_of(value: Any) -> list[Value]:
    """The scalars in a value."""
    return value.scalars if isinstance(value, Aggregate) else [value]


class ObjectTypes:
    """The types of objects by their texts. `named` has the definitions of the named types, ``%struct.point``."""

    def __init__(self, builder: Builder, named: Mapping[str, str]) -> None:
        self._builder, self._named = builder, named
        self._known: dict[str, ObjectType] = {}
        self._scalars: dict[str, list[Scalar]] = {}
        self._depth = 0

    def of(self, text: str) -> ObjectType:
        """The type of objects. Raises `Inexpressible` for a type that memory cannot contain."""
        if text not in self._known:
            with self._nested():
                found = self._new(text, self.definition(text))
            if reason := unsound(found):
                raise Inexpressible(f"the type `{text}`, which {reason},")
            self._known[text] = found
        return self._known[text]

    @contextmanager
    def _nested(self) -> Iterator[None]:
        """Within the block, types are nested more deeply. Raises `Inexpressible` if they are too deep."""
        if self._depth == ir.MAX_TYPE_DEPTH:
            raise Inexpressible("a type that is nested too deeply")
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def parts(self, text: str) -> list[str]:
        """The texts of the types of the members of a struct, array or vector."""
        definition = self.definition(text)
        match = _SEQUENCE.fullmatch(definition)
        if match and int(match[1]) > _MAX_MEMBERS:
            raise Inexpressible(f"the members of the type `{definition}`")
        return [match[2]] * int(match[1]) if match else members_of(definition)

    def members(self, text: str) -> list[tuple[str, int]]:
        """The texts of the types of the members in memory, and their offsets in bytes."""
        definition, parts = self.definition(text), self.parts(text)
        if not is_struct(definition):
            return [(each, number * self.of(each).size) for number, each in enumerate(parts)]
        struct = laid_out("", _placed([*map(self.of, parts)], is_packed=definition[0] == "<"))
        return [(each, field.offset) for each, field in zip(parts, struct.fields.values(), strict=True)]

    def member(self, text: str, index: int) -> tuple[str, int]:
        """One of the members, or an element beyond the end of an array. Raises `Inexpressible`."""
        match = _SEQUENCE.fullmatch(self.definition(text))
        return (match[2], index * self.of(match[2]).size) if match else self.members(text)[index]

    def part(self, text: str, path: Iterable[int]) -> tuple[str, slice]:
        """The type of a member of members, and its scalars among all of the type."""
        start = 0
        for index in path:
            parts = self.parts(text)
            start += sum(len(self.scalars(each)) for each in parts[:index])
            text = parts[index]
        return text, slice(start, start + len(self.scalars(text)))

    def scalars(self, text: str) -> list[Scalar]:
        """The types of the scalars in a value of the type, in their order.

        A type that the program lacks is that of one foreign scalar, and so is an aggregate with such a member.
        """
        if text not in self._scalars:
            found = self._scalars[text] = [scalar_of(text)]
            with suppress(Inexpressible), self._nested():
                if is_aggregate(self.definition(text)):
                    found = [type for each in self.parts(text) for type in self.scalars(each)]
            if all(type.kind != "foreign" for type in found):
                self._scalars[text] = found
        return self._scalars[text]

    def stored(self, text: str) -> list[tuple[Scalar, int]]:
        """The types of the scalars in memory, and their offsets. Raises `Inexpressible` if memory has no such type."""
        self.of(text)
        if not is_aggregate(self.definition(text)):
            return [(scalar_of(text), 0)]
        return [(type, start + at) for each, start in self.members(text) for type, at in self.stored(each)]

    def has_members(self, text: str) -> bool:
        """Whether a value of the type consists of values of its members, which the program has."""
        return is_aggregate(self.definition(text)) and self.scalars(text) != [scalar_of(text)]

    def value(self, text: str, scalars: Iterable[Value]) -> Any:
        """The value of the type with these scalars."""
        return Aggregate(text, scalars) if self.has_members(text) else next(iter(scalars))

    def scalar(self, text: str) -> Scalar:
        """The type of a scalar value. Raises `Inexpressible` for another type."""
        found = scalar_of(text)
        if found.kind == "foreign":
            raise Inexpressible(f"a value of the type `{text}`")
        return found

    def definition(self, text: str) -> str:
        """The type without its name."""
        return self._named.get(text, text)

    def _new(self, text: str, definition: str) -> ObjectType:
        if match := _SEQUENCE.fullmatch(definition):
            if definition[0] == "[":
                return Array(self.of(match[2]), int(match[1]))
            return self._vector(int(match[1]), match[2])
        if is_struct(definition):
            return self._struct(text, [*map(self.of, members_of(definition))], is_packed=definition[0] == "<")
        if definition == "i8":
            return CHAR  # so that strings are shown as such
        scalar = scalar_of(definition)
        if scalar.kind == "integer" and not is_storable(scalar):
            return integer_type(max(8, 1 << (scalar.bits - 1).bit_length()), signed=True)
        if not is_storable(scalar):
            raise Inexpressible(f"the type `{text}` in memory")
        return scalar

    def _vector(self, length: int, text: str) -> ObjectType:
        """A struct with the elements, of which a vector in memory has a power of two, and which is aligned to its size.

        Bits, and other elements between which memory has no space, are refused.
        """
        element = self.of(text)
        if text == "i1" or scalar_of(text).bits != element.size * 8:
            raise Inexpressible(f"a vector of the type `{text}` in memory")
        elements = Array(element, 1 << (length - 1).bit_length())
        return self._builder.struct("vector", [("elements", elements)], alignment=elements.size)

    def _struct(self, text: str, members: Sequence[ObjectType], *, is_packed: bool) -> ObjectType:
        """A struct."""
        if not members:
            return Array(BYTE, 0)
        name = re.sub(r"^(struct|union|class)\.", "", unquoted(text[1:])) if text[0] == "%" else "anonymous"
        return self._builder.struct(name, _placed(members, is_packed=is_packed))


def _placed(members: Sequence[ObjectType], *, is_packed: bool) -> list[tuple[str, ObjectType]]:
    """The fields of a struct. Those of a packed one are bytes if an ordinary struct has them at other places."""
    fields = [(f"f{number}", each) for number, each in enumerate(members)]
    if is_packed and laid_out("", fields).size != sum(each.size for each in members):
        return [(field, Array(BYTE, each.size)) for field, each in fields]
    return fields


def is_aggregate(definition: str) -> bool:
    """Whether a type without a name is a struct, array or vector."""
    return definition[0] in "[{<"


def alignment_of(type: ObjectType, stated: int) -> int:
    """The alignment of an object that LLVM states, if it is more than that of its type; else 0."""
    return stated if stated > type.alignment else 0


def is_struct(definition: str) -> bool:
    """Whether a type without a name is a struct."""
    return definition.lstrip("<")[0] == "{"


def counted(type: ObjectType) -> tuple[list[Constant], ObjectType]:
    """The number of elements that an allocation of an object states, none for a struct, and the type of each."""
    if isinstance(type, Array):
        return [Constant(INT, type.length)], type.element
    return [] if isinstance(type, Struct) else [Constant(INT, 1)], type
