"""The initial content of global data: the bytes of a constant, and the addresses in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Union

from cpsconv.core.ir import BOOL, PTR, Constant, Data, Function
from cpsconv.core.operations.pointers import format_of
from cpsconv.languages.llvm.constants import number_of
from cpsconv.languages.llvm.foreign_text import BLOCK_ADDRESS
from cpsconv.languages.llvm.ours.object_types import Inexpressible, is_aggregate
from cpsconv.languages.llvm.ours.operands import characters, elements_of, operand_of
from cpsconv.languages.llvm.types import end_of_brackets, parts_of, scalar_of

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.items import Items

Address = tuple[Union[Data, Function, None], int]
"""Data or a function, or nothing, and an offset in bytes that is added."""

_EXPRESSION = re.compile(
    r"(getelementptr|inttoptr|ptrtoint|bitcast|addrspacecast|trunc|add|sub)\b(?: (?:inrange\([^)]*\)|\w+))* ?\("
)
"""A constant expression up to its operands."""


def fill(items: Items, data: Data, type: str, text: str) -> None:
    """Give data of a type the initial value of the text. Raises `Inexpressible`."""
    types, content = items.types, bytearray(data.object_type.size)
    pending = [(type, text, 0)]
    while pending:
        type, text, offset = pending.pop()
        if text in ("zeroinitializer", "undef", "poison", "null"):
            continue
        if text.startswith('c"'):
            part = characters(text)
        elif is_aggregate(types.definition(type)):
            members = types.members(type)
            listed = elements_of(text, [each for each, _ in members])
            pending += [(each.type, each.text, offset + at) for each, (_, at) in zip(listed, members, strict=True)]
            continue
        elif isinstance(constant := number_of(scalar_of(type), text), Constant):
            part = bytes_of(constant)
        else:
            base, distance = address_of(items, text)
            size = types.of(type).size
            part = (0 if base else distance % (1 << 8 * size)).to_bytes(size, "little")
            if base and scalar_of(type) is not PTR:
                raise Inexpressible(f"the constant `{text}`")
            if base:
                data.addresses[offset] = base, distance
        content[offset : offset + len(part)] = part
    data.content = bytes(content).rstrip(b"\0")


def bytes_of(constant: Constant) -> bytes:
    """The representation of a constant in memory."""
    value = bool(constant.value) if constant.type is BOOL else constant.value
    return bytes(format_of(constant.type).pack(value))


def address_of(items: Items, text: str) -> Address:
    """The address that a constant expression denotes. Raises `Inexpressible`."""
    if text[0] == "@":
        return items.named(text[1:]), 0
    if text == "null" or re.fullmatch(r"-?\d+", text):
        return None, 0 if text == "null" else int(text)
    if match := BLOCK_ADDRESS.fullmatch(text):
        return None, items.labels[match[1], match[2]]
    if match := _EXPRESSION.match(text):
        inner = text[match.end() : end_of_brackets(text, match.end() - 1) - 1]
        if match[1] == "getelementptr":
            return _element(items, *parts_of(inner))
        listed = inner if match[1] in ("add", "sub") else inner.rpartition(" to ")[0]
        (base, first), *others = [address_of(items, operand_of(each).text) for each in parts_of(listed)]
        if not others:
            return base, first
        [(other, second)] = others
        if match[1] == "add" and (base is None or other is None):
            return base or other, first + second
        if match[1] == "sub" and (other is None or other is base):
            return (base if other is None else None), first - second
    raise Inexpressible(f"the constant `{text}`")


def _element(items: Items, type: str, base: str, *indices: str) -> Address:
    """The address of an element: ``getelementptr`` of a type with these operands."""
    of, offset = address_of(items, operand_of(base).text)
    numbers = [operand_of(each).text for each in indices]
    if not all(re.fullmatch(r"-?\d+", each) for each in numbers):
        raise Inexpressible(f"the constant `getelementptr ({', '.join((type, base, *indices))})`")
    offset += int(numbers[0]) * items.types.of(type).size
    for each in numbers[1:]:
        type, place = items.types.member(type, int(each))
        offset += place
    return of, offset
