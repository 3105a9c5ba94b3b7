"""The conversion of imperative programs directly to continuation-passing style.

>>> from cpsconv import Source, convert, pretty
>>> source = Source("double.c", "int twice(int x) { return x + x; }")
>>> print(pretty(convert(source)), end="")
twice(x : int, ret : int → ⊥) → ⊥ {
  ret(x + x)
}

`convert` converts a source text to a program, `pretty` prints it as CPS text, `parse` reads that text, `evaluate` runs
a program, `graph` draws it. Errors in the input raise `DiagnosticError`. A front end for another language constructs
programs with a `Builder`. `ir` defines the parts of programs. Notebooks display programs as pictures and text.
"""

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cpsconv import ir
    from cpsconv.construction import Builder, Variable
    from cpsconv.emit.graphviz import graph
    from cpsconv.evaluator import evaluate
    from cpsconv.ir import Program
    from cpsconv.notebook import load_ipython_extension
    from cpsconv.pipeline import convert
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


_HOMES = {
    "Builder": "cpsconv.construction",
    "Diagnostic": "cpsconv.source",
    "DiagnosticError": "cpsconv.source",
    "Program": "cpsconv.ir",
    "Source": "cpsconv.source",
    "Variable": "cpsconv.construction",
    "convert": "cpsconv.pipeline",
    "evaluate": "cpsconv.evaluator",
    "graph": "cpsconv.emit.graphviz",
    "load_ipython_extension": "cpsconv.notebook",
    "parse": "cpsconv.text",
    "pretty": "cpsconv.text",
    "read_source": "cpsconv.source",
}
"""The module that defines each public name. A module is loaded when one of its names is first used."""


def __getattr__(name: str) -> Any:
    if name == "ir":
        return import_module("cpsconv.ir")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


if sys.modules.get("IPython"):  # this may be a notebook, which displays programs
    from cpsconv import notebook

    notebook.show_programs()
