"""The initial content of global data: the bytes of a constant, and the addresses in it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Union

from cpsconv.core.ir import PTR, Constant, Data, Function, ObjectType, Scalar
from cpsconv.core.operations.pointers import format_of
from cpsconv.languages.llvm.constants import number_of
from cpsconv.languages.llvm.foreign_text import BLOCK_ADDRESS
from cpsconv.languages.llvm.ours.object_types import Inexpressible, is_aggregate
from cpsconv.languages.llvm.ours.operands import characters, elements_of, operand_of
from cpsconv.languages.llvm.types import NAME, end_of_brackets, parts_of, scalar_of

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.items import Items

Address = tuple[Union[Data, Function, None], int]
"""Data or a function, or nothing, and an offset in bytes that is added."""

UNIFORM = ("zeroinitializer", "undef", "poison", "null")
"""The constants of several types, of which all bytes are zero or undefined."""

_EXPRESSION = re.compile(
    r"(getelementptr|inttoptr|ptrtoint|bitcast|addrspacecast|trunc|add|sub)\b(?: (?:inrange\([^)]*\)|\w+))* ?\("
)
"""A constant expression up to its operands."""


_DISTANCE = re.compile(
    r"i32 trunc \(i64 sub \(i64 ptrtoint \((ptr (?:[^()]|\([^()]*\))*) to i64\), "
    rf"i64 ptrtoint \(ptr @({NAME}) to i64\)\) to i32\)"
)
"""The distance from data to an address."""


def with_pointers(symbol: str, definition: str, module: str) -> str:
    """The type and content of data; of a table of distances from itself, a table of pointers.

    No data of the program contain distances. Only ``llvm.load.relative``, which adds them to the address of the table
    again, may read such a table.
    """
    found = _DISTANCE.findall(definition)
    if not definition.startswith(f"[{len(found)} x i32] ") or {base for _, base in found} != {symbol}:
        return definition
    reads = module.count(f"@llvm.load.relative.i64(ptr @{symbol}, ")
    if len(re.findall(rf"@{re.escape(symbol)}(?![-\w$.])", module)) != 1 + len(found) + reads:
        return definition
    return _DISTANCE.sub(r"\1", definition).replace(" x i32] ", " x ptr] ", 1)


def fill(items: Items, data: Data, type: str, text: str) -> None:
    """Give data of a type the initial value of the text. Raises `Inexpressible`."""
    types, content = items.types, bytearray(data.object_type.size)
    pending = [(type, text, 0)]
    while pending:
        type, text, offset = pending.pop()
        if text in UNIFORM:
            continue
        if text[:2] == 'c"':
            found = characters(text)
        elif is_aggregate(types.definition(type)):
            listed = zip(elements_of(text, types.parts(type)), types.members(type), strict=True)
            pending += [(each.type, each.text, offset + at) for each, (_, at) in listed]
            continue
        else:
            constant = number_of(scalar_of(type), text)
            base, number = (None, constant.value) if isinstance(constant, Constant) else address_of(items, text)
            if base and (types.of(type).size != PTR.size or offset % PTR.alignment):
                raise Inexpressible(f"the constant `{text}`")
            if base:
                data.addresses[offset], number = (base, int(number)), 0
            found = bytes_of(types.of(type), number)
        content[offset : offset + len(found)] = found
    data.content = bytes(content).rstrip(b"\0")


def bytes_of(type: ObjectType, number: Any) -> bytes:
    """The representation of a number of a scalar type in memory; of an integer the lowest bytes."""
    if isinstance(type, Scalar) and type.kind == "float":
        return bytes(format_of(type).pack(number))
    return (int(number) % (1 << 8 * type.size)).to_bytes(type.size, "little")


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
        operands = [address_of(items, operand_of(each).text) for each in parts_of(listed)]
        (base, first), (other, second) = [*operands, (None, 0)][:2]
        if match[1] == "sub" and (other is None or other is base):
            return (base if other is None else None), first - second
        if base is None or other is None:
            return base or other, first + second
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
