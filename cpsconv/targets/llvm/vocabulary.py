"""The spelling of types, names, constants and integer conversions in LLVM IR.

Pointers are typed (``i8*``), which every version of LLVM accepts: old versions require it, new ones read ``ptr``. All
text is ASCII.
"""

from __future__ import annotations

import re
import struct

from cpsconv.core import ir
from cpsconv.core.floating import LongDouble
from cpsconv.core.operations.completeness import for_every_type
from cpsconv.core.operations.semantics import normalised
from cpsconv.core.operations.types import is_bits

POINTER = "i8*"
NULL = "null"

_TYPES = for_every_type(
    "cpsconv.targets.llvm",
    {
        ir.BOOL: "i1",
        **dict.fromkeys((ir.CHAR, ir.SIGNED_CHAR, ir.UNSIGNED_CHAR), "i8"),
        **dict.fromkeys((ir.SHORT, ir.UNSIGNED_SHORT), "i16"),
        **dict.fromkeys((ir.INT, ir.UNSIGNED), "i32"),
        **dict.fromkeys((ir.LONG, ir.UNSIGNED_LONG), "i64"),
        **dict.fromkeys((ir.INT128, ir.UNSIGNED_INT128), "i128"),
        ir.FLOAT: "float",
        ir.DOUBLE: "double",
        ir.LONG_DOUBLE: "x86_fp80",
        ir.STRING: POINTER,
        ir.PTR: "ptr",
    },
    memory=True,
    extended=True,
    wide=True,
)

_PLAIN = re.compile(r"[-a-zA-Z$._][-a-zA-Z$._0-9]*")
_DECIMAL = re.compile(r"-?[0-9]+\.[0-9]+(e[-+][0-9]+)?")


_TYPED_POINTER = re.compile(r'(;.*|c?"[^"]*")|(?:\bi8|\bi64|\bi32|\[\d+ x i\d+\]|(?:void|i32) \([^()]*\))\*+')


def with_opaque_pointers(line: str) -> str:
    """The line with ``ptr`` for typed pointers, except in names, strings and comments."""
    return _TYPED_POINTER.sub(lambda found: found[1] or "ptr", line)


def type_word(type: ir.Type) -> str:
    """``i32`` for `int`, ``i24`` for `int<24>`, ``i1`` for `bool`, ``i8*`` for a string."""
    assert isinstance(type, ir.Scalar), "continuations are rejected beforehand"
    return _TYPES.get(type, f"i{type.bits}")


def extension(type: ir.Type) -> str:
    """The attribute of a narrow integer parameter or result, which x86-64 extends to 32 bits."""
    if isinstance(type, ir.Scalar) and is_bits(type) and type.bits < 32:
        return "signext" if type.signed else "zeroext"
    return ""


def quoted(name: str) -> str:
    """The name as it follows ``@`` or ``%``, or is a label: in quotes unless it is plain."""
    return name if _PLAIN.fullmatch(name) else f'"{escaped(encoded(name).replace(*_ZERO))}"'


_ZERO = b"\0", b"\xc0\x80"
"""A zero byte, which LLVM does not accept in names, and its replacement, which occurs in no text."""


def comment(text: str) -> str:
    """A comment, which a name with control characters does not end."""
    return f"; {re.sub(_CONTROL, ' ', text)}"


_CONTROL = "[\0-\x1f\x7f]"


def encoded(text: str) -> bytes:
    """The text in UTF-8, with the original bytes of file names that are not UTF-8."""
    return text.encode("utf-8", "surrogateescape")


def escaped(data: bytes) -> str:
    """The bytes as the content of a quoted string."""
    return "".join(chr(byte) if 0x20 <= byte < 0x7F and byte not in b'"\\' else f"\\{byte:02X}" for byte in data)


def literal(constant: ir.Constant) -> str:
    """A constant other than a string."""
    if constant.type.kind == "pointer":
        return NULL
    value = normalised(constant.type, constant.value)
    if constant.type.kind == "bool":
        return "true" if value else "false"
    return floating(value) if constant.type.kind == "float" else str(value)


def floating(value: float | LongDouble) -> str:
    """A decimal literal if LLVM accepts it, otherwise the bits of a double (also for the type `float`)."""
    if isinstance(value, LongDouble):
        return f"0xK{value.to_bytes()[9::-1].hex().upper()}"
    text = repr(value)
    return text if _DECIMAL.fullmatch(text) else f"0x{struct.pack('>d', value).hex().upper()}"


def word_of(type: ir.Scalar) -> str:
    """The name of a type in the name of a helper: ``unsigned_long``."""
    return re.sub(r"\W", "_", type.name.strip(">"))


TYPES_BY_WORD = {word_of(type): type for type in ir.SCALARS.values()}
"""The types by their names in the names of helpers."""


def intrinsic(name: str, type: ir.Scalar) -> str:
    """The name of an intrinsic function for a floating type: ``llvm.fabs.f64``."""
    return f"llvm.{name}.f{80 if type is ir.LONG_DOUBLE else type.bits}"


def resizing(source: ir.Scalar, target: ir.Scalar) -> str:
    """The instruction that converts an integer to another size; ``bitcast``, which does nothing, for the same size."""
    if type_word(source) == type_word(target):
        return "bitcast"
    if source.kind == "bool" or target.bits > source.bits:
        return "sext" if source.signed else "zext"
    return "trunc"
