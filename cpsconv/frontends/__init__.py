"""The languages that can be converted."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from cpsconv.build import Builder
from cpsconv.ir import Program
from cpsconv.source import Diagnostic, Source

FrontEnd = Callable[[Source, Builder, "list[Diagnostic]"], Program]
"""From a source to a program, made with the Builder. Adds warnings to the list, raises `DiagnosticError`."""

Lowering = Callable[[Builder, "list[Diagnostic]"], Program]
"""The same for a source that has been read already. It can be called again and again."""

_SUFFIXES = {".c": "c"}

LANGUAGES: tuple[str, ...] = ("c",)
"""The names of the languages; each is that of a package here with functions `convert` and `read`."""


def language_of(path: str) -> str | None:
    """The language that a file's suffix stands for, if it stands for one."""
    return _SUFFIXES.get(Path(path).suffix)


def front_end(language: str) -> FrontEnd:
    """The front end for one of `LANGUAGES`; loaded only now, since a grammar takes its time."""
    convert: FrontEnd = import_module(f"{__name__}.{language}").convert
    return convert


def read(language: str, source: Source) -> Lowering:
    """Parse the source, and no more: for those who construct its program several times. Raises `DiagnosticError`."""
    lowering: Lowering = import_module(f"{__name__}.{language}").read(source)
    return lowering
