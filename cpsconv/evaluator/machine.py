"""The machine: the reference meaning of a CPS program.

**An essay before the code.** A CPS program needs no stack, for nothing ever returns. All that the machine knows at any
moment is which continuation runs next and in which *frame*: `State`. It runs the continuation's statements, makes its
transfer, which tells the next state, and so on, until a continuation of the outside world is entered.

*Frames.* A frame holds the values of one activation of a function, for all of its continuations together. One frame
is enough, because a continuation uses a value only where the definition dominates the use: whenever it runs, the
definition has run before it in the same activation, and for the last time.

*Continuations as values.* A call makes a closure of its return continuation: the continuation with the frame. The
callee keeps it in a parameter of its own frame. So the chain of callers, that elsewhere is the stack, lies on the heap,
and recursion may go as deep as memory lasts. A call in tail position, ``f(x, ret)``, passes on the closure
that it was given itself; a million of them in a row need no more memory than one.

*When a frame may be shared.* A program is *first-order* if its continuations appear in transfers only: as targets,
and as the return continuations of calls. Then each closure is entered once at most (a function ends with one
transfer, and that may enter `ret` or hand it on), and it goes on in the frame that the function had. All programs
that come from C are of this kind. In a program that passes continuations as arguments, a closure may be
entered again and again (a generator, a search that backtracks), and what happens after one entry must not be
seen by the next. There, a closure copies its frame when it is made and when it is entered. Which it is, `link` decides
once for the whole program.

*Faults.* What has no meaning ends the run with a `ProgramError`. The functions that compute do not know where
they stand in the source; the machine does, and adds the position.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from itertools import count, repeat
from sys import maxsize
from typing import Union

from cpsconv.entry import Data, accepted, entry_of, return_type
from cpsconv.evaluator.effects import ByteStream, Effects
from cpsconv.evaluator.link import link
from cpsconv.evaluator.trace import Trace, Tracer, TraceRecord
from cpsconv.evaluator.values import Ended, Linked, Outside, State
from cpsconv.ir import VOID, Function, Program, Statement, Transfer, Type
from cpsconv.operations.runtime_errors import ProgramError, StepLimit


@dataclass(frozen=True, slots=True)
class Returned:
    """The function that was started returned; `value` is `None` where `type` is `VOID`."""

    value: Data | None
    type: Type


@dataclass(frozen=True, slots=True)
class Halted:
    """The program ended itself through ``halt``, with an exit status as the system sees it: 0 to 255."""

    status: int


@dataclass(frozen=True, slots=True)
class Aborted:
    """The program ended itself through ``abort``."""


Outcome = Union[Returned, Halted, Aborted]
"""How a run ended that went well."""


def exit_status(entry: str, outcome: Outcome) -> int | None:
    """The exit status of a run from the function `entry`: what is given to ``halt``, or the value of ``main``.

    `None` where there is none: the run was aborted, or another function returned.
    """
    if isinstance(outcome, Halted):
        return outcome.status
    if isinstance(outcome, Returned) and entry == "main" and isinstance(outcome.value, int):
        return outcome.value & 0xFF
    return None


def evaluate(
    program: Program,
    entry: str | None = None,
    arguments: Sequence[Data] = (),
    *,
    output: ByteStream,
    errors: ByteStream,
    trace: Trace | None = None,
    max_steps: int | None = None,
) -> Outcome:
    """Run a well-formed program from the function `entry` (see `entry_of`) to its end.

    Args:
        arguments: Values for the parameters of the entry, its return continuation left out; see `parse_arguments`.
        output: What takes the standard output of the program.
        errors: What takes its standard error. Both are flushed however the run ends.
        trace: Is given a record of each transfer, before it is made; see `TraceRecord`.
        max_steps: How many transfers the program may make.

    Raises:
        DiagnosticError: There is no such entry, or the number of arguments is wrong.
        ProgramError: The program does what has no meaning.
        StepLimit: It is not done after `max_steps` transfers.
    """
    try:
        if trace:
            return _told(walk(program, entry, arguments, output=output, errors=errors, max_steps=max_steps), trace)
        function = entry_of(program, entry)
        values = accepted(function, arguments)
        return _run(function, _start(function, values, link(program, Effects(output, errors))), max_steps)
    finally:
        output.flush()
        errors.flush()


Walk = Generator[TraceRecord, None, Outcome]
"""A run that waits before each transfer, and tells of it."""


def walk(
    program: Program,
    entry: str | None = None,
    arguments: Sequence[Data] = (),
    *,
    output: ByteStream,
    errors: ByteStream,
    max_steps: int | None = None,
) -> Walk:
    """Run as `evaluate` does, transfer by transfer: a generator of the records, which returns the outcome.

    Raises what `evaluate` does, when the walk comes there. To flush the streams is up to who walks.
    """
    function = entry_of(program, entry)
    values = accepted(function, arguments)
    heard = bytearray()
    linked = link(program, Effects(_Overheard(output, heard), _Overheard(errors, heard)))
    tracer = Tracer(program, linked, heard)
    block, frame = _start(function, values, linked)
    site: Statement | Transfer
    _, site = block.exit
    try:  # as in `_run`; a loop of its own, for who wants no records is not to pay for them
        for number in count(1) if max_steps is None else range(1, max_steps + 1):
            for step, site in block.steps:  # noqa: B007 - a fault happens at `site`
                step(frame)
            yield tracer.record(number, block, frame)
            leave, site = block.exit
            block, frame = leave(frame)
        raise _not_done(max_steps)
    except Ended as end:
        return outcome_of(end, function)
    except ProgramError as fault:
        fault.diagnostic.span = site.span
        raise


class _Overheard:
    """A stream of which all that is written is added to `heard`, too."""

    def __init__(self, stream: ByteStream, heard: bytearray) -> None:
        self._stream = stream
        self._heard = heard
        self.flush = stream.flush

    def write(self, data: bytes) -> None:
        """Pass on the data."""
        self._heard += data
        self._stream.write(data)


def _told(walk: Walk, trace: Trace) -> Outcome:
    while True:
        try:
            record = next(walk)
        except StopIteration as end:
            outcome: Outcome = end.value
            return outcome
        trace(record)


def _start(function: Function, values: Sequence[Data], linked: dict[Function, Linked]) -> State:
    """Where the machine is when the function has been called from outside."""
    returned = [Outside("return")] if return_type(function) else []
    return linked[function].entry.enter([*values, *returned])


def _run(function: Function, state: State, max_steps: int | None) -> Outcome:
    """Run from a state on, which began with the function."""
    block, frame = state
    site: Statement | Transfer
    _, site = block.exit
    try:
        for _ in repeat(None) if max_steps is None else repeat(None, min(max_steps, maxsize)):
            for step, site in block.steps:  # noqa: B007 - a fault happens at `site`
                step(frame)
            leave, site = block.exit
            block, frame = leave(frame)
        raise _not_done(max_steps)
    except Ended as end:
        return outcome_of(end, function)
    except ProgramError as fault:
        fault.diagnostic.span = site.span
        raise


def _not_done(max_steps: int | None) -> StepLimit:
    return StepLimit(f"the program is not done after {max_steps} steps")


def outcome_of(end: Ended, function: Function) -> Outcome:
    """What it means that a run which began with the function has ended."""
    if end.name == "abort":
        return Aborted()
    if end.name == "halt":
        return Halted(end.arguments[0] & 0xFF)
    returned = return_type(function)
    assert returned, "only who was given a return continuation can call it"
    return Returned(end.arguments[0], returned.parameters[0]) if returned.parameters else Returned(None, VOID)
