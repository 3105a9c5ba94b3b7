"""The construction of basic blocks whose edges are known: they are filled one after the other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from cpsconv.core.construction import Block as Continuation
from cpsconv.core.construction import Builder

Block = TypeVar("Block", bound=Hashable)


def entered(
    b: Builder, targets: Mapping[Block, Sequence[Block]], continuations: Mapping[Block, Continuation]
) -> Iterator[Block]:
    """Enter each block in turn, for the caller to fill it, and seal each as soon as all edges to it are constructed.

    `targets` has the targets of all reached blocks, one for each edge, in the order of construction: with reverse
    postorder, most predecessors of a block are filled before it. `continuations` has all of them but the first, which
    is open.

    >>> from cpsconv.core.ir import VOID
    >>> b, targets = Builder(), {"entry": ["loop"], "loop": ["loop"]}
    >>> entry = b.function("f", [], VOID)
    >>> continuations = {"loop": b.continuation("loop")}
    >>> for block in entered(b, targets, continuations):
    ...     b.jump(continuations[targets[block][0]])
    >>> [member.name for member in b.finish().members()]
    ['f', 'loop']
    """
    waiting = Counter(chain.from_iterable(targets.values()))
    for block, following in targets.items():
        if block in continuations:
            b.enter(continuations[block])
        yield block
        for target in following:
            waiting[target] -= 1
            if not waiting[target]:
                b.seal(continuations[target])
