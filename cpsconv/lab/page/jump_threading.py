"""The collection of the events of jump threading for a page, which shows the function after each redirected jump."""

from __future__ import annotations

from collections import defaultdict

from cpsconv.core.analysis.graph import depth_first
from cpsconv.core.construction import events as e
from cpsconv.core.ir import Continuation, Function
from cpsconv.core.source import DiagnosticError, error
from cpsconv.lab.explain import Collector
from cpsconv.lab.explain.snapshot import snapshot

MAX_SHOWN = 30_000
"""The most continuations in all snapshots together, above which a function is too large for a page."""


class ThreadingCollector(Collector):
    """A collector that adds a snapshot after each redirected jump, and one after each reconstruction.

    Between these, the events state all changes. The last changes, to the finished function, have no events: jumps skip
    the copies that only jump, and continuations are merged.

    Raises `DiagnosticError` as `Collector` does, and if all snapshots together are too large.
    """

    def __init__(self, function: str | None = None) -> None:
        super().__init__(function)
        self._copies: dict[Continuation, list[Continuation]] = defaultdict(list)  # by source
        self._reconstructed: Function | None = None
        self._shown = 0

    def __call__(self, event: e.Event) -> None:
        """Collect the event."""
        if isinstance(event, (e.Unused, e.RedundancyCheck, e.Redundant)) and event.function is self._reconstructed:
            self._reconstructed = None
            self._add_snapshot(event.function)
        super().__call__(event)
        match event:
            case e.Redirect(function, source, _, copy):
                self._copies[source].append(copy)
                self._add_snapshot(function)
            case e.Reconstruct(function):
                self._copies.clear()
                self._reconstructed = function

    def _add_snapshot(self, function: Function) -> None:
        """Add the function, in which each copy follows its source, as it will in the text."""
        members = [member for member, _ in depth_first(function.members(), self._copies.__getitem__)]
        self._shown += len(members)
        if self._shown > MAX_SHOWN:
            message = f"the function `{function.name}` is too large for a page with threaded jumps"
            raise DiagnosticError([error(message, help="`explain` without `--html` shows it", rule="too-large")])
        super().__call__(snapshot(function, members))
