"""The names that continuations and values have in the text: unique in their function, and always the same."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Union

from cpsconv.analysis.graph import count_uses
from cpsconv.ir import Call, Continuation, Effect, Function, Parameter, Primitive, Value
from cpsconv.text.inlining import inlined_primitives
from cpsconv.text.vocabulary import quote_name, sanitized_name

Named = Union[Parameter, Primitive, Effect, Continuation]


def names(function: Function, functions: Collection[str] = ()) -> dict[Value, str]:
    """The name of each of the function's parameters, continuations and statements that are not written in place.

    Names are taken from the hints in the program, in the order of `Function.continuations`; a hint that is one of
    `functions` (the names of the program's functions), or already taken, gets a number. What the nested text does not
    show by name, abstractions, comes later, and what no text does, effects without a used result, comes last.
    """
    return TextPlan(function, functions).names


class TextPlan:
    """How the parts of a function show in its text.

    `in_place` are the primitives that stand where they are used; `inline` the continuations that stand in the nested
    text as `λ(…). …`: those that are used once, as the return continuation of a call; `names` are the names.
    """

    def __init__(self, function: Function, functions: Collection[str] = ()) -> None:
        self.function = function
        self.used = count_uses(function)
        self.in_place = inlined_primitives(function, self.used)
        self.inline = set(self._inline())
        self._unique_names = UniqueNames(functions)
        self.names: dict[Value, str] = {}
        for named in self._named():
            self.names[named] = self.new_name(named.name)

    def new_name(self, hint: str | None) -> str:
        """A name made from `hint` that nothing in the function has."""
        return quote_name(self._unique_names.unique(sanitized_name(hint or "")))

    def is_shown(self, statement: Primitive | Effect) -> bool:
        """Whether a statement that is not written in place shows its name."""
        return isinstance(statement, Primitive) or self.used[statement] > 0

    def _inline(self) -> Iterator[Continuation]:
        for member in self.function.members():
            if isinstance(member.transfer, Call):
                target = member.transfer.then.target
                if isinstance(target, Continuation) and not isinstance(target, Function) and self.used[target] == 1:
                    yield target

    def _named(self) -> list[Named]:
        """In order, what the nested text shows the names of; what only the flat one does; what neither does."""
        shown: list[Named] = []
        abstractions: list[Named] = []
        others: list[Named] = []
        for member in self.function.members():
            if member is not self.function:
                (abstractions if member in self.inline else shown).append(member)
            shown += member.parameters
            for statement in member.body:
                if statement not in self.in_place:
                    (shown if self.is_shown(statement) else others).append(statement)
        return [*shown, *abstractions, *others]


class UniqueNames:
    """Makes names unique, in time proportional to their number."""

    def __init__(self, functions: Collection[str]) -> None:
        self.functions = functions
        self.taken: set[str] = set()
        self.last: dict[str, int] = {}

    def unique(self, hint: str) -> str:
        """`hint`, with a number if it is not free. (After a digit comes an underscore: `x1_1`, not `x11`.)"""
        name = hint
        while name in self.taken or name in self.functions:
            number = self.last[hint] = self.last.get(hint, 0) + 1
            name = f"{hint}{'_' * hint[-1].isdigit()}{number}"
        self.taken.add(name)
        return name
