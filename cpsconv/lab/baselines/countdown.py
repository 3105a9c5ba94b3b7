"""The basic algorithm in reverse postorder: the passes `EnterSSA` and `EliminateRedundantPhi` of the React compiler.

The React compiler (``babel-plugin-react-compiler`` 1.0.0, MIT licence) builds its graph first. Then it runs the paper's
basic algorithm, block by block in reverse postorder. The predecessors of a block are a set. A count of those that are
not visited begins with the size of the set, and the block is sealed when it reaches zero. A separate pass removes the
trivial parameters.

Deviation. React's count falls with each edge. If a block has two edges to one successor, the count of the latter
reaches zero before its last predecessor is visited, and look-ups miss what this one defines. Here the count falls once
for each predecessor. Where it reaches zero in time, both place the same parameters (`benchmarks/react.py`).
"""

from __future__ import annotations

from collections.abc import Iterable

from cpsconv.core.analysis.graph import reverse_postorder_from
from cpsconv.core.construction.basic import Basic
from cpsconv.core.construction.block import Block, Placed, resolve, successors
from cpsconv.core.construction.events import Complete, Remove, Rename, Search
from cpsconv.core.ir import Value
from cpsconv.lab.baselines.deferred import Deferred


class Countdown(Deferred):
    """The basic algorithm in reverse postorder, then elimination.

    The elimination is a pass over all parameters, repeated as long as it removes any. It takes one pass for each level
    of nested loops that do not change a variable, and so quadratic time in the nesting depth.
    """

    def seal(self, block: Block) -> None:
        """Mark `block` as sealed. The count reports when it is."""
        block.sealed = True

    def settle(self, blocks: list[Block]) -> None:
        """Construct, then eliminate."""
        following = successors(blocks)
        order = reverse_postorder_from(blocks[0], following.__getitem__)
        self._enter(order, following)
        self._eliminate([parameter for block in order for parameter in block.placed])

    def _enter(self, order: list[Block], following: dict[Block, list[Block]]) -> None:
        """Construct the function again: repeat the exposed reads and the writes of the blocks in `order`."""
        contents = {block: (block.proxies, block.definitions) for block in order}
        construction = _Unreduced({block: block.predecessors for block in order})
        for block in order:
            block.proxies, block.definitions, block.may_assign, block.sealed = {}, {}, None, False
            block.predecessors = [*dict.fromkeys(block.predecessors)]
        unsealed = {block: len(block.predecessors) for block in order}
        construction.observer = self.observer
        order[0].sealed = True
        if self.observer is not None:
            self.observer(Search(order[0]))
        for block in order:
            reads, writes = contents[block]
            for variable, proxy in reads.items():
                proxy.forward = construction.read(variable, block)
                if self.observer is not None:
                    self.observer(Rename(proxy, proxy.forward))
            block.definitions.update(writes)
            for successor in dict.fromkeys(following[block]):
                unsealed[successor] -= 1
                if unsealed[successor] == 0:
                    construction.seal(successor)
        for block in order:
            block.predecessors = construction.edges[block]
        self.placed, self.lookups = construction.placed, construction.lookups

    def _eliminate(self, parameters: list[Placed]) -> None:
        """Remove trivial parameters, pass by pass, until none is left."""
        before = len(parameters) + 1
        while len(parameters) < before:
            before = len(parameters)
            parameters = [parameter for parameter in parameters if not self._eliminated(parameter)]

    def _eliminated(self, parameter: Placed) -> bool:
        others = parameter.find_witnesses()
        if len(others) > 1:
            return False
        parameter.forward = others[0] if others else self.undef(parameter.variable)
        self.removed += 1
        if self.observer is not None:
            self.observer(Remove(parameter, parameter.forward, ()))
        return True


class _Unreduced(Basic):
    """The basic algorithm without removal. `edges` has, for each block, the predecessor of each edge to it."""

    def __init__(self, edges: dict[Block, list[Block]]) -> None:
        super().__init__()
        self.edges = edges

    def complete(self, parameter: Placed, arguments: Iterable[Value]) -> Value:
        """Give `parameter` the argument of each edge, by those of the predecessors. Keep it even if it is trivial."""
        of_predecessor = dict(zip(parameter.block.predecessors, map(resolve, arguments), strict=True))
        parameter.arguments = [of_predecessor[predecessor] for predecessor in self.edges[parameter.block]]
        if self.observer is not None:
            self.observer(Complete(parameter, tuple(parameter.arguments)))
        return parameter
