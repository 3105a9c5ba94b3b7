"""The CPS language: `pretty` shows a program, `parse` reads a text, `reformat` lays one out anew.

`names` tells what things are called in a text, `excerpt` shows a few lines of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from cpsconv.text.excerpt import excerpt
from cpsconv.text.names import names
from cpsconv.text.printer import pretty, pretty_lines

if TYPE_CHECKING:
    from cpsconv.text.formatter import reformat
    from cpsconv.text.parser import parse

__all__ = ["excerpt", "names", "parse", "pretty", "pretty_lines", "reformat"]


def __getattr__(name: str) -> Any:
    """Import the parser when it is asked for: that takes its time, and most who print do not parse."""
    if name == "parse":
        from cpsconv.text.parser import parse

        return parse
    if name == "reformat":
        from cpsconv.text.formatter import reformat

        return reformat
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
