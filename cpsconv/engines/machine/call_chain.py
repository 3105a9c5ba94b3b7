"""The calls that are pending when a runtime error occurs, as notes of the error, from the innermost one on.

A call in tail position is not pending: its callee gets the return continuation of the caller. Calls in which a function
calls itself and returns the result are omitted, since engines execute them as loops.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from cpsconv.core.analysis.graph import local_target, only_returns
from cpsconv.core.ir import Call, Function
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.source import Note, Span, counted
from cpsconv.engines.machine.limits import is_pending
from cpsconv.engines.machine.values import Block, Closure, Frame, LinkedFunction

MAX_CALLS = 10
"""The number of innermost calls that are shown."""

PendingCall = tuple[Function, Call]
"""A function and one of its calls."""


def complete(fault: ProgramError, calls: Iterable[PendingCall]) -> None:
    """Complete the diagnostic of an error that has its location: its message names other files only.

    Add notes on the calls that lead to the error. Calls that the error or another note marks need none.
    The functions of C's library have no locations, or that of the call that enters the library.
    """
    if fault.rule != "limit":
        diagnostic = fault.diagnostic
        fault.locate(diagnostic.span)
        marked = [diagnostic.span, *(span for _, span in diagnostic.notes)]
        diagnostic.notes = [*diagnostic.notes, *_notes(filter(is_shown, calls), marked)]


def is_shown(pending: PendingCall) -> bool:
    """Whether the call has a location of its own, is pending, and no loop."""
    function, call = pending
    if call.span is None or call.span is function.span or not is_pending(call):
        return False
    return call.callee is not function or not only_returns(local_target(call.then), function)


def _notes(calls: Iterator[PendingCall], marked: Sequence[Span | None]) -> Iterator[Note]:
    """The notes on the innermost calls, and on the outermost one."""
    shown = [*islice(calls, MAX_CALLS)]
    further = 0
    for outermost in calls:
        shown[MAX_CALLS:] = [outermost]
        further += 1
    for index, (function, call) in enumerate(shown):
        if index == MAX_CALLS and further > 1:
            yield f"{counted(further - 1, 'further call')} pending", None
        if not any(call.span is each for each in marked):
            yield f"called from here, in `{function.name}`", call.span


def calls_in_frames(linked: Mapping[Function, LinkedFunction], block: Block, frame: Frame) -> Iterator[PendingCall]:
    """The pending calls of a frame in the block: each return continuation has the call that passes it."""
    functions = {each: function for function, parts in linked.items() for each in parts.blocks.values()}
    function = functions[block]
    while (ret := function.return_continuation) and isinstance(closure := frame[linked[function].slots[ret]], Closure):
        frame, function = closure.frame, functions[closure.block]
        if closure.call:
            yield function, closure.call
