"""The record of a function as a graph: what control can get to, and which of its variables matter where."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import Union

from cpsconv.analysis.graph import depth_first
from cpsconv.construction.block import Variable
from cpsconv.construction.record import BlockRecord, FunctionRecord, Write
from cpsconv.ir import Continuation, Jump, Parameter, Target, Value

Entering = tuple[BlockRecord, Variable]
"""A variable, where a block begins."""


class Told:
    """The blocks that control can get to, in depth-first preorder, and the edges between them.

    `parent` has for each block but the entry one of its predecessors, which comes before it. `successors` has an item
    for each edge, None where that leaves the function. `assigned` are the values of the variables that a block writes,
    as they are at its end.
    """

    def __init__(self, record: FunctionRecord) -> None:
        blocks: dict[Target, BlockRecord] = {block.continuation: block for block in record.blocks}
        self.entry = record.blocks[0]
        self.successors = {block: [blocks.get(target) for target, _ in block.ending.edges] for block in record.blocks}
        self.parent = dict(depth_first([self.entry], self.local_successors))
        self.blocks = [*self.parent]
        self.predecessors: dict[BlockRecord, list[BlockRecord]] = {block: [] for block in self.blocks}
        for block in self.blocks:
            for successor in self.local_successors(block):
                self.predecessors[successor].append(block)
        self.assigned = {
            block: {event.variable: event.value for event in block.events if isinstance(event, Write)}
            for block in self.blocks
        }
        self._own = {parameter for block in self.blocks for parameter in block.parameters}

    def local_successors(self, block: BlockRecord) -> list[BlockRecord]:
        """Where the edges lead that stay in the function."""
        return [successor for successor in self.successors[block] if successor]

    def is_pending(self, value: Value) -> bool:
        """Whether a value that a read gave stands for another one, which construction was still to find."""
        return isinstance(value, Parameter) and value not in self._own

    def chain(self, head: BlockRecord, listed: Collection[Continuation]) -> list[BlockRecord]:
        """The blocks that follow each other in the continuation of `head`: those jumped to that are none by themselves.

        It ends before a block that is jumped to from anywhere else.
        """
        chain = [head]
        while chain[-1].ending.kind is Jump:
            (following,) = self.successors[chain[-1]]
            if not following or following.continuation in listed or len(self.predecessors[following]) > 1:
                break
            chain.append(following)
        return chain


class Demand:
    """What has to be known for each operand of the program to be right, found by going back from the operands.

    A read matters if what it gave is computed with, directly or by way of a copy to another variable. Then the
    variable matters wherever control comes from, as far back as the last writes. `variables` are those that matter
    where a block begins; so do those that have a parameter there. `values` are all that is computed with or copied.
    """

    def __init__(self, told: Told, carried: dict[BlockRecord, dict[Variable, Parameter]]) -> None:
        self.told = told
        self.variables: dict[BlockRecord, dict[Variable, None]] = {block: {} for block in told.blocks}
        self.values: set[Value] = set()
        self._sources: dict[Value, list[Union[Value, Entering]]] = defaultdict(list)
        self._pending: list[Union[Value, Entering]] = []
        for block in told.blocks:
            self._find_sources(block)
            self._pending += (value for computed in block.statements for value in computed.operands)
            self._pending += block.ending.operands
            self._pending += (value for _, arguments in block.ending.edges for value in arguments)
            self._pending += ((block, variable) for variable in carried[block])
        self._propagate()

    def _find_sources(self, block: BlockRecord) -> None:
        """Where the values come from that the reads in `block` gave: a write before, or the beginning of the block."""
        values: dict[Variable, Value] = {}
        for event in block.events:
            if isinstance(event, Write):
                values[event.variable] = event.value
            else:
                self._sources[event.received].append(values.get(event.variable) or (block, event.variable))

    def _propagate(self) -> None:
        while self._pending:
            wanted = self._pending.pop()
            if isinstance(wanted, tuple):
                self._want_entering(*wanted)
            elif wanted not in self.values:
                self.values.add(wanted)
                self._pending += self._sources.get(wanted, ())

    def _want_entering(self, block: BlockRecord, variable: Variable) -> None:
        if variable not in self.variables[block]:
            self.variables[block][variable] = None
            for predecessor in self.told.predecessors[block]:
                self._pending.append(self.told.assigned[predecessor].get(variable) or (predecessor, variable))
