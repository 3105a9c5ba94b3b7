"""How a run goes wrong: runtime errors, and the value that causes one when it is used."""

from __future__ import annotations

from typing import Any, NoReturn

from cpsconv.ir import Undef
from cpsconv.source import Diagnostic, Span


class ProgramError(Exception):
    """The program did what has no meaning. `diagnostic` says what, and where: the statement's or transfer's span.

    The kinds of faults are subclasses.
    """

    def __init__(self, message: str, notes: list[tuple[str, Span | None]] | None = None) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic("runtime error", message, None, notes or [])

    def __str__(self) -> str:
        return self.diagnostic.render()


class DivisionError(ProgramError):
    """An integer was divided by zero, or the quotient is no number of its type."""


class UndefinedError(ProgramError):
    """A variable was used to which nothing was assigned."""


class FormatError(ProgramError):
    """A printf format does not fit its arguments."""


class StepLimit(ProgramError):
    """The program was not done after as many transfers as it was allowed."""


class Undefined:
    """What an `Undef` is at run time. It can be moved around; each operation on it is a fault.

    Python's own dispatch finds the fault: whatever operator is applied to an `Undefined`, one of the methods below
    is called. Thus operations on defined values pay nothing for the check.
    """

    __slots__ = ("undef",)

    def __init__(self, undef: Undef) -> None:
        self.undef = undef

    def use(self, *_: object) -> NoReturn:
        """Raises the fault that the use of this value is."""
        place = self.undef.span
        notes: list[tuple[str, Span | None]] | None = [("declared here", place)] if place else None
        raise UndefinedError(f"`{self.undef.name}` is used uninitialised", notes)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = use
    __floordiv__ = __rfloordiv__ = __truediv__ = __rtruediv__ = __mod__ = __rmod__ = use
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = use
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = use
    __lt__ = __le__ = __gt__ = __ge__ = use
    __neg__ = __invert__ = __abs__ = use
    __eq__ = __ne__ = __hash__ = use
    __bool__ = __int__ = __float__ = __index__ = use

    def __repr__(self) -> str:
        return "undef"


def defined(value: Any) -> Any:
    """`value` itself. Raises `ProgramError` where it is undefined."""
    return value.use() if isinstance(value, Undefined) else value
