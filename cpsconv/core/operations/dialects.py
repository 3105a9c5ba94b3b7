"""Dialects: the execution of foreign operations, in the small evaluator and in engines that use it.

A language registers its dialect in `cpsconv.core.operations.table.DIALECTS`. A foreign operation without a dialect has
no meaning: a run ends at it, with an error that names it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, NamedTuple, Protocol

from cpsconv.core.ir import Effect, Function, Program, Type
from cpsconv.core.operations.runtime_errors import ProgramError, defined
from cpsconv.core.operations.table import DIALECTS


class Host(NamedTuple):
    """What a run provides to dialects: the function at a pointer, calls of functions, and standard output."""

    program: Program
    function_at: Callable[[int], Function | None]
    call: Callable[[Function, Sequence[Any]], Any]
    write: Callable[[bytes], object]


class Dialect(Protocol):
    """The foreign operations of a language in the run of a `Host`, for which the dialect is created."""

    def operation(self, text: str) -> Callable[..., Any]:
        """The function from the values of the operands to the result.

        It raises `ProgramError` for an error of the program. If it has no meaning, it raises `NotImplementedError`,
        perhaps with a reason.
        """

    def transfer(self, text: str, targets: int) -> Callable[..., int]:
        """Likewise, to the number of the target that the transfer enters, from 0. Without one, it raises an error."""

    def shown(self, value: Any) -> str:
        """The text of a value of a foreign type."""


TARGETS = "targets"
"""The attribute of an effect that replaces a foreign transfer in a run: the number of its targets."""


class ForeignError(ProgramError):
    """A foreign operation has no meaning, or none for these values."""

    rule = "foreign"


_UNSUITABLE = (AttributeError, LookupError, TypeError, ValueError)
"""What the function of an operation raises for operands of another number or kind."""


class ForeignOperations:
    """The foreign operations of one run."""

    def __init__(self, host: Host) -> None:
        def call(function: Function, arguments: Sequence[Any]) -> Any:
            if len(arguments) + (function.return_continuation is not None) != len(function.parameters):
                raise TypeError("a wrong number of arguments")
            try:
                return host.call(function, arguments)
            except _UNSUITABLE as fault:  # of an engine, not of the operands
                raise RuntimeError(f"a call of `{function.name}` failed") from fault

        self._host = host._replace(call=call)
        self._dialects: dict[object, Dialect] = {}

    def effect(self, effect: Effect, function: str) -> Callable[..., Any]:
        """As `action`, for a foreign effect, which may replace a transfer."""
        targets = effect.attributes.get(TARGETS)
        return self.action(str(effect.of), function, targets if isinstance(targets, int) else None)

    def action(self, text: str, function: str, targets: int | None = None) -> Callable[..., Any]:
        """The function from the operands of an operation to its result, or to the number of one of so many targets.

        The operation is in that function of the program.
        """
        dialect = self._dialect(text)
        if not dialect:
            compute: Callable[..., Any] = _no_meaning
        else:
            compute = dialect.operation(text) if targets is None else dialect.transfer(text, targets)

        def action(*operands: Any) -> Any:
            try:
                return compute(*map(defined, operands))
            except NotImplementedError as failure:
                reason = f", {failure}" if failure.args else ""
                raise ForeignError(f"`{function}` reaches the foreign operation `{text}`{reason}") from None
            except _UNSUITABLE as failure:  # of a text that is not from a front end
                raise ForeignError(f"`{function}` reaches `{text}` with unsuitable operands") from failure

        return action

    def shown(self, type: Type, value: Any) -> str:
        """The text of a value of a foreign type."""
        dialect = self._dialect(str(type))
        return dialect.shown(value) if dialect else str(value)

    def _dialect(self, text: str) -> Dialect | None:
        create = dialect_of(text)
        if create and create not in self._dialects:
            if isinstance(create, str):
                module, _, name = create.partition(":")
                self._dialects[create] = getattr(import_module(module), name)(self._host)
            else:
                self._dialects[create] = create(self._host)
        return self._dialects[create] if create else None


def dialect_of(text: str) -> str | Callable[[Host], Dialect] | None:
    """What creates the dialect of the foreign operation or type; None without one."""
    return DIALECTS.get(text.lstrip("$`").partition(".")[0])


def _no_meaning(*_: Any) -> Any:
    raise NotImplementedError
