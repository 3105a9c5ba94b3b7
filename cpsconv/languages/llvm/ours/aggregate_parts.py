"""Instructions on parts of structs, arrays and vectors that are values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from cpsconv.core.ir import Constant, Undef, Value
from cpsconv.languages.llvm.module_text import Line
from cpsconv.languages.llvm.ours.object_types import Inexpressible
from cpsconv.languages.llvm.ours.operands import Aggregate, instruction_of
from cpsconv.languages.llvm.types import text_of

if TYPE_CHECKING:
    from cpsconv.languages.llvm.ours.lowering import FunctionLowering


class AggregateParts:
    """The instructions of one function, by `handlers`."""

    def __init__(self, function: FunctionLowering) -> None:
        self.function, self.make, self.items, self.memory = function, function.make, function.items, function.memory
        self.handlers: dict[str, Callable[[Line], Any]] = {
            "extractvalue": self._extracted,
            "insertvalue": self._inserted,
            "extractelement": self._element_extracted,
            "insertelement": self._element_inserted,
            "shufflevector": self._shuffled,
        }

    def _extracted(self, line: Line) -> Any:
        aggregate, *indices = instruction_of(line.text).parts
        [value] = self.function.operands(line, [aggregate])
        for index in map(int, indices):
            value = self._members(value)[index]
        return value

    def _inserted(self, line: Line) -> Any:
        aggregate, member, *indices = instruction_of(line.text).parts
        whole, value = self.function.operands(line, [aggregate, member])
        return self._replaced(whole, [*map(int, indices)], value)

    def _element_extracted(self, line: Line) -> Any:
        vector, index = self.function.operands(line, instruction_of(line.text).parts)
        *others, element = self._members(vector)
        for number, each in reversed([*enumerate(others)]):
            element = self._at_index(index, number, each, element)
        return element

    def _element_inserted(self, line: Line) -> Any:
        vector, value, index = self.function.operands(line, instruction_of(line.text).parts)
        members = [self._at_index(index, number, value, each) for number, each in enumerate(self._members(vector))]
        return Aggregate(vector.type, members)

    def _at_index(self, index: Any, number: int, one: Value, other: Value) -> Value:
        """One value if the index is this number, else the other."""
        if isinstance(index, Constant):
            return one if index.value == number else other
        for each in index, one, other:
            self.function.require_value(each)
        return self.make.either(self.make("==", index, Constant(index.type, number)), one, other)

    def _shuffled(self, line: Line) -> Any:
        one, other, mask = self.function.operands(line, instruction_of(line.text).parts)
        elements = [*self._members(one), *self._members(other)]
        chosen = [each if isinstance(each, Undef) else elements[int(each.value)] for each in self._members(mask)]
        undefined = [Undef(elements[0].type, each.name) if isinstance(each, Undef) else each for each in chosen]
        return Aggregate(text_of(self.function.types.type_of(line.op, line.text)) or "", undefined)

    def _replaced(self, whole: Any, path: Sequence[int], value: Any) -> Aggregate:
        """The aggregate with another value of the member at the path."""
        index, *rest = path
        members = [*self._members(whole)]
        members[index] = self._replaced(members[index], rest, value) if rest else value
        return Aggregate(whole.type, members)

    def _members(self, value: Any) -> list[Any]:
        if not isinstance(value, Aggregate):
            raise Inexpressible("a part of an aggregate that stays foreign")
        return value.members
