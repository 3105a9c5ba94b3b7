"""The traversal that all functional targets share: a function is written from the inside out, part by part."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import ChainMap
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from cpsconv.core import ir
from cpsconv.core.analysis.undefined import Place
from cpsconv.core.operations.queries import passes_undefined
from cpsconv.core.operations.table import OPERATIONS
from cpsconv.targets.functional.identifiers import Spelling
from cpsconv.targets.functional.memory import memory_call, signature_of
from cpsconv.targets.functional.nesting_plan import LiftedGroup, NestingPlan
from cpsconv.targets.functional.printing import Printing

Term = TypeVar("Term")
Code = TypeVar("Code")


@dataclass(frozen=True, slots=True)
class ProgramFacts:
    """The facts about a program that its writers share.

    `names` are the names of the top-level definitions, `taken` is their set, and `spelling` makes other names legal.
    Uses of values in `may_be_undefined` need a check. `strings` are those that the program passes.
    """

    names: dict[Any, str]
    taken: Collection[str]
    spelling: Spelling
    may_be_undefined: Collection[Place]
    strings: Sequence[str]


@dataclass(slots=True)
class Layer:
    """A part of a body: statements whose results have names, followed by effects whose results are unused."""

    bindings: list[ir.Statement] = field(default_factory=list)
    effects: list[ir.Statement] = field(default_factory=list)


class Writer(ABC, Generic[Term, Code]):
    """Writes one function in a language; a subclass writes each part of it.

    A `Term` is an expression of the language, `Code` a definition or a body. `plan` is the nesting of the
    continuations; each is written after the continuations that it contains. `names` are the names of values and lifted
    groups, `locals` those of local values. `inlined` are the bodies of the continuations that are written where a call
    passes them.
    """

    terms: Printing[Term]

    def __init__(self, plan: NestingPlan, facts: ProgramFacts) -> None:
        self.plan = plan
        self.text_plan = plan.text_plan
        named = facts.spelling.identifiers(self.text_plan.names, facts.taken)
        self.locals = named.values()
        self.names: ChainMap[Any, str] = ChainMap(named, facts.names)
        self.may_be_undefined = facts.may_be_undefined
        self.strings = facts.strings
        self.inlined: dict[ir.Value, Code] = {}

    def code(self) -> Iterator[Code]:
        """The definitions of the function: its lifted groups, each before its use, and the function itself."""
        definitions: dict[ir.Continuation, Code] = {}
        for member in self.plan.innermost_first:
            inside = [definitions.pop(local) for local in self.plan.groups[member]]
            if group := self.plan.lifted.get(member):
                yield self.lifted(group, inside)
                inside = [self.lifted_call(group)]
            assert member.transfer is not None, f"{member.name} is under construction"
            body = self.body(self._layers(member), inside, member.transfer)
            if member in self.plan.inline:
                self.inlined[member] = body
            else:
                definitions[member] = self.definition(member, body)
        yield definitions[self.text_plan.function]

    def _layers(self, member: ir.Continuation) -> list[Layer]:
        """The statements that are not written in place, in order, in as few layers as possible, at least one."""
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

    def value(self, value: ir.Value) -> Term:
        """The value as an argument. (Its depth is bounded: see `cpsconv.core.text.plan`.)"""
        if isinstance(value, ir.Constant):
            return self.terms.literal(value)
        if isinstance(value, ir.Undef):
            return self.terms.undefined(value)
        if isinstance(value, ir.Primitive) and value in self.text_plan.in_place:
            return self.operation(value)
        return self.terms.name(value.name if isinstance(value, ir.External) else self.names[value])

    def used(self, value: ir.Value) -> Term:
        """The value as an operand, which is an error if it is undefined."""
        term = self.value(value)
        return self.terms.checked(term) if isinstance(value, ir.Undef) or value in self.may_be_undefined else term

    def named(self, values: Iterable[ir.Value]) -> list[str]:
        """The names of the values."""
        return [self.names[value] for value in values]

    @abstractmethod
    def definition(self, member: ir.Continuation, body: Code) -> Code:
        """The definition of a continuation or function."""

    @abstractmethod
    def lifted(self, group: LiftedGroup, inside: Sequence[Code]) -> Code:
        """The top-level function that returns the continuations of the group; `inside` are their definitions."""

    @abstractmethod
    def lifted_call(self, group: LiftedGroup) -> Code:
        """The call of the lifted function, which defines the continuations of the group."""

    @abstractmethod
    def body(self, layers: list[Layer], inside: Sequence[Code], transfer: ir.Transfer) -> Code:
        """The statements and transfer of a continuation.

        `inside` are the definitions in its last layer, whose bindings they may use.
        """

    def operation(self, statement: ir.Statement) -> Term:
        """The expression that computes the statement."""
        if statement.op == "printf":
            return self.printf(statement, [*map(self.used, statement.operands)])
        if OPERATIONS[statement.op].is_on_memory:
            return self.on_memory(statement)
        if isinstance(function := statement.operands[0], ir.Function):
            return self.terms.call(("address", "of"), [self.value(function)])
        if statement.op == "puts" and statement.operands[0].type is ir.PTR:
            return self.puts(statement, [self.used(statement.operands[0]), self.terms.fact(-1)])
        return self.computed(statement)

    def puts(self, effect: ir.Statement, place: Sequence[Term]) -> Term:
        """``puts(string_at(p, -1))``: the expression that prints a string in memory, at a pointer with a limit."""
        return self.terms.call(("puts",), [self.terms.call(("string", "at"), place)])

    def on_memory(self, statement: ir.Statement) -> Term:
        """``load(int, p)``: the call of the prelude for an operation on memory."""
        static, is_single, facts = memory_call(statement)
        passed = passes_undefined(statement.op)
        operands = [
            self.value(each) if number == passed else self.used(each) for number, each in enumerate(statement.operands)
        ]
        leading = [] if static is None else [self.terms.name(self.names[static])]
        trailing = [self.terms.fact(fact) for fact in ([None] * is_single + [*facts])]
        return self.terms.call(tuple(statement.op.split("_")), [*leading, *operands, *trailing])

    def callee(self, call: ir.Call) -> Term:
        """The function that is called: its name, or the function of the expected type at a pointer."""
        if call.pointer is None:
            return self.terms.name(self.names[call.callee])
        return self.terms.call(("function", "at"), self.pointer(call, call.pointer))

    def pointer(self, call: ir.Call, pointer: ir.Value) -> list[Term]:
        """The pointer through which a function is called, and the signature that the call expects."""
        return [self.used(pointer), self.terms.fact(signature_of(call.callee.type))]

    def arguments(self, call: ir.Call) -> list[Term]:
        """The arguments of a call, without the return continuation. Those of external functions must be defined."""
        is_external = call.pointer is None and call.callee.transfer is None
        return [*map(self.used if is_external else self.value, call.arguments)]

    def printf(self, effect: ir.Statement, operands: Sequence[Term]) -> Term:
        """The expression that performs a `printf`."""
        return self.terms(effect, operands, self.strings)

    @abstractmethod
    def computed(self, statement: ir.Statement) -> Term:
        """The expression that computes a statement other than `printf`."""
