"""The requests of the front end, numbered alike for all strategies, so that the page can show one request with each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

from cpsconv.core.construction import events as e
from cpsconv.lab.explain import Collected

_ANNOUNCEMENTS = (e.Resume, e.Unreachable)
"""The events before the request to which they belong: the first one of a `Seal` as printed, or of a `Close`."""


class RequestNumbers:
    """The numbers of the requests for one function, from 0, in the order in which any strategy first receives them.

    Without simplifications, all strategies receive the same requests. Simplifications depend on the strategy, since a
    parameter can hide a constant. Therefore, requests are the same if they agree in kind, variable, block and location,
    and if equally many requests before them do.
    """

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    def of_events(self, events: Sequence[Collected]) -> list[int]:
        """For each event of a construction, the number of the request that it is, or that it is a part of.

        A look-up is a part of the read or the sealing that needs it.
        """
        numbers: list[int] = []
        seen: Counter[Hashable] = Counter()
        number = pending = 0
        for event in events:
            if isinstance(event, e.SourceEvent) and not isinstance(event, e.Answer):
                key = _key(event)
                number = self._numbers.setdefault((key, seen[key]), len(self._numbers))
                seen[key] += 1
                numbers += [number] * (pending + 1)
                pending = 0
            elif pending or isinstance(event, _ANNOUNCEMENTS):
                pending += 1
            else:
                numbers.append(number)
        return numbers + [number] * pending


def _key(request: e.Event) -> Hashable:
    """The properties of a request that no strategy changes."""
    variable = getattr(request, "variable", None)
    block = getattr(request, "block", None)
    span = getattr(request, "span", None) or (block and block.continuation.span)
    return type(request), variable and variable.name, block and block.continuation.name, span and (span.start, span.end)
