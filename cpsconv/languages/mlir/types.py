"""The types and constants of MLIR as those of a program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from cpsconv.core.floating import format_class
from cpsconv.core.ir import (
    BOOL,
    DOUBLE,
    FLOAT,
    FURTHER_FLOATS,
    LONG_DOUBLE,
    VOID,
    Constant,
    Scalar,
    foreign_type,
    integer_type,
)
from cpsconv.core.operations.pointers import format_of
from cpsconv.core.operations.semantics import normalised
from cpsconv.core.operations.types import is_computed
from cpsconv.languages.mlir.texts import RESULTS

FLOATS = {"f32": FLOAT, "f64": DOUBLE, "f80": LONG_DOUBLE, **{each.suffix: each for each in FURTHER_FLOATS.values()}}
"""The floating types of MLIR that are types of a program."""


@cache
def scalar_of(text: str) -> Scalar:
    """The type of the program: a signed integer for a type without sign. Other types are foreign."""
    if text == "i1":
        return BOOL
    if (width := re.fullmatch(r"i([1-9]\d{0,2})", text)) and int(width[1]) <= 128:
        return integer_type(int(width[1]), signed=True)
    return FLOATS.get(text) or foreign_type(text.replace("`", "'"))


_NAMES = {type: text for text, type in FLOATS.items()} | {BOOL: "i1", VOID: ""}


def text_of(type: Scalar) -> str | None:
    """The type of MLIR for a type of the program; None if it corresponds to none."""
    if type.kind == "foreign":
        return type.name[1:].strip("`")
    return f"i{type.bits}" if type.kind == "integer" and type.signed else _NAMES.get(type)


def result_of(types: Sequence[str]) -> Scalar:
    """The type of the results together: several ones are one value of a foreign type."""
    if len(types) < 2:
        return scalar_of(types[0]) if types else VOID
    return foreign_type(f"{RESULTS}<{', '.join(types)}>")


_INTEGER = re.compile(r"(-?)(?:0*(\d+)|0x0*([\da-fA-F]+))(?:\s*:\s*i([1-9]\d{0,2}))?")


def is_in_range(text: str) -> bool:
    """Whether an attribute such as ``255 : i8``, if it is an integer, has a value of its type, with or without sign."""
    match = _INTEGER.fullmatch(text)
    if not match:
        return True
    sign, decimal, hexadecimal, width = match.groups()
    digits, bits = decimal or hexadecimal, int(width or 64)
    return len(digits) <= bits and -(1 << bits - 1) <= int(sign + digits, 10 if decimal else 16) < 1 << bits


_CONSTANT = re.compile(r"(true|false|-?[0-9][\w.+-]{0,99})(?:\s*:\s*(\S+))?")


def constant(type: Scalar, text: str) -> Constant | None:
    """The constant that an attribute such as ``1 : i32`` or ``0x7FC0 : bf16`` denotes, if it is one of the program."""
    match = _CONSTANT.fullmatch(text)
    if not match:
        return None
    implied = "f64" if type.kind == "float" else "i1" if match[1] in ("true", "false") else "i64"
    try:
        return Constant(type, _number(type, match[1])) if scalar_of(match[2] or implied) is type else None
    except (ValueError, OverflowError):
        return None


def _number(type: Scalar, text: str) -> Any:
    """The number of the type. Hexadecimal digits are the bits of a floating number. Raises `ValueError` for others."""
    if type.kind != "float":
        number = int(text == "true") if text.isalpha() else int(text, 16 if "x" in text else 10)
        return normalised(type, number)
    if text.startswith("0x"):
        size = 10 if type is LONG_DOUBLE else type.size
        return format_of(type).unpack(int(text, 16).to_bytes(size, "little").ljust(type.size, b"\0"))[0]
    return normalised(type, format_class(type.bits, type.digits).parse(text) if is_computed(type) else float(text))
