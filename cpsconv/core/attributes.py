"""Attributes: names with static values on parts of a program, for the rooms that know their names.

A front end sets an attribute, such as ``ml.label``; passes, text and JSON keep it; only the rooms that know its name
interpret it. The names begin with the language, except for those that several languages share. A room registers its
attributes when it is loaded::

    register(Attribute("ml.order", "int", {"parameter"}))

Three attributes are facts of the core, which passes must know: a definition is `LOCAL` to its program, a definition is
`REPLACEABLE` by one of another program, calls of a declared function are `RETURNING_AGAIN`: they may return more than
once.

An attribute that is not registered is kept as well. A registered one is checked: it has a kind of value, the kinds of
parts that may have it, and possibly a check of its own. docs/attributes.md states the rule for attributes that each
pass has.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TypeVar

from cpsconv.core.nodes import NodeType

Value = TypeVar("Value")

PLACES = frozenset(["program", "function", "external", "data", "external data", "parameter", "statement"])
"""The kinds of parts that can have attributes. An external is a function that is only declared."""

KINDS = {"flag": "no value", "int": "an integer", "string": "a string", "type": "the name of a type"}
"""The kinds of values, each with its description in messages. The value of a flag is True."""


class Attribute(metaclass=NodeType):
    """An attribute: its name, the kind of its value, a key of `KINDS`, and the parts that may have it, of `PLACES`.

    An attribute that `is_unique` holds for one statement only, not for its copies. One may state a fact, of `FACTS`: it
    `states` it. The function `check`, as ``module:function``, returns what is wrong with a part that has the attribute,
    or None; it is loaded on use.
    """

    name: str
    kind: str
    places: Collection[str]
    is_unique: bool = False
    states: str = ""
    check: str = ""

    def misuse(self, kind: str, place: str) -> str | None:
        """What is wrong with a value of the kind for a part that is a `place`, or None."""
        if place not in self.places:
            return f"the attribute `{self.name}` is not one of {_PHRASES[place]}"
        return None if kind == self.kind else f"the attribute `{self.name}` has {KINDS[self.kind]}"


_FIELDS = Attribute.__match_args__

_PHRASES = {
    "program": "a program",
    "function": "a function with a body",
    "external": "a declared function",
    "data": "data",
    "external data": "declared data",
    "parameter": "a parameter",
    "statement": "a statement",
}

LOCAL, REPLACEABLE, RETURNING_AGAIN = "local", "replaceable", "returning_again"

FACTS = frozenset(["", "resource", "constant bytes", "defined"])
"""What attributes can state: nothing; as a string, on the statement that creates an object, the kind of what is opened
in it, which messages name; as a string, on data, the bytes that the program may not change, ``4-7 12-15``; as a flag,
on a foreign operation or a parameter of a function, that its value never is undefined."""

ATTRIBUTES: dict[str, Attribute] = {
    each.name: each
    for each in (
        Attribute(LOCAL, "flag", ["function", "data"]),
        Attribute(REPLACEABLE, "flag", ["function", "external", "data", "external data"]),
        Attribute(RETURNING_AGAIN, "flag", ["external"]),
    )
}
"""The registered attributes, by name."""

KEYWORDS: dict[str, str] = {}
"""The attributes that keywords in CPS text denote. A flag is written before its item, ``...`` before the last
parameter, two words after an allocation; a type after the type of the parameter."""

IMPLIED: dict[str, str] = {}
"""By names of declared functions: a flag that each of them has, also where a text does not state it."""

CHECKS: dict[str, Collection[str]] = {}
"""Further checks of programs that have certain attributes. The key ``module:function`` denotes a function that yields
errors of a program; it is loaded on use."""

EARLIER_KEYS: dict[str, dict[str, str]] = {place: {} for place in PLACES}
"""By kind of part: keys of JSON that denote attributes. Each key has the name of a flag, or that of a module with
`SCHEMA`, the JSON Schema of its value, and ``read(part, value, type_of)``, which sets the attributes of the part."""


def register(*attributes: Attribute) -> None:
    """Register attributes. Raises `ValueError` for an unequal one of a registered name, or an unknown place or fact."""
    for each in attributes:
        if each.kind not in KINDS or not PLACES.issuperset(each.places) or each.states not in FACTS:
            raise ValueError(f"the attribute {each.name} has an unknown kind, place or fact")
        if any(getattr(ATTRIBUTES.setdefault(each.name, each), field) != getattr(each, field) for field in _FIELDS):
            raise ValueError(f"the attribute {each.name} is registered twice")


def implied(name: str, attributes: Mapping[str, Value]) -> Mapping[str, Value | bool]:
    """The attributes of a declared function, with the one that its name implies."""
    return {IMPLIED[name]: True, **attributes} if name in IMPLIED else attributes


def keywords_of(place: str) -> dict[str, str]:
    """The keywords of registered attributes that a part can have which is a `place`."""
    return {word: name for word, name in KEYWORDS.items() if name in ATTRIBUTES and place in ATTRIBUTES[name].places}


def stated(fact: str, attributes: Mapping[str, Value]) -> str | None:
    """The value of the attribute that states a fact, of `FACTS`, if one does."""
    names = [name for name in attributes if name in ATTRIBUTES and ATTRIBUTES[name].states == fact]
    return str(attributes[names[0]]) if names else None


def with_flag(attributes: Mapping[str, Value], name: str, holds: bool = True) -> dict[str, Value | bool]:
    """The attributes with the flag of the name, or without it."""
    others: dict[str, Value | bool] = {each: value for each, value in attributes.items() if each != name}
    return {**others, name: True} if holds else others


def common(one: Mapping[str, Value], other: Mapping[str, Value]) -> dict[str, Value]:
    """The attributes that both have, with equal values: those of a statement that replaces two."""
    return {name: value for name, value in one.items() if name in other and other[name] == value}
