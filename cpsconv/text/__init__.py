"""The CPS language: `pretty` shows a program, `parse` reads a text, `reformat` lays one out anew.

`names` tells what things are called in a text, `excerpt` shows a few lines of one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from cpsconv.text.plan import names
from cpsconv.text.printer import excerpt, pretty, pretty_lines

if TYPE_CHECKING:
    from cpsconv.text.formatter import reformat
    from cpsconv.text.parser import parse

__all__ = ["excerpt", "names", "parse", "pretty", "pretty_lines", "reformat"]


def __getattr__(name: str) -> Any:
    """`parse` and `reformat` load the parser, which most commands do without."""
    homes = {"parse": "cpsconv.text.parser", "reformat": "cpsconv.text.formatter"}
    if name not in homes:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(homes[name]), name)
