"""How LLVM IR spells types, names and constants.

Pointers have types (``i8*``), which every version of LLVM reads: old ones know no others, and new ones take them for
``ptr``. All text is ASCII.
"""

from __future__ import annotations

import re
import struct

from cpsconv.ir import Constant, Scalar, Type
from cpsconv.operations.semantics import normalised

POINTER = "i8*"

_PLAIN = re.compile(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*")
_DECIMAL = re.compile(r"-?[0-9]+\.[0-9]+(e[-+][0-9]+)?")


def type_word(type: Type) -> str:
    """``i32`` for `int`, ``i1`` for `bool`, ``i8*`` for a string."""
    assert isinstance(type, Scalar), "continuations have been refused"
    if type.kind == "float":
        return "float" if type.bits == 32 else "double"
    if type.kind == "string":
        return POINTER
    return {"bool": "i1", "void": "void"}.get(type.kind, f"i{type.bits}")


def extension(type: Type) -> str:
    """How a function takes and returns a narrow integer: extended to 32 bits, as C has it on x86-64."""
    if isinstance(type, Scalar) and type.kind in ("integer", "bool") and type.bits < 32:
        return "signext" if type.signed else "zeroext"
    return ""


def quoted(name: str) -> str:
    """`name` as it stands after ``@`` and ``%``, and in labels: in quotes where it is not plain."""
    return name if _PLAIN.fullmatch(name) else f'"{escaped(encoded(name.replace(chr(0), "?")))}"'


def encoded(text: str) -> bytes:
    """Any text as bytes: in UTF-8, but for those bytes in the name of a file that are none."""
    return text.encode("utf-8", "surrogateescape")


def escaped(data: bytes) -> str:
    """Bytes, as they stand between quotes."""
    return "".join(chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\{byte:02X}" for byte in data)


def literal(constant: Constant) -> str:
    """A constant that is no string."""
    value = normalised(constant.type, constant.value)
    if constant.type.kind == "bool":
        return "true" if value else "false"
    return floating(value) if constant.type.kind == "float" else str(value)


def floating(value: float) -> str:
    """In decimal digits, where LLVM reads them so; else by the bits of a double (also where the type is `float`)."""
    text = repr(value)
    return text if _DECIMAL.fullmatch(text) else f"0x{struct.pack('>d', value).hex().upper()}"
