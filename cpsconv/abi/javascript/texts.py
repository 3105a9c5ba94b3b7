"""The texts of values: as `console.log` prints them, and as traces show them."""

from __future__ import annotations

import math
from typing import Any

from cpsconv.abi.javascript import quoted
from cpsconv.abi.javascript.environment import BUILTINS
from cpsconv.abi.javascript.facts import facts_of
from cpsconv.abi.javascript.operators import to_string
from cpsconv.abi.javascript.values import Builtin, Cell, Closure, Object


def inspected(value: Any) -> str:
    """The text that `console.log` prints for one of several values, as UTF-16.

    Raises `NotImplementedError` for `Error` and objects other than functions: Node prints their properties.
    """
    if isinstance(value, float):
        return "-0" if value == 0 and math.copysign(1, value) < 0 else to_string(value)
    if type(value) is int:
        return f"{to_string(value)}n"
    if isinstance(value, Closure) and (facts_of(value.function).is_async or facts_of(value.function).is_generator):
        raise NotImplementedError
    if isinstance(value, (Closure, Builtin)) and value is not BUILTINS["Error"]:
        return f"[Function: {value.name}]" if value.name else "[Function (anonymous)]"
    if isinstance(value, Object):
        raise NotImplementedError
    return to_string(value)


def shown(value: Any) -> str:
    """The text of any value for a reader, or of what is in a cell; strings are in quotes."""
    if isinstance(value, Cell):
        return f"cell {shown(value.value)}"
    if isinstance(value, str):
        return quoted(value)
    try:
        return inspected(value)
    except NotImplementedError:
        return str(value)
    except KeyError:
        return "uninitialised"
