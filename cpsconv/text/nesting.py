"""How a function's continuations nest: each stands in the scope of its immediate dominator."""

from __future__ import annotations

from collections.abc import Collection

from cpsconv.analysis.dominance import DominatorTree
from cpsconv.ir import Continuation


class Nesting:
    """The nested continuations of the function with that `tree`, those that stand `inline` apart.

    `groups` has, for each continuation and the function itself, those that its `let` defines. `innermost_first` lists
    all, the inline ones too: each after what stands inside of it, so that who goes through it needs no recursion.
    """

    def __init__(self, tree: DominatorTree, inline: Collection[Continuation]) -> None:
        self.groups = {above: [k for k in below if k not in inline] for above, below in tree.children.items()}
        self.innermost_first = tree.preorder()[::-1]
