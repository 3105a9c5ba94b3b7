"""The operands of instructions, by their texts, and the values of structs, arrays and vectors."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from cpsconv.core.ir import Value
from cpsconv.languages.llvm.ours.object_types import ObjectTypes, is_aggregate
from cpsconv.languages.llvm.types import end_of_type, parts_of


class Operand(NamedTuple):
    """An operand: the text of its type, its attributes, and its own text, which is ``%`` for a local name."""

    type: str
    attributes: str
    text: str


_OF_CONSTANTS = (
    "getelementptr ptrtoint inttoptr bitcast addrspacecast trunc add sub xor blockaddress dso_local_equivalent"
)
_VALUE = re.compile(rf"(?:{'|'.join(_OF_CONSTANTS.split())})\b")
_ATTRIBUTE = re.compile(
    r'(?:"[^"]*"(?:="[^"]*")?|align \d+|[a-z_]\w*(?:\((?:[^()"]|"[^"]*"|\((?:[^()]|\([^()]*\))*\))*\))?)\s+'
)


def operand_of(part: str) -> Operand:
    """The operand ``i32 noundef 3``: a type, attributes, and a value."""
    end = end_of_type(part, 0)
    if end is None:
        return Operand("", "", part.strip())
    start = position = end + len(part[end:]) - len(part[end:].lstrip())
    while not _VALUE.match(part, position) and (match := _ATTRIBUTE.match(part, position)):
        position = match.end()
    return Operand(part[:end], part[start:position], part[position:].strip())


def operands_of(text: str) -> list[Operand]:
    """The operands in a list, without metadata."""
    return [operand_of(part) for part in parts_of(text) if part and part[0] != "!"]


class Aggregate:
    """The values of the members of a struct, an array or a vector of a type; they may be aggregates themselves."""

    def __init__(self, type: str, members: Iterable[Any]) -> None:
        self.type, self.members = type, [*members]


def built(types: ObjectTypes, type: str, leaf: Callable[[str], Value]) -> Any:
    """A value of the type, whose scalars are those of the function, in their order. Raises `Inexpressible`."""
    if not is_aggregate(types.definition(type)):
        return leaf(type)
    return Aggregate(type, [built(types, each, leaf) for each, _ in types.members(type)])


def leaves(value: Any) -> list[Value]:
    """The scalars in a value, in their order."""
    if not isinstance(value, Aggregate):
        return [value]
    return [leaf for member in value.members for leaf in leaves(member)]
