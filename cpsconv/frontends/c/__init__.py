"""The front end for C: a subset of C17, from text to a CPS program.

Three packages, each of which imports only from those before it:

- `syntax` reads text into a syntax tree: tokens, headers, grammar rules, syntax errors.
- `meaning` evaluates constant expressions and resolves the names of variables and functions.
- `lowering` walks the tree and constructs the program through the Builder.

`types` (C's arithmetic types and conversions) and `diagnostics` (errors and warnings) serve all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cpsconv.construction import Builder
from cpsconv.frontends.c.lowering import lower
from cpsconv.frontends.c.meaning import semantic_errors, typed
from cpsconv.frontends.c.syntax import parse_with_errors
from cpsconv.ir import Program
from cpsconv.source import Diagnostic, DiagnosticError, Source


def read(source: Source) -> Callable[[Builder, list[Diagnostic]], Program]:
    """Parse and type a C source. Returns its lowering, a `cpsconv.frontends.Lowering`.

    Raises `DiagnosticError` if the source has syntax errors or uses unsupported features, with all its errors.
    """
    unit, errors = parse_with_errors(source)
    if errors.found:
        raise DiagnosticError(errors.found + semantic_errors(unit, errors))
    return partial(lower, typed(unit))
