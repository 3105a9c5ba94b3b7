"""The constants of LLVM IR: those that the program has literals for, and their texts."""

from __future__ import annotations

import re
import struct

from cpsconv.core.floating import Real, format_class
from cpsconv.core.ir import BOOL, DOUBLE, FLOAT, PTR, Constant, Scalar, Undef, Value
from cpsconv.core.operations.types import is_integer, range_of


def literal(type: Scalar, text: str, name: str) -> Value | None:
    """The constant with this text as a literal, or an undefined value of the variable `name`; None if it is neither.

    There are no literals for NaN, nor for the types that C lacks or `long double`: their texts are kept.
    """
    if text == "undef":
        return Undef(type, name)
    if type not in (BOOL, PTR, DOUBLE, FLOAT) and not is_integer(type):
        return None
    constant = number_of(type, text)
    return constant if isinstance(constant, Constant) and constant.value == constant.value else None


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
        number = floating(type, text)
        return None if number is None else Constant(type, number)
    return None


def floating(type: Scalar, text: str) -> Real | None:
    """The number of a floating type with this text; None if it is none."""
    if type in (DOUBLE, FLOAT):
        if re.fullmatch(r"0x[0-9A-F]{1,16}", text):
            return float(struct.unpack(">d", int(text, 16).to_bytes(8, "big"))[0])
        return float(text) if re.fullmatch(r"[-+]?\d+\.\d+(?:e[-+]?\d+)?", text) else None
    if re.fullmatch(r"0x[KHRL][0-9A-F]+", text):
        digits = text[3:] if text[2] != "L" else text[19:] + text[3:19]  # the lower half is written first
        return format_class(type.bits, type.digits).from_bytes(bytes.fromhex(digits)[::-1].ljust(type.size, b"\0"))
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
