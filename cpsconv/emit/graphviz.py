"""Pictures as SVG, PNG and PDF, drawn by the command `dot` of Graphviz (https://graphviz.org)."""

from __future__ import annotations

import subprocess

from cpsconv.emit.dot import dot
from cpsconv.emit.mermaid import mermaid
from cpsconv.emit.picture import Picture, View, picture
from cpsconv.ir import Function, Program
from cpsconv.source import DiagnosticError, error

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
        help = "install Graphviz (https://graphviz.org/download), or write DOT text with `--format dot`"
        raise DiagnosticError([error(message, help=help)]) from None
    except OSError as failure:
        raise DiagnosticError([error(f"cannot run Graphviz' `dot`: {failure.strerror}")]) from None
    if done.returncode:
        messages = done.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = messages[0] if messages else f"exit status {done.returncode}"
        raise DiagnosticError([error(f"Graphviz' `dot` failed: {reason}")])
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
    shown: Program | Function, *, loops: bool = False, dominators: bool = False, tree: bool = False, bodies: bool = True
) -> Graph:
    """The graph of a program or function.

    `loops` draws boxes around loops, `dominators` adds arrows from immediate dominators, and `tree` shows only the
    dominator tree. Without `bodies`, continuations show only their names and parameters.
    """
    program = shown if isinstance(shown, Program) else Program([shown])
    view = View(loops=loops, dominators=dominators or tree, bodies=bodies, edges=not tree)
    return Graph(picture(program, view))
