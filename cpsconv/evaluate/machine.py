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

*Faults.* What has no meaning ends the run with a `RuntimeFault`. The functions that compute do not know where
they stand in the source; the machine does, and adds the position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from sys import maxsize
from typing import NoReturn, Union

from cpsconv.evaluate.effects import ByteStream, Effects
from cpsconv.evaluate.entry import Data, accepted, entry_of, return_type
from cpsconv.evaluate.link import link
from cpsconv.evaluate.trace import Trace
from cpsconv.evaluate.values import Ended, Outside, State
from cpsconv.faults import RuntimeFault, StepLimit
from cpsconv.ir import VOID, Program, Statement, Transfer, Type


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
        trace: Is given a line for each transfer.
        max_steps: How many transfers the program may make.

    Raises:
        DiagnosticError: There is no such entry, or the number of arguments is wrong.
        RuntimeFault: The program does what has no meaning.
        StepLimit: It is not done after `max_steps` transfers.
    """
    function = entry_of(program, entry)
    values: list[object] = [*accepted(function, arguments)]
    returned = return_type(function)
    if returned:
        values.append(Outside("return"))
    effects = Effects(output, errors)
    start = link(program, effects, trace)[function]
    try:
        _run(start.enter(values), max_steps)
    except Ended as end:
        return _outcome(end, returned.parameters if returned else ())
    finally:
        effects.flush()


def _run(state: State, max_steps: int | None) -> NoReturn:
    """Run from a state on. Raises `Ended` when the program is done."""
    block, frame = state
    site: Statement | Transfer
    _, site = block.exit
    try:
        for _ in repeat(None) if max_steps is None else repeat(None, min(max_steps, maxsize)):
            for step, site in block.steps:  # noqa: B007 - a fault happens at `site`
                step(frame)
            leave, site = block.exit
            block, frame = leave(frame)
        raise StepLimit(f"the program is not done after {max_steps} steps")
    except RuntimeFault as fault:
        fault.diagnostic.span = site.span
        raise


def _outcome(end: Ended, returned: Sequence[Type]) -> Outcome:
    if end.name == "abort":
        return Aborted()
    if end.name == "halt":
        return Halted(end.arguments[0] & 0xFF)
    return Returned(end.arguments[0], returned[0]) if returned else Returned(None, VOID)
