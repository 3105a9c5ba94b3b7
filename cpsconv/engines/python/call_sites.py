"""The calls of the program by their places in the Python text, for runtime errors.

While the text is written, each call is preceded by a mark with its number. The frames of Python's traceback have the
places of the pending calls, so that a run does not record them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from types import TracebackType

from cpsconv.core.ir import Call, Function
from cpsconv.engines.machine.call_chain import PendingCall

CallSites = Mapping[int, Sequence[tuple[int, Call]]]
"""The calls by line, each with the column where it begins, from 0."""

_MARK = re.compile("\0([0-9]+)\0")


def without_marks(text: str, calls: Sequence[Call]) -> tuple[str, CallSites]:
    """The text without its marks, and the places of the calls, given by number."""
    sites: dict[int, list[tuple[int, Call]]] = {}
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if "\0" in line:
            column = 0
            found = sites[number + 1] = []
            for part, mark in zip(*[iter(_MARK.split(line))] * 2, strict=False):
                column += len(part)
                found.append((column, calls[int(mark)]))
            lines[number] = _MARK.sub("", line)
    return "\n".join(lines), sites


def calls_in_traceback(
    trace: TracebackType | None, file: str, functions: Mapping[str, Function], sites: CallSites
) -> Iterator[PendingCall]:
    """The pending calls of the code in the file, the innermost first. `functions` has the functions by name."""
    active = []
    while trace:
        if trace.tb_frame.f_code.co_filename == file:
            active.append(trace)
        trace = trace.tb_next
    for outer in active[-2::-1]:
        if call := _active_call(outer, sites):
            yield functions[outer.tb_frame.f_code.co_name], call


def _active_call(trace: TracebackType, sites: CallSites) -> Call | None:
    """The call at the place; before Python 3.11, which does not record columns, the first one in the line."""
    found = sites.get(trace.tb_lineno, ())
    if len(found) > 1 and sys.version_info >= (3, 11):
        positions = trace.tb_frame.f_code.co_positions()
        column = next(islice(positions, trace.tb_lasti // 2, None))[2]
        return next((call for start, call in found if start == column), None)
    return found[0][1] if found else None
