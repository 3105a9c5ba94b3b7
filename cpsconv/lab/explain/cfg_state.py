"""The state of a function under construction, replayed from its events."""

from __future__ import annotations

from collections import defaultdict

from cpsconv.core.construction import events as e
from cpsconv.core.construction.block import Block, Placed, Variable
from cpsconv.core.ir import Continuation
from cpsconv.lab.explain.collector import Collected, Omission


class CfgState:
    """The blocks created so far, by continuation; the filled and the sealed ones; the predecessors of each.

    `defined` has the pairs of a block and a variable that has a definition there; `proxies` the parameters placed as
    proxies, and `without_operands` those that receive no value other than themselves. `entered` has the joins at which
    values enter the SCC of the look-up that was completed last. `placed` and `removed` count parameters.
    `is_reconstruction` is True once a reconstruction has begun: all blocks are filled and sealed.
    """

    def __init__(self) -> None:
        self.blocks: dict[Continuation, Block] = {}
        self.predecessors: dict[Block, list[Block]] = defaultdict(list)
        self.successors: dict[Block, list[Block]] = defaultdict(list)
        self.filled: set[Block] = set()
        self.sealed: set[Block] = set()
        self.defined: set[tuple[Block, Variable]] = set()
        self.proxies: set[Placed] = set()
        self.without_operands: set[Placed] = set()
        self.entered: set[Block] = set()
        self.placed = 0
        self.removed = 0
        self.is_reconstruction = False

    def apply(self, event: Collected) -> None:
        """Change to the state after `event`."""
        match event:
            case e.Open(_, block):
                self.blocks[block.continuation] = block
                self.sealed.add(block)
            case e.Create(block):
                self.blocks[block.continuation] = block
            case e.Fill():
                self._fill(event)
            case e.Seal(block):
                self.sealed.add(block)
            case e.Write(variable, block):
                self.defined.add((block, variable))
            case e.Record(variable, blocks):
                self.defined.update((block, variable) for block in blocks)
            case e.Proxy(parameter):
                self.proxies.add(parameter)
                self.placed += 1
            case e.Place():
                self.placed += 1
            case e.Complete(parameter, arguments):
                if all(argument is parameter for argument in arguments):
                    self.without_operands.add(parameter)
            case e.Remove():
                self.removed += 1
            case Omission(_, placed, removed):
                self.placed += len(placed)
                self.removed += len(removed)
            case e.Reconstruct(_, blocks):
                self.is_reconstruction = True
                self.blocks = {block.continuation: block for block in blocks}
                for block in blocks:
                    self._add_complete(block)
            case e.Read(_, block) if self.is_reconstruction:
                self._add_complete(block)
            case e.Component(_, joins, entering):
                self.entered = {join for join, values in zip(joins, entering, strict=True) if values}
            case e.Unreachable(block) if not self.is_reconstruction:
                self._drop(block)

    @property
    def entry(self) -> Block:
        """The block of the function, which is the first one."""
        return next(iter(self.blocks.values()))

    def _add_complete(self, block: Block) -> None:
        """Add a block of a reconstruction, which has all predecessors."""
        self.filled.add(block)
        self.sealed.add(block)
        self.predecessors[block] = block.predecessors

    def _fill(self, event: e.Fill) -> None:
        self.filled.add(event.block)
        for target, _ in event.ending.edges:
            if isinstance(target, Continuation) and target in self.blocks:
                successor = self.blocks[target]
                self.predecessors[successor].append(event.block)
                self.successors[event.block].append(successor)

    def _drop(self, unreachable: Block) -> None:
        for successor in self.successors[unreachable]:
            self.predecessors[successor].remove(unreachable)
