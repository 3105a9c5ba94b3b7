"""Pictures in formats that are looked at, drawn by Graphviz (https://graphviz.org): its command `dot` does the work."""

from __future__ import annotations

import subprocess

from cpsconv.emit.dot import dot
from cpsconv.emit.mermaid import mermaid
from cpsconv.emit.picture import Picture, View, picture
from cpsconv.ir import Function, Program
from cpsconv.source import DiagnosticError, error

_OPTIONS = {"png": ["-Gdpi=144"]}


def draw(text: str, format: str) -> bytes:
    """The picture that a DOT text describes, in a format that Graphviz knows.

    Raises `DiagnosticError` where Graphviz is not installed, or fails.
    """
    try:
        done = subprocess.run(
            ["dot", f"-T{format}", *_OPTIONS.get(format, ())],
            input=text.encode("utf-8", "backslashreplace"),
            capture_output=True,
        )
    except FileNotFoundError:
        complaint = f"{format.upper()} is drawn by Graphviz, and there is no `dot`"
        help = "install it (https://graphviz.org/download), or have DOT text written, with `--format dot`"
        raise DiagnosticError([error(complaint, help=help)]) from None
    except OSError as failure:
        raise DiagnosticError([error(f"Graphviz' `dot` cannot be run: {failure.strerror}")]) from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = said[0] if said else f"its exit status is {done.returncode}"
        raise DiagnosticError([error(f"Graphviz' `dot` fails: {reason}")])
    return done.stdout


class Graph:
    """A program drawn as a graph. It shows itself in a notebook; its `str` is a flowchart of Mermaid.

    Where Graphviz is not installed, a notebook is given the flowchart, which many of them draw.
    """

    def __init__(self, picture: Picture) -> None:
        self._picture = picture

    def svg(self) -> str:
        """The graph as SVG, an element for a web page.

        Raises `DiagnosticError` where Graphviz is not installed, or fails.
        """
        text = draw(dot(self._picture), "svg").decode("utf-8")
        return text[text.index("<svg") :]

    def __str__(self) -> str:
        return mermaid(self._picture)

    def _repr_mimebundle_(self, **_: object) -> dict[str, str]:
        """What IPython shows: of these forms, the best that whoever displays them knows."""
        text = str(self)
        try:
            return {"image/svg+xml": self.svg(), "text/plain": text}
        except DiagnosticError as fault:
            hint = f"{fault.diagnostics[0].message}. This is the same for Mermaid:"
            return {"text/markdown": f"{hint}\n\n```mermaid\n{text}```\n", "text/plain": text}


def graph(
    shown: Program | Function,
    *,
    loops: bool = False,
    dominators: bool = False,
    tree: bool = False,
    bodies: bool = True,
) -> Graph:
    """The graph of a program, or of a function.

    There are boxes around `loops` and arrows for `dominators` if these are wanted; `tree` shows the dominator tree
    alone. Without `bodies`, continuations show names and parameters alone.
    """
    program = shown if isinstance(shown, Program) else Program([shown])
    view = View(loops=loops, dominators=dominators or tree, bodies=bodies, edges=not tree)
    return Graph(picture(program, view))
