"""The CPS language: `pretty` shows a program, `parse` reads a text, `reformat` lays one out anew.

`names` tells what things are called in a text, `excerpt` shows a few lines of one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from cpsconv.lazy import lazily
from cpsconv.text.excerpt import excerpt
from cpsconv.text.names import names
from cpsconv.text.printer import pretty, pretty_lines

if TYPE_CHECKING:
    from cpsconv.text.formatter import reformat
    from cpsconv.text.parser import parse

__all__ = ["excerpt", "names", "parse", "pretty", "pretty_lines", "reformat"]


lazily(__name__, {"parse": "cpsconv.text.parser", "reformat": "cpsconv.text.formatter"})
