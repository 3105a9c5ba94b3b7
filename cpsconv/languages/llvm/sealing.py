"""The construction of blocks in order, each sealed as soon as all edges to it are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import chain

from cpsconv.core.construction import Block as Continuation
from cpsconv.core.construction import Builder
from cpsconv.languages.llvm.module_text import Block


def fill_all(
    b: Builder, order: Sequence[Block], continuations: Mapping[str, Continuation], fill: Callable[[Block], None]
) -> None:
    """Enter each block but the first, which is open, and fill it, with its transfer.

    `order` has all reached blocks, and `continuations` has them by their labels, without the first.
    """
    waiting = Counter(chain.from_iterable(block.targets for block in order))
    for block in order:
        if block.label in continuations:
            b.enter(continuations[block.label])
        fill(block)
        for label in block.targets:
            waiting[label] -= 1
            if not waiting[label]:
                b.seal(continuations[label])
