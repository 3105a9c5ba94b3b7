"""The machine: evaluates CPS programs as `cpsconv.core.evaluator` defines, but faster, and with limits and traces.

A CPS program needs no stack, since no call returns. The `State` of the machine is the continuation that runs next, and
its *frame*. The machine executes the continuation's statements, then its transfer, which determines the next state,
until the program calls a continuation of the environment.

*Frames.* A frame contains the values of one activation of a function, shared by all its continuations. One frame is
enough, since each definition dominates its uses: whenever a use is executed, the latest execution of the definition was
in the same activation.

*Continuations as values.* A call creates a closure of its return continuation: the continuation with the frame. The
callee stores it in a parameter of its own frame. So the chain of callers, elsewhere the stack, is on the heap, and each
frame has the number of pending calls, which `limits` bound. A call in tail position, ``f(x, ret)``, passes the closure
that the caller itself received; any number of such calls in sequence needs constant memory.

*One-shot and multi-shot continuations.* A program is *first-order* if its continuations occur in transfers only: as
targets, and as the return continuations of calls. Then each closure is entered at most once (a function ends with one
transfer, which may enter `ret` or pass it on), and its continuation runs in the frame of its function. All programs
converted from C are first-order. In a program that passes continuations as arguments, a closure may be entered
repeatedly (a generator, a backtracking search), and the effects of one entry on the frame must not be visible to the
next. So a closure copies its frame at its creation and at each entry. `link` chooses the class of closures for the
whole program.

*Runtime errors.* An operation without a defined result ends the run with a `ProgramError`. The functions that compute
operations do not have the source location; the machine adds it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import repeat
from sys import maxsize
from typing import Any, Union

from cpsconv.abi.library import with_library
from cpsconv.core.analysis.graph import functions_used
from cpsconv.core.entry import Data, accepted, entry_of, is_main, result_type, return_type
from cpsconv.core.ir import Function, Program, Statement, Transfer, Type
from cpsconv.core.operations.dialects import dialect_of
from cpsconv.core.operations.foreign import require_no_foreign
from cpsconv.core.operations.leaks import Leaks, leaks_of
from cpsconv.core.operations.printing import ByteStream, process_stream
from cpsconv.core.operations.runtime_errors import NullPointerError, ProgramError, StepLimit
from cpsconv.core.transform.foreign_effects import with_foreign_effects
from cpsconv.engines.machine.call_chain import calls_in_frames, complete
from cpsconv.engines.machine.limits import DEFAULT_LIMITS, Limited, Limits, OutputExhausted
from cpsconv.engines.machine.link import LinkedProgram
from cpsconv.engines.machine.memory import Memory
from cpsconv.engines.machine.system import Effects
from cpsconv.engines.machine.trace import Trace, Tracer, TraceRecord
from cpsconv.engines.machine.values import Block, ExternalContinuation, Frame, ProgramEnd, State


@dataclass(frozen=True, slots=True)
class Returned:
    """The function that was started returned; `value` is `None` where `type` is `VOID`."""

    value: Data | None
    type: Type


@dataclass(frozen=True, slots=True)
class Halted:
    """The program called ``halt``, with an exit status from 0 to 255."""

    status: int


@dataclass(frozen=True, slots=True)
class Aborted:
    """The program called ``abort``."""


Outcome = Union[Returned, Halted, Aborted]
"""The end of a run without a runtime error."""


def exit_status(entry: str, outcome: Outcome) -> int | None:
    """The exit status of a run from the function `entry`: the argument of ``halt``, or the result of ``main``.

    None if there is none: the run was aborted, or another function returned.
    """
    if isinstance(outcome, Halted):
        return outcome.status
    if isinstance(outcome, Returned) and is_main(entry) and isinstance(outcome.value, int):
        return outcome.value & 0xFF
    return None


def evaluate(
    program: Program,
    entry: str | None = None,
    arguments: Sequence[Data] = (),
    *,
    output: ByteStream | None = None,
    errors: ByteStream | None = None,
    trace: Trace | None = None,
    max_steps: int | None = None,
    limits: Limits = DEFAULT_LIMITS,
    memory: Memory | None = None,
    leaks: Leaks | None = None,
) -> Outcome:
    """Run a well-formed program from the function `entry` (see `entry_of`) to its end.

    Args:
        arguments: Values for the parameters of the entry, except the return continuation; see `parse_arguments`.
        output: The standard output of the program; by default, that of the process.
        errors: Its standard error, likewise. Both streams are flushed at the end of the run in any case.
        trace: A function that is called with a record of each transfer, before the transfer; see `TraceRecord`.
        max_steps: The maximum number of transfers.
        limits: The limits of pending calls, memory and output.
        memory: A new `Memory`, which has the objects of the run at its end.
        leaks: A counter to which the objects of `malloc` are added that a run without an error did not free.

    Raises:
        DiagnosticError: The entry does not exist, or the number of arguments is wrong.
        ProgramError: The program caused a runtime error.
        StepLimit: The program did not end after `max_steps` transfers.
        DepthLimit, MemoryLimit, OutputLimit: The program exceeded one of the `limits`.
    """
    output = output or process_stream(sys.stdout)
    errors = errors or process_stream(sys.stderr)
    memory = memory or Memory()
    try:
        with Limited(limits):
            if trace:
                streams = {"output": output, "errors": errors}
                run = traced_run(
                    program, entry, arguments, **streams, max_steps=max_steps, limits=limits, memory=memory
                )
                outcome = _with_trace(run, trace)
            else:
                program = _runnable(program)
                function = entry_of(program, entry)
                values = accepted(function, arguments)
                steps = _Steps(max_steps)
                effects = Effects(output, errors, limits.max_output)
                linked = LinkedProgram(program, effects, limits, memory, partial(_result, steps))
                try:
                    outcome = _run(steps, function, _start(function, values, linked), linked)
                except NullPointerError as fault:
                    add_null_origin(fault, program, function, arguments, limits)
                    raise
        if leaks is not None:
            leaks.update(leaks_of(memory.objects))
        return outcome
    finally:
        output.flush()
        errors.flush()


def prepare(program: Program, entry: Function) -> Callable[..., Outcome]:
    """The program, ready to be started at `entry` (see `cpsconv.engines`)."""
    return partial(evaluate, program, entry.name)


MAX_REPEATED_STEPS = 300_000
"""The transfers that `add_null_origin` repeats. Errors of longer runs have no notes."""


def add_null_origin(
    fault: ProgramError, program: Program, entry: Function, arguments: Sequence[Data], limits: Limits
) -> None:
    """Add the notes on the origin of a null pointer to an error, the same for all engines.

    The run is repeated within its limits if it depends on its arguments only: it does not read its standard input, and
    neither files, the time nor the environment are granted to it. Other errors remain unchanged.
    """
    if not isinstance(fault, NullPointerError) or _is_repeated():
        return
    from cpsconv.abi.prototypes import is_system_call
    from cpsconv.engines.machine.system import Access, granted, granting  # late: most runs do not fail

    used = (each for function in program.functions for each in functions_used(function))
    if not granted().is_input_only and any(map(is_system_call, used)):
        return
    given: dict[str, Any] = {"output": _Nowhere(), "errors": _Nowhere(), "limits": limits}
    try:
        with granting(Access(_UnreadInput())):
            evaluate(program, entry.name, arguments, **given, max_steps=MAX_REPEATED_STEPS)
    except ProgramError as same:
        fault.diagnostic.notes = same.diagnostic.notes
    except _InputError:
        pass


class _InputError(Exception):
    """A run that is repeated reads its standard input."""


class _Nowhere:
    """The output of a run that is repeated."""

    def write(self, data: bytes, /) -> None:
        """Discard the data."""

    def flush(self) -> None:
        """Do nothing."""


class _UnreadInput:
    """The standard input of a run that is repeated."""

    def read1(self, size: int, /) -> bytes:
        raise _InputError


def _is_repeated() -> bool:
    """Whether the run is one that `add_null_origin` repeats."""
    from cpsconv.engines.machine.system import granted  # late: most runs do not fail

    return isinstance(granted().input, _UnreadInput)


TracedRun = Generator[TraceRecord, None, Outcome]
"""A run that yields a record before each transfer, and returns the outcome."""


def traced_run(
    program: Program,
    entry: str | None = None,
    arguments: Sequence[Data] = (),
    *,
    output: ByteStream,
    errors: ByteStream,
    max_steps: int | None = None,
    limits: Limits = DEFAULT_LIMITS,
    memory: Memory | None = None,
) -> TracedRun:
    """Run as `evaluate` does, transfer by transfer: a generator of the records, which returns the outcome.

    Raises the exceptions of `evaluate` when the run reaches them. The caller must flush the streams.
    """
    program = _runnable(program)
    function = entry_of(program, entry)
    values = accepted(function, arguments)
    written = bytearray()
    memory = memory or Memory()
    memory.changes = []
    effects = Effects(_Tee(output, written), _Tee(errors, written), limits.max_output)
    steps = _Steps(max_steps)
    linked = LinkedProgram(program, effects, limits, memory, partial(_result, steps))
    for each in program.functions:
        linked[each]  # each record may name its continuations
    tracer = Tracer(linked, written)
    block, frame = _start(function, values, linked)
    site: Statement | Transfer
    _, site = block.transfer
    try:  # duplicates the loop of `_run`, which stays free of tracing costs
        for number, _ in enumerate(steps.left, 1):
            for step, site in block.steps:  # noqa: B007 - the location of a runtime error
                step(frame)
            yield tracer.record(number, block, frame)
            transition, site = block.transfer
            block, frame = transition(frame)
        raise steps.error()
    except ProgramEnd as end:
        return outcome_of(end, function)
    except OutputExhausted:
        raise limits.output_error() from None
    except ProgramError as fault:
        _locate(fault, linked, site, block, frame)
        raise


class _Tee:
    """A stream that also appends all data to `written`."""

    def __init__(self, stream: ByteStream, written: bytearray) -> None:
        self._stream = stream
        self._written = written
        self.flush = stream.flush

    def write(self, data: bytes) -> None:
        """Write the data to both."""
        self._written += data
        self._stream.write(data)


def _with_trace(run: TracedRun, trace: Trace) -> Outcome:
    while True:
        try:
            record = next(run)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome
        trace(record)


def _runnable(program: Program) -> Program:
    """The program with the library, and with effects for its foreign operations."""
    require_no_foreign(program, "the engine `machine` cannot run", permits=dialect_of)
    return with_foreign_effects(with_library(program))


def _start(function: Function, values: Sequence[Data], linked: LinkedProgram) -> State:
    """The state after the first call, of the function by the environment."""
    returned = [ExternalContinuation("return")] if return_type(function) else []
    return linked[function].entry.enter([*values, *returned])


class _Steps:
    """The transfers of a run, those of functions that foreign operations call among them: an iterator of the rest."""

    def __init__(self, maximum: int | None) -> None:
        self._maximum = maximum
        self.left = repeat(None) if maximum is None else repeat(None, min(maximum, maxsize))

    def error(self) -> StepLimit:
        """The error of a run that takes more."""
        return StepLimit(f"the program is not done after {self._maximum} steps")


def _run(steps: _Steps, function: Function, state: State, linked: LinkedProgram) -> Outcome:
    """Run from a state on. The function is the one that the environment called."""
    block, frame = state
    site: Statement | Transfer
    _, site = block.transfer
    try:
        for _ in steps.left:
            for step, site in block.steps:  # noqa: B007 - the location of a runtime error
                step(frame)
            transition, site = block.transfer
            block, frame = transition(frame)
        raise steps.error()
    except ProgramEnd as end:
        return outcome_of(end, function)
    except ProgramError as fault:
        _locate(fault, linked, site, block, frame)
        raise


def _result(steps: _Steps, function: Function, state: State, linked: LinkedProgram) -> Any:
    """The result of a function that a foreign operation calls."""
    outcome = _run(steps, function, state, linked)
    if isinstance(outcome, Returned):
        return outcome.value
    raise ProgramEnd("abort", []) if isinstance(outcome, Aborted) else ProgramEnd("halt", [outcome.status])


def _locate(fault: ProgramError, linked: LinkedProgram, site: Statement | Transfer, block: Block, frame: Frame) -> None:
    """Add the location of the site to the error, the origin of a null pointer, and the pending calls.

    The origin is for runs that are repeated, and for those with a trace.
    """
    memory = linked.memory
    fault.diagnostic.span = fault.diagnostic.span or site.span or memory.library_call
    if isinstance(fault, NullPointerError) and (memory.changes is not None or _is_repeated()):
        from cpsconv.engines.machine.null_origin import null_notes  # late: most runs do not fail

        fault.diagnostic.notes = null_notes(linked, site, block, frame)
    complete(fault, calls_in_frames(linked, block, frame))


def outcome_of(end: ProgramEnd, function: Function) -> Outcome:
    """The outcome of a run that called the function first."""
    if end.name == "abort":
        return Aborted()
    if end.name == "halt":
        return Halted(end.arguments[0] & 0xFF)
    return Returned(end.arguments[0] if end.arguments else None, result_type(function))
