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
from typing import TYPE_CHECKING

from cpsconv.lazy import lazily

if TYPE_CHECKING:
    from cpsconv import ir
    from cpsconv.build import Builder, Variable
    from cpsconv.convert import convert
    from cpsconv.emit.graphviz import graph
    from cpsconv.evaluate import evaluate
    from cpsconv.ir import Program
    from cpsconv.notebook import load_ipython_extension
    from cpsconv.source import Diagnostic, DiagnosticError, Source, read_source
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


lazily(
    __name__,
    {
        "Builder": "cpsconv.build",
        "Diagnostic": "cpsconv.source",
        "DiagnosticError": "cpsconv.source",
        "Program": "cpsconv.ir",
        "Source": "cpsconv.source",
        "Variable": "cpsconv.build",
        "convert": "cpsconv.convert",
        "evaluate": "cpsconv.evaluate",
        "graph": "cpsconv.emit.graphviz",
        "ir": "cpsconv.ir",
        "load_ipython_extension": "cpsconv.notebook",
        "parse": "cpsconv.text",
        "pretty": "cpsconv.text",
        "read_source": "cpsconv.source",
    },
)

if sys.modules.get("IPython"):  # this may be a notebook, where programs show themselves
    from cpsconv import notebook

    notebook.show_programs()
