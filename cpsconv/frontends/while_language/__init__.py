"""The front end for While, the language of textbooks on semantics (docs/while.md).

A program is the function of its free variables, and prints its final state. Three stages: `syntax` parses the text to
steps, the nodes of a control flow graph with one statement each; `meaning` connects them, and finds the types of the
variables and the variables that are not definitely assigned; `lowering` constructs the program.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cpsconv.construction import Builder
from cpsconv.frontends.while_language.lowering import lower
from cpsconv.frontends.while_language.meaning import analysed
from cpsconv.ir import Program
from cpsconv.source import Diagnostic, Source


def read(source: Source) -> Callable[[Builder, list[Diagnostic]], Program]:
    """Parse and analyse a source. Returns its lowering. Raises `DiagnosticError` with all errors of the source."""
    return partial(lower, analysed(source))
