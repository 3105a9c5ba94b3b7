"""The spelling of names and literals in CPS text: reserved words, back quotes, numbers, characters, strings."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from functools import lru_cache

from cpsconv.core import ir
from cpsconv.core.floating import Floating, Real, format_class, is_finite
from cpsconv.core.operations.mathematics import MATHEMATICS
from cpsconv.core.operations.python_arithmetic import to_float
from cpsconv.core.operations.table import OPERATIONS
from cpsconv.core.operations.types import is_computed, wrap
from cpsconv.core.source import did_you_mean

KEYWORDS = frozenset(
    "let in branch switch call undef allocate true false null inf nan inff nanf infL nanL _".split()  # noqa: SIM905
)
"""The keywords of the grammar, except those of types."""

RESERVED = KEYWORDS.union(word for name in ir.SCALARS for word in name.split())
"""The words that no operation has without back quotes."""

ITEM_WORDS = ("struct", "union", "data", "const", "extern")
"""The words before the names of items other than functions. They are no keywords elsewhere."""


def is_callable(op: str) -> bool:
    """Whether it is an operation in the form of a call."""
    return op in OPERATIONS and OPERATIONS[op].form == "call"


def is_reserved(name: str) -> bool:
    """Whether the name is in back quotes, so that each word has one meaning.

    Mathematical functions are frequent names, such as `exp` and `log`. Their meaning is that of the operation where
    they are applied within an expression, where nothing else is.
    """
    return name in RESERVED or name in ir.EXTERNALS or (is_callable(name) and name not in MATHEMATICS)


_SUMS = ("arithmetic", "division")


def needs_no_parentheses(outer: str, inner: str, side: int) -> bool:
    """Whether the operator `inner` is clearly the left (`side` 0) or right (1) operand of `outer` without parentheses.

    It is in sums of products, in comparisons of sums, and in a chain of one operator.
    """
    out, within = OPERATIONS[outer], OPERATIONS[inner]
    if within.kind not in _SUMS:
        return outer == inner and side == 0 and out.kind != "comparison"
    return out.kind == "comparison" or (out.kind in _SUMS and within.precedence >= out.precedence + side)


@lru_cache(10_000)  # most names occur in many functions
def sanitized_name(hint: str) -> str:
    """`hint` without characters that a name in back quotes cannot have."""
    return re.sub(r"[`\n]", "_", hint) or "v"


@lru_cache(10_000)
def quote_operation(op: str) -> str:
    """The name of an operation in the text: in back quotes if it is a keyword or no plain identifier."""
    return op if re.fullmatch(r"(?!(inf|nan)b?f\d+$)[^\W\dλ]\w*", op) and op not in RESERVED else f"`{op}`"


def quote_name(name: str) -> str:
    """`name` in the text: in back quotes if it is reserved or no plain identifier."""
    return f"`{name}`" if is_reserved(name) else quote_operation(name)


_ASCII = str.maketrans({"→": "->", "⊥": "_|_", "λ": "\\", "⇒": "=>"})


def in_ascii(text: str) -> str:
    """A text of symbols and types, in the spelling of ``--ascii``."""
    return text.translate(_ASCII)


def unquote_name(word: str) -> str:
    """The name without back quotes."""
    return word.strip("`")


def suggestion(name: str, known: Iterable[str]) -> str | None:
    """The help for an unknown name, if a `known` name is similar."""
    return "`halt` ends the program" if name == "exit" else did_you_mean(name, known)


SUFFIXES = {type.suffix: type for type in ir.SCALARS.values() if type.suffix} | {"": ir.INT}
"""The types of numbers by suffix: `5ul`, `1.5f`. A number with a point or an exponent and no suffix is a double."""

_ESCAPES = {"\n": "n", "\t": "t", "\r": "r", "\a": "a", "\b": "b", "\f": "f", "\v": "v", "\\": "\\"}
_ESCAPED = {letter: char for char, letter in _ESCAPES.items()} | {'"': '"', "'": "'"}
_MAX_DIGITS = 100
_ESCAPE = r"(?s)\\(?:x([0-9a-fA-F]{2})|([0-7]{1,3})|(.))"  # compiled on use, as `_NUMBER`: printing needs neither
_NUMBER = r"([0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|inf|nan)(\w*)"


def literal_text(constant: ir.Constant) -> str:
    """The literal for a constant. A negative number starts with `-`."""
    value = constant.value
    if constant.type is ir.INT:  # the frequent case
        return str(value)
    if constant.type is ir.BOOL:
        return "true" if value else "false"
    if constant.type is ir.PTR:
        return "null"
    if isinstance(value, str):
        return '"' + "".join(_escaped(char, '"') for char in value) + '"'
    if isinstance(value, (float, Floating)):
        return _float_literal(value, constant.type)
    if constant.type is ir.CHAR:
        return "'" + _escaped(chr(value & 0xFF), "'") + "'"
    if constant.type is ir.INTEGER:
        from cpsconv.core.operations.python_formats import decimal_text  # few programs have the type

        return f"{decimal_text(int(value))}{ir.INTEGER.suffix}"
    return f"{value}{constant.type.suffix}"


def _further_type(suffix: str) -> ir.Scalar | None:
    if re.fullmatch(r"[iu]\d{1,3}", suffix):
        return ir.integer_type(int(suffix[1:]), signed=suffix[0] == "i")
    return next((type for type in ir.FURTHER_FLOATS.values() if type.suffix == suffix), None)


def foreign_text(text: str) -> str:
    """The text of a foreign operation, in quotes."""
    return literal_text(ir.Constant(ir.STRING, text.encode().decode("latin-1")))


def read_literal(text: str, negative: bool = False) -> ir.Constant:
    """The constant for a literal; `negative` if a `-` precedes it. Raises `ValueError` with a reason."""
    if text in ("true", "false"):
        return ir.Constant(ir.BOOL, text == "true")
    if text == "null":
        return ir.Constant(ir.PTR, 0)
    return read_quoted(text) if text[0] in "\"'" else read_number(text, negative)


def read_number(text: str, negative: bool = False) -> ir.Constant:
    """The constant for a number; `negative` if a `-` precedes it.

    Raises `ValueError` with the reason if the suffix is unknown or the type has no such value.
    """
    match = re.fullmatch(_NUMBER, text)
    if not match:
        raise ValueError(f"`{text}` is not a number")
    digits, suffix = match.groups()
    type = SUFFIXES.get(suffix) or _further_type(suffix)
    if type is None:
        is_coded = digits == "0" and suffix[0] in "xXbB"
        raise ValueError(f"`{text}` is not a decimal number" if is_coded else f"`{suffix}` is not a suffix of numbers")
    if type.kind == "float" or not digits.isdigit():
        if suffix and type.kind != "float":
            raise ValueError(f"`{suffix}` is not a suffix of floating numbers")
        type = type if suffix else ir.DOUBLE
        number = _floating_number(digits, type)
        return ir.Constant(type, -number if negative else number)
    if type is ir.INTEGER:
        from cpsconv.core.operations.python_formats import decimal_number  # few programs have the type

        return ir.Constant(ir.INTEGER, -decimal_number(digits) if negative else decimal_number(digits))
    if len(digits) > _MAX_DIGITS:
        raise ValueError("the number is too long")
    value = -int(digits) if negative else int(digits)
    if value != wrap(type, value):
        raise ValueError(f"{value} is not a value of type {type}")
    return ir.Constant(type, value)


def read_quoted(text: str) -> ir.Constant:
    """The constant for a string or character literal, given with its quotes.

    A character outside ASCII denotes the bytes of its UTF-8 encoding. Raises `ValueError` with the reason if an escape
    sequence is unknown, or a character literal is not one byte.
    """
    encoded = text[1:-1].encode("utf-8").decode("latin-1")
    value = re.sub(_ESCAPE, _unescaped, encoded)
    if text[0] == '"':
        return ir.Constant(ir.STRING, value)
    if len(value) != 1:
        raise ValueError("a character literal must hold one byte")
    return ir.Constant(ir.CHAR, wrap(ir.CHAR, ord(value)))


def _floating_number(digits: str, type: ir.Scalar) -> Real:
    """The number with these digits, rounded to the type."""
    if is_computed(type):
        return format_class(type.bits, type.digits).parse(digits)
    return to_float(float(digits)) if type is ir.FLOAT else float(digits)


def _float_literal(value: Real, type: ir.Scalar) -> str:
    """The shortest decimal number that is read back as `value`."""
    sign = "-" if math.copysign(1, value) < 0 else ""
    value = -value if sign else value
    if type is ir.DOUBLE or not is_finite(value):
        return f"{sign}{float(value)!r}{type.suffix}"
    candidates = (f"{value:.{digits}g}" for digits in range(1, 40))
    text = next(text for text in candidates if _floating_number(text, type) == value)
    return f"{sign}{text}{type.suffix}"


def _escaped(char: str, quote: str) -> str:
    if char in _ESCAPES or char == quote:
        return "\\" + _ESCAPES.get(char, char)
    if " " <= char <= "~":
        return char
    if quote == "'":
        return "\\0" if char == "\0" else f"\\x{ord(char):02x}"
    return f"\\{ord(char):03o}"  # three digits: independent of the next character


def _unescaped(match: re.Match[str]) -> str:
    hexadecimal, octal, letter = match.groups()
    if letter is None:
        return chr(int(hexadecimal, 16) if hexadecimal else int(octal, 8) & 0xFF)
    if letter not in _ESCAPED:
        raise ValueError(f"`\\{letter}` is not an escape sequence")
    return _ESCAPED[letter]
