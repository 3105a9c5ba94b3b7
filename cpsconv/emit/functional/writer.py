"""What all functional targets have in common: in which order a function is written, and of what its parts consist."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from cpsconv.ir import Continuation, Function, Statement, Transfer, Value
from cpsconv.text.names import Appearance
from cpsconv.text.nesting import Nesting

Code = TypeVar("Code")


@dataclass(slots=True)
class Layer:
    """A part of a body: statements whose results have names there, and then effects whose results nobody uses."""

    bindings: list[Statement] = field(default_factory=list)
    effects: list[Statement] = field(default_factory=list)


class Writer(ABC, Generic[Code]):
    """Writes one function in a language; a subclass says what each part of it looks like.

    Code is made from the inside out: what a continuation contains is there when it is written itself.
    """

    def __init__(self, function: Function, appearance: Appearance) -> None:
        self.function = function
        self.appearance = appearance
        self.abstractions: dict[Value, Code] = {}

    def code(self) -> Code:
        """The definition of the function."""
        nesting = Nesting(self.function, self.appearance.inline)
        definitions: dict[Continuation, Code] = {}
        for member in nesting.innermost_first:
            inside = [definitions.pop(local) for local in nesting.groups[member]]
            assert member.transfer is not None, f"{member.name} is under construction"
            body = self.body(self._layers(member), inside, member.transfer)
            if member in self.appearance.inline:
                self.abstractions[member] = self.abstraction(member, body)
            else:
                definitions[member] = self.definition(member, body)
        return definitions[self.function]

    def _layers(self, member: Continuation) -> list[Layer]:
        """The statements that are not written in place, in order: as few layers as possible, but one at least."""
        layers = [Layer()]
        for statement in member.body:
            if statement in self.appearance.in_place:
                continue
            if not self.appearance.is_shown(statement):
                layers[-1].effects.append(statement)
            elif layers[-1].effects:
                layers.append(Layer([statement]))
            else:
                layers[-1].bindings.append(statement)
        return layers

    @abstractmethod
    def definition(self, member: Continuation, body: Sequence[Code]) -> Code:
        """The continuation or function as a definition."""

    @abstractmethod
    def abstraction(self, member: Continuation, body: Sequence[Code]) -> Code:
        """The continuation as an anonymous function."""

    @abstractmethod
    def body(self, layers: list[Layer], inside: Sequence[Code], transfer: Transfer) -> Sequence[Code]:
        """What a continuation does: its statements, and its transfer. `inside` are definitions that its last layer,
        whose bindings they may use, contains.
        """
