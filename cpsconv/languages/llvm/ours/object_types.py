"""The types of objects in memory that correspond to LLVM's types, with the layout of x86-64."""

from __future__ import annotations

import re
from collections.abc import Mapping

from cpsconv.core import ir
from cpsconv.core.construction import Builder
from cpsconv.core.ir import CHAR, INT, UNSIGNED_CHAR, Array, Constant, Field, ObjectType, Scalar, Struct, integer_type
from cpsconv.core.operations.contents import unsound
from cpsconv.core.operations.types import is_storable
from cpsconv.languages.llvm.foreign_text import unquoted
from cpsconv.languages.llvm.types import parts_of, scalar_of

BYTE = UNSIGNED_CHAR

_MAX_MEMBERS = 1 << 20
"""The members of an array or vector that are listed, each by itself."""


class Inexpressible(Exception):
    """The program has no operation, type or value for a text of LLVM IR: the message names what it is."""


class ObjectTypes:
    """The types of objects by their texts. `named` has the definitions of the named types, ``%struct.point``."""

    def __init__(self, builder: Builder, named: Mapping[str, str]) -> None:
        self._builder, self._named = builder, named
        self._known: dict[str, ObjectType] = {}
        self._depth = 0

    def of(self, text: str) -> ObjectType:
        """The type of objects. Raises `Inexpressible` for a type that memory cannot contain."""
        found = self._known.get(text)
        if found is None:
            if self._depth == ir.MAX_TYPE_DEPTH:
                raise Inexpressible("a type that is nested too deeply")
            self._depth += 1
            try:
                found = self._new(text)
            finally:
                self._depth -= 1
            if reason := unsound(found):
                raise Inexpressible(f"the type `{text}`, which {reason},")
            self._known[text] = found
        return found

    def members(self, text: str) -> list[tuple[str, int]]:
        """The members of a struct, array or vector: the text of each one's type, and its offset in bytes."""
        text = self.definition(text)
        if match := re.fullmatch(r"[\[<](?:vscale x )?(\d+) x (.*)[\]>]", text, re.DOTALL):
            size = self.of(match[2]).size
            if int(match[1]) > _MAX_MEMBERS:
                raise Inexpressible(f"the members of the type `{text}`")
            return [(match[2], size * number) for number in range(int(match[1]))]
        texts = _fields(text)
        if texts is None:
            raise Inexpressible(f"the type `{text}`")
        offsets, position = [], 0
        for each in map(self.of, texts):
            step = 1 if text[0] == "<" else each.alignment
            position = -(-position // step) * step
            offsets.append(position)
            position += each.size
        return [*zip(texts, offsets, strict=True)]

    def member(self, text: str, index: int) -> tuple[str, int]:
        """One of the members, or an element beyond the end of an array. Raises `Inexpressible`."""
        definition = self.definition(text)
        if definition[0] != "[":
            return self.members(text)[index]
        element = definition.partition(" x ")[2][:-1].strip()
        return element, index * self.of(element).size

    def leaves(self, text: str) -> list[str]:
        """The texts of the types of the scalars in a value of the type, in their order. Raises `Inexpressible`."""
        if not is_aggregate(self.definition(text)):
            return [text]
        return [leaf for each, _ in self.members(text) for leaf in self.leaves(each)]

    def definition(self, text: str) -> str:
        """The type without its name."""
        return self._named.get(text, text)

    def _new(self, text: str) -> ObjectType:
        definition = self.definition(text)
        if match := re.fullmatch(r"\[(\d+) x (.*)\]", definition, re.DOTALL):
            return Array(self.of(match[2]), int(match[1]))
        if match := re.fullmatch(r"<(\d+) x (.*)>", definition, re.DOTALL):
            return self._vector(int(match[1]), match[2])
        if _fields(definition) is not None:
            return self._struct(text, definition)
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

    def _struct(self, text: str, definition: str) -> ObjectType:
        """A struct; bytes for a packed one whose members are not where an ordinary struct has them."""
        members = self.members(definition)
        types = [self.of(each) for each, _ in members]
        if not members:
            return Array(BYTE, 0)
        name = re.sub(r"^(struct|union|class)\.", "", unquoted(text[1:])) if text[0] == "%" else "anonymous"
        if definition[0] == "<":
            size = members[-1][1] + types[-1].size
            alignment = max(each.alignment for each in types)
            is_ordinary = not size % alignment and all(
                not offset % each.alignment for (_, offset), each in zip(members, types, strict=True)
            )
            if not is_ordinary:
                return self._builder.struct(name, [("bytes", Array(BYTE, size))])
        return self._builder.struct(name, [(f"f{number}", each) for number, each in enumerate(types)])


def scalar(type: str, what: str) -> Scalar:
    """The type of a scalar value. Raises `Inexpressible`, which names `what` has it, for another type."""
    found = scalar_of(type)
    if found.kind == "foreign":
        raise Inexpressible(f"{what} of the type `{type}`")
    return found


def is_aggregate(definition: str) -> bool:
    """Whether a type without a name is a struct, array or vector."""
    return definition[0] in "[{<"


def field_of(type: ObjectType, number: int) -> Field | None:
    """The field of a struct with this number; None if the object is bytes."""
    return type.fields.get(f"f{number}") if isinstance(type, Struct) else None


def alignment_of(type: ObjectType, stated: int) -> int:
    """The alignment of an object that LLVM states, if it is more than that of its type; else 0."""
    return stated if stated > type.alignment else 0


def _fields(text: str) -> list[str] | None:
    """The texts of the types of a struct's members; None for another type."""
    inner = text[1:-1].strip() if text[:2] == "<{" else text
    if inner[0] != "{":
        return None
    return [each for each in parts_of(inner[1:-1].strip()) if each]


def element_of(type: ObjectType) -> ObjectType:
    """The type of the elements of which an allocation of an object allocates some: those of an array, or the type."""
    return type.element if isinstance(type, Array) else type


def count_of(type: ObjectType) -> list[Constant]:
    """The number of elements that an allocation of an object states: none for a struct."""
    if isinstance(type, Struct):
        return []
    return [Constant(INT, type.length if isinstance(type, Array) else 1)]
