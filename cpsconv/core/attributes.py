"""Attributes: names with static values on parts of a program, for the rooms that know their names.

A front end sets an attribute, such as ``c.symbol``; passes, text and JSON keep it; only the rooms that know its name
interpret it. The names begin with the language, except for those of the core. A language registers its attributes when
it is loaded::

    register(Attribute("llvm.align", "int", {"parameter"}))

Three attributes are facts of the core, which passes must know: a definition is `LOCAL` to its program, a definition is
`REPLACEABLE` by one of another program, calls of a declared function are `RETURNING_AGAIN`: they may return more than
once.

A foreign operation whose result is `DEFINED`, or such a parameter of a function, is never undefined, so that it may
replace undefined values (`cpsconv.core.analysis.undefined_operands`).

An attribute that is not registered is kept as well. A registered one is checked: it has a kind of value and the kinds
of parts that may have it. docs/attributes.md states the rule for attributes that each pass has.
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

LOCAL, REPLACEABLE, RETURNING_AGAIN, DEFINED = "local", "replaceable", "returning_again", "defined"

CONSTANT_BYTES = "constant_bytes"
"""The bytes of data that the program may not change, ``"4-7 12-15"``."""

RESOURCE = "resource"
"""The kind of what a library opens, such as ``stream``: on the creation of its object. Messages about leaks name it."""

ON_STACK = "on_stack"
"""On an allocation that need not be deallocated, whose object the program does not access after the function returned:
emitted code allocates it on its stack."""

ATTRIBUTES: dict[str, Attribute] = {
    each.name: each
    for each in (
        Attribute(LOCAL, "flag", ["function", "data"]),
        Attribute(REPLACEABLE, "flag", ["function", "external", "data", "external data"]),
        Attribute(RETURNING_AGAIN, "flag", ["external"]),
        Attribute(CONSTANT_BYTES, "string", ["data"]),
        Attribute(RESOURCE, "string", ["statement"]),
        Attribute(ON_STACK, "flag", ["statement"]),
        Attribute(DEFINED, "flag", ["parameter", "statement"]),
    )
}
"""The registered attributes, by name."""

KEYWORDS: dict[str, str] = {}
"""The attributes that keywords in CPS text denote. A flag is written before its item, ``...`` before the last
parameter; a type after the type of the parameter."""

IMPLIED: dict[str, str] = {}
"""By names of declared functions: a flag that each of them has, also where a text does not state it."""

CHECKS: dict[str, Collection[str]] = {}
"""Further checks of programs that have certain attributes. The key ``module:function`` denotes a function that yields
errors of a program; it is loaded on use."""

EARLIER_KEYS: dict[str, str] = {}
"""Keys of JSON that stand for attributes: the name of a flag, or a function ``module:function(part, data, type_of)``,
which sets the attributes of a part."""


def register(*attributes: Attribute) -> None:
    """Register attributes. Raises `ValueError` if an unequal one of the name is registered, or a place is unknown."""
    for each in attributes:
        if any(getattr(ATTRIBUTES.setdefault(each.name, each), field) != getattr(each, field) for field in _FIELDS):
            raise ValueError(f"the attribute {each.name} is registered twice")
        if each.kind not in KINDS or not PLACES.issuperset(each.places):
            raise ValueError(f"the attribute {each.name} has an unknown kind or place")


def implied(name: str, attributes: Mapping[str, Value]) -> Mapping[str, Value | bool]:
    """The attributes of a declared function, with the one that its name implies."""
    return {IMPLIED[name]: True, **attributes} if name in IMPLIED else attributes


def resource_of(attributes: Mapping[str, Value]) -> str | None:
    """The kind of what a library opens in an object, by the attributes of its creation; None for memory."""
    kind = attributes.get(RESOURCE)
    return kind if isinstance(kind, str) else None


def with_flag(attributes: Mapping[str, Value], name: str, holds: bool = True) -> dict[str, Value | bool]:
    """The attributes with the flag of the name, or without it."""
    others: dict[str, Value | bool] = {each: value for each, value in attributes.items() if each != name}
    return {**others, name: True} if holds else others


def common(one: Mapping[str, Value], other: Mapping[str, Value]) -> dict[str, Value]:
    """The attributes that both have, with equal values: those of a statement that replaces two."""
    return {name: value for name, value in one.items() if name in other and other[name] == value}
