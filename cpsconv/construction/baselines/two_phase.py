"""First the places of all parameters, then their arguments: Ullrich, *Verified Construction of SSA Form*, section 4.

The functional version of the paper's basic algorithm, split in two so that it can be reasoned about (and it was, in
Isabelle). Nothing is removed: every join at which a variable is live keeps a parameter.

Deviations. The thesis' functions walk every path, exponentially many; its linear form, taken here, is a depth-first
search for the places, and what a look-up passes remembers the answer. A use in a block that also writes the variable
is split off in the thesis; here it is an exposed read. And the entry gets no parameter, but an undefined value.
"""

from __future__ import annotations

from cpsconv.construction.baselines.deferred import Deferred, exposed_reads
from cpsconv.construction.block import Block, Placed, Variable
from cpsconv.construction.placement import remember
from cpsconv.ir import Value


class TwoPhase(Deferred):
    """A parameter at every join where the variable is live. Linear in blocks and edges, for each variable."""

    def settle(self, blocks: list[Block]) -> None:
        """Variable by variable: the places, then the arguments, then what else is read."""
        for variable, reads in exposed_reads(blocks).items():
            for parameter in self._places(variable, reads):
                predecessors = parameter.block.predecessors
                parameter.arguments = [self._definition(variable, predecessor) for predecessor in predecessors]
            for block in reads:
                if len(block.predecessors) < 2:
                    block.proxies[variable].forward = self._at_start(variable, block)

    def _places(self, variable: Variable, reads: list[Block]) -> list[Placed]:
        """A parameter for each join that a search backwards from the reads comes to (phiDefNodes)."""
        return [self.place(variable, block) for block in self.live(variable, reads) if len(block.predecessors) > 1]

    def _definition(self, variable: Variable, block: Block) -> Value:
        """The value at the end of `block`: a search that never branches, since joins have parameters (lookupDef)."""
        value, join, passed = self.walk(variable, block)
        if value is None:
            value = join.proxies[variable]
            remember(variable, passed, value)
        return value

    def _at_start(self, variable: Variable, block: Block) -> Value:
        """The value where `block`, no join, begins."""
        return self._definition(variable, block.predecessors[0]) if block.predecessors else self.undef(variable)
