"""What is found wrong while a C text is read."""

from __future__ import annotations

from cpsconv.source import MAX_ERRORS, Diagnostic, Span, error, too_many_errors


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
