"""The foreign operations of JavaScript that need no state: literals, operators, tests, cells, strings.

Each row is the function from the static operand of an operation to the function from its operands to the result.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from cpsconv.abi.javascript import unquoted
from cpsconv.abi.javascript.environment import ERRORS
from cpsconv.abi.javascript.numbers import string_to_bigint, string_to_number
from cpsconv.abi.javascript.operators import (
    BINARY,
    UNARY,
    concatenation,
    is_nullish,
    strictly_equal,
    successor,
    to_boolean,
    to_numeric,
    to_string,
    type_name,
)
from cpsconv.abi.javascript.texts import inspected, shown
from cpsconv.abi.javascript.values import (
    DONE,
    NULL,
    UNINITIALISED,
    Builtin,
    Cell,
    Object,
    Thrown,
    code_units,
    thrown,
    written,
)
from cpsconv.core.operations.python_formats import decimal_number

_CHARACTER = re.compile("[\ud800-\udbff][\udc00-\udfff]|.", re.DOTALL)
_BIGINT = re.compile("-?[0-9]+n")
_INDEX = re.compile("0|[1-9][0-9]*")


def initialised(name: str, value: Any) -> Any:
    """The value of the variable. Raises `Thrown` if it is not initialised."""
    if value is UNINITIALISED:
        raise thrown("ReferenceError", f"Cannot access '{name}' before initialization")
    return value


def _constant(value: Any) -> Callable[[], Any]:
    return lambda: value


def _throw(value: Any) -> Any:
    raise Thrown(value, shown(value))


def _assigned_constant() -> Any:
    raise thrown("TypeError", "Assignment to constant variable.")


def _new(constructor: Any, *values: Any) -> Any:
    if not isinstance(constructor, Object):
        raise thrown("TypeError", "the value is not a constructor", is_exact=False)
    if isinstance(constructor, Builtin) and constructor.name in ERRORS:
        return constructor.compute(*values)
    raise NotImplementedError


def _object(value: Any) -> None:
    if is_nullish(value):
        raise thrown("TypeError", f"Cannot destructure {to_string(value)}", is_exact=False)


# ----------------------------------------------------------------------------------------------------- properties


def _get(name: str) -> Callable[..., Any]:
    def get(object: Any, key: Any = name) -> Any:
        if is_nullish(object):
            raise thrown("TypeError", f"Cannot read properties of {to_string(object)} (reading '{to_string(key)}')")
        if isinstance(object, str):
            return _of_string(object, key)
        if isinstance(object, Object) and to_string(key) in object.properties:
            return object.properties[to_string(key)]
        raise NotImplementedError

    return get


def _of_string(text: str, key: Any) -> Any:
    """The length of a string, or a code unit of it; `undefined` for an index that it does not have."""
    if key == "length":
        return float(len(text))
    if not isinstance(key, float) and not _INDEX.fullmatch(to_string(key)):
        raise NotImplementedError
    index = string_to_number(to_string(key))
    return text[int(index)] if index in range(len(text)) else None


def _set(name: str) -> Callable[..., None]:
    def set(object: Any, *key_and_value: Any) -> None:
        key, _ = (name, *key_and_value)[-2:]
        if is_nullish(object):
            raise thrown("TypeError", f"Cannot set properties of {to_string(object)} (setting '{to_string(key)}')")
        raise NotImplementedError

    return set


# ------------------------------------------------------------------------------------------------------ iterators


def _iterator(value: Any) -> Iterator[str]:
    """An iterator of the characters of a string, of one code unit or two."""
    if isinstance(value, str):
        return iter(_CHARACTER.findall(value))
    if isinstance(value, Object):
        raise NotImplementedError
    raise thrown("TypeError", f"{to_string(value)} is not iterable", is_exact=False)


# ----------------------------------------------------------------------------------------------------- a command


def _argument(text: str) -> Any:
    """The value of an argument of the command line, in UTF-8: a number or BigInt (``5n``), or else a string."""
    decoded = code_units(text.encode("latin-1").decode("utf-8", "replace"))
    number = string_to_number(decoded)
    if _BIGINT.fullmatch(decoded):
        return string_to_bigint(decoded[:-1])
    return number if decoded == "NaN" or (decoded.strip() and number == number) else decoded


def _shown(value: Any) -> str:
    return written(inspected(value)).decode("latin-1")


def _plain(compute: Callable[..., Any]) -> Callable[[str], Callable[..., Any]]:
    """The row of an operation without a static operand, or with one that is only a name."""
    return lambda _: compute


OPERATIONS: Mapping[str, Callable[[str], Callable[..., Any]]] = {
    "undefined": _plain(_constant(None)),
    "null": _plain(_constant(NULL)),
    "true": _plain(_constant(True)),
    "false": _plain(_constant(False)),
    "uninitialised": _plain(_constant(UNINITIALISED)),
    "number": lambda text: _constant(float(text)),
    "bigint": lambda text: _constant(int(text, 16) if text.startswith("0x") else decimal_number(text)),
    "string": lambda text: _constant(code_units(unquoted(text))),
    "binary": BINARY.__getitem__,
    "unary": UNARY.__getitem__,
    "same": _plain(strictly_equal),
    "negation": _plain(lambda value: not to_boolean(value)),
    "type_name": _plain(type_name),
    "truthy": _plain(to_boolean),
    "is_nullish": _plain(is_nullish),
    "is_undefined": _plain(lambda value: value is None),
    "numeric": _plain(to_numeric),
    "increment": _plain(lambda number: successor(number, 1)),
    "decrement": _plain(lambda number: successor(number, -1)),
    "to_string": _plain(to_string),
    "property_key": _plain(to_string),
    "concatenation": _plain(concatenation),
    "cell": _plain(Cell),
    "get_cell": _plain(lambda cell: cell.value),
    "set_cell": _plain(lambda cell, value: setattr(cell, "value", value)),
    "check": lambda name: lambda value: initialised(name, value),
    "assign_constant": _plain(_assigned_constant),
    "throw": _plain(_throw),
    "new": _plain(_new),
    "require_object": _plain(_object),
    "get": _get,
    "set": _set,
    "set_sloppy": _set,
    "iterator": _plain(_iterator),
    "step": _plain(lambda iterator: next(iterator, DONE)),
    "step_value": _plain(lambda iterator: next(iterator, None)),
    "is_done": _plain(lambda value: value is DONE),
    "iterator_close": _plain(lambda iterator: None),
    "iterator_close_quietly": _plain(lambda iterator: None),
    "debugger": _plain(lambda: None),
    "argument": _plain(_argument),
    "shown": _plain(_shown),
}
"""The operations, by their names without ``js.``."""
