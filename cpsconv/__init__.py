"""cpsconv: imperative programs, converted directly to continuation-passing style.

>>> from cpsconv import Source, convert, pretty
>>> source = Source("double.c", "int twice(int x) { return x + x; }")
>>> print(pretty(convert(source)), end="")
twice(x : int, ret : int → ⊥) → ⊥ {
  ret(x + x)
}

`convert` makes a program from a source text, `pretty` makes CPS text of it, `parse` reads that back, `evaluate` runs
it, `svg` draws it. Wrong input raises a `DiagnosticError`. With a `Builder`, programs are made from any other language.
`ir` says what a program is made of.
"""

from typing import TYPE_CHECKING, Any

from cpsconv import ir
from cpsconv.build import Builder, Variable
from cpsconv.convert import convert
from cpsconv.evaluate import evaluate
from cpsconv.ir import Program
from cpsconv.source import Diagnostic, DiagnosticError, Source, read_source

if TYPE_CHECKING:
    from cpsconv.emit.graphviz import svg
    from cpsconv.text import parse, pretty

__all__ = [
    "Builder",
    "Diagnostic",
    "DiagnosticError",
    "Program",
    "Source",
    "Variable",
    "convert",
    "evaluate",
    "ir",
    "parse",
    "pretty",
    "read_source",
    "svg",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """What is imported only when it is wanted, since it, or the libraries that it needs, take their time (PEP 562)."""
    if name in ("parse", "pretty"):
        from cpsconv import text

        return getattr(text, name)
    if name == "svg":
        from cpsconv.emit.graphviz import svg

        return svg
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
