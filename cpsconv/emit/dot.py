"""A picture as DOT text, for Graphviz.

The colours suit white and black backgrounds: filled shapes have dark text on a light ground, everything else has a
medium tone. Line styles distinguish the kinds of arrows in black and white, too: bold for a back edge, bold and dashed
for a retreating edge of an irreducible loop, thin and dashed for a call, dotted for a continuation passed as a value,
and a hollow head for the edge from an immediate dominator.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

from cpsconv.emit.highlighting import printable
from cpsconv.emit.picture import Arrow, Cluster, Lines, Node, Picture, indented_lines

_INK, _MEDIUM, _FAINT = "#1f2328", "#6e7781", "#8c959f"
_BLUE, _ORANGE, _PURPLE = "#4078c8", "#c4601c", "#8f5fd0"
_FONT = "DejaVu Sans Mono,Menlo,Consolas,monospace"

_DEFAULTS = {
    "graph": f'bgcolor="transparent" fontcolor="{_MEDIUM}" fontname="{_FONT}" fontsize="10" labeljust="l" '
    'newrank="true" nodesep="0.35" ranksep="0.4"',
    "node": f'color="{_FAINT}" fillcolor="#f6f8fa" fontcolor="{_INK}" fontname="{_FONT}" fontsize="10" '
    'height="0.3" margin="0.1,0.05" shape="box" style="rounded,filled"',
    "edge": f'arrowsize="0.7" color="{_MEDIUM}" fontcolor="{_MEDIUM}" fontname="{_FONT}" fontsize="9"',
}
_NODES = {
    "function": f'color="{_BLUE}" fillcolor="#ddebfb"',
    "continuation": "",
    "exit": 'fillcolor="#e4e8ec" shape="oval" style="filled"',
}
_ARROWS = {
    "edge": "",
    "back edge": f'color="{_ORANGE}" fontcolor="{_ORANGE}" penwidth="1.8"',
    "retreating edge": f'color="{_PURPLE}" fontcolor="{_PURPLE}" penwidth="1.8" style="dashed"',
    "call": f'arrowhead="vee" color="{_FAINT}" constraint="false" penwidth="0.7" style="dashed"',
    "passed": 'style="dotted" penwidth="1.4"',
    "dominator": f'arrowhead="onormal" color="{_BLUE}" penwidth="0.7" style="dashed"',
}
_CLUSTERS = {
    "function": f'color="{_FAINT}" style="rounded"',
    "loop": f'color="{_ORANGE}" fontcolor="{_ORANGE}" style="rounded,dotted"',
    "irreducible loop": f'color="{_PURPLE}" fontcolor="{_PURPLE}" style="rounded,dotted"',
}
"""The attributes of each kind, as DOT text."""


def dot(picture: Picture) -> str:
    """The DOT text of a picture. The name of a node is that of its continuation: ``"gcd.while"``."""
    lines = [f"digraph {_quoted(picture.root.title)} {{"]
    lines += [f"  {kind} [{attributes}];" for kind, attributes in _DEFAULTS.items()]
    lines += indented_lines(picture.root, _node, _opening, "}")
    lines += [f"  {_arrow(arrow)}" for arrow in picture.arrows]
    return "".join(f"{line}\n" for line in [*lines, "}"])


def _opening(cluster: Cluster, number: int) -> Iterator[str]:
    yield f'subgraph "cluster {number}" {{'
    yield f"  graph [label={_label([cluster.title])} {_CLUSTERS[cluster.kind]}];"


def _node(node: Node) -> str:
    """``"gcd.while" [label=<…>];``: a table with a row for each part of the node."""
    rows = [f"<B>{_hypertext(node.head)}</B>", *(_hypertext(lines) for lines in (node.body, node.end) if lines)]
    cells = "<HR/>".join(f'<TR><TD ALIGN="LEFT" BALIGN="LEFT">{row}</TD></TR>' for row in rows)
    table = f'<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="2" CELLSPACING="0">{cells}</TABLE>'
    attributes = f"label=<{table}> {_NODES[node.kind]}".rstrip()
    return f"{_quoted(node.name)} [{attributes}];"


def _arrow(arrow: Arrow) -> str:
    margin = " " if len(arrow.label) == 1 else "  "  # viewers of SVG drop the first space of each of several lines
    label = f"label={_label([f'{margin}{line} ' for line in arrow.label])}" if arrow.label else ""
    attributes = f"{label} {_ARROWS[arrow.kind]}".strip()
    ends = f"{_quoted(arrow.source)} -> {_quoted(arrow.target)}"
    return f"{ends} [{attributes}];" if attributes else f"{ends};"


def _quoted(name: str) -> str:
    """A string in quotes. The function is injective."""
    return '"' + printable(name.replace("\\", "\\\\")).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _label(lines: Lines) -> str:
    """Left-aligned lines of a label, with backslashes and entities escaped."""
    texts = (printable(line).replace("\\", "\\\\").replace("&", "&amp;").replace('"', '\\"') for line in lines)
    return '"' + "\\l".join(texts) + ("\\l" if len(lines) > 1 else "") + '"'


def _hypertext(lines: Lines) -> str:
    """Lines in Graphviz' HTML-like markup, which drops repeated spaces and interprets backslashes."""
    texts = (escape(printable(line)).replace("\\", "\\\\") for line in lines)
    return "<BR/>".join(re.sub(r"(?<= ) |^ ", "&#160;", text) for text in texts)
