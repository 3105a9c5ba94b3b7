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

from cpsconv import core, platform

core.NAMES.update(platform.NAMES)

TYPE_CHECKING = False  # as in `typing`; an interrupt during imports at this point would have a traceback
if TYPE_CHECKING:
    from typing import Any

    from cpsconv.core import ir
    from cpsconv.core.construction import Builder, BuildError, Variable
    from cpsconv.core.ir import Program
    from cpsconv.core.source import Diagnostic, DiagnosticError, Source, limited_errors, read_source
    from cpsconv.core.text import parse, pretty
    from cpsconv.engines.machine.limits import Limits
    from cpsconv.engines.machine.machine import evaluate
    from cpsconv.notebook import load_ipython_extension
    from cpsconv.pipeline import convert
    from cpsconv.targets.dot import graph

__all__ = [
    "BuildError",
    "Builder",
    "Diagnostic",
    "DiagnosticError",
    "Limits",
    "Program",
    "Source",
    "Variable",
    "convert",
    "evaluate",
    "graph",
    "ir",
    "limited_errors",
    "load_ipython_extension",
    "parse",
    "pretty",
    "read_source",
]

__version__ = "0.1.0"


_NAMES = {
    "cpsconv.core.construction": ("BuildError", "Builder", "Variable"),
    "cpsconv.targets.dot": ("graph",),
    "cpsconv.engines.machine.limits": ("Limits",),
    "cpsconv.engines.machine.machine": ("evaluate",),
    "cpsconv.core.ir": ("Program",),
    "cpsconv.notebook": ("load_ipython_extension",),
    "cpsconv.pipeline": ("convert",),
    "cpsconv.core.source": ("Diagnostic", "DiagnosticError", "Source", "limited_errors", "read_source"),
    "cpsconv.core.text": ("parse", "pretty"),
}
"""The public names that each module defines. A module is loaded when one of its names is first used."""

_MODULES = {name: module for module, names in _NAMES.items() for name in names}


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name == "ir":
        return import_module("cpsconv.core.ir")
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)


def __dir__() -> "list[str]":
    """The public names, also of modules that are not loaded yet: for `dir`, `help` and completion."""
    return sorted({*__all__, "__all__", "__doc__", "__file__", "__name__", "__path__", "__spec__", "__version__"})


if sys.modules.get("IPython"):  # this may be a notebook, which displays programs
    from cpsconv import notebook

    notebook.show_programs()
