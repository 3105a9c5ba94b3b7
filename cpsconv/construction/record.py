"""The record of a construction: the source program as stated by the front end, for the certificate.

The record has blocks that read and write variables, compute, and end with a transfer. It has no parameters for
variables and no arguments for them, since construction finds these. A read returned a value to the front end: the final
one, or a placed parameter, which denotes the value that construction will find.

A `Recorder` is an observer that collects the record from the events. `cpsconv.check.certificate` checks a finished
program against it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple, Union

from cpsconv.construction import events
from cpsconv.construction.block import Block, Placed, Variable
from cpsconv.construction.events import Ending
from cpsconv.ir import Continuation, ContinuationType, Function, Parameter, Scalar, Statement, Static, Value
from cpsconv.nodes import NodeType
from cpsconv.source import Span


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
    """An operation as the front end requested it, and the `statement` created for it."""

    statement: Statement
    op: str
    type: Scalar
    of: Static
    operands: tuple[Value, ...]


class BlockRecord(metaclass=NodeType):
    """A block. `parameters` are those of the function, in its entry, or the result of a call.

    `carried` is an untrusted hint: the parameters that construction placed in the block, by variable.
    """

    continuation: Continuation
    parameters: tuple[Parameter, ...]
    events: tuple[Union[Read, Write], ...]
    statements: tuple[Computed, ...]
    ending: Ending
    carried: dict[Variable, Parameter] = field(default_factory=dict)


class FunctionRecord(metaclass=NodeType):
    """A function: its blocks, the entry first; its name and type."""

    blocks: list[BlockRecord]
    name: str
    type: ContinuationType


Record = Mapping[Function, FunctionRecord]
"""The record of a program: its functions, in the order of their definitions."""


class Recorder:
    """An observer, for one Builder, that collects the `record` of each function."""

    def __init__(self) -> None:
        self.record: dict[Function, FunctionRecord] = {}
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
            case events.Compute(_, made, operands):
                self._statements.append(Computed(made, made.op, made.type, made.of, tuple(operands)))
            case events.Fill(block, ending):
                self._fill(block, ending)
            case events.Close(function):
                for block, recorded in self._filled.items():
                    recorded.carried = _carried(block)
                self.record[function] = FunctionRecord([*self._filled.values()], function.name, function.type)
                self._filled = {}

    def _fill(self, block: Block, ending: Ending) -> None:
        continuation = block.continuation
        parameters = tuple(continuation.parameters)
        self._filled[block] = BlockRecord(
            continuation, parameters, tuple(self._events), tuple(self._statements), ending
        )
        self._events, self._statements = [], []


_RECORDED = {events.Answer, events.Write, events.Compute, events.Fill, events.Close}


def _carried(block: Block) -> dict[Variable, Parameter]:
    """The parameters that the block has in the finished program, by the variables for which they were placed."""
    return {
        placed.variable: placed.forward
        for placed in block.placed
        if isinstance(placed.forward, Parameter) and not isinstance(placed.forward, Placed)
    }
