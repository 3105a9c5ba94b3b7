"""The record of a construction: the source program as stated by the front end, for the certificate.

The record has blocks that read and write variables, compute, and end with a transfer. It has no parameters for
variables and no arguments for them, since construction finds these. A read returned a value to the front end: the final
one, or a placed parameter, which denotes the value that construction will find.

Beside the blocks, the record has what the front end *stated* of each other part of the program: copies of all fields of
the program, its functions, structs, data and declarations, of statements and of literals. A field added to one of these
classes is recorded, too, unless it is among those that construction computes.

A `Recorder` is an observer that collects the record from the events. `cpsconv.core.check.certificate` checks a finished
program against it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from operator import attrgetter
from typing import NamedTuple, Union

from cpsconv.core.construction import events
from cpsconv.core.construction.block import Block, Placed, Variable
from cpsconv.core.construction.events import Ending
from cpsconv.core.ir import (
    Constant,
    Continuation,
    Data,
    Effect,
    Field,
    Function,
    Parameter,
    Primitive,
    Program,
    Statement,
    Struct,
    Undef,
    Value,
)
from cpsconv.core.nodes import NodeType
from cpsconv.core.source import Span

Stated = Union[Program, Function, Struct, Data, Constant, Undef]
"""A part of a program, the fields of which a front end states."""

Fields = tuple[object, ...]
"""The values of fields, in the order of `stated_fields`."""


class Read(NamedTuple):
    """A read of `variable` after the first `at` statements of the block. It returned `received` to the front end."""

    variable: Variable
    received: Value
    at: int


class Write(NamedTuple):
    """An assignment of `value` to `variable` after the first `at` statements of the block; `span` is its location."""

    variable: Variable
    value: Value
    at: int
    span: Span | None = None


class Computed(NamedTuple):
    """An operation as the front end requested it, and the `statement` created for it.

    `stated` has the fields of the statement, without its operands and name.
    """

    statement: Statement
    stated: Fields
    operands: tuple[Value, ...]


class BlockRecord(metaclass=NodeType):
    """A block. `parameters` are those of the function, in its entry, or the result of a call; `span` is its transfer's.

    `names` are those of the statements when the program is complete: a variable may name one that it receives.
    `carried` is an untrusted hint: the parameters that construction placed in the block, by variable.
    """

    continuation: Continuation
    parameters: tuple[Parameter, ...]
    events: tuple[Union[Read, Write], ...]
    statements: tuple[Computed, ...]
    ending: Ending
    span: Span | None
    names: Sequence[str | None] = ()
    carried: dict[Variable, Parameter] = field(default_factory=dict)


class FunctionRecord(metaclass=NodeType):
    """A function: its blocks, the entry first. All functions of a program share what is `stated` of the program."""

    blocks: list[BlockRecord]
    stated: Mapping[Stated, Fields]


Record = Mapping[Function, FunctionRecord]
"""The record of a program: its functions, in the order of their definitions."""


# ------------------------------------------------------------------------------------------------------------- fields

_COMPUTED: dict[type, set[str]] = {
    Primitive: {"operands", "name"},
    Effect: {"operands", "name"},
    Function: {"body", "transfer", "continuations", "free"},
    Program: {"functions", "counts", "variables"},
}
"""The fields that construction computes or that are compared in another way, and statistics."""


def stated_fields(kind: type) -> tuple[str, ...]:
    """The names of the fields of a class that a front end states."""
    fields: Sequence[str] = kind.__match_args__  # type: ignore[attr-defined]
    return tuple([each for each in fields if each not in _COMPUTED.get(kind, ())])


class _Getters(dict[type, Callable[[object], Fields]]):
    """For each class, the function that returns the values of its stated fields."""

    def __missing__(self, kind: type) -> Callable[[object], Fields]:
        self[kind] = getter = attrgetter(*stated_fields(kind))
        return getter


_GETTERS = _Getters()


def fields_of(node: Stated | Statement) -> Fields:
    """The values that the stated fields of a node have now, in their order."""
    return _GETTERS[type(node)](node)


def copies_of_fields(node: Stated) -> Fields:
    """The same with copies of values that can be changed in place."""
    return tuple(map(_copied, fields_of(node)))


def _copied(value: object) -> object:
    if isinstance(value, (list, tuple)):
        return tuple(map(_copied, value))
    if isinstance(value, dict):
        return tuple((key, _copied(each)) for key, each in value.items())
    if isinstance(value, (Parameter, Field)):  # a part of the node
        return _copied(_GETTERS[type(value)](value))
    return value


# ----------------------------------------------------------------------------------------------------------- recorder


class Recorder:
    """An observer, for one Builder, that collects the `record` of each function, and what is `stated` of the parts."""

    def __init__(self) -> None:
        self.record: dict[Function, FunctionRecord] = {}
        self.stated: dict[Stated, Fields] = {}
        self._filled: dict[Block, BlockRecord] = {}
        self._events: list[Union[Read, Write]] = []  # of the block that is being filled
        self._statements: list[Computed] = []

    def __call__(self, event: events.Event) -> None:
        """Record the event, unless it is a step of a look-up."""
        if type(event) in _RECORDED:
            self._add(event)

    def _add(self, event: events.Event) -> None:
        match event:
            case events.Answer(variable, _, value):
                self._events.append(Read(variable, value, len(self._statements)))
            case events.Write(variable, _, value, span):
                self._events.append(Write(variable, value, len(self._statements), span))
                if type(value) in _LITERALS:
                    self._add_literals((value,))
            case events.Compute(_, made, operands):
                self._statements.append(Computed(made, fields_of(made), tuple(operands)))
                self._add_literals(operands)
            case events.Fill(block, ending, span):
                self._fill(block, ending, span)
            case events.Close(function):
                for block, recorded in self._filled.items():
                    recorded.names = _names(recorded)
                    recorded.carried = _carried(block)
                self.stated[function] = copies_of_fields(function)
                self.record[function] = FunctionRecord([*self._filled.values()], self.stated)
                self._filled = {}
            case events.Assemble(program):  # attributes and names may be stated after the end of a function
                for recorded in (each for function in self.record.values() for each in function.blocks):
                    recorded.names = _names(recorded)
                parts: list[Stated] = [program, *program.items, *program.functions]
                self.stated.update((part, copies_of_fields(part)) for part in parts)

    def _fill(self, block: Block, ending: Ending, span: Span | None) -> None:
        continuation = block.continuation
        parameters = tuple(continuation.parameters)
        self._filled[block] = BlockRecord(
            continuation, parameters, tuple(self._events), tuple(self._statements), ending, span
        )
        self._events, self._statements = [], []
        self._add_literals(ending.operands)
        for _, arguments in ending.edges:
            if arguments:
                self._add_literals(arguments)

    def _add_literals(self, values: Iterable[Value]) -> None:
        for value in values:
            if type(value) in _LITERALS and value not in self.stated:
                assert isinstance(value, (Constant, Undef))
                self.stated[value] = fields_of(value)


_LITERALS = {Constant, Undef}
_RECORDED = {events.Answer, events.Write, events.Compute, events.Fill, events.Close, events.Assemble}


def _names(block: BlockRecord) -> Sequence[str | None]:
    return [computed.statement.name for computed in block.statements]


def _carried(block: Block) -> dict[Variable, Parameter]:
    """The parameters that the block has in the finished program, by the variables for which they were placed."""
    return {
        placed.variable: placed.forward
        for placed in block.placed
        if isinstance(placed.forward, Parameter) and not isinstance(placed.forward, Placed)
    }
