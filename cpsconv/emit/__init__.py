"""What a program can be turned into: CPS text, φ form, other languages, JSON, pictures; one module a target."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from cpsconv.ir import Program

__all__ = ["PICTURES", "TARGETS", "Style"]


class Style(NamedTuple):
    """How a text is laid out. A target heeds what applies to it."""

    layout: Literal["nested", "flat"] = "nested"
    ascii: bool = False
    width: int = 80


Target = Callable[[Program, Style], str]


def _cps(program: Program, style: Style) -> str:
    from cpsconv.text import pretty  # imported here, as that takes prettyprinter along

    return pretty(program, layout=style.layout, ascii=style.ascii, width=style.width)


def _ssa(program: Program, style: Style) -> str:
    from cpsconv.emit.ssa import ssa

    return ssa(program, ascii=style.ascii, width=style.width)


def _json(program: Program, style: Style) -> str:
    from cpsconv.json.writer import to_json

    return to_json(program)


def _latex(program: Program, style: Style) -> str:
    from cpsconv.emit.latex import latex

    return latex(program, layout=style.layout, width=style.width)


def _mermaid(program: Program, style: Style) -> str:
    from cpsconv.emit.mermaid import mermaid
    from cpsconv.emit.picture import View, picture

    return mermaid(picture(program, View(ascii=style.ascii)))


def _llvm(program: Program, style: Style) -> str:
    from cpsconv.emit.llvm import llvm

    return llvm(program, ascii=style.ascii)


def _c(program: Program, style: Style) -> str:
    from cpsconv.emit.c import c

    return c(program)


def _scheme(program: Program, style: Style) -> str:
    from cpsconv.emit.functional.scheme import scheme

    return scheme(program, width=style.width)


def _javascript(program: Program, style: Style) -> str:
    from cpsconv.emit.functional.javascript import javascript

    return javascript(program, width=style.width)


def _python(program: Program, style: Style) -> str:
    from cpsconv.emit.functional.python import python

    return python(program, width=style.width)


def _ocaml(program: Program, style: Style) -> str:
    from cpsconv.emit.functional.ocaml import ocaml

    return ocaml(program, width=style.width)


def _haskell(program: Program, style: Style) -> str:
    from cpsconv.emit.functional.haskell import haskell

    return haskell(program, width=style.width)


TARGETS: dict[str, Target] = {
    "cps": _cps,
    "ssa": _ssa,
    "c": _c,
    "llvm": _llvm,
    "scheme": _scheme,
    "javascript": _javascript,
    "python": _python,
    "ocaml": _ocaml,
    "haskell": _haskell,
    "json": _json,
    "latex": _latex,
    "mermaid": _mermaid,
}
"""From the name of a target to the function that writes a program in that form."""

PICTURES = {
    ".dot": "dot",
    ".gv": "dot",
    ".mermaid": "mermaid",
    ".mmd": "mermaid",
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
}
"""From the suffix of a file to the format of the picture in it. What is no text is drawn by Graphviz."""
