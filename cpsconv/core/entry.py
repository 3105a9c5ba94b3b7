"""The environment of a program: its first function, its arguments and its result."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Union, cast

from cpsconv.core.ir import (
    INTEGER,
    LONG_DOUBLE,
    PTR,
    STRING,
    VOID,
    WIDE_INTEGERS,
    ContinuationType,
    Function,
    Parameter,
    Program,
    Scalar,
    Type,
)
from cpsconv.core.long_double import LongDouble
from cpsconv.core.operations.python_formats import decimal_number, decimal_text
from cpsconv.core.operations.semantics import normalised
from cpsconv.core.operations.types import range_of, type_title, wrap
from cpsconv.core.source import DiagnosticError, counted, did_you_mean, error, setting

Data = Union[int, float, bool, str]
"""An argument or result of a program. A string has one character, U+0000 to U+00FF, for each byte."""


MAX_NAMES = 20
"""The maximal number of functions that a diagnostic lists."""


START = ".`start"
"""The name of the function that calls `main` where a run does more: it passes the command line, or ends the program.

No name in a source has a backquote.
"""


def start_of(program: Program, name: str) -> Function | None:
    """The function with which a run of the function `name` starts: for `main`, the one that calls it, if there is one.

    None if there is no function of that name.
    """
    return (program.function(START) if name == "main" else None) or program.function(name)


def is_main(name: str) -> bool:
    """Whether the result of a run that starts with the function of that name is its exit status."""
    return name in ("main", START)


def entry_of(program: Program, name: str | None = None) -> Function:
    """The function with which a run starts: `start_of` that name.

    Without a name, it is that of ``main`` or, if there is none, the only function that is not nested.

    Raises `DiagnosticError` if there is no such function, if it is nested, if it takes pointers, numbers of 128 bits,
    or continuations other than its return continuation, or returns a pointer or a number of 128 bits.
    """
    if name is not None:
        chosen: Function | None = function_named(program, name)
    else:
        outer = [function for function in program.functions if not function.is_nested]
        chosen = start_of(program, "main") or (outer[0] if len(outer) == 1 else None)
    if chosen is None:
        names = _listed([function.name for function in outer])
        start = setting("`--entry NAME` makes `run` start one of them", "choose one by `entry=`")
        help = f"the program has {names}; {start}" if names else None
        raise DiagnosticError([error("there is no function `main`", help=help, rule="no-entry")])
    _require_startable(chosen)
    return chosen


def function_named(program: Program, name: str) -> Function:
    """The function of this name, which may be in backquotes. Raises `DiagnosticError` if there is none."""
    require_function(name, (each.name for each in program.functions))
    return cast(Function, start_of(program, name.strip("`")))


def require_function(name: str, known: Iterable[str]) -> None:
    """Raises `DiagnosticError` if `name`, which may be in backquotes, is not among the known names of functions."""
    known = [*dict.fromkeys(known)]
    if name.strip("`") not in known:
        help = did_you_mean(name, known) or (f"the program has {_listed(known)}" if known else None)
        raise DiagnosticError([error(f"there is no function `{name}`", help=help, rule="unknown-function")])


def _listed(names: Sequence[str]) -> str:
    """The first of the names."""
    return ", ".join([f"`{name}`" for name in names[:MAX_NAMES]] + ["…"] * (len(names) > MAX_NAMES))


_NOT_DATA: dict[Type, str] = {PTR: "a pointer", LONG_DOUBLE: "a `long double`"}
_NOT_DATA |= {type: f"an `{type}`" for type in WIDE_INTEGERS}
"""The types of values that are neither arguments nor the result of a program."""


def _require_startable(function: Function) -> None:
    if function.is_nested:
        message = f"`{function.name}` cannot be started: it uses values of the functions around it"
        raise DiagnosticError([error(message, function.span, rule="entry")])
    for parameter in data_parameters(function):
        if isinstance(parameter.type, ContinuationType):
            message = f"`{function.name}` cannot be started: its parameter `{parameter.name}` is a continuation"
            raise DiagnosticError([error(message, parameter.span or function.span, rule="entry")])
        if noun := _NOT_DATA.get(parameter.type):
            message = f"`{function.name}` cannot be started: its parameter `{parameter.name}` is {noun}"
            raise DiagnosticError([error(message, parameter.span or function.span, rule="entry")])
    returned = return_type(function)
    if returned and len(returned.parameters) > 1:
        message = f"`{function.name}` cannot be started: it returns {len(returned.parameters)} values"
        raise DiagnosticError([error(message, function.span, rule="entry")])
    if noun := next(filter(None, map(_NOT_DATA.get, returned.parameters if returned else ())), None):
        message = f"`{function.name}` cannot be started: it returns {noun}"
        raise DiagnosticError([error(message, function.span, rule="entry")])


def return_type(function: Function) -> ContinuationType | None:
    """The type of the function's return continuation, if it has one."""
    ret = function.return_continuation
    return ret.type if ret and isinstance(ret.type, ContinuationType) else None


def result_type(function: Function) -> Type:
    """The type of the function's result; `VOID` if it returns no value."""
    returned = return_type(function)
    return returned.parameters[0] if returned and returned.parameters else VOID


def data_parameters(function: Function) -> list[Parameter]:
    """The parameters without the return continuation."""
    return function.parameters[:-1] if return_type(function) else function.parameters


def accepted(function: Function, arguments: Sequence[Data]) -> list[Data]:
    """The arguments, converted to the types of the parameters. Raises `DiagnosticError` if their number is wrong."""
    parameters = data_parameters(function)
    _require_count(function, len(arguments))
    return [normalised(parameter.type, argument) for parameter, argument in zip(parameters, arguments, strict=True)]


def parse_arguments(function: Function, texts: Sequence[str]) -> list[Data]:
    """The values of command-line arguments for the function's parameters.

    Integers are decimal or hexadecimal, with an optional sign; a character denotes its code (a digit in quotes).
    Arguments may be named (see `ordered_arguments`). Raises `DiagnosticError` if their number or a name is wrong, or
    with all texts that are not values of the parameters' types.
    """
    texts = ordered_arguments(function, texts)
    _require_count(function, len(texts))
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


def _require_count(function: Function, given: int) -> None:
    parameters = data_parameters(function)
    if len(parameters) != given:
        listed = ", ".join(f"{parameter.name} : {type_title(parameter.type)}" for parameter in parameters)
        was = "1 was" if given == 1 else f"{given or 'none'} were"
        expected = counted(len(parameters), "argument", "no")
        message = f"`{function.name}` takes {expected}{f' ({listed})' if listed else ''}, but {was} given"
        raise DiagnosticError([error(message, function.span, rule="entry")])


def shown_data(value: Data | LongDouble) -> str:
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


def require_no_external_data(program: Program, provider: str) -> None:
    """Raise `DiagnosticError`, which names the `provider`, if the program has data that another program defines."""
    for data in program.external_data:
        message = f"{provider} has no definition of `{data.name}`"
        help = "`cpsconv link` links the program with the one that defines it"
        raise DiagnosticError([error(message, data.span, help=help, rule="external")])
