"""Parameters everywhere, then fewer: Aycock and Horspool, *Simple Generation of Static Single-Assignment Form*, 2000.

Every variable gets a parameter in every block, whether it is needed or not. Then two rules are applied until neither
applies any more: a parameter that receives only itself goes away, and one that receives itself and one other value is
replaced by that. Together they are Algorithm 3 of our paper: a parameter goes away if it is trivial.

The result is minimal for reducible graphs, but not pruned: parameters stay where different values meet that nobody
reads.

Deviation. The paper examines all parameters again and again. Here only those are examined again that received one
just removed: no other can have become trivial.
"""

from __future__ import annotations

from cpsconv.construction.baselines.deferred import Deferred
from cpsconv.construction.block import Block, Variable
from cpsconv.ir import Value


class AycockHorspool(Deferred):
    """A parameter for each variable in each block but the entry. That takes blocks × variables, in space, too."""

    def settle(self, blocks: list[Block]) -> None:
        """Place all, connect all, and remove what the rules take away."""
        entry, *others = blocks
        variables = dict.fromkeys(name for block in blocks for name in (*block.definitions, *block.proxies))
        for variable, proxy in entry.proxies.items():
            proxy.forward = self.undef(variable)
        parameters = [self.place(variable, block) for block in others for variable in variables]
        for parameter in parameters:
            predecessors = parameter.block.predecessors
            parameter.arguments = [self._at_end(parameter.variable, block) for block in predecessors]
        self.remove_trivial(parameters[::-1])  # it takes the last first: forwards is the way that values go

    def _at_end(self, variable: Variable, block: Block) -> Value:
        self.lookups += 1
        value = block.definitions.get(variable) or block.proxies.get(variable)
        return value or self.undef(variable)
