"""The errors and warnings found in a C source: the lists that reading and lowering fill, and spelling suggestions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cpsconv.ir import Scalar, Undef, Value
from cpsconv.source import (
    MAX_ERRORS,
    Diagnostic,
    DiagnosticError,
    Note,
    Span,
    did_you_mean,
    error,
    nearest,
    too_many_errors,
    warning,
)


def _printable(message: str) -> str:
    """The message with unprintable characters of quoted source text as escape sequences."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in message)


# ---------------------------------------------------------------------------------------------------------- reading


class TooManyErrors(Exception):
    """`MAX_ERRORS` errors were found: reading stops."""


class SyntaxErrors:
    """The errors found while reading, in the order of discovery."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self._starts: set[int] = set()
        self._unsupported: set[str] = set()
        self._used: dict[str, Diagnostic] = {}

    def report(self, message: str, span: Span, *, help: str | None = None, notes: Sequence[Note] = ()) -> None:
        """Record an error, unless an error with the same start is recorded already: this one may follow from it.

        Raises `TooManyErrors` if the limit is reached, and records that fact instead of the error.
        """
        if span.start in self._starts:
            return
        self._starts.add(span.start)
        if len(self.found) == MAX_ERRORS - 1:
            self.found.append(too_many_errors(span))
            raise TooManyErrors
        self.found.append(error(_printable(message), span, help=help, notes=notes))

    def report_unsupported(self, subject: str, span: Span, *, use: bool = False) -> None:
        """Record that a feature of C is not supported yet; `subject` ends with its verb: ``arrays are``.

        With `use`, the span uses the feature without declaring anything. One such error is recorded for a subject, and
        replaced as soon as a declaration with the feature is reported: uses follow declarations.
        """
        if use and subject in self._unsupported:
            return
        if subject in self._used:
            self.found.remove(self._used.pop(subject))
        self._unsupported.add(subject)
        known = len(self.found)
        self.report(f"{subject} not supported yet", span)
        if use and len(self.found) > known:
            self._used[subject] = self.found[-1]

    def withdraw_unsupported(self, subject: str) -> None:
        """Remove the errors that `report_unsupported` recorded for the subject."""
        self.found = [each for each in self.found if each.message != f"{subject} not supported yet"]


# --------------------------------------------------------------------------------------------------------- lowering

POISON: Value = Undef(Scalar("unknown", "void"), "unknown")
"""The value of an erroneous expression. Computations with it report no further errors."""

_MAX_SUGGESTIONS = 20  # a search for a similar name takes time in proportion to the number of names


class SemanticErrors:
    """The errors and warnings found while lowering, which continues after an error to find the others."""

    def __init__(self) -> None:
        self.warnings: list[Diagnostic] = []
        self._errors: list[Diagnostic] = []
        self._suggestions = 0

    def report(
        self, message: str, span: Span, *, help: str | None = None, note: tuple[str, Span] | None = None
    ) -> Value:
        """Record an error. Returns `POISON`, the value of the erroneous expression."""
        self._errors.append(error(_printable(message), span, help=help, notes=[note] if note else ()))
        return POISON

    def warn(self, message: str, span: Span) -> None:
        """Record a warning."""
        self.warnings.append(warning(message, span))

    def raise_if_any(self) -> None:
        """Raise `DiagnosticError` with all errors and warnings, if there are errors."""
        if self._errors:
            raise DiagnosticError([*self._errors, *self.warnings])

    def suggestion(self, name: str, names: Iterable[str]) -> str | None:
        """The help text that proposes the one of `names` most similar to `name`, if one is similar."""
        self._suggestions += 1
        if self._suggestions > _MAX_SUGGESTIONS:
            return None
        return did_you_mean(name, [other for other in names if other != name])


# ------------------------------------------------------------------------------------------------------ misspellings

STATEMENT_KEYWORDS = frozenset(
    ["break", "case", "continue", "default", "do", "else", "for", "goto", "if", "return", "switch", "while"]
)
"""The keywords of statements."""

_CERTAIN_SIMILARITY = 0.8  # of 1: a few letters are swapped, missing or added


def misspelt_keyword(name: str) -> str | None:
    """The keyword of a statement of which `name` is a misspelling, if any."""
    return misspelt(name, sorted(STATEMENT_KEYWORDS))


def misspelt(name: str, words: Iterable[str]) -> str | None:
    """The one of `words` that has the same letters as `name`, or else is very similar, if any."""
    permuted = [word for word in words if sorted(word) == sorted(name) and word != name]
    return permuted[0] if permuted else nearest(name, words, _CERTAIN_SIMILARITY)
