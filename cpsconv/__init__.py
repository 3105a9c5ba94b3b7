"""cpsconv: imperative programs, converted directly to continuation-passing style.

>>> from cpsconv import Source, convert, pretty
>>> source = Source("double.c", "int twice(int x) { return x + x; }")
>>> print(pretty(convert(source)), end="")
twice(x : int, ret : int → ⊥) → ⊥ {
  ret(x + x)
}

`convert` makes a program from a source text, `pretty` makes CPS text of it, `parse` reads that back, `evaluate` runs
it, `graph` draws it. Wrong input raises a `DiagnosticError`. With a `Builder`, programs are made from any other
language. `ir` says what a program is made of. In a notebook, programs show themselves.
"""

import sys
from typing import TYPE_CHECKING, Any

from cpsconv import ir
from cpsconv.build import Builder, Variable
from cpsconv.convert import convert
from cpsconv.evaluate import evaluate
from cpsconv.ir import Program
from cpsconv.source import Diagnostic, DiagnosticError, Source, read_source

if TYPE_CHECKING:
    from cpsconv.emit.graphviz import graph
    from cpsconv.notebook import load_ipython_extension
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
    "graph",
    "ir",
    "load_ipython_extension",
    "parse",
    "pretty",
    "read_source",
]

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """What is imported only when it is wanted, since it, or the libraries that it needs, take their time (PEP 562)."""
    if name in ("parse", "pretty"):
        from cpsconv import text

        return getattr(text, name)
    if name == "graph":
        from cpsconv.emit.graphviz import graph

        return graph
    if name == "load_ipython_extension":
        from cpsconv.notebook import load_ipython_extension

        return load_ipython_extension
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


if sys.modules.get("IPython"):  # this may be a notebook, where programs show themselves
    from cpsconv import notebook

    notebook.show_programs()
