"""Instructions on parts of structs, arrays and vectors that are values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cpsconv.core.ir import Constant, Undef, Value
from cpsconv.languages.llvm.module_text import Line
from cpsconv.languages.llvm.ours.object_types import Inexpressible
from cpsconv.languages.llvm.ours.operands import Aggregate, Handler, instruction_of
from cpsconv.languages.llvm.types import text_of

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.lowering import FunctionLowering


def _extracted(function: FunctionLowering, line: Line) -> Any:
    aggregate, *indices = instruction_of(line.text).parts
    [value] = function.operands(line, [aggregate])
    for index in map(int, indices):
        value = _members(value)[index]
    return value


def _inserted(function: FunctionLowering, line: Line) -> Any:
    aggregate, member, *indices = instruction_of(line.text).parts
    whole, value = function.operands(line, [aggregate, member])
    return _replaced(whole, [*map(int, indices)], value)


def _element_extracted(function: FunctionLowering, line: Line) -> Any:
    vector, index = function.operands(line, instruction_of(line.text).parts)
    *others, element = _members(vector)
    for number, each in reversed([*enumerate(others)]):
        element = _at_index(function, index, number, each, element)
    return element


def _element_inserted(function: FunctionLowering, line: Line) -> Any:
    vector, value, index = function.operands(line, instruction_of(line.text).parts)
    members = [_at_index(function, index, number, value, each) for number, each in enumerate(_members(vector))]
    return Aggregate(vector.type, members)


def _at_index(function: FunctionLowering, index: Any, number: int, one: Value, other: Value) -> Value:
    """One value if the index is this number, else the other."""
    if isinstance(index, Constant):
        return one if index.value == number else other
    for each in index, one, other:
        function.require_value(each)
    return function.make.either(function.make("==", index, Constant(index.type, number)), one, other)


def _shuffled(function: FunctionLowering, line: Line) -> Any:
    one, other, mask = function.operands(line, instruction_of(line.text).parts)
    elements = [*_members(one), *_members(other)]
    chosen = [each if isinstance(each, Undef) else elements[int(each.value)] for each in _members(mask)]
    undefined = [Undef(elements[0].type, each.name) if isinstance(each, Undef) else each for each in chosen]
    return Aggregate(text_of(line.form.type) or "", undefined)


def _replaced(whole: Any, path: Sequence[int], value: Any) -> Aggregate:
    """The aggregate with another value of the member at the path."""
    index, *rest = path
    members = [*_members(whole)]
    members[index] = _replaced(members[index], rest, value) if rest else value
    return Aggregate(whole.type, members)


def _members(value: Any) -> list[Any]:
    if not isinstance(value, Aggregate):
        raise Inexpressible("a part of an aggregate that stays foreign")
    return value.members


AGGREGATE_PARTS: dict[str, Handler] = {
    "extractvalue": _extracted,
    "insertvalue": _inserted,
    "extractelement": _element_extracted,
    "insertelement": _element_inserted,
    "shufflevector": _shuffled,
}
"""The instructions on parts."""
