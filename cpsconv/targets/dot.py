"""A picture as DOT text, and as SVG, PNG or PDF, drawn by the command `dot` of Graphviz (https://graphviz.org).

The colours suit white and black backgrounds: filled shapes have dark text on a light ground, everything else has a
medium tone. Line styles distinguish the kinds of arrows in black and white, too: bold for a back edge, bold and dashed
for a retreating edge of an irreducible loop, thin and dashed for a call, dotted for a continuation passed as a value,
a hollow head for the edge from an immediate dominator, and a diamond for the edge to a dominance frontier.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from html import escape

from cpsconv.core.ir import Function, Program
from cpsconv.core.source import DiagnosticError, error, setting
from cpsconv.targets.highlighting import printable
from cpsconv.targets.mermaid import mermaid
from cpsconv.targets.picture import Arrow, Cluster, Lines, Node, Picture, View, indented_lines, picture

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
    "current": f'color="{_ORANGE}" penwidth="2.5"',
    "exit": 'fillcolor="#e4e8ec" shape="oval" style="filled"',
    "note": 'fillcolor="#fff8d6" shape="note" style="filled"',
}
_ARROWS = {
    "edge": "",
    "back edge": f'color="{_ORANGE}" fontcolor="{_ORANGE}" penwidth="1.8"',
    "retreating edge": f'color="{_PURPLE}" fontcolor="{_PURPLE}" penwidth="1.8" style="dashed"',
    "call": f'arrowhead="vee" color="{_FAINT}" constraint="false" penwidth="0.7" style="dashed"',
    "passed": 'style="dotted" penwidth="1.4"',
    "dominator": f'arrowhead="onormal" color="{_BLUE}" penwidth="0.7" style="dashed"',
    "frontier": f'arrowhead="diamond" color="{_PURPLE}" constraint="false" penwidth="0.7" style="dashed"',
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
    """Lines in Graphviz' HTML-like markup, which drops repeated spaces, and interprets backslashes and ``]``."""
    texts = (escape(printable(line)).replace("\\", "\\\\").replace("]", "&#93;") for line in lines)
    return "<BR/>".join(re.sub(r"(?<= ) |^ ", "&#160;", text) for text in texts)


# ------------------------------------------------------------------------------------------------------- drawings

_OPTIONS = {"png": ["-Gdpi=144"]}


def draw(picture: Picture, format: str) -> bytes:
    """The picture in a format that Graphviz writes. Raises `DiagnosticError` if Graphviz is not installed, or fails."""
    try:
        done = subprocess.run(
            ["dot", f"-T{format}", *_OPTIONS.get(format, ())],
            input=dot(picture).encode("utf-8", "backslashreplace"),
            capture_output=True,
        )
    except FileNotFoundError:
        message = f"{format.upper()} requires Graphviz, whose command `dot` is not installed"
        text = setting("`--emit dot`", "`cpsconv.targets.dot.dot`")
        help = f"install Graphviz (https://graphviz.org/download), or write DOT text with {text}"
        raise DiagnosticError([error(message, help=help, rule="tool")]) from None
    except OSError as failure:
        raise DiagnosticError([error(f"cannot run Graphviz' `dot`: {failure.strerror}", rule="tool")]) from None
    if done.returncode:
        messages = done.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = messages[0] if messages else f"exit status {done.returncode}"
        raise DiagnosticError([error(f"Graphviz' `dot` failed: {reason}", rule="tool")])
    return done.stdout


class Graph:
    """The graph of a program, whose `str` is a Mermaid flowchart.

    A notebook displays the graph as SVG or, if Graphviz is not installed, as the flowchart in Markdown.
    """

    def __init__(self, picture: Picture) -> None:
        self._picture = picture

    def svg(self) -> str:
        """The graph as an SVG element for a web page. Raises `DiagnosticError` as `draw` does."""
        text = draw(self._picture, "svg").decode("utf-8")
        return text[text.index("<svg") :]

    def __str__(self) -> str:
        return mermaid(self._picture)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """The forms of the graph among which IPython chooses."""
        text = str(self)
        try:
            return {"image/svg+xml": self.svg(), "text/plain": text}
        except DiagnosticError as failure:
            hint = f"{failure.diagnostics[0].message}. The same graph for Mermaid:"
            return {"text/markdown": f"{hint}\n\n```mermaid\n{text}```\n", "text/plain": text}


def graph(
    shown: Program | Function,
    *,
    loops: bool = False,
    dominators: bool = False,
    tree: bool = False,
    frontiers: bool = False,
    bodies: bool = True,
) -> Graph:
    """The graph of a program or function.

    `loops` draws boxes around loops, `dominators` adds arrows from immediate dominators, `frontiers` adds arrows to
    dominance frontiers, and `tree` omits the control flow. Without `bodies`, continuations show only their names and
    parameters.
    """
    program = shown if isinstance(shown, Program) else Program([shown])
    view = View(loops=loops, dominators=dominators or tree, frontiers=frontiers, bodies=bodies, edges=not tree)
    return Graph(picture(program, view))
