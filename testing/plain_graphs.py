"""Directed graphs, for algorithms on any nodes, and reachability by definition."""

from __future__ import annotations

from collections.abc import KeysView, Mapping, Sequence

from hypothesis import strategies as st

from cpsconv.core.analysis.graph import Node

Graph = dict[int, list[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Arbitrary directed graphs, node 0 their root."""
    size = draw(st.integers(1, 12))
    return {node: draw(st.lists(st.integers(0, size - 1), max_size=3)) for node in range(size)}


def reached(graph: Mapping[Node, Sequence[Node]], root: Node, without: Node | None = None) -> KeysView[Node]:
    """The nodes on paths from `root`, in the order in which they are found."""
    found: dict[Node, None] = {}
    pending = [root]
    while pending:
        node = pending.pop()
        if node != without and node not in found:
            found[node] = None
            pending += graph[node]
    return found.keys()
