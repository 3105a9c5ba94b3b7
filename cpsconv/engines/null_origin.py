"""The origin of a null pointer, for engines that do not keep the frames in which it was passed on.

A run depends on its arguments only, so the machine repeats it, and adds the notes to the error.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from cpsconv.entry import Data
from cpsconv.evaluator.machine import evaluate
from cpsconv.ir import Function, Program
from cpsconv.operations.runtime_errors import NullPointerError, ProgramError

MAX_STEPS = 300_000
"""The transfers that are repeated. Errors of longer runs have no notes."""


def add_null_origin(fault: ProgramError, program: Program, entry: Function, arguments: Sequence[Data]) -> None:
    """Add the notes on the origin of the null pointer to the error of a run; other errors remain unchanged."""
    if not isinstance(fault, NullPointerError):
        return
    stream = io.BytesIO()
    try:
        evaluate(program, entry.name, arguments, output=stream, errors=stream, max_steps=MAX_STEPS)
    except ProgramError as same:
        fault.diagnostic.notes = same.diagnostic.notes
