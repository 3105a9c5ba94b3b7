"""Which values are options, in a language where what may be undefined has a type of its own.

A value that is certain to be defined may be passed to where others are not, and is *coerced* there. Where that value is
a continuation, this goes the other way round: what it takes is coerced when it is called.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Union

from cpsconv.analysis.undefined import ANYWHERE, Place
from cpsconv.ir import Continuation, ContinuationType, External, Type, Undef, Value

Kind = Union[bool, "tuple[Kind, ...]"]
"""Of data, whether it is an option. Of a continuation, the kinds of what it takes."""


def kind(value: Value, undefined: Collection[Place]) -> Kind:
    """The kind of a value, given what `may_be_undefined`."""
    if isinstance(value.type, ContinuationType):
        return kinds(value, undefined)
    return isinstance(value, Undef) or value in undefined


def kinds(target: Value, undefined: Collection[Place]) -> tuple[Kind, ...]:
    """The kinds of what a continuation takes."""
    if isinstance(target, Continuation):
        return tuple(kind(parameter, undefined) for parameter in target.parameters)
    assert isinstance(target.type, ContinuationType)
    if isinstance(target, External):
        return (False,) * len(target.type.parameters)
    types = enumerate(target.type.parameters)
    return tuple(_anywhere(type, undefined, (target, index)) for index, type in types)


def _anywhere(type: Type, undefined: Collection[Place], place: Place = ANYWHERE) -> Kind:
    """The kind of what is passed at the place. Of data that is passed on to a parameter, nothing else is known."""
    if isinstance(type, ContinuationType):
        return tuple(_anywhere(inner, undefined) for inner in type.parameters)
    return place in undefined
