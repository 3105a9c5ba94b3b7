"""The spelling of types, names and constants in LLVM IR.

Pointers are typed (``i8*``), which every version of LLVM accepts: old versions require it, new ones read ``ptr``. All
text is ASCII.
"""

from __future__ import annotations

import re
import struct

from cpsconv.ir import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    SHORT,
    SIGNED_CHAR,
    STRING,
    UNSIGNED,
    UNSIGNED_CHAR,
    UNSIGNED_LONG,
    UNSIGNED_SHORT,
    Constant,
    Scalar,
    Type,
)
from cpsconv.operations.semantics import normalised
from cpsconv.operations.table import for_every_type

POINTER = "i8*"
NULL = "null"

_TYPES = for_every_type(
    "cpsconv.emit.llvm",
    {
        BOOL: "i1",
        CHAR: "i8",
        SIGNED_CHAR: "i8",
        UNSIGNED_CHAR: "i8",
        SHORT: "i16",
        UNSIGNED_SHORT: "i16",
        INT: "i32",
        UNSIGNED: "i32",
        LONG: "i64",
        UNSIGNED_LONG: "i64",
        FLOAT: "float",
        DOUBLE: "double",
        STRING: POINTER,
    },
)

_PLAIN = re.compile(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*")
_DECIMAL = re.compile(r"-?[0-9]+\.[0-9]+(e[-+][0-9]+)?")


def type_word(type: Type) -> str:
    """``i32`` for `int`, ``i1`` for `bool`, ``i8*`` for a string."""
    assert isinstance(type, Scalar), "continuations are rejected beforehand"
    return _TYPES[type]


def extension(type: Type) -> str:
    """The attribute of a narrow integer parameter or result, which x86-64 extends to 32 bits."""
    if isinstance(type, Scalar) and type.kind in ("integer", "bool") and type.bits < 32:
        return "signext" if type.signed else "zeroext"
    return ""


def quoted(name: str) -> str:
    """The name as it follows ``@`` or ``%``, or is a label: in quotes unless it is plain."""
    return name if _PLAIN.fullmatch(name) else f'"{escaped(encoded(name.replace(chr(0), "?")))}"'


def encoded(text: str) -> bytes:
    """The text in UTF-8, with the original bytes of file names that are not UTF-8."""
    return text.encode("utf-8", "surrogateescape")


def escaped(data: bytes) -> str:
    """The bytes as the content of a quoted string."""
    return "".join(chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\{byte:02X}" for byte in data)


def literal(constant: Constant) -> str:
    """A constant other than a string."""
    value = normalised(constant.type, constant.value)
    if constant.type.kind == "bool":
        return "true" if value else "false"
    return floating(value) if constant.type.kind == "float" else str(value)


def floating(value: float) -> str:
    """A decimal literal if LLVM accepts it, otherwise the bits of a double (also for the type `float`)."""
    text = repr(value)
    return text if _DECIMAL.fullmatch(text) else f"0x{struct.pack('>d', value).hex().upper()}"
