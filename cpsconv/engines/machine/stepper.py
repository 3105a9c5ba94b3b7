"""Stepping through a run, forward and back."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator

from cpsconv.core.operations.printing import ByteStream
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.engines.machine.machine import Outcome, TracedRun
from cpsconv.engines.machine.trace import TraceRecord

Goal = Callable[[TraceRecord], bool]
"""Whether to stop at a record."""


class Stepper:
    """A position in a run: before a transfer, or at the end.

    `current` is the record of the next transfer, None at the end; `end` is the outcome or runtime error, None until
    then. `start` starts a run that writes to the given stream. Stepping back restarts the run, which is deterministic.
    """

    def __init__(self, start: Callable[[ByteStream], TracedRun]) -> None:
        self._start = start
        self._steps = 0
        self._begin()

    def _begin(self) -> None:
        self._stream = io.BytesIO()
        self._run = self._start(self._stream)
        self.current: TraceRecord | None = None
        self.end: Outcome | ProgramError | None = None
        self._step()

    def _step(self) -> None:
        """Advance to the next transfer, if any. Raises `DiagnosticError` if the run cannot start."""
        try:
            self.current = next(self._run)
            self._steps = self.current.step
        except StopIteration as end:
            self.current, self.end = None, end.value
        except ProgramError as fault:
            self.current, self.end = None, fault

    def take_output(self) -> str:
        """The output of the program since the last call, one character per byte."""
        output = self._stream.getvalue().decode("latin-1")
        self._stream.seek(0)
        self._stream.truncate()
        return output

    def advance(self, goal: Goal) -> Iterator[TraceRecord | None]:
        """Advance to the next goal, or to the end. Yields each record that is passed or reached; None at the end."""
        while self.current:
            self._step()
            yield self.current
            if self.current and goal(self.current):
                return

    def forward(self, steps: int) -> Iterator[TraceRecord | None]:
        """Make the given number of transfers."""
        last = self._steps + steps
        return self.advance(lambda record: record.step >= last) if steps else iter(())

    def over(self) -> Iterator[TraceRecord | None]:
        """Make one transfer; after a call, advance to its return."""
        depth = self._depth()
        return self.advance(lambda record: record.depth <= depth)

    def out(self) -> Iterator[TraceRecord | None]:
        """Advance to the return of the current function."""
        depth = self._depth()
        return self.advance(lambda record: record.depth < depth)

    def back(self, steps: int) -> None:
        """Take back the given number of transfers, at most all. The end counts as one transfer after the last."""
        if not steps:
            return
        last = max(1, self._steps + (self.current is None) - steps)
        self._begin()
        self._replay_to(last)
        self.take_output()

    def latest(self) -> TraceRecord | None:
        """The record of the next transfer; at the end, of the last one; None if the run made no transfer.

        At the end, the record is created in another run, since the values have changed after the last transfer.
        """
        if self.current:
            return self.current
        again = Stepper(self._start)
        again._replay_to(self._steps)
        return again.current

    def _replay_to(self, step: int) -> None:
        while self.current and self.current.step < step:
            self._step()

    def _depth(self) -> int:
        return self.current.depth if self.current else 0
