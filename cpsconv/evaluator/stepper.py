"""A walk through a run, forward and back."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator

from cpsconv.evaluator.effects import ByteStream
from cpsconv.evaluator.machine import Outcome, Walk
from cpsconv.evaluator.trace import TraceRecord
from cpsconv.operations.runtime_errors import ProgramError

Goal = Callable[[TraceRecord], bool]
"""Says of a record whether to stop there."""


class Stepper:
    """Stands before one transfer of a run, or at its end.

    `here` is the record of that transfer, `None` at the end; `end` is how the run ended, `None` before that. `start`
    begins a run that writes to the stream it is given. To go back is to begin anew: a run is always the same.
    """

    def __init__(self, start: Callable[[ByteStream], Walk]) -> None:
        self._start = start
        self._steps = 0
        self._begin()

    def _begin(self) -> None:
        self._stream = io.BytesIO()
        self._walk = self._start(self._stream)
        self.here: TraceRecord | None = None
        self.end: Outcome | ProgramError | None = None
        self._go_on()

    def _go_on(self) -> None:
        """To the next transfer, if there is one. Raises `DiagnosticError` where the run cannot even begin."""
        try:
            self.here = next(self._walk)
            self._steps = self.here.step
        except StopIteration as end:
            self.here, self.end = None, end.value
        except ProgramError as fault:
            self.here, self.end = None, fault

    def take_output(self) -> str:
        """What the program has written since this was asked last, a character for each byte."""
        output = self._stream.getvalue().decode("latin-1")
        self._stream.seek(0)
        self._stream.truncate()
        return output

    def advance(self, goal: Goal) -> Iterator[TraceRecord | None]:
        """Go on until a record is a goal, or to the end. Gives what it comes by, and where it arrives, one by one."""
        while self.here:
            self._go_on()
            yield self.here
            if self.here and goal(self.here):
                return

    def forward(self, steps: int) -> Iterator[TraceRecord | None]:
        """Make so many transfers."""
        last = self._steps + steps
        return self.advance(lambda record: record.step >= last) if steps else iter(())

    def over(self) -> Iterator[TraceRecord | None]:
        """Make one transfer; if that is a call, go on to where its result is taken."""
        depth = self._depth()
        return self.advance(lambda record: record.depth <= depth)

    def out(self) -> Iterator[TraceRecord | None]:
        """Go on to where the function returns to."""
        depth = self._depth()
        return self.advance(lambda record: record.depth < depth)

    def back(self, steps: int) -> None:
        """Take back so many transfers, or all that there were. The end is one further on than the last of them."""
        if not steps:
            return
        last = max(1, self._steps + (self.here is None) - steps)
        self._begin()
        self._catch_up(last)
        self.take_output()

    def latest(self) -> TraceRecord | None:
        """The record of the transfer that is next or, at the end, of the last one; None if there never was any.

        At the end, that is made in another run, for the values have changed since.
        """
        if self.here:
            return self.here
        again = Stepper(self._start)
        again._catch_up(self._steps)
        return again.here

    def _catch_up(self, step: int) -> None:
        while self.here and self.here.step < step:
            self._go_on()

    def _depth(self) -> int:
        return self.here.depth if self.here else 0
