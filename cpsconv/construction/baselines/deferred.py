"""What the rivals share: they wait until the graph is complete.

While the function is being built, a block answers for itself only: a variable that it has written has the value written
last. Any other read is *exposed*, and gets a proxy of that block for that variable. So when all is built, of each block

- `definitions` are its writes, with the values that they leave at its end;
- `proxies` stand for the values that variables have at its start.

To settle the function is to let some proxies stay, as parameters with arguments, and to forward every other one to the
value that reaches it. Only those that stay are placed, in the words of the counts: a proxy is just an open question.

A copy ``x = y`` is a write of `x`, and its value is whatever `y` stands for: it may be the proxy of `y`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable

from cpsconv.construction.block import Block, Placed, Variable
from cpsconv.construction.events import Place, Postpone, Seal
from cpsconv.construction.placement import Placement
from cpsconv.ir import Value


class Deferred(Placement):
    """Answers exposed reads with proxies, and leaves it to `settle` to decide on them."""

    def look_up(self, variable: Variable, block: Block) -> Value:
        """The proxy: whatever the variable will turn out to be at the start of `block`."""
        return self.proxy(variable, block)

    def seal(self, block: Block) -> None:
        """Nothing to be done: proxies wait for the complete graph."""
        block.sealed = True
        if self.observer is not None:
            self.observer(Seal(block))

    @abstractmethod
    def settle(self, blocks: list[Block]) -> None:
        """Give each proxy its arguments, or what it forwards to."""

    def proxy(self, variable: Variable, block: Block) -> Placed:
        """The only proxy of `block` for `variable`."""
        if variable not in block.proxies:
            block.proxies[variable] = Placed(variable, block)
            if self.observer is not None:
                self.observer(Postpone(block.proxies[variable]))
        return block.proxies[variable]

    def place(self, variable: Variable, block: Block) -> Placed:
        """Let the proxy stay, as a parameter. It is no definition of the block's own, and not recorded as one."""
        parameter = self.proxy(variable, block)
        block.placed.append(parameter)
        self.placed += 1
        if self.observer is not None:
            self.observer(Place(parameter))
        return parameter

    def live(self, variable: Variable, reads: Iterable[Block]) -> dict[Block, None]:
        """The blocks at whose start `variable` is live: those with exposed `reads`, and backwards up to its writes."""
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

    A variable that every block writes before reading it does not show up: it needs nothing from outside.
    """
    reads: dict[Variable, list[Block]] = {}
    for block in blocks:
        for variable in block.proxies:
            reads.setdefault(variable, []).append(block)
    return reads
