"""A placement strategy to copy from: a parameter for every variable at every join, registered by one row.

Run ``python examples/extend/strategy.py convert --strategy eager --no-minimal examples/gcd.c`` to see all parameters,
and ``python examples/extend/strategy.py compare --strategy eager,basic,scc examples/gcd.c`` to count them.

This is the crude construction that Appel describes before better ones ("SSA is functional programming", 1998): it needs
no dominance frontiers. Most of its parameters are trivial; the pass `minimise` removes them later.
"""

import sys
from collections.abc import Iterable

from cpsconv.core.construction import STRATEGIES, Basic, Block, Placed, Strategy, Variable


class Eager(Basic):
    """Places parameters as `Basic` does when a variable is read, and for all other variables when a join is sealed."""

    def __init__(self) -> None:
        super().__init__()
        self.variables: dict[Variable, None] = {}  # those assigned or read so far, in order

    def seal(self, block: Block) -> None:
        """Complete the proxies of `block`. If it is a join, place a parameter for each variable that has none."""
        super().seal(block)
        for predecessor in block.predecessors:
            self.variables.update(dict.fromkeys(predecessor.definitions))
        if len(block.predecessors) > 1:
            for variable in self.variables:
                if variable not in block.definitions:
                    self.look_up(variable, block)

    def remove_trivial(self, candidates: Iterable[Placed]) -> None:
        """Keep all parameters, unlike Algorithm 3."""


STRATEGIES["eager"] = Strategy(Eager, "a parameter for every variable at every join")

if __name__ == "__main__":
    from cpsconv.cli import main

    sys.exit(main())
