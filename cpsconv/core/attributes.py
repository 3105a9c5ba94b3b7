"""Attributes: names with static values on parts of a program, for the rooms that know their names.

A front end sets an attribute, such as ``c.symbol``; passes, text and JSON keep it; only the rooms that know its name
interpret it. The names begin with the language, except for those of the core. A language registers its attributes when
it is loaded::

    register(Attribute("llvm.align", "int", {"parameter"}))

An attribute that is not registered is kept as well. A registered one is checked: it has a kind of value and the kinds
of parts that may have it. docs/attributes.md states the rule for attributes that each pass has.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple, TypeVar

Value = TypeVar("Value")

PLACES = frozenset(["program", "function", "external", "data", "external data", "parameter", "statement"])
"""The kinds of parts that can have attributes. An external is a function that is only declared."""

KINDS = {"flag": "no value", "int": "an integer", "string": "a string", "type": "the name of a type"}
"""The kinds of values, each with its description in messages. The value of a flag is True."""


class Attribute(NamedTuple):
    """An attribute: its name, the kind of its value, a key of `KINDS`, and the parts that may have it, of `PLACES`.

    An attribute that `is_unique` holds for one statement only, not for its copies.
    """

    name: str
    kind: str
    places: Collection[str]
    is_unique: bool = False

    def misuse(self, kind: str, place: str) -> str | None:
        """What is wrong with a value of the kind for a part that is a `place`, or None."""
        if place not in self.places:
            return f"the attribute `{self.name}` is not one of {_PHRASES[place]}"
        return None if kind == self.kind else f"the attribute `{self.name}` has {KINDS[self.kind]}"


_PHRASES = {
    "program": "a program",
    "function": "a function with a body",
    "external": "a declared function",
    "data": "data",
    "external data": "declared data",
    "parameter": "a parameter",
    "statement": "a statement",
}

ATTRIBUTES: dict[str, Attribute] = {}
"""The registered attributes, by name."""


def register(*attributes: Attribute) -> None:
    """Register attributes. Raises `ValueError` if an unequal one of the name is registered, or a place is unknown."""
    for each in attributes:
        if ATTRIBUTES.setdefault(each.name, each) != each:
            raise ValueError(f"the attribute {each.name} is registered twice")
        if each.kind not in KINDS or not PLACES.issuperset(each.places):
            raise ValueError(f"the attribute {each.name} has an unknown kind or place")


def common(one: Mapping[str, Value], other: Mapping[str, Value]) -> dict[str, Value]:
    """The attributes that both have, with equal values: those of a statement that replaces two."""
    return {name: value for name, value in one.items() if name in other and other[name] == value}
