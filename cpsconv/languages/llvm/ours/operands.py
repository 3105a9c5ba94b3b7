"""The operands of instructions: the values that their texts denote."""

from __future__ import annotations

import re
from typing import NamedTuple

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
