"""The base of the baselines: placement is deferred until the graph is complete.

While the function is being built, a look-up uses the block itself only: a variable written there has the value written
last. Any other read is *exposed*, and gets a proxy of the block for the variable. When the graph is complete, the
attributes of each block are

- `definitions`: the variables that it writes, with their values at its end;
- `proxies`: the variables that it reads first, with placeholders for their values at its start.

`settle` turns some proxies into parameters with arguments, and forwards every other proxy to the value that reaches it.
Only the parameters count as placed.

A copy ``x = y`` is a write of `x`. Its value is the value of `y`, possibly a proxy.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from cpsconv.core.construction.block import Block, Placed, Variable
from cpsconv.core.construction.events import Place, Postpone, Seal
from cpsconv.core.construction.placement import Placement


class Deferred(Placement):
    """Creates a proxy for each exposed read; `settle` decides which of them become parameters."""

    def look_up(self, variable: Variable, block: Block) -> Placed:
        """The only proxy of `block` for `variable`."""
        if variable not in block.proxies:
            block.proxies[variable] = Placed(variable, block)
            if self.observer is not None:
                self.observer(Postpone(block.proxies[variable]))
        return block.proxies[variable]

    def seal(self, block: Block) -> None:
        """Mark `block` as sealed. Its proxies remain until `settle`."""
        block.sealed = True
        if self.observer is not None:
            self.observer(Seal(block))

    @abstractmethod
    def settle(self, blocks: list[Block]) -> None:
        """Give each proxy either arguments or a value to which it forwards."""

    def place(self, variable: Variable, block: Block) -> Placed:
        """Turn the proxy into a parameter, which is not recorded as a definition of the block."""
        parameter = block.proxies.setdefault(variable, Placed(variable, block))
        block.placed.append(parameter)
        self.placed += 1
        if self.observer is not None:
            self.observer(Place(parameter))
        return parameter

    def live(self, variable: Variable, reads: Iterable[Block]) -> dict[Block, None]:
        """The blocks at whose start `variable` is live, found by going back from the exposed `reads` to writes."""
        live = dict.fromkeys(reads)
        pending = [*live]
        while pending:
            for predecessor in pending.pop().predecessors:
                if predecessor not in live and variable not in predecessor.definitions:
                    live[predecessor] = None
                    pending.append(predecessor)
        self.lookups += len(live)
        return live


def exposed_reads(blocks: Iterable[Block]) -> dict[Variable, list[Block]]:
    """For each variable the blocks that read it before they write it.

    A variable that every block writes before it reads it is omitted.
    """
    reads: dict[Variable, list[Block]] = {}
    for block in blocks:
        for variable in block.proxies:
            reads.setdefault(variable, []).append(block)
    return reads
