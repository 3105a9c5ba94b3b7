"""The texts of arguments and results on the command line."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cpsconv.core.entry import Data, data_parameters, require_count
from cpsconv.core.floating import Floating
from cpsconv.core.ir import INTEGER, STRING, Function, Scalar, Type
from cpsconv.core.operations.python_formats import decimal_number, decimal_text
from cpsconv.core.operations.semantics import normalised
from cpsconv.core.operations.types import range_of, type_title, wrap
from cpsconv.core.source import DiagnosticError, did_you_mean, error


def parse_arguments(function: Function, texts: Sequence[str]) -> list[Data]:
    """The values of command-line arguments for the function's parameters.

    Integers are decimal or hexadecimal, with an optional sign; a character denotes its code (a digit in quotes).
    Arguments may be named (see `ordered_arguments`). Raises `DiagnosticError` if their number or a name is wrong, or
    with all texts that are not values of the parameters' types.
    """
    texts = ordered_arguments(function, texts)
    require_count(function, len(texts))
    values: list[Data] = []
    errors = []
    for parameter, text in zip(data_parameters(function), texts, strict=True):
        try:
            values.append(_value(parameter.type, text))
        except ValueError as failure:
            errors.append(error(f"argument `{parameter.name}` of `{function.name}`: {failure}", rule="argument"))
    if errors:
        raise DiagnosticError(errors)
    return values


_NAMED = re.compile(r"([^\W\d]\w*)=(.*)", re.DOTALL)


def ordered_arguments(function: Function, texts: Sequence[str]) -> list[str]:
    """The texts in the order of the parameters: ``x=3`` is the argument of the parameter `x`; others come first.

    If a parameter takes a string, no argument is named. Raises `DiagnosticError` for a wrong name, and for a missing
    argument if others are named.
    """
    parameters = data_parameters(function)
    if any(parameter.type is STRING for parameter in parameters):
        return [*texts]
    named = [(text, match[1], match[2]) for text in texts if (match := _NAMED.fullmatch(text))]
    if not named:
        return [*texts]
    names = [parameter.name for parameter in parameters]
    positional = [text for text in texts if not _NAMED.fullmatch(text)]
    given = dict(zip(names, positional, strict=False))
    for text, name, value in named:
        if name not in names or name in given:
            reason = "has no parameter" if name not in names else "has two arguments for"
            help = did_you_mean(name, names)
            message = f"argument `{shortened(text)}`: `{function.name}` {reason} `{name}`"
            raise DiagnosticError([error(message, function.span, help=help, rule="argument")])
        given[name] = value
    if missing := [f"`{name}`" for name in names if name not in given]:
        message = f"`{function.name}` has no argument for {', '.join(missing)}"
        raise DiagnosticError([error(message, function.span, rule="argument")])
    return [*(given[name] for name in names), *positional[len(names) :]]


def shown_data(value: Data | Floating) -> str:
    """The text of a value on the command line. The bytes of a string are decoded as UTF-8."""
    if isinstance(value, str):
        return value.encode("latin-1").decode("utf-8", "surrogateescape")
    if isinstance(value, bool):
        return str(value).lower()
    return decimal_text(value) if isinstance(value, int) else str(value)


_INTEGER = re.compile(r"([+-]?)(?:0[xX]([0-9a-fA-F]+)|([0-9]+))")
_CHARACTER = re.compile(r"'([\x00-\xff])'|([\x00-/:-\xff])")


def _value(type: Type, text: str) -> Data:
    """The value of a command-line argument. Raises `ValueError` with the reason if the text has none."""
    assert isinstance(type, Scalar)
    if type.kind == "string":
        return text.encode("utf-8", "surrogateescape").decode("latin-1")
    if type is INTEGER:
        return _unbounded_integer(text)
    if type.kind == "integer":
        return _integer(type, text)
    if type.kind == "bool":
        if text not in ("true", "false", "1", "0"):
            raise ValueError(f"`{text}` is neither `true` nor `false`")
        return text in ("true", "1")
    try:
        return float(normalised(type, float(text)))
    except ValueError:
        raise ValueError(f"`{text}` is not a number") from None


def _unbounded_integer(text: str) -> int:
    written = _INTEGER.fullmatch(text)
    if not written:
        raise ValueError(f"`{shortened(text)}` is not an integer")
    sign, hexadecimal, digits = written.groups()
    magnitude = int(hexadecimal, 16) if hexadecimal else decimal_number(digits)
    return -magnitude if sign == "-" else magnitude


_MAX_SHOWN = 40


def shortened(text: str) -> str:
    """A text of the command line for a message: its first characters, if it is long."""
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}…"


def _integer(type: Scalar, text: str) -> int:
    if type.bits == 8 and (character := _CHARACTER.fullmatch(text)):
        return wrap(type, ord(character[1] or character[2]))
    written = _INTEGER.fullmatch(text)
    if not written:
        raise ValueError(f"`{text}` is not an integer")
    sign, hexadecimal, decimal = written.groups()
    lowest, highest = range_of(type)
    digits = (hexadecimal or decimal).lstrip("0") or "0"
    # Longer numbers are out of range, and Python refuses to convert very long ones.
    magnitude = int(digits, 16 if hexadecimal else 10) if len(digits) <= 20 else highest + 2
    value = -magnitude if sign == "-" else magnitude
    if not lowest <= value <= highest:
        raise ValueError(f"{text} is out of the range of `{type_title(type)}`, {lowest} to {highest}")
    return value
