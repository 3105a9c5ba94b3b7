"""Pictures in formats that are looked at, drawn by Graphviz (https://graphviz.org): its command `dot` does the work."""

from __future__ import annotations

import subprocess

from cpsconv.emit.dot import dot
from cpsconv.emit.picture import View, picture
from cpsconv.ir import Function, Program
from cpsconv.source import DiagnosticError, error

_OPTIONS = {"svg": [], "png": ["-Gdpi=144"], "pdf": []}

FORMATS = (*_OPTIONS,)
"""What Graphviz is asked for."""


def draw(text: str, format: str) -> bytes:
    """The picture that a DOT text describes, in one of `FORMATS`.

    Raises `DiagnosticError` where Graphviz is not installed, or fails.
    """
    try:
        done = subprocess.run(
            ["dot", f"-T{format}", *_OPTIONS[format]],
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


def svg(
    program: Program,
    function: Function | None = None,
    *,
    loops: bool = False,
    dominators: bool = False,
    bodies: bool = True,
) -> str:
    """The picture of a program, or of one `function` of it, as SVG text, for a web page or a notebook.

    There are boxes around `loops` and arrows for `dominators` if these are wanted; without `bodies`, continuations
    show names and parameters alone. Raises `DiagnosticError` where Graphviz is not installed, or fails.
    """
    view = View(loops=loops, dominators=dominators, bodies=bodies)
    return draw(dot(picture(program, view, function)), "svg").decode("utf-8")
