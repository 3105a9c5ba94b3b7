"""The values of JavaScript at run time.

A number is a `float`, a BigInt an `int`, a boolean a `bool`, `undefined` is None. A string is a `str` of which each
character is a code unit of UTF-16, so that Python compares, indexes and counts strings as JavaScript does. All other
values are objects of the classes below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Union

from cpsconv.abi.javascript.facts import facts_of
from cpsconv.core.ir import Function
from cpsconv.core.operations.runtime_errors import ProgramError


class Mark:
    """A value that is equal to itself only: `NULL`, and what variables and iterators have instead of a value."""


NULL, UNINITIALISED, DONE = Mark(), Mark(), Mark()


class Object:
    """An object of the environment, with the properties that programs can read."""

    type_name = "object"

    def __init__(self, name: str, properties: Mapping[str, Value] = MappingProxyType({})) -> None:
        self.name, self.properties = name, properties

    def __str__(self) -> str:
        return f"[{self.type_name} {self.name}]"


class Builtin(Object):
    """A function of the environment."""

    type_name = "function"

    def __init__(self, name: str, compute: Callable[..., Any]) -> None:
        super().__init__(name)
        self.compute = compute


class ErrorObject(Object):
    """An error. If the message is not `is_exact`, that of Node quotes the source, or depends on the version."""

    def __init__(self, name: str, message: str, is_exact: bool = True) -> None:
        super().__init__(name, {"name": name, **({"message": message} if is_exact else {})})
        self.message, self.is_exact = message, is_exact

    def __str__(self) -> str:
        return f"{self.name}: {self.message}" if self.message else self.name


class Closure(Object):
    """A function of the program with the values and cells that it captures."""

    type_name = "function"

    def __init__(self, function: Function, captured: tuple[Any, ...]) -> None:
        super().__init__(facts_of(function).name)
        self.function, self.captured = function, captured


class Cell:
    """The place of a variable."""

    def __init__(self, value: Any) -> None:
        self.value = value


Value = Union[None, bool, float, int, str, Mark, Object]
"""A value of JavaScript; `Any` in the signatures of operators, which convert it."""


class Thrown(ProgramError):
    """An exception of JavaScript. If no handler catches it, it ends the run."""

    rule = "exception"

    def __init__(self, value: Any, text: str) -> None:
        super().__init__(f"uncaught {text}")
        self.value = value


def thrown(name: str, message: str, is_exact: bool = True) -> Thrown:
    """The exception of an operation: an error of this name."""
    value = ErrorObject(name, message, is_exact)
    return Thrown(value, str(value))


def code_units(text: str) -> str:
    """The string of a text: each character beyond U+FFFF becomes two."""
    if text.isascii():
        return text
    data = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(data[at] | data[at + 1] << 8) for at in range(0, len(data), 2))


def written(text: str) -> bytes:
    """The bytes of a string in UTF-8. A surrogate without its partner becomes U+FFFD."""
    if text.isascii():
        return text.encode()
    joined = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _SURROGATE.sub("\N{REPLACEMENT CHARACTER}", joined).encode()


_SURROGATE = re.compile("[\ud800-\udfff]")
