"""The initial content of global data: the bytes of a constant, and the addresses in it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Union

from cpsconv.core.ir import BOOL, PTR, Constant, Data, Function, Scalar
from cpsconv.core.operations.pointers import format_of
from cpsconv.languages.llvm.constants import number_of
from cpsconv.languages.llvm.foreign_text import BLOCK_ADDRESS
from cpsconv.languages.llvm.ours.object_types import Inexpressible, ObjectTypes, is_aggregate
from cpsconv.languages.llvm.ours.operands import characters, elements_of, operand_of
from cpsconv.languages.llvm.types import end_of_brackets, parts_of, scalar_of

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.items import Items

Address = tuple[Union[Data, Function, None], int]
"""Data or a function, or nothing, and an offset in bytes that is added."""


_CONVERSION = re.compile(
    r"(getelementptr|inttoptr|ptrtoint|bitcast|addrspacecast|trunc)\b(?: (?:inrange\([^)]*\)|\w+))* ?\("
)


@dataclass
class Content:
    """Bytes, and the addresses among them by offset."""

    data: bytearray
    addresses: dict[int, tuple[Data | Function, int]] = field(default_factory=dict)


def content_of(items: Items, type: str, text: str) -> Content:
    """The content of an object of a type with the initial value of the text. Raises `Inexpressible`."""
    types = items.types
    content = Content(bytearray(types.of(type).size))
    pending = [(type, text, 0)]
    while pending:
        type, text, offset = pending.pop()
        if text in ("zeroinitializer", "undef", "poison", "null"):
            continue
        if text.startswith('c"'):
            data = characters(text)
            content.data[offset : offset + len(data)] = data
        elif is_aggregate(types.definition(type)):
            members = types.members(type)
            listed = zip(elements_of(text, len(members)), members, strict=True)
            pending += [(each.type, each.text, offset + place) for each, (_, place) in listed]
        else:
            _set_scalar(content, items, scalar_of(type), text, offset)
    return content


def address_of(items: Items, text: str) -> Address:
    """The address that a constant expression denotes. Raises `Inexpressible`."""
    if text[0] == "@":
        return items.named(text[1:]), 0
    if match := _CONVERSION.match(text):
        inner = text[match.end() : end_of_brackets(text, match.end() - 1) - 1]
        if match[1] != "getelementptr":
            return address_of(items, operand_of(inner.rpartition(" to ")[0]).text)
        return _element(items, parts_of(inner))
    if match := re.match(r"(add|sub)\b[\w ]*\(", text):
        left, right = (operand_of(part).text for part in parts_of(text[match.end() : -1]))
        (base, first), (other, second) = address_of(items, left), address_of(items, right)
        if match[1] == "add" and (base is None or other is None):
            return base or other, first + second
        if match[1] == "sub" and (other is None or other is base):
            return (base if other is None else None), first - second
    if re.fullmatch(r"-?\d+", text):
        return None, int(text)
    if match := BLOCK_ADDRESS.fullmatch(text):
        return None, items.labels[match[1], match[2]]
    if text == "null":
        return None, 0
    raise Inexpressible(f"the constant `{text}`")


def constant_offset(types: ObjectTypes, type: str, indices: list[int]) -> int:
    """The offset of an element in bytes: ``getelementptr`` of a type with these indices."""
    offset = indices[0] * types.of(type).size
    for index in indices[1:]:
        type, place = types.member(type, index)
        offset += place
    return offset


def _element(items: Items, parts: list[str]) -> Address:
    type, base, *indices = parts
    of, offset = address_of(items, operand_of(base).text)
    numbers = [operand_of(each).text for each in indices]
    if not all(re.fullmatch(r"-?\d+", each) for each in numbers):
        raise Inexpressible(f"the constant `getelementptr ({', '.join(parts)})`")
    return of, offset + constant_offset(items.types, type, [*map(int, numbers)])


def _set_scalar(content: Content, items: Items, type: Scalar, text: str, offset: int) -> None:
    constant = number_of(type, text)
    if isinstance(constant, Constant):
        content.data[offset : offset + type.size] = bytes_of(constant)
        return
    base, distance = address_of(items, text)
    if base is None:
        content.data[offset : offset + type.size] = (distance % (1 << type.bits)).to_bytes(type.size, "little")
    elif type is PTR:
        content.addresses[offset] = base, distance
    else:
        raise Inexpressible(f"the constant `{text}`")


def bytes_of(constant: Constant) -> bytes:
    """The representation of a constant in memory."""
    value = bool(constant.value) if constant.type is BOOL else constant.value
    return bytes(format_of(constant.type).pack(value))
