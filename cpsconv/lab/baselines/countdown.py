"""The basic algorithm in reverse postorder: the passes `EnterSSA` and `EliminateRedundantPhi` of the React compiler.

The React compiler builds its graph first. Then it runs the paper's basic algorithm, block by block in reverse
postorder, and seals a block when the count of its unvisited predecessors reaches zero. A separate pass removes the
trivial parameters.

Deviation. React's predecessors are a set; here each edge counts.
"""

from __future__ import annotations

from collections.abc import Iterable

from cpsconv.core.analysis.graph import reverse_postorder_from
from cpsconv.core.construction.basic import Basic
from cpsconv.core.construction.block import Block, Placed, resolve, successors
from cpsconv.core.construction.events import Place, Remove
from cpsconv.core.ir import Value
from cpsconv.lab.baselines.deferred import Deferred


class Countdown(Deferred):
    """The basic algorithm in reverse postorder, then elimination.

    The elimination is a pass over all parameters, repeated as long as it removes any. It takes one pass for each level
    of nested loops that do not change a variable, and so quadratic time in the nesting depth.
    """

    def settle(self, blocks: list[Block]) -> None:
        """Construct, then eliminate."""
        following = successors(blocks)
        order = reverse_postorder_from(blocks[0], following.__getitem__)
        self._enter(order, following)
        parameters = [parameter for block in order for parameter in block.placed]
        if self.observer is not None:
            for parameter in parameters:
                self.observer(Place(parameter))
        self._eliminate(parameters)

    def _enter(self, order: list[Block], following: dict[Block, list[Block]]) -> None:
        """Construct the function again: repeat the exposed reads and the writes of the blocks in `order`."""
        contents = {block: (block.proxies, block.definitions) for block in order}
        unsealed = {block: len(block.predecessors) for block in order}
        for block in order:
            block.proxies, block.definitions, block.may_assign, block.sealed = {}, {}, None, False
        construction = _Unreduced()
        order[0].sealed = True
        for block in order:
            reads, writes = contents[block]
            for variable, proxy in reads.items():
                proxy.forward = construction.read(variable, block)
            block.definitions.update(writes)
            for successor in following[block]:
                unsealed[successor] -= 1
                if unsealed[successor] == 0:
                    construction.seal(successor)
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
    """The basic algorithm without removal."""

    def complete(self, parameter: Placed, arguments: Iterable[Value]) -> Value:
        """Give `parameter` its arguments, and keep it even if it is trivial."""
        parameter.arguments = [resolve(argument) for argument in arguments]
        return parameter
