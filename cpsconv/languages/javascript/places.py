"""Places that can be read and assigned: names and properties."""

from __future__ import annotations

from typing import NamedTuple

from cpsconv.core.ir import Value
from cpsconv.languages.javascript.emission import Emission
from cpsconv.languages.javascript.syntax import Node
from cpsconv.languages.javascript.variables import Variables


class Place(NamedTuple):
    """A name, or a property of an object with a static or computed key."""

    node: Node
    object: Value | None = None
    key: Value | None = None
    name: str = ""
    is_super: bool = False


def keys_of(place: Place) -> list[Value]:
    """The computed key, if there is one."""
    return [] if place.key is None else [place.key]


def read_place(emission: Emission, variables: Variables, place: Place) -> Value:
    """The value at a place."""
    if place.object is None:
        return variables.read(place.node)
    name = "get_super" if place.is_super else "get"
    return emission.operation(name, place.object, *keys_of(place), operand=place.name, span=place.node.span)


def write_place(emission: Emission, variables: Variables, place: Place, value: Value) -> None:
    """Assign to a place."""
    if place.object is None:
        variables.assign(place.node, value)
        return
    name = "set_super" if place.is_super else "set" if variables.function.is_strict else "set_sloppy"
    emission.operation(name, place.object, *keys_of(place), value, operand=place.name, span=place.node.span)
