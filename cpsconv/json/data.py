"""Types and run-time values as JSON, for all JSON that the package writes (docs/json.md)."""

from __future__ import annotations

import math
from typing import Any

from cpsconv.ir import Scalar, Type

Json = Any
"""Data that `json.dumps` accepts."""

_MAX_NUMBER = 2**53
"""Integers of larger magnitude are written as strings: readers that parse numbers as doubles would lose digits."""


def type_as_json(type: Type) -> Json:
    """The type as JSON: the name of a scalar type, an object for the type of a continuation."""
    if isinstance(type, Scalar):
        return type.name
    return {"parameters": [type_as_json(parameter) for parameter in type.parameters]}


def data_as_json(type: Scalar, value: int | float | bool | str) -> Json:
    """A value of the type as JSON: a string if it is infinite, NaN, or an integer of many digits."""
    if isinstance(value, float) and not math.isfinite(value):
        return ("-" if math.copysign(1, value) < 0 else "") + ("nan" if math.isnan(value) else "inf")
    return integer_as_json(int(value)) if type.kind == "integer" else value


def integer_as_json(value: int) -> Json:
    """The integer as a number or, if it is large, as a string of digits."""
    return value if -_MAX_NUMBER <= value <= _MAX_NUMBER else str(value)
