"""Iterated dominance frontiers, pruned by liveness, and renaming: the method of most compilers.

Cytron, Ferrante, Rosen, Wegman and Zadeck, *Efficiently Computing Static Single Assignment Form and the Control
Dependence Graph* (TOPLAS 1991); pruned after Choi, Cytron and Ferrante (POPL 1991). Two definitions of a variable first
meet in the iterated dominance frontier of the blocks that write it. A block there gets a parameter if the variable is
live. A walk over the dominator tree, with a stack of values for each variable, then finds the value of every read.

The short cuts are those of LLVM's mem2reg: a variable without exposed reads is skipped, and a variable that is written
in a single block needs no parameter for the reads that this block dominates. LLVM's final simplification is omitted, so
that the counts are those of the method.
"""

from __future__ import annotations

from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.analysis.dominance_frontiers import Frontiers
from cpsconv.core.construction.block import Block, Placed, Variable, resolve, successors
from cpsconv.core.construction.events import Frontier, Operand, Push, Rename, Search
from cpsconv.core.ir import Value
from cpsconv.lab.baselines.deferred import Deferred, exposed_reads


class Cytron(Deferred):
    """Minimal by the definition of Cytron et al., and pruned.

    Liveness and frontiers take O(edges · log blocks) for each variable without a short cut, however small the part of
    the graph in which it is live: the frontier is searched in the whole dominator tree below the writes.
    """

    def settle(self, blocks: list[Block]) -> None:
        """Place, then rename."""
        following = successors(blocks)
        tree = Dominance(blocks[0], following.__getitem__, blocks)
        self._place_all(blocks, tree, Frontiers(tree, following))
        _Renaming(self, tree).run()

    def _place_all(self, blocks: list[Block], tree: Dominance[Block], frontiers: Frontiers[Block]) -> None:
        reads = exposed_reads(blocks)
        writes: dict[Variable, dict[Block, None]] = {variable: {} for variable in reads}
        for block in blocks:
            for variable in block.definitions:
                if variable in writes:
                    writes[variable][block] = None
        for variable, writing in writes.items():
            reading = _not_dominated(reads[variable], [*writing], tree)
            if reading and writing:
                joins = frontiers.iterated(writing, self.live(variable, reading))
                if self.observer is not None:
                    self.observer(Frontier(variable, [*writing], joins))
                for block in joins:
                    self.place(variable, block)
        self.lookups += frontiers.visits


def _not_dominated(reads: list[Block], writes: list[Block], tree: Dominance[Block]) -> list[Block]:
    """The reads that the only write does not dominate; all reads if there are several writes."""
    if len(writes) != 1:
        return reads
    (write,) = writes
    return [read for read in reads if read is write or not tree.dominates(write, read)]


class _Renaming:
    """The walk over the dominator tree. `values` has, for each variable, the values on the path to the current block.

    `columns` has, for each block, the placed parameters of its successors and the index of its arguments for them.
    """

    def __init__(self, placement: Deferred, tree: Dominance[Block]) -> None:
        self.placement = placement
        self.observer = placement.observer
        self.tree = tree
        self.values: dict[Variable, list[Value]] = {}
        self.columns: dict[Block, list[tuple[list[Placed], int]]] = {block: [] for block in tree.children}
        for block in tree.children:
            for parameter in block.placed:
                parameter.arguments = [self.placement.undef(parameter.variable)] * len(block.predecessors)
            for index, predecessor in enumerate(block.predecessors if block.placed else ()):
                self.columns[predecessor].append((block.placed, index))

    def run(self) -> None:
        """Enter each block after its dominator, and undo its writes after its subtree."""
        if self.observer is not None:
            self.observer(Search(self.tree.root))
        pending: list[Block | list[Variable]] = [self.tree.root]
        while pending:
            task = pending.pop()
            if isinstance(task, Block):
                pending.append(self._enter(task))
                pending += reversed(self.tree.children[task])
            else:
                for variable in task:
                    self.values[variable].pop()

    def _enter(self, block: Block) -> list[Variable]:
        """Resolve the reads of `block` and the arguments of its edges. Returns the variables that get a new value."""
        placed: dict[Variable, Value] = {parameter.variable: parameter for parameter in block.placed}
        for variable, proxy in block.proxies.items():
            if variable not in placed:
                proxy.forward = self._current(variable)
                if self.observer is not None:
                    self.observer(Rename(proxy, resolve(proxy.forward)))
        changed = {**placed, **block.definitions}
        for variable, value in changed.items():
            self.values.setdefault(variable, []).append(value)
            if self.observer is not None:
                self.observer(Push(variable, block, resolve(value)))
        for parameters, index in self.columns[block]:
            for parameter in parameters:
                assert parameter.arguments is not None
                parameter.arguments[index] = self._current(parameter.variable)
                if self.observer is not None:
                    self.observer(Operand(parameter, resolve(parameter.arguments[index]), index))
        return [*changed]

    def _current(self, variable: Variable) -> Value:
        self.placement.lookups += 1
        values = self.values.get(variable)
        return values[-1] if values else self.placement.undef(variable)
