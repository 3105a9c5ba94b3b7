"""The signatures in C that earlier versions wrote in JSON, as the key `c_signature`, instead of attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cpsconv.abi.attributes import CSignature, set_signature
from cpsconv.core.ir import Function

SCHEMA = {
    "type": "object",
    "required": ["structs", "returns_struct", "variadic"],
    "additionalProperties": False,
    "properties": {
        "structs": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["parameter", "struct"],
                "additionalProperties": False,
                "properties": {"parameter": {"type": "integer", "minimum": 0}, "struct": {"$ref": "#/$defs/name"}},
            },
        },
        "returns_struct": {"type": "boolean"},
        "variadic": {"type": "boolean"},
    },
}


def read(function: Function, data: Any, type_of: Callable[[Any], Any]) -> None:
    """Give the function the signature; `type_of` reads a type."""
    structs = {each["parameter"]: type_of(each) for each in data["structs"]}
    if wrong := [number for number in structs if number >= len(function.parameters)]:
        raise ValueError(f"{function.name} has no parameter {wrong[0] + 1}, which is passed by value")
    set_signature(function, CSignature(structs, data["returns_struct"], data["variadic"]))
