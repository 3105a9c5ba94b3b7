"""The values of structs, arrays and vectors: one value of the program for each member."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from cpsconv.core.ir import Value
from cpsconv.languages.llvm.ours.object_types import ObjectTypes, is_aggregate


class Aggregate:
    """The values of the members of a struct, an array or a vector of a type; they may be aggregates themselves."""

    def __init__(self, type: str, members: Iterable[Any]) -> None:
        self.type, self.members = type, [*members]


def built(types: ObjectTypes, type: str, leaf: Callable[[str], Value]) -> Any:
    """A value of the type, whose scalars are those of the function, in their order. Raises `Inexpressible`."""
    if not is_aggregate(types.definition(type)):
        return leaf(type)
    return Aggregate(type, [built(types, each, leaf) for each, _ in types.members(type)])


def leaves(value: Any) -> list[Value]:
    """The scalars in a value, in their order."""
    if not isinstance(value, Aggregate):
        return [value]
    return [leaf for member in value.members for leaf in leaves(member)]
