"""What all functional targets have in common: in which order a function is written, and of what its parts consist."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from cpsconv.ir import Constant, Continuation, Primitive, Statement, Transfer, Undef, Value
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

    `appearance` is how the function shows in our own text, `may_be_undefined` are the values that need a check.

    Code is made from the inside out: what a continuation contains is there when it is written itself.
    """

    def __init__(self, appearance: Appearance, may_be_undefined: Collection[Value]) -> None:
        self.appearance = appearance
        self.may_be_undefined = may_be_undefined
        self._abstractions: dict[Value, Code] = {}

    def code(self) -> Code:
        """The definition of the function."""
        function = self.appearance.function
        nesting = Nesting(function, self.appearance.inline)
        definitions: dict[Continuation, Code] = {}
        for member in nesting.innermost_first:
            inside = [definitions.pop(local) for local in nesting.groups[member]]
            assert member.transfer is not None, f"{member.name} is under construction"
            body = self.body(self._layers(member), inside, member.transfer)
            if member in self.appearance.inline:
                self._abstractions[member] = self.abstraction(member, body)
            else:
                definitions[member] = self.definition(member, body)
        return definitions[function]

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

    def value(self, value: Value) -> Code:
        """The value where it is passed on. (How deep it is has a bound: see `cpsconv.text.inplace`.)"""
        if isinstance(value, Constant):
            return self.literal(value)
        if isinstance(value, Undef):
            return self.undefined()
        if value in self._abstractions:
            return self._abstractions[value]
        if isinstance(value, Primitive) and value in self.appearance.in_place:
            return self.operation(value)
        return self.name(value)

    def used(self, value: Value) -> Code:
        """The value where something is done with it, which is an error if it is undefined."""
        code = self.value(value)
        return self.guarded(code) if isinstance(value, Undef) or value in self.may_be_undefined else code

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

    @abstractmethod
    def literal(self, constant: Constant) -> Code:
        """The constant."""

    @abstractmethod
    def undefined(self) -> Code:
        """The value of a variable that nothing was assigned to."""

    @abstractmethod
    def name(self, value: Value) -> Code:
        """The name of a parameter, of the result of a statement, of a continuation, function or external."""

    @abstractmethod
    def guarded(self, code: Code) -> Code:
        """The code, checked to give a defined value."""

    @abstractmethod
    def operation(self, statement: Statement) -> Code:
        """What computes the statement."""
