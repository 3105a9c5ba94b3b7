"""The CPS language: `pretty` prints a program, `parse` reads a text, `reformat` formats a text.

`names` gives the names in a function's text, `excerpt` a few lines around an item. Other rooms also use the modules
`spelling` (names and literals), `plan` (names, and values written in place), `layout` (line breaks) and
`expressions`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cpsconv.core.text.plan import names
from cpsconv.core.text.printer import pretty

if TYPE_CHECKING:
    from cpsconv.core.text.excerpts import excerpt
    from cpsconv.core.text.formatter import reformat
    from cpsconv.core.text.parser import parse

__all__ = ["excerpt", "names", "parse", "pretty", "reformat"]


_HOMES = {"excerpt": "excerpts", "parse": "parser", "reformat": "formatter"}


def __getattr__(name: str) -> Any:
    """The functions that most commands do not need, loaded on first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
