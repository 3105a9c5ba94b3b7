"""What is found wrong while a program is lowered. Lowering goes on after an error, to find the others, too."""

from __future__ import annotations

from collections.abc import Iterable

from cpsconv.frontends.c.faults import visible
from cpsconv.ir import Scalar, Undef, Value
from cpsconv.source import Diagnostic, DiagnosticError, Span, did_you_mean, error, warning

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
