"""What is found wrong while a C text is read."""

from __future__ import annotations

from collections.abc import Iterable

from cpsconv.ir import Scalar, Undef, Value
from cpsconv.source import (
    MAX_ERRORS,
    Diagnostic,
    DiagnosticError,
    Span,
    did_you_mean,
    error,
    nearest,
    too_many_errors,
    warning,
)


def visible(message: str) -> str:
    """The message, with what cannot be printed of the text that it quotes as an escape sequence."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in message)


class TooManyFaultsError(Exception):
    """There are `MAX_ERRORS` errors: it is better to stop reading."""


class Faults:
    """The errors found so far, in the order in which they were found."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
        self._starts: set[int] = set()
        self._unsupported: set[str] = set()
        self._used: dict[str, Diagnostic] = {}

    def add(
        self,
        message: str,
        span: Span,
        *,
        help: str | None = None,
        notes: list[tuple[str, Span | None]] | None = None,
    ) -> None:
        """Record an error, unless there is one at the same place already, of which it may be a consequence.

        Raises `TooManyFaultsError` where that makes them too many, and says so in its place.
        """
        if span.start in self._starts:
            return
        self._starts.add(span.start)
        if len(self.found) == MAX_ERRORS - 1:
            self.found.append(too_many_errors(span))
            raise TooManyFaultsError
        self.found.append(error(visible(message), span, help=help, notes=notes))

    def unsupported(self, subject: str, span: Span, *, use: bool = False) -> None:
        """Record that something is C but not supported yet; `subject` ends with its verb: ``arrays are``.

        A mere `use` is recorded only if there is nothing else to say of the subject: where arrays are declared, their
        uses follow.
        """
        if use and subject in self._unsupported:
            return
        if subject in self._used:
            self.found.remove(self._used.pop(subject))
        self._unsupported.add(subject)
        known = len(self.found)
        self.add(f"{subject} not supported yet", span)
        if use and len(self.found) > known:
            self._used[subject] = self.found[-1]

    def withdraw(self, subject: str) -> None:
        """Forget that something was said to be unsupported: it was not what it looked like."""
        self.found = [fault for fault in self.found if fault.message != f"{subject} not supported yet"]


STATEMENT_WORDS = frozenset(
    ["break", "case", "continue", "default", "do", "else", "for", "goto", "if", "return", "switch", "while"]
)
"""The keywords of statements."""

_CERTAIN = 0.8  # of 1: so alike are words of which a few letters are swapped, left out or added


def near_statement(name: str) -> str | None:
    """The keyword of a statement that is almost spelt like `name`, if one is."""
    return certainly_near(name, sorted(STATEMENT_WORDS))


def certainly_near(name: str, words: Iterable[str]) -> str | None:
    """The one of `words` that is almost spelt like `name`, if one is; letters in another order are no difference."""
    permuted = [word for word in words if sorted(word) == sorted(name) and word != name]
    return permuted[0] if permuted else nearest(name, words, _CERTAIN)


POISON: Value = Undef(Scalar("unknown", "void"), "unknown")
"""The value of an expression in which an error was found; what is computed from it gives no further errors."""

_MOST_SUGGESTIONS = 20  # to look for a near name takes time in proportion to all names


class Complaints:
    """The errors and warnings found so far."""

    def __init__(self) -> None:
        self.errors: list[Diagnostic] = []
        self.warnings: list[Diagnostic] = []
        self._suggestions = 0

    def error(
        self,
        message: str,
        span: Span,
        *,
        help: str | None = None,
        note: tuple[str, Span] | None = None,
    ) -> Value:
        """Record an error; gives `POISON`, for the value of the expression that is at fault."""
        self.errors.append(error(visible(message), span, help=help, notes=[note] if note else None))
        return POISON

    def warning(self, message: str, span: Span) -> None:
        """Record a warning."""
        self.warnings.append(warning(message, span))

    def stop(self) -> None:
        """Raise `DiagnosticError` with all that was found, if there is an error in it."""
        if self.errors:
            raise DiagnosticError([*self.errors, *self.warnings])

    def near(self, name: str, names: Iterable[str]) -> str | None:
        """A help line with the one of `names` that resembles `name`, if one does."""
        self._suggestions += 1
        if self._suggestions > _MOST_SUGGESTIONS:
            return None
        return did_you_mean(name, [other for other in names if other != name])
