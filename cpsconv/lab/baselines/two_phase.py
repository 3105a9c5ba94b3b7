"""Two-phase construction: Ullrich, *Verified Construction of SSA Form*, section 4.

This is the functional version of the paper's basic algorithm, which was verified in Isabelle. It first places all
parameters, then finds their arguments. No parameter is removed: every join where a variable is live keeps one.

Deviations. The functions of the thesis walk every path, exponentially many. This file has the linear form: one
depth-first search for the joins, and look-ups that record their result in all blocks that they pass. The thesis splits
off a use in a block that also writes the variable; here it is an exposed read. The entry gets an undefined value
instead of a parameter.
"""

from __future__ import annotations

from cpsconv.core.construction.block import Block, Variable
from cpsconv.core.ir import Value
from cpsconv.lab.baselines.deferred import Deferred, exposed_reads


class TwoPhase(Deferred):
    """Places a parameter at every join where the variable is live. Each variable takes O(blocks + edges)."""

    def settle(self, blocks: list[Block]) -> None:
        """For each variable: place parameters, find their arguments, resolve all other reads."""
        for variable, reads in exposed_reads(blocks).items():
            joins = [block for block in self.live(variable, reads) if len(block.predecessors) > 1]  # phiDefNodes
            for parameter in [self.place(variable, join) for join in joins]:
                predecessors = parameter.block.predecessors
                parameter.arguments = [self._definition(variable, predecessor) for predecessor in predecessors]
            for block in reads:
                if len(block.predecessors) < 2:
                    block.proxies[variable].forward = self._at_start(variable, block)

    def _definition(self, variable: Variable, block: Block) -> Value:
        """The value at the end of `block`. The search never branches, because joins have parameters (lookupDef)."""
        value, join, passed = self.walk(variable, block)
        if value is None:
            value = join.proxies[variable]
            self.record(variable, passed, value)
        return value

    def _at_start(self, variable: Variable, block: Block) -> Value:
        """The value at the start of `block`, which is not a join."""
        return self._definition(variable, block.predecessors[0]) if block.predecessors else self.undef(variable)
