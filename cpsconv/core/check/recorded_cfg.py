"""The control-flow graph of a recorded function: reachable blocks, and the variables demanded at their starts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from typing import Union

from cpsconv.core.analysis.graph import depth_first
from cpsconv.core.construction.block import Variable
from cpsconv.core.construction.record import BlockRecord, FunctionRecord, Write
from cpsconv.core.ir import Continuation, Jump, Parameter, Target, Undef, Value

Entering = tuple[BlockRecord, Variable]
"""A variable at the start of a block."""


class RecordGraph:
    """The reachable blocks, in depth-first preorder, and the edges between them.

    `parent` has for each block except the entry a predecessor that precedes it in this order. `successors` has one item
    for each edge, None if the edge leaves the function. `assigned` has the variables that a block writes, with their
    values at its end.
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
        """The targets of the edges that stay in the function."""
        return [successor for successor in self.successors[block] if successor]

    def is_pending(self, value: Value) -> bool:
        """Whether a value returned by a read denotes a value that construction found later."""
        return isinstance(value, Parameter) and value not in self._own

    def chain(self, head: BlockRecord, listed: Collection[Continuation]) -> list[BlockRecord]:
        """The blocks merged into the continuation of `head`, in order: `head`, its jump target, and so on.

        The chain ends before a block that is `listed` as a continuation, or has another predecessor.
        """
        chain = [head]
        while chain[-1].ending.kind is Jump:
            (following,) = self.successors[chain[-1]]
            if not following or following.continuation in listed or len(self.predecessors[following]) > 1:
                break
            chain.append(following)
        return chain


class Demand:
    """The variables whose values determine the operands of the program, by a backward analysis like liveness.

    A read is demanded if its value is an operand, directly or via a copy to another variable. Then the variable is
    demanded back to its last writes on all paths. `variables` has the variables demanded at the start of each block,
    including those with a parameter there. `values` has all operands and copied values. `sources` has for each value
    that reads returned the values written before them, or their variables at the start of a block. Values that are
    `used` in nested functions are demanded, too.
    """

    def __init__(
        self, graph: RecordGraph, carried: dict[BlockRecord, dict[Variable, Parameter]], used: Collection[Value]
    ) -> None:
        self.graph = graph
        self.carried = carried
        self.variables: dict[BlockRecord, dict[Variable, None]] = {block: {} for block in graph.blocks}
        self.values: set[Value] = set()
        self.sources: dict[Value, list[Union[Value, Entering]]] = defaultdict(list)
        self._pending: list[Union[Value, Entering]] = []
        for block in graph.blocks:
            self._find_sources(block)
            self._pending += (value for computed in block.statements for value in computed.operands)
            self._pending += block.ending.operands
            self._pending += (value for _, arguments in block.ending.edges for value in arguments)
            self._pending += ((block, variable) for variable in carried[block])
        self._pending += (value for value in self.sources if value in used)
        self._propagate()

    def _find_sources(self, block: BlockRecord) -> None:
        """Find the source of each value read in `block`: a write before it, or the start of the block."""
        values: dict[Variable, Value] = {}
        for event in block.events:
            if isinstance(event, Write):
                values[event.variable] = event.value
            else:
                self.sources[event.received].append(values.get(event.variable) or (block, event.variable))

    def _propagate(self) -> None:
        while self._pending:
            demanded = self._pending.pop()
            if isinstance(demanded, tuple):
                self._demand_entering(*demanded)
            elif demanded not in self.values:
                self.values.add(demanded)
                self._pending += self.sources.get(demanded, ())

    def _demand_entering(self, block: BlockRecord, variable: Variable) -> None:
        if variable not in self.variables[block]:
            self.variables[block][variable] = None
            for predecessor in self.graph.predecessors[block]:
                self._pending.append(self._at_end(predecessor, variable))

    def _at_end(self, block: BlockRecord, variable: Variable) -> Union[Value, Entering]:
        return self.graph.assigned[block].get(variable) or (block, variable)

    def reaching(self, block: BlockRecord, variable: Variable) -> Collection[Value]:
        """The distinct values of a variable at the start of a block, on all paths back to parameters for it."""
        found: dict[Value, None] = {}
        pending: list[Union[Value, Entering]] = [(block, variable)]
        seen: set[Union[Value, Entering]] = set()
        while pending:
            each = pending.pop()
            if each in seen:
                continue
            seen.add(each)
            if not isinstance(each, tuple):
                sources = self.sources[each] if self.graph.is_pending(each) else ()
                pending += sources
                found |= {} if sources else {each: None}
            elif parameter := self.carried[each[0]].get(each[1]):
                found[parameter] = None
            elif predecessors := self.graph.predecessors[each[0]]:
                pending += [self._at_end(predecessor, each[1]) for predecessor in predecessors]
            else:
                found[Undef(each[1].type, each[1].name, each[1].span)] = None
        return found
