"""The front end for C: a subset of C17, from text to a CPS program."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cpsconv.construction import Builder
from cpsconv.frontends.c.lowering import lower
from cpsconv.frontends.c.syntax import parse
from cpsconv.ir import Program
from cpsconv.source import Diagnostic, Source


def read(source: Source) -> Callable[[Builder, list[Diagnostic]], Program]:
    """Parse a C source. What makes a program of it raises `DiagnosticError`, too, and adds warnings to its list."""
    return partial(lower, parse(source))
