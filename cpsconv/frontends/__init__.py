"""The languages that can be converted."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from os.path import splitext

from cpsconv.build import Builder
from cpsconv.ir import Program
from cpsconv.source import Diagnostic, Source

Lowering = Callable[[Builder, "list[Diagnostic]"], Program]
"""From a source that has been read to a program, made with the Builder. It can be called again and again.

Adds warnings to the list, raises `DiagnosticError`.
"""

_SUFFIXES = {".c": "c"}

LANGUAGES: tuple[str, ...] = ("c",)
"""The names of the languages; each is that of a package here with a function `read`."""


def language_of(path: str) -> str | None:
    """The language that a file's suffix stands for, if it stands for one."""
    return _SUFFIXES.get(splitext(path)[1])


def read(language: str, source: Source) -> Lowering:
    """Parse the source. Raises `DiagnosticError`. The front end is loaded only now, since a grammar takes its time."""
    lowering: Lowering = import_module(f"{__name__}.{language}").read(source)
    return lowering
