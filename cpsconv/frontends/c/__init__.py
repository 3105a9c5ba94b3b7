"""The front end for C: a subset of C17, from text to a CPS program."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cpsconv.build import Builder
from cpsconv.frontends.c.lower import lower
from cpsconv.frontends.c.parse import parse
from cpsconv.ir import Program
from cpsconv.source import Diagnostic, Source


def convert(source: Source, builder: Builder, warnings: list[Diagnostic]) -> Program:
    """The CPS program for a C source; warnings are added to `warnings`. Raises `DiagnosticError`."""
    return read(source)(builder, warnings)


def read(source: Source) -> Callable[[Builder, list[Diagnostic]], Program]:
    """Parse a C source. The result is the rest of `convert`. Raises `DiagnosticError`."""
    return partial(lower, parse(source))
