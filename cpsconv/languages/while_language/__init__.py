"""The front end for While, the language of textbooks on semantics (docs/while.md).

A program is the function of its free variables, and prints its final state. Three stages: `syntax` parses the text;
`meaning` counts the jumps to labels, and finds the types of the variables; `lowering` finds the variables that are not
definitely assigned, and constructs the program.
"""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.core.construction import Builder
from cpsconv.core.ir import Program
from cpsconv.core.source import Diagnostic, Source
from cpsconv.languages.while_language.lowering import Lowering, free_variables
from cpsconv.languages.while_language.meaning import analysed
from cpsconv.languages.while_language.syntax import RULES

__all__ = ["RULES", "read"]


def read(source: Source) -> Callable[[Builder, list[Diagnostic]], Program]:
    """Parse and analyse a source. Returns its lowering. Raises `DiagnosticError` with all errors of the source."""
    program = analysed(source)
    free = free_variables(program)

    def lowering(builder: Builder, warnings: list[Diagnostic]) -> Program:
        warnings += program.warnings
        return Program([Lowering(program, builder).function(free)], source)

    return lowering
