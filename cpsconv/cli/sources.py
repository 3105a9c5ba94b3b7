"""What commands read: programs, with their warnings shown."""

from __future__ import annotations

from os.path import splitext
from typing import Any

from cpsconv.cli import progress, streams
from cpsconv.frontends import CPS, language_of
from cpsconv.ir import Program
from cpsconv.pipeline import convert
from cpsconv.source import Diagnostic, DiagnosticError, Source, error, in_source_order, read_source


def converted(source: Source, **given: Any) -> Program:
    """The program in a source, when its warnings have been shown; `given` is for `convert`."""
    warnings: list[Diagnostic] = []
    with progress.shown():
        program = convert(source, warnings=warnings, **given)
    streams.complain(in_source_order(warnings))
    return program


def read_cps_text(file: str) -> Source:
    """The source, of which the suffix does not speak against CPS text."""
    source = read_source(file)
    language = language_of(source.name)
    if language not in (None, CPS):
        cure = "`cpsconv convert` makes CPS text of it, and `cpsconv run` runs it"
        raise DiagnosticError([error(f"{source.name}: is not CPS text", help=cure)])
    if language is None and splitext(source.name)[1]:
        cure = "call it `….cps`, or give it as standard input"
        raise DiagnosticError([error(f"{source.name}: the name does not tell that this is CPS text", help=cure)])
    return source
