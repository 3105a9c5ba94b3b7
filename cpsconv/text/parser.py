"""From CPS text to a program, in three steps: read the syntax, give names a meaning, make the program."""

from __future__ import annotations

from cpsconv.ir import Program
from cpsconv.source import Diagnostic, DiagnosticError, Source, in_source_order
from cpsconv.text.elaborate import elaborate
from cpsconv.text.reader import read_syntax
from cpsconv.text.scope import resolve
from cpsconv.text.syntax import FunctionNode


def parse(source: Source, warnings: list[Diagnostic] | None = None) -> Program:
    """The program of a CPS text, nested or flat, in Unicode or ASCII.

    What is suspicious but not wrong is added to `warnings`. Raises `DiagnosticError` with every error found. What can
    only be judged of the program as a whole (`cpsconv.check`) is not.
    """
    return make_program(read_syntax(source), source, warnings)


def make_program(functions: list[FunctionNode], source: Source, warnings: list[Diagnostic] | None = None) -> Program:
    """The program of the syntax that was read, whose nodes are given what they stand for. As `parse` else."""
    diagnostics = resolve(functions, source)
    program, more = elaborate(functions, source)
    diagnostics += more
    if errors := [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]:
        raise DiagnosticError(errors)  # what is never used may just be misspelled where it is
    if warnings is not None:
        warnings += in_source_order(diagnostics)
    return program
