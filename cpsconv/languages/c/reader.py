"""The reader of C: from a source text to its lowering, through the stages in `cpsconv.languages.c`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from cpsconv.core.construction import Builder
from cpsconv.core.ir import Program
from cpsconv.core.source import Diagnostic, DiagnosticError, Source
from cpsconv.languages.c.diagnostics import RULES
from cpsconv.languages.c.lowering import lower
from cpsconv.languages.c.meaning import semantic_errors, typed
from cpsconv.languages.c.meaning.typed_tree import Unit
from cpsconv.languages.c.preprocessor import preprocessed
from cpsconv.languages.c.preprocessor.settings import current_settings, preprocessing
from cpsconv.languages.c.syntax import parse_with_errors

__all__ = ["RULES", "read"]


def read(source: Source) -> Callable[[Builder, list[Diagnostic]], Program]:
    """Parse and type a C source. Returns its lowering, a `cpsconv.languages.Lowering`.

    Raises `DiagnosticError` if the source has syntax errors or uses unsupported features, with all its errors.
    """
    unit, errors = _typed(source)
    assumed = unit.assumed if unit else ()
    lacks_names = assumed or any(each.rule in _MISSING for each in errors)
    if lacks_names and re.search(r"(?m)^[ \t]*#[ \t]*include", source.text):
        with preprocessing(current_settings()._replace(is_extended=True)):
            extended, remaining = _typed(source)
        if (len(remaining), len(extended.assumed if extended else ())) < (len(errors), len(assumed)):
            unit, errors = extended, remaining
    if unit is None:
        raise DiagnosticError(errors)
    return partial(lower, unit)


_MISSING = frozenset(["undeclared", "unknown-type", "no-field", "syntax"])
"""The rules of errors that the system's files for known headers may correct, since they declare further names."""


def _typed(source: Source) -> tuple[Unit | None, list[Diagnostic]]:
    """The typed tree, or None if the source has syntax errors; and the errors. Raises `DiagnosticError`."""
    warnings: list[Diagnostic] = []
    tree, errors = parse_with_errors(preprocessed(source, warnings))
    errors.warnings[:0] = warnings
    if errors.found:
        return None, errors.found + semantic_errors(tree, errors)
    unit = typed(tree)
    return unit, unit.errors
