"""What all functional targets have in common: in which order a function is written, and of what its parts consist."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import ChainMap
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from cpsconv.analysis.undefined import Place
from cpsconv.emit.functional.identifiers import Spelling
from cpsconv.emit.functional.nesting_plan import Globals, Outline, Shape
from cpsconv.ir import Constant, Continuation, External, Primitive, Statement, Transfer, Undef, Value

Term = TypeVar("Term")
Code = TypeVar("Code")


@dataclass(slots=True)
class Layer:
    """A part of a body: statements whose results have names there, and then effects whose results nobody uses."""

    bindings: list[Statement] = field(default_factory=list)
    effects: list[Statement] = field(default_factory=list)


class Writer(ABC, Generic[Term, Code]):
    """Writes one function in a language; a subclass says what each part of it looks like.

    A `Term` is an expression of the language, `Code` a definition or a body. `shape` says what stands where, `globals`
    are the names of all that stands at the top, `spelling` how other names are spelled; `locals` are these. The values
    that `may_be_undefined` need a check.

    Code is made from the inside out: what a continuation contains is there when it is written itself.
    """

    def __init__(
        self,
        shape: Shape,
        globals: Globals,
        spelling: Spelling,
        may_be_undefined: Collection[Place],
    ) -> None:
        self.shape = shape
        self.text_plan = shape.text_plan
        self.outlines = globals.outlines
        named = spelling.identifiers(self.text_plan.names, globals.taken)
        self.locals = named.values()
        self.names: ChainMap[Value, str] = ChainMap(named, globals.functions)
        self.may_be_undefined = may_be_undefined
        self.inlined: dict[Value, Code] = {}
        """The bodies of continuations that stand where a call passes them."""

    def code(self) -> Iterator[Code]:
        """The definitions of the function: what was outlined, each before what uses it, and the function itself."""
        definitions: dict[Continuation, Code] = {}
        for member in self.shape.innermost_first:
            inside = [definitions.pop(local) for local in self.shape.groups[member]]
            if outline := self.shape.outlines.get(member):
                yield self.outlined(outline, inside)
                inside = [self.made(outline)]
            assert member.transfer is not None, f"{member.name} is under construction"
            body = self.body(self._layers(member), inside, member.transfer)
            if member in self.shape.inline:
                self.inlined[member] = body
            else:
                definitions[member] = self.definition(member, body)
        yield definitions[self.text_plan.function]

    def _layers(self, member: Continuation) -> list[Layer]:
        """The statements that are not written in place, in order: as few layers as possible, but one at least."""
        layers = [Layer()]
        for statement in member.body:
            if statement in self.text_plan.in_place:
                continue
            if not self.text_plan.is_shown(statement):
                layers[-1].effects.append(statement)
            elif layers[-1].effects:
                layers.append(Layer([statement]))
            else:
                layers[-1].bindings.append(statement)
        return layers

    def value(self, value: Value) -> Term:
        """The value where it is passed on. (How deep it is has a bound: see `cpsconv.text.plan`.)"""
        if isinstance(value, Constant):
            return self.literal(value)
        if isinstance(value, Undef):
            return self.undefined(value)
        if isinstance(value, Primitive) and value in self.text_plan.in_place:
            return self.operation(value)
        return self.name(value.name if isinstance(value, External) else self.names[value])

    def used(self, value: Value) -> Term:
        """The value where something is done with it, which is an error if it is undefined."""
        term = self.value(value)
        return self.guarded(term) if isinstance(value, Undef) or value in self.may_be_undefined else term

    def named(self, values: Iterable[Value]) -> list[str]:
        """The names of parameters, results and continuations."""
        return [self.names[value] for value in values]

    # ------------------------------------------------------------------------------------------------ definitions

    @abstractmethod
    def definition(self, member: Continuation, body: Code) -> Code:
        """The continuation or function as a definition."""

    @abstractmethod
    def outlined(self, outline: Outline, inside: Sequence[Code]) -> Code:
        """The function that makes continuations, of which `inside` are the definitions."""

    @abstractmethod
    def made(self, outline: Outline) -> Code:
        """What defines these continuations where they are used: the call of that function."""

    @abstractmethod
    def body(self, layers: list[Layer], inside: Sequence[Code], transfer: Transfer) -> Code:
        """What a continuation does: its statements, and its transfer. `inside` are definitions that its last layer,
        whose bindings they may use, contains.
        """

    # ------------------------------------------------------------------------------------------------------ terms

    @abstractmethod
    def literal(self, constant: Constant) -> Term:
        """The constant."""

    @abstractmethod
    def undefined(self, value: Undef) -> Term:
        """The value of a variable that nothing was assigned to."""

    @abstractmethod
    def name(self, name: str) -> Term:
        """What has that name: a parameter, the result of a statement, a continuation, function or external."""

    @abstractmethod
    def guarded(self, term: Term) -> Term:
        """The term, checked to give a defined value."""

    @abstractmethod
    def operation(self, statement: Statement) -> Term:
        """What computes the statement."""
