"""The CPS language: `pretty` prints a program, `parse` reads a text, `reformat` formats a text.

`names` gives the names in a function's text, `excerpt` a few lines around an item. Other rooms also use the modules
`spelling` (names and literals), `plan` (names, and values written in place), `layout` (line breaks) and
`printer.Expressions`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cpsconv.core.text.plan import names
from cpsconv.core.text.printer import excerpt, pretty, pretty_lines

if TYPE_CHECKING:
    from cpsconv.core.text.formatter import reformat
    from cpsconv.core.text.parser import parse

__all__ = ["excerpt", "names", "parse", "pretty", "pretty_lines", "reformat"]


def __getattr__(name: str) -> Any:
    """`parse` and `reformat`, loaded on first use: most commands need no parser."""
    homes = {"parse": "cpsconv.core.text.parser", "reformat": "cpsconv.core.text.formatter"}
    if name not in homes:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(homes[name]), name)
