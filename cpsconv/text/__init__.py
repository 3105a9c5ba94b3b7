"""The CPS language: `pretty` shows a program, `parse` reads a text, `names` tells what things are called in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cpsconv.text.names import names
    from cpsconv.text.parser import parse
    from cpsconv.text.printer import pretty, pretty_lines

__all__ = ["names", "parse", "pretty", "pretty_lines"]

_MODULES = {"names": "names", "parse": "parser", "pretty": "printer", "pretty_lines": "printer"}


def __getattr__(name: str) -> Any:
    """Import late what is used: reading and laying out need packages that take their time."""
    from importlib import import_module

    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
