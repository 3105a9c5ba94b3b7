"""Types and plain data as JSON, wherever it is written (docs/json.md)."""

from __future__ import annotations

import math
from typing import Any

from cpsconv.ir import Scalar, Type

Json = Any
"""What `json.dumps` takes."""

_WIDEST_NUMBER = 2**53
"""Readers that keep numbers as doubles lose digits from here on: larger integers are strings of digits."""


def type_as_json(type: Type) -> Json:
    """The name of a scalar type; for that of a continuation an object."""
    if isinstance(type, Scalar):
        return type.name
    return {"parameters": [type_as_json(parameter) for parameter in type.parameters]}


def data_as_json(type: Scalar, value: int | float | bool | str) -> Json:
    """A value of the type; what many readers of JSON numbers would spoil is a string."""
    if isinstance(value, float) and not math.isfinite(value):
        return ("-" if math.copysign(1, value) < 0 else "") + ("nan" if math.isnan(value) else "inf")
    return integer_as_json(int(value)) if type.kind == "integer" else value


def integer_as_json(value: int) -> Json:
    """A number, or a string of digits."""
    return value if -_WIDEST_NUMBER <= value <= _WIDEST_NUMBER else str(value)
