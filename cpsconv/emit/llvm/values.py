"""What the values of one function are called, and those among them that come with a companion."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from cpsconv.analysis.undefined import Place
from cpsconv.emit.llvm.support import Support
from cpsconv.emit.llvm.vocabulary import literal, quoted, type_word
from cpsconv.ir import Constant, Function, Scalar, Type, Undef, Value
from cpsconv.text.plan import TextPlan
from cpsconv.text.spelling import unquote_name

NULL = "null"


@dataclass(frozen=True, slots=True)
class Operand:
    """A value as LLVM knows it. `unset` is its companion: null, wherever it is certain to be defined."""

    type: Scalar
    text: str
    unset: str = NULL

    def __str__(self) -> str:
        return f"{type_word(self.type)} {self.text}"


def with_companions(operands: Sequence[Operand], uncertain: Sequence[int]) -> list[str]:
    """The names of values that are passed together, and of those companions that are passed along."""
    return [operand.text for operand in operands] + [operands[index].unset for index in uncertain]


class Values:
    """The names in a function: those of the CPS text, and further ones for what that does not name."""

    def __init__(
        self, function: Function, functions: Collection[str], uncertain: Collection[Place], support: Support
    ) -> None:
        self._support = support
        self._text_plan = TextPlan(function, functions)
        self._names = {value: _local(name) for value, name in self._text_plan.names.items()}
        self._unset: dict[Value, str] = {}
        self._names[function] = self.fresh("entry")
        for member in function.members():
            for statement in member.body:
                if statement not in self._names:
                    self._names[statement] = self.fresh(statement.name)
            for parameter in member.parameters:
                if parameter in uncertain:
                    self._unset[parameter] = self.fresh(f"{unquote_name(self._text_plan.names[parameter])}.unset")

    def fresh(self, hint: str | None = None) -> str:
        """A name that nothing has yet, with its ``%``."""
        return _local(self._text_plan.new_name(hint))

    def name(self, value: Value) -> str:
        """The name of a parameter, a statement or a continuation; a function stands for its first block."""
        return self._names[value]

    def operand(self, value: Value) -> Operand:
        """A value where it is used."""
        type = value.type
        assert isinstance(type, Scalar), "continuations have been refused"
        if isinstance(value, Undef):
            return Operand(type, "undef", self._support.undefined(value))
        if isinstance(value, Constant):
            is_string = isinstance(value.value, str)
            return Operand(type, self._support.string(str(value.value)) if is_string else literal(value))
        return Operand(type, self._names[value], self._unset.get(value, NULL))

    def operands(self, values: Sequence[Value]) -> list[Operand]:
        """The same for several."""
        return [self.operand(value) for value in values]

    def results(self, types: Sequence[Type], uncertain: Collection[int]) -> list[Operand]:
        """New names for what a call returns; those with the indices `uncertain` have companions."""
        found = []
        for index, type in enumerate(types):
            assert isinstance(type, Scalar), "continuations have been refused"
            found.append(Operand(type, self.fresh(), self.fresh("v.unset") if index in uncertain else NULL))
        return found


def label_of(name: str) -> str:
    """The label of a block of that name."""
    return name[1:]


def _local(name: str) -> str:
    return f"%{quoted(unquote_name(name))}"
