"""Directed graphs of numbers, for algorithms that know nothing of programs; and what reaches what, by definition."""

from __future__ import annotations

from hypothesis import strategies as st

Graph = dict[int, list[int]]


@st.composite
def graphs(draw: st.DrawFn) -> Graph:
    """Arbitrary directed graphs, node 0 their root."""
    size = draw(st.integers(1, 12))
    return {node: draw(st.lists(st.integers(0, size - 1), max_size=3)) for node in range(size)}


def reached(graph: Graph, root: int, without: int | None = None) -> set[int]:
    found: set[int] = set()
    pending = [root]
    while pending:
        node = pending.pop()
        if node != without and node not in found:
            found.add(node)
            pending += graph.get(node, [])
    return found
