"""The run-time support of a program that was compiled to Python, and its run."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from itertools import repeat
from types import CodeType
from typing import Any, NoReturn

from cpsconv.core.entry import Data, accepted, data_parameters, result_type
from cpsconv.core.ir import VOID, ContinuationType, Effect, Function, Program
from cpsconv.core.operations.dialects import ForeignOperations, Host
from cpsconv.core.operations.leaks import Leaks, leaks_of
from cpsconv.core.operations.printing import ByteStream
from cpsconv.core.operations.runtime_errors import ProgramError, Undefined, defined
from cpsconv.core.operations.table import EFFECTS, OUTPUTS
from cpsconv.core.source import Span
from cpsconv.engines.machine.call_chain import complete
from cpsconv.engines.machine.limits import DEFAULT_LIMITS, Limited, Limits
from cpsconv.engines.machine.machine import Outcome, add_null_origin, outcome_of
from cpsconv.engines.machine.system import Effects
from cpsconv.engines.machine.values import ProgramEnd
from cpsconv.engines.python.call_sites import CallSites, calls_in_traceback
from cpsconv.engines.python.rotated_pointers import moved, on_rotated, rotated
from cpsconv.engines.python.typed_memory import TypedMemory, Unit

SPARE_DEPTH = 50
"""The depth of calls that the limit leaves to the functions of the engine."""

FILE = "<program>"
"""The name of the file in the code of a program."""

HAS_HEAP_FRAMES = sys.version_info >= (3, 11)
"""Whether nested calls of Python functions take no C stack."""

STACK_SIZE = 1 << 30
"""The bytes of C stack for nested calls, if they take any."""

CALL_SIZE = 1000
"""The bytes that a nested call takes without heap frames. They limit the depth, as Python may abort without memory."""


@dataclass(frozen=True)
class Compiled:
    """A program as Python: its code, the objects that it refers to, and the function to start with.

    `of_run` has functions that create further objects for a run. `functions` has the functions of the program by their
    names in the code, `sites` the places of the calls, and `addressed` the functions whose addresses are taken, in the
    order of the numbers of their objects.
    """

    code: CodeType
    names: dict[str, Any]
    of_run: Mapping[str, Callable[[Run], Any]]
    program: Program
    functions: Mapping[str, Function]
    sites: CallSites
    entry: Function
    addressed: Sequence[Function]

    def __call__(
        self,
        arguments: Sequence[Data],
        *,
        output: ByteStream,
        errors: ByteStream,
        limits: Limits = DEFAULT_LIMITS,
        leaks: Leaks | None = None,
    ) -> Outcome:
        """Run the program as `cpsconv.engines.machine.machine.evaluate` does."""
        max_depth, enforced = limits.max_depth, limits
        if not HAS_HEAP_FRAMES and limits.max_memory is not None:
            max_depth, enforced = min(max_depth, limits.max_memory // CALL_SIZE), replace(limits, max_memory=None)
        try:
            with Limited(enforced):
                runtime = Run(output, errors, limits, self.program, self.addressed)
                outcome = self._outcome(runtime, arguments, limits, max_depth)
        finally:
            output.flush()
            errors.flush()
        if leaks is not None:
            leaks.update(leaks_of(runtime.memory.objects))
        return outcome

    def _outcome(self, runtime: Run, arguments: Sequence[Data], limits: Limits, max_depth: int) -> Outcome:
        names = {**self.names, **runtime.names(), **{name: create(runtime) for name, create in self.of_run.items()}}
        exec(self.code, names)
        runtime.functions.update((function, names[name]) for name, function in self.functions.items())
        start = next(names[name] for name, function in self.functions.items() if function is self.entry)
        try:
            value = _with_deep_stack(start, accepted(self.entry, arguments), max_depth)
            return outcome_of(runtime.returned(value, self.entry), self.entry)
        except ProgramEnd as end:
            return outcome_of(end, self.entry)
        except ProgramError as fault:
            complete(fault, calls_in_traceback(fault.__traceback__, FILE, self.functions, self.sites))
            add_null_origin(fault, self.program, self.entry, arguments, limits)
            raise
        except RecursionError as failure:
            function = self._innermost(failure)
            is_deep = max_depth == limits.max_depth
            raise (limits.depth_error(self.program, function) if is_deep else limits.memory_error()) from None

    def _innermost(self, failure: RecursionError) -> Function:
        """The function of the innermost call. The failure loses its traceback, which takes much memory."""
        function, trace = self.entry, failure.__traceback__
        while trace:
            code = trace.tb_frame.f_code
            if code.co_filename == FILE:
                function = self.functions[code.co_name]
            trace = trace.tb_next
        failure.__traceback__ = None
        return function


def _with_deep_stack(function: Callable[..., Any], arguments: Sequence[Data], max_depth: int) -> Any:
    """Call a function whose calls may be nested to that depth."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(min(_depth() + max_depth + SPARE_DEPTH, 2**31 - 1))
    try:
        return function(*arguments) if HAS_HEAP_FRAMES else _on_large_stack(function, arguments)
    except SystemError:  # Python 3.11 raises it if there is no memory for a call
        raise MemoryError from None
    finally:
        sys.setrecursionlimit(before)


def _depth() -> int:
    """The number of calls on the stack."""
    depth, frame = 0, sys._getframe().f_back
    while frame:
        depth, frame = depth + 1, frame.f_back
    return depth


def _on_large_stack(function: Callable[..., Any], arguments: Sequence[Data]) -> Any:
    """Call a function in a thread with a large stack."""
    result: Future[Any] = Future()

    def call() -> None:
        try:
            result.set_result(function(*arguments))
        except BaseException as failure:
            result.set_exception(failure)

    before = threading.stack_size(STACK_SIZE)
    try:
        threading.Thread(target=call, daemon=True).start()
    finally:
        threading.stack_size(before)
    return result.result()


def located(function: Callable[..., Any], span: Span | None) -> Callable[..., Any]:
    """The function, with the span added to its runtime errors that have none."""

    def call(*operands: Any) -> Any:
        try:
            return function(*operands)
        except ProgramError as fault:
            fault.diagnostic.span = fault.diagnostic.span or span
            raise

    return call


class Run:
    """One run: the functions of the engine that a compiled program calls, and the memory.

    `functions` has the Python functions of the program, once they are defined.
    """

    def __init__(
        self, output: ByteStream, errors: ByteStream, limits: Limits, program: Program, addressed: Sequence[Function]
    ) -> None:
        self.memory = TypedMemory(program)
        for function in addressed:
            self.memory.pointer_of(function)
        self.functions: dict[Function, Callable[..., Any]] = {}
        self._effects = Effects(output, errors, limits.max_output)
        self._foreign = ForeignOperations(
            Host(
                program,
                lambda pointer: self.memory.called(rotated(pointer)),
                lambda function, arguments: self.functions[function](*arguments),
                self._effects.write,
            )
        )
        self._max_depth = limits.max_depth
        self._last: Span | None = None

    def names(self) -> dict[str, Any]:
        """The functions by their names in the program."""
        own = {"printf": self._printf, "use": _use, "last": self._last_returned, "exit": self._exit, "abort": _abort}
        own |= {"moved": moved, "calls": lambda: repeat(None, self._max_depth + 1), "deep": _exceed_depth}
        return {**{op: self._effects.action(op) for op in OUTPUTS}, **own, "write": self._effects.write}

    def action(self, effect: Effect, unit: tuple[Unit, bool] | None = None) -> Callable[..., Any]:
        """The function for an effect that concerns memory or takes pointers.

        An allocation with a `unit` creates objects that are lists of it, or records.
        """
        if unit is not None:
            return located(self.memory.allocation(effect, *unit), effect.span)
        if EFFECTS[effect.op].is_on_memory:
            return located(self.memory.action(effect), effect.span)
        types = [operand.type for operand in effect.operands]
        action = self._effects.action(effect.op, types, self.memory.string)
        return located(on_rotated(action, types, effect.type), effect.span)

    def foreign(self, effect: Effect, function: str) -> Callable[..., Any]:
        """The function for a foreign effect in that function."""
        return located(self._foreign.effect(effect, function), effect.span)

    def called(self, type: ContinuationType, span: Span | None) -> Callable[[int], Callable[..., Any]]:
        """The function from a pointer to the function of that type at the pointer, for a call at `span`."""

        def function_at(pointer: int) -> Callable[..., Any]:
            found = self.memory.function_at(rotated(pointer), type)
            return self.functions[found] if found in self.functions else self.external(found, span)

        return located(function_at, span)

    def external(self, function: Function, span: Span | None) -> Callable[..., Any]:
        """An external function, for a call at `span`. Raises `DiagnosticError` if there is no such function."""
        from cpsconv.engines.machine.library import Library, entry_of_external  # late: few programs need them

        entry = entry_of_external(function, Library(self.memory, self._effects.system))
        types = [parameter.type for parameter in data_parameters(function)]
        compute = on_rotated(entry.compute, types, result_type(function))
        return located(lambda *values: compute(*map(defined, values)), span)

    def entered(self, function: Function, span: Span | None) -> Callable[..., Any]:
        """A function of the library, for a call at `span`."""
        return located(lambda *values: self.functions[function](*values), span)

    def _printf(self, location: Span | None, *operands: Any) -> Any:
        return located(self._effects.print, location)(*operands)

    def _last_returned(self, value: Any, location: Span | None) -> Any:
        """The returned value. An undefined one is an error only if the first function of the program returns it."""
        if isinstance(value, Undefined):
            self._last = location
        return value

    def returned(self, value: Any, function: Function) -> ProgramEnd:
        """The end of a run whose first function has returned."""
        return ProgramEnd("return", [] if result_type(function) is VOID else [_use(value, self._last)])

    def _exit(self, status: int) -> NoReturn:
        raise ProgramEnd("halt", [_use(status, self._last)])


def _exceed_depth() -> NoReturn:
    raise RecursionError


def _abort() -> NoReturn:
    raise ProgramEnd("abort", [])


def _use(value: Any, location: Span | None) -> Any:
    """The value itself. Raises `UndefinedError` with the location if it is undefined."""
    try:
        return defined(value)
    except ProgramError as fault:
        fault.diagnostic.span = location
        raise
