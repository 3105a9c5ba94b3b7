"""A Builder that takes down what it is told, so that its work can be checked by somebody else."""

from __future__ import annotations

from cpsconv.construction.block import Block, Placed, Variable
from cpsconv.construction.builder import Builder
from cpsconv.construction.record import (
    BlockRecord,
    Computed,
    Event,
    FunctionRecord,
    Read,
    SourceVariable,
    Write,
    ending_of,
)
from cpsconv.ir import Function, Parameter, Value
from cpsconv.source import Span


class Recorder(Builder):
    """Builds as a `Builder` does. `record` holds, for each finished function, what was told.

    Statements and transfers are taken down when the function is complete, before `finish` resolves what they use.
    """

    def __init__(self, strategy: str = "scc") -> None:
        super().__init__(strategy)
        self.record: dict[Function, FunctionRecord] = {}
        self._events: dict[Block, list[Event]] = {}

    def write_variable(self, variable: Variable, value: Value, span: Span | None = None) -> None:
        """Assign, and take it down."""
        super().write_variable(variable, value, span)
        self._take_down(Write(variable, value, self._position(), span))

    def read_variable(self, variable: Variable, span: Span | None = None) -> Value:
        """Read, and take down what was received."""
        received = super().read_variable(variable, span)
        self._take_down(Read(variable, received, self._position()))
        return received

    def finish(self) -> Function:
        """Close the function; its record is complete then."""
        blocks = self._blocks
        records = [self._recorded(block) for block in blocks if block.continuation.transfer]
        function = super().finish()
        for block, recorded in zip(blocks, records, strict=True):
            recorded.carried = _carried(block)
        self.record[function] = FunctionRecord(records)
        self._events = {}
        return function

    def _position(self) -> int:
        return len(self._open().continuation.body)

    def _take_down(self, event: Event) -> None:
        self._events.setdefault(self._open(), []).append(event)

    def _recorded(self, block: Block) -> BlockRecord:
        continuation = block.continuation
        assert continuation.transfer
        return BlockRecord(
            continuation,
            tuple(continuation.parameters),
            tuple(self._events.get(block, ())),
            tuple([Computed(each, each.op, each.type, each.operands) for each in continuation.body]),
            ending_of(continuation.transfer),
        )


def _carried(block: Block) -> dict[SourceVariable, Parameter]:
    """The parameters of the program that were placed in the block, by variable."""
    return {
        placed.variable: placed.forward
        for placed in block.placed
        if isinstance(placed.forward, Parameter) and not isinstance(placed.forward, Placed)
    }
