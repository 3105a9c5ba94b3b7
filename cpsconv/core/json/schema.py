"""Validation of JSON by `program.schema.json`, for the keywords of JSON Schema that this schema uses.

Rooms that register attributes add the keys of JSON that denoted them in earlier versions.
"""

from __future__ import annotations

import json
import re
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from cpsconv.core.attributes import ATTRIBUTES, EARLIER_KEYS

Schema = dict[str, Any]

_TYPES: dict[str, type | tuple[type, ...]] = {
    "array": list,
    "boolean": bool,
    "integer": int,
    "null": type(None),
    "number": (int, float),
    "object": dict,
    "string": str,
}


_MAX_SHOWN = 60  # characters of data in a message
_SURROGATE = re.compile("[\ud800-\udfff]")  # json.loads reads it, but no UTF-8 text has it


class Mismatch(NamedTuple):
    """A place where data do not fit the schema: the keys and indices that lead to it, innermost first; the reason."""

    path: list[str]
    reason: str

    def __str__(self) -> str:
        return f"{''.join(reversed(self.path)).lstrip('.') or 'it'} {self.reason}"


def mismatch(data: Any) -> Mismatch | None:
    """The first place where the data do not fit the schema of programs. (Recursive, like the reader of JSON.)"""
    schema = _schema()
    for place, keys in EARLIER_KEYS.items():  # a room may have registered some since the last call
        for key, name in keys.items():
            added = {"type": "boolean"} if name in ATTRIBUTES else {"$ref": name}
            schema["$defs"][place.replace(" ", "_")]["properties"][key] = added
    return _mismatch(data, schema)


@cache
def _schema() -> Schema:
    schema: Schema = json.loads((Path(__file__).parent / "program.schema.json").read_text(encoding="utf-8"))
    return schema


def _referenced(schema: Schema) -> Schema:
    """The schema that a reference denotes, a part of the schema of programs or that of a module; else an empty one."""
    if "$ref" not in schema:
        return {}
    part = schema["$ref"].removeprefix("#/$defs/")
    found: Schema = _schema()["$defs"].get(part) or import_module(part).SCHEMA
    return found


def _mismatch(data: Any, schema: Schema) -> Mismatch | None:
    if "$ref" in schema and (found := _mismatch(data, _referenced(schema))):
        return found
    if reason := _reason(data, schema):
        return Mismatch([], reason)
    if isinstance(data, dict):
        properties: Schema = schema.get("properties", {})
        others = schema.get("additionalProperties")
        inside = [(key, properties[key]) for key in properties if key in data]
        inside += [(key, others) for key in data if key not in properties] if isinstance(others, dict) else []
        for key, inner in inside:
            if found := _mismatch(data[key], inner):
                found.path.append(f".{key}")
                return found
    elif isinstance(data, list) and "items" in schema:
        for index, item in enumerate(data):
            if found := _mismatch(item, schema["items"]):
                found.path.append(f"[{index}]")
                return found
    return _mismatch_with_all(data, schema["anyOf"]) if "anyOf" in schema else None


def _mismatch_with_all(data: Any, alternatives: list[Schema]) -> Mismatch | None:
    """The mismatch with the alternative that fits best, or with all if the data have none of their types."""
    mismatches: list[Mismatch] = []
    for alternative in alternatives:
        found = _mismatch(data, alternative)
        if found is None:
            return None
        mismatches.append(found)
    meant = [found for found in mismatches if found.path or not found.reason.startswith("is not ")]
    if not meant:  # wrong types and constants only
        return Mismatch([], " and ".join(dict.fromkeys(found.reason for found in mismatches)))
    return max(meant, key=lambda found: len(found.path))


def _reason(data: Any, schema: Schema) -> str | None:
    """The reason why the data do not fit the schema, apart from its parts."""
    if "type" in schema and not _has_type(data, schema["type"]):
        types = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        return f"is not of type {' or '.join(types)}"
    if "enum" in schema and data not in schema["enum"]:
        return f"is {json.dumps(data)[:_MAX_SHOWN]}, not one of {', '.join(map(json.dumps, schema['enum']))}"
    if "const" in schema and data != schema["const"]:
        return f"is not {json.dumps(schema['const'])}"
    if isinstance(data, dict):
        return _reason_of_keys(data, schema)
    if isinstance(data, list) and not schema.get("minItems", 0) <= len(data) <= schema.get("maxItems", len(data)):
        return f"has {len(data)} items"
    if isinstance(data, int) and data < schema.get("minimum", data):
        return f"is less than {schema['minimum']}"
    if isinstance(data, str) and _SURROGATE.search(data):
        return "has half of a surrogate pair"
    if isinstance(data, str) and "pattern" in schema and not re.search(schema["pattern"], data):
        return f"does not match {schema['pattern']}"
    return None


def _has_type(data: Any, types: str | list[str]) -> bool:
    if isinstance(types, list):
        return any(_has_type(data, type) for type in types)
    return isinstance(data, _TYPES[types]) and (types == "boolean" or not isinstance(data, bool))


def _reason_of_keys(data: dict[str, Any], schema: Schema) -> str | None:
    properties: Schema = schema.get("properties", {})
    for key, inner in properties.items():  # first the constants, which distinguish alternatives
        if "const" in inner and key in data and data[key] != inner["const"]:
            return f"is not {json.dumps(inner['const'])}"
    for key in schema.get("required", ()):
        if key not in data:
            return f"has no {json.dumps(key)}"
    if schema.get("additionalProperties", schema.get("unevaluatedProperties", True)) is False:
        further = _referenced(schema).get("properties", {})
        for key in data:
            if key not in properties and key not in further:
                return f"has the unknown key {json.dumps(key)}"
    return None
