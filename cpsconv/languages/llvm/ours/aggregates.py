"""The values of structs, arrays and vectors, which no operation of the program has: those of the scalars in them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from cpsconv.core.ir import Value


class Aggregate:
    """A struct, an array or a vector of a type: the values of all scalars in it, in their order."""

    def __init__(self, type: str, scalars: Iterable[Value]) -> None:
        self.type, self.scalars = type, [*scalars]


def scalars_of(value: Any) -> list[Value]:
    """The scalars in a value."""
    return value.scalars if isinstance(value, Aggregate) else [value]
