"""The operands of instructions: the values that their texts denote."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from cpsconv.core.floating import format_class
from cpsconv.core.ir import BOOL, DOUBLE, FLOAT, PTR, Constant, Scalar, Undef
from cpsconv.core.operations.types import is_integer, range_of
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


def first_two(text: str) -> tuple[str, str, str]:
    """The type and the two texts of ``i32 %, 3``."""
    left, right, *_ = parts_of(text)
    operand = operand_of(left)
    return operand.type, operand.text, right


def number_of(type: Scalar, text: str) -> Constant | Undef | None:
    """The constant of a scalar type with this text; None if it is no number."""
    if text in ("undef", "poison"):
        return Undef(type, text)
    if type is BOOL:
        return Constant(BOOL, text == "true") if text in ("true", "false") else None
    if text in ("null", "zeroinitializer") and type is PTR:
        return Constant(PTR, 0)
    if is_integer(type) and re.fullmatch(r"-?\d+", text):
        lowest, highest = range_of(type)
        value = int(text)
        return Constant(type, value if lowest <= value <= highest else value - (1 << type.bits))
    if type.kind == "float":
        value = floating(type, text)
        return None if value is None else Constant(type, value)
    return None


def floating(type: Scalar, text: str) -> object:
    """The number of a floating type with this text; None if it is none."""
    if type in (DOUBLE, FLOAT):
        if re.fullmatch(r"0x[0-9A-F]{16}", text):
            return struct.unpack(">d", bytes.fromhex(text[2:]))[0]
        return float(text) if re.fullmatch(r"[-+]?\d+\.\d+(?:e[-+]?\d+)?", text) else None
    if re.fullmatch(r"0x[KHRL][0-9A-F]+", text):
        digits = text[3:] if text[2] != "L" else text[19:] + text[3:19]  # the lower half is written first
        return format_class(type.bits, type.digits).from_bytes(bytes.fromhex(digits)[::-1].ljust(type.size, b"\0"))
    return None


def in_holes(text: str, names: Iterator[str]) -> Sequence[str]:
    """The next of the names, as many as the text has holes."""
    return [next(names) for _ in range(len(re.findall(r'%(?![-\w$."])', text)))]
