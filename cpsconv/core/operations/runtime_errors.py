"""The errors of a running program, and the run-time value of `Undef`, whose use is such an error."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from cpsconv.core.ir import Undef
from cpsconv.core.operations.memory_messages import without_file
from cpsconv.core.operations.names import RELEASE
from cpsconv.core.source import Diagnostic, Note, Span


class ProgramError(Exception):
    """An error of the running program. `diagnostic` has the message, and the span of the statement or transfer.

    `rule` is the rule of the diagnostics of the class.
    """

    rule = ""

    def __init__(self, message: str, notes: Sequence[Note] = ()) -> None:
        super().__init__(message)
        self.diagnostic = Diagnostic("runtime error", message, None, notes, rule=self.rule)

    def __str__(self) -> str:
        return self.diagnostic.render()

    def locate(self, span: Span | None) -> None:
        """Add the location of the error, unless it has one. Its message names no file but others than that."""
        diagnostic = self.diagnostic
        diagnostic.span = diagnostic.span or span
        if diagnostic.span:
            diagnostic.message = without_file(diagnostic.message, diagnostic.span.file)
            self.args = (diagnostic.message,)


class DivisionError(ProgramError):
    """An integer was divided by zero, or the quotient is out of range."""

    rule = "division"


class UndefinedError(ProgramError):
    """An unassigned variable was used."""

    rule = "uninitialized"


class FormatError(ProgramError):
    """A format does not fit its arguments."""

    rule = "format"


class BoundsError(ProgramError):
    """Memory was accessed outside of an object."""

    rule = "bounds"


class NullPointerError(ProgramError):
    """A null pointer was dereferenced."""

    rule = "null-pointer"


class LifetimeError(ProgramError):
    """An object was accessed, released or deallocated after the end of its lifetime."""

    rule = "lifetime"


class CallError(ProgramError):
    """A pointer was called that does not point to a function of the expected type."""

    rule = "call"


class AbortError(ProgramError):
    """The program aborts after it has printed a text, the message."""

    rule = "abort"


class JumpError(ProgramError):
    """A saved continuation cannot be entered: there is none, or the call that saved it has ended."""

    rule = "jump"


class ConstantError(ProgramError):
    """A constant object was changed."""

    rule = "constant"


class OverlapError(ProgramError):
    """A function of the library copied between places that overlap."""

    rule = "overlap"


class ReleaseError(ProgramError):
    """A pointer was released that is not the start of an object on the heap, or deallocated likewise."""

    rule = RELEASE


class AllocationError(ProgramError):
    """An object cannot be allocated: its size is negative or too large."""

    rule = "allocation"


class StepLimit(ProgramError):
    """The program exceeded its limit of transfers."""

    rule = "limit"


class DepthLimit(ProgramError):
    """The program exceeded its limit of pending calls."""

    rule = "limit"


class MemoryLimit(ProgramError):
    """The program exceeded its limit of memory."""

    rule = "limit"


class OutputLimit(ProgramError):
    """The program exceeded its limit of output."""

    rule = "limit"


class TimeLimit(ProgramError):
    """The program exceeded its limit of processor time."""

    rule = "limit"


class SizeError(ProgramError):
    """A product of unbounded integers is too large."""

    rule = "limit"


class ErrorText(Undef):
    """A text that the program prints before it aborts: its use raises `AbortError`, whose message is the `name`."""


def is_misfit(undef: Undef) -> bool:
    """Whether the value replaces an argument of an unsuitable type, as in ``print("%d", 1.5)``."""
    return undef.name.endswith(")") and ": " in undef.name


def use_of(undef: Undef, certainty: str = "is") -> tuple[str, str]:
    """The message of a use of the value, and the message of the note about its `span`.

    The name ``f()`` denotes the result of a function that ended, at the span, without returning a value; ``f(x)`` the
    parameter `x` of a function that a call, at the span, passes no argument, and ``print(%d)`` that for a format;
    ``print(%d: double)`` the parameter that gets an argument, at the span, of an unsuitable type.
    """
    name = undef.name
    if name.endswith("()"):
        return f"`{name}` returned no value", "the function ended here"
    if name.endswith(")"):
        function, _, parameter = name[:-1].partition("(")
        if is_misfit(undef):
            parameter, _, type = parameter.partition(": ")
            return f"the argument for `{parameter}` of `{function}` has the type `{type}`", "the argument is here"
        return f"the argument for `{parameter}` of `{function}` {certainty} missing", "the function is called here"
    return f"`{name}` {certainty} used uninitialised", "declared here"


class Undefined:
    """The run-time value of an `Undef`. It can be passed on; each operation on it raises `UndefinedError`.

    Every Python operator on an `Undefined` calls one of the methods below, so operations on defined values need no
    check.
    """

    __slots__ = ("undef",)

    def __init__(self, undef: Undef) -> None:
        self.undef = undef

    def use(self, *_: object) -> NoReturn:
        """Raises `UndefinedError`, or the `AbortError` of an `ErrorText`."""
        if isinstance(self.undef, ErrorText):
            raise AbortError(self.undef.name)
        message, note = use_of(self.undef)
        raise UndefinedError(message, [(note, self.undef.span)] if self.undef.span else [])

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = use
    __floordiv__ = __rfloordiv__ = __truediv__ = __rtruediv__ = __mod__ = __rmod__ = use
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = use
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = use
    __lt__ = __le__ = __gt__ = __ge__ = use
    __pos__ = __neg__ = __invert__ = __abs__ = use
    __eq__ = __ne__ = __hash__ = use
    __bool__ = __int__ = __float__ = __index__ = use

    def __repr__(self) -> str:
        return "undef"


def defined(value: Any) -> Any:
    """`value` itself. Raises `UndefinedError` if it is undefined."""
    return value.use() if isinstance(value, Undefined) else value
