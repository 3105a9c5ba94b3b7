"""What is found wrong while a C text is read."""

from __future__ import annotations

from cpsconv.source import Diagnostic, Span, error

MOST_FAULTS = 20


class TooManyFaultsError(Exception):
    """`MOST_FAULTS` have been found: it is better to stop reading."""


class Faults:
    """The errors found so far, in the order in which they were found."""

    def __init__(self) -> None:
        self.found: list[Diagnostic] = []
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
        """Record an error. Raises `TooManyFaultsError` instead if there are too many already."""
        if len(self.found) == MOST_FAULTS:
            self.found.append(error("too many errors; what follows has not been looked at", span))
            raise TooManyFaultsError
        self.found.append(error(message, span, help=help, notes=notes))

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
        self.add(f"{subject} not supported yet", span)
        if use:
            self._used[subject] = self.found[-1]

    def withdraw(self, subject: str) -> None:
        """Forget that something was said to be unsupported: it was not what it looked like."""
        self.found = [fault for fault in self.found if fault.message != f"{subject} not supported yet"]
