"""The values of structs, arrays and vectors, which no operation of the program has: those of their members.

An instruction that stays foreign takes and returns foreign values instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from cpsconv.core.ir import Scalar, Value
from cpsconv.languages.arithmetic import Maker
from cpsconv.languages.llvm.foreign_text import CONSTANT, POISON
from cpsconv.languages.llvm.ours.object_types import ObjectTypes
from cpsconv.languages.llvm.types import PREFIX, scalar_of


class Aggregate:
    """The values of the members of a struct, an array or a vector of a type; they may be aggregates themselves."""

    def __init__(self, type: str, members: Iterable[Any]) -> None:
        self.type, self.members = type, [*members]


def built(types: ObjectTypes, type: str, scalar: Callable[[Scalar], Value]) -> Any:
    """A value of the type, whose scalars are those that the function gives for their types, in their order."""
    if not types.has_members(type):
        return scalar(types.scalars(type)[0])
    return Aggregate(type, [built(types, each, scalar) for each, _ in types.members(type)])


def leaves(value: Any) -> list[Value]:
    """The scalars in a value, in their order."""
    return [leaf for each in value.members for leaf in leaves(each)] if isinstance(value, Aggregate) else [value]


def elementwise(compute: Callable[..., Value], values: Sequence[Any], type: str = "") -> Any:
    """The result of a computation with scalars; for aggregates, that of a type with the results for all members."""
    whole = [each for each in values if isinstance(each, Aggregate)]
    if not whole:
        return compute(*values)
    count = len(whole[0].members)
    rows = zip(*[each.members if isinstance(each, Aggregate) else [each] * count for each in values], strict=True)
    return Aggregate(type or whole[0].type, [elementwise(compute, row) for row in rows])


def packed(make: Maker, types: ObjectTypes, value: Any) -> Value:
    """An aggregate as a foreign value; any other value itself."""
    if not isinstance(value, Aggregate):
        return value  # type: ignore[no-any-return]
    whole = _foreign(make, CONSTANT + POISON, value.type)
    for number, (member, (each, _)) in enumerate(zip(value.members, types.members(value.type), strict=True)):
        text = _on_part("insert", types.definition(value.type), f"{value.type} %, {each} %", number)
        whole = _foreign(make, text, value.type, whole, packed(make, types, member))
    return whole


def unpacked(make: Maker, types: ObjectTypes, type: str, value: Value) -> Any:
    """The members of a foreign value of an aggregate type that the program has; any other value itself."""
    if not types.has_members(type):
        return value
    members = list[Any]()
    for number, (each, _) in enumerate(types.members(type)):
        text = _on_part("extract", types.definition(type), f"{type} %", number)
        members.append(unpacked(make, types, each, _foreign(make, text, each, value)))
    return Aggregate(type, members)


def _foreign(make: Maker, text: str, type: str, *operands: Value) -> Value:
    return make.builder.foreign(text, *operands, type=scalar_of(type), pure=True, span=make.span)


def _on_part(verb: str, definition: str, operands: str, number: int) -> str:
    """The foreign operation that inserts or extracts a member of a struct or array, or an element of a vector."""
    is_vector = definition[0] == "<" and definition[1] != "{"
    return f"{PREFIX}{verb}{'element' if is_vector else 'value'} {operands}, {'i32 ' * is_vector}{number}"
