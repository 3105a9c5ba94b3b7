"""The constants of LLVM IR: those that the program has literals for, and their texts."""

from __future__ import annotations

import math
import re
import struct

from cpsconv.core.ir import BOOL, DOUBLE, FLOAT, PTR, Constant, Scalar, Undef, Value
from cpsconv.core.operations.types import range_of


def literal(type: Scalar, text: str, name: str) -> Value | None:
    """The constant with this text as a literal, or an undefined value of the variable `name`; None if it is neither."""
    if text == "undef":
        return Undef(type, name)
    if type is BOOL:
        return Constant(BOOL, text == "true") if text in ("true", "false") else None
    if type.kind == "integer" and re.fullmatch(r"-?\d+", text):
        low, high = range_of(type)
        return Constant(type, int(text)) if low <= int(text) <= high else None
    if type is PTR and text == "null":
        return Constant(PTR, 0)
    if type in (DOUBLE, FLOAT) and re.fullmatch(r"-?\d+\.\d+e[+-]\d+|0x[0-9A-F]{16}", text):
        value = float(text) if "." in text else struct.unpack(">d", bytes.fromhex(text[2:]))[0]
        return None if math.isnan(value) else Constant(type, value)
    return None


def text_of_constant(constant: Constant) -> str:
    """The literal in LLVM IR."""
    if constant.type is BOOL:
        return "true" if constant.value else "false"
    if constant.type is PTR:
        return "null"
    if isinstance(constant.value, float):
        return f"0x{struct.pack('>d', constant.value).hex().upper()}"
    return str(constant.value)
