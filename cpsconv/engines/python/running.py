"""What a program that was compiled to Python finds around it, and how it ends."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from types import CodeType
from typing import Any, NoReturn

from cpsconv.entry import Data, accepted, return_type
from cpsconv.evaluator import ByteStream, Outcome
from cpsconv.evaluator.effects import Effects
from cpsconv.evaluator.machine import outcome_of
from cpsconv.evaluator.values import Ended
from cpsconv.ir import Function
from cpsconv.operations.runtime_errors import ProgramError, Undefined, defined
from cpsconv.source import Span

_DEEPEST = 1_100_000
"""How many calls may be within each other. They take some hundred megabytes, and several times as much if they fail."""

_STACK = 1 << 30
"""The bytes of stack that they take in a Python whose calls use the stack of C."""


@dataclass(frozen=True)
class Compiled:
    """A program as Python: its code, what that refers to, and the name of the function to start with."""

    code: CodeType
    names: dict[str, Any]
    name: str
    entry: Function

    def __call__(self, arguments: Sequence[Data], *, output: ByteStream, errors: ByteStream) -> Outcome:
        """Run it, as `cpsconv.evaluator.evaluate` does. Raises `MemoryError` where recursion is too deep."""
        world = _World(output, errors)
        names = {**self.names, **world.names()}
        exec(self.code, names)
        try:
            value = _deeply(names[self.name], accepted(self.entry, arguments))
            return outcome_of(world.returned(value, self.entry), self.entry)
        except Ended as end:
            return outcome_of(end, self.entry)
        except (RecursionError, SystemError):  # the latter is what Python 3.11 raises if there is no room for a call
            raise MemoryError from None
        finally:
            output.flush()
            errors.flush()


def _deeply(function: Callable[..., Any], arguments: Sequence[Data]) -> Any:
    """Call a function within which calls may be nested deeply."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEEPEST))
    try:
        return function(*arguments) if sys.version_info >= (3, 11) else _on_large_stack(function, arguments)
    finally:
        sys.setrecursionlimit(before)


def _on_large_stack(function: Callable[..., Any], arguments: Sequence[Data]) -> Any:
    """Call a function in a thread that has one."""
    result: Future[Any] = Future()

    def call() -> None:
        try:
            result.set_result(function(*arguments))
        except BaseException as failure:
            result.set_exception(failure)

    before = threading.stack_size(_STACK)
    try:
        threading.Thread(target=call, daemon=True).start()
    finally:
        threading.stack_size(before)
    return result.result()


class _World:
    """The functions that a program calls, beside its own."""

    def __init__(self, output: ByteStream, errors: ByteStream) -> None:
        self._effects = Effects(output, errors)
        self._output = output
        self._last: Span | None = None

    def names(self) -> dict[str, Any]:
        """What the program calls them."""
        effects = self._effects
        own = {"printf": self._printf, "use": _use, "last": self._last_returned, "exit": self._exit, "abort": _abort}
        outer = {"puts": effects.puts, "putchar": effects.putchar, "eprint": effects.eprint}
        return {**own, **outer, "write": self._output.write}

    def _printf(self, place: Span | None, format: str, *arguments: Any) -> int:
        try:
            return self._effects.printf(format, *arguments)
        except ProgramError as fault:
            fault.diagnostic.span = place
            raise

    def _last_returned(self, value: Any, place: Span | None) -> Any:
        """The value, which may be undefined and then is not used as long as a function of the program gets it."""
        if isinstance(value, Undefined):
            self._last = place
        return value

    def returned(self, value: Any, function: Function) -> Ended:
        """The end of a run, when the function that it began with has returned."""
        returned = return_type(function)
        return Ended("return", [_use(value, self._last)] if returned and returned.parameters else [])

    def _exit(self, status: int) -> NoReturn:
        raise Ended("halt", [_use(status, self._last)])


def _abort() -> NoReturn:
    raise Ended("abort", [])


def _use(value: Any, place: Span | None) -> Any:
    """The value itself. Raises `UndefinedError`, with the place, where it is undefined."""
    try:
        return defined(value)
    except ProgramError as fault:
        fault.diagnostic.span = place
        raise
