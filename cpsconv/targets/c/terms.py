"""Terms, the texts of expressions with their precedence; declarators; and literals."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import NamedTuple

from cpsconv.core import ir
from cpsconv.core.floating import LongDouble, Real, is_finite, is_signalling, payload
from cpsconv.core.operations.completeness import for_every_type
from cpsconv.core.operations.types import wrap
from cpsconv.core.text.spelling import literal_text

ADDITIVE, UNARY, PRIMARY = 9, 12, 13
"""Levels of precedence: of ``a + b``, of ``-a``, and of names, calls and accesses."""


@dataclass(frozen=True, slots=True)
class Term:
    """The text of an expression, its precedence `level`, and its outermost binary operator `op`, ``""`` if none."""

    text: str
    level: int = PRIMARY
    op: str = ""


def cast(type: str, term: Term) -> Term:
    """The term converted to the type, by an explicit cast."""
    clear = term.level >= UNARY and not term.op and term.text[0] != "-"
    return Term(f"({type}){term.text if clear else f'({term.text})'}", UNARY)


def as_primary(term: Term) -> str:
    """The text of the term before ``[``, ``.`` or ``->``."""
    return term.text if term.level >= PRIMARY and not term.op else f"({term.text})"


def as_unary(term: Term) -> str:
    """The text of the term after a prefix operator."""
    return term.text if term.level >= UNARY and not term.op else f"({term.text})"


def split(pattern: str, name: str) -> tuple[str, str]:
    """The specifier and the declarator of a declaration: ``int (*{})(void)`` gives ``int`` and ``(*f)(void)``."""
    found = re.match(r"((?:_Alignas\(\d+\) )?.*?) ?([*({].*)", pattern)
    assert found
    return found[1], found[2].format(name)


# -------------------------------------------------------------------------------------------------------- literals


class TypeInC(NamedTuple):
    """The suffix of the literals of a type, and the library function for its absolute value, if there is one."""

    suffix: str = ""
    absolute: str = ""


TYPES = for_every_type(
    "cpsconv.targets.c",
    {
        **dict.fromkeys((ir.BOOL, ir.UNSIGNED_CHAR, ir.UNSIGNED_SHORT, ir.STRING, ir.PTR), TypeInC()),
        **dict.fromkeys((ir.CHAR, ir.SIGNED_CHAR, ir.SHORT, ir.INT), TypeInC("", "abs")),
        ir.UNSIGNED: TypeInC("u"),
        ir.LONG: TypeInC("L", "labs"),
        ir.UNSIGNED_LONG: TypeInC("UL"),
        **dict.fromkeys((ir.INT128, ir.UNSIGNED_INT128), TypeInC()),
        ir.FLOAT: TypeInC("f", "fabsf"),
        ir.DOUBLE: TypeInC("", "fabs"),
        ir.LONG_DOUBLE: TypeInC("L", "fabsl"),
    },
    memory=True,
    extended=True,
    wide=True,
)


def scalar_literal(constant: ir.Constant, headers: set[str]) -> str:
    """The literal of a constant; the headers that it requires are added to `headers`."""
    value, type = constant.value, constant.type
    if type is ir.STRING:
        return string_literal(str(value))
    if type is ir.BOOL:
        headers.add("stdbool.h")
        return "true" if value else "false"
    if type is ir.PTR:
        headers.add("stddef.h")
        return "NULL"
    if isinstance(value, (float, LongDouble)):
        return _float(value, constant, headers)
    if type is ir.CHAR:
        return literal_text(constant)
    number = int(value)
    if type.bits == 128:
        return _wide_literal(number, type, headers)
    if type.signed and type.bits >= ir.INT.bits and number == -(1 << type.bits - 1):
        headers.add("limits.h")  # the literal of the magnitude would be out of range
        return "INT_MIN" if type is ir.INT else "LONG_MIN"
    return f"{number}{TYPES[type].suffix}"


def literal_term(constant: ir.Constant, headers: set[str]) -> Term:
    """The literal of a constant, which may be converted, as a term."""
    text = scalar_literal(constant, headers)
    return Term(text, UNARY if text.startswith("(") else PRIMARY)


def _wide_literal(number: int, type: ir.Scalar, headers: set[str]) -> str:
    """C has no literals of 128 bits: a literal of 64 bits is converted, or two of them are combined."""
    low, high = number & (1 << 64) - 1, number >> 64 & (1 << 64) - 1
    if number == wrap(ir.LONG, number):
        return f"({type}){scalar_literal(ir.Constant(ir.LONG, number), headers)}"
    whole = f"{low:#x}UL" if not high else f"((unsigned __int128){high:#x}UL << 64 | {low:#x}UL)"
    return whole if type is ir.UNSIGNED_INT128 and high else f"({type}){whole}"


def _float(value: Real, constant: ir.Constant, headers: set[str]) -> str:
    """A literal, or a macro for infinity and NaN; except for `long double`, the macro is a `float`.

    A NaN with a payload is a built-in function of gcc.
    """
    if not is_finite(value):
        sign = "-" * (math.copysign(1, value) < 0)
        if value != value and payload(value):
            digits = payload(value) >> (29 if constant.type is ir.FLOAT else 0)
            kind = "nans" if is_signalling(value) else "nan"
            return f'{sign}__builtin_{kind}{TYPES[constant.type].suffix.lower()}("{digits:#x}")'
        headers.add("math.h")
        infinity, nan = ("HUGE_VALL", "(long double)NAN") if constant.type is ir.LONG_DOUBLE else ("INFINITY", "NAN")
        return sign + (nan if value != value else infinity)
    suffix = TYPES[constant.type].suffix
    text = literal_text(constant)
    return f"{text[:-1]}.0{suffix}" if suffix and not set(text) & set(".e") else text


def string_literal(text: str) -> str:
    """A literal for the bytes, with non-ASCII characters if the bytes are UTF-8."""
    try:
        decoded = text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        decoded = text
    if decoded == text or not decoded.isprintable():
        return literal_text(ir.Constant(ir.STRING, text))
    escaped = [literal_text(ir.Constant(ir.STRING, char))[1:-1] if char.isascii() else char for char in decoded]
    return f'"{"".join(escaped)}"'
