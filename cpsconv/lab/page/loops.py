"""The loops of a function under construction, as boxes of the control flow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, cast

from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.analysis.loops import Loop, LoopNest
from cpsconv.core.construction import events as e
from cpsconv.core.ir import Continuation
from cpsconv.lab.explain import Narration

Json = dict[str, Any]


def loop_boxes(narration: Narration, cards: Sequence[str]) -> list[Json]:
    """The loops, with all edges that the front end requested, before continuations are merged.

    A copy that jump threading adds is in the loops that its source and its target have in common.

    Each has the numbers of its `entries`, of the `cards` of which it is the innermost loop, and of the loop `around`.
    """
    edges = _edges(narration)
    innermost = {**LoopNest(Dominance(narration.function, edges.__getitem__, edges), edges.__getitem__).innermost}
    for event in narration.events:
        if isinstance(event, e.Redirect):
            _add_copy(innermost, event)
    numbers = {name: number for number, name in enumerate(cards)}

    def numbered(members: Iterable[Continuation]) -> list[int]:
        return sorted(numbers[narration.labels.name(member)] for member in members)

    loops: dict[Loop[Continuation], list[Continuation]] = {}
    for member, loop in innermost.items():
        loops.setdefault(loop, []).append(member)
    ordered = sorted(loops, key=lambda loop: numbered(loops[loop]))
    places = {loop: place for place, loop in enumerate(ordered)}
    return [
        {
            "entries": numbered(loop.entries),
            "cards": numbered(loops[loop]),
            "around": None if loop.around is None else places[loop.around],
        }
        for loop in ordered
    ]


def _add_copy(innermost: dict[Continuation, Loop[Continuation]], event: e.Redirect) -> None:
    around = [*_around(innermost.get(event.source))]
    common = [each for each in _around(innermost.get(cast(Continuation, event.target))) if each in around]
    if common:
        innermost[event.copy] = common[0]


def _around(loop: Loop[Continuation] | None) -> Iterator[Loop[Continuation]]:
    """A loop, and those around it."""
    while loop:
        yield loop
        loop = loop.around


def _edges(narration: Narration) -> dict[Continuation, list[Continuation]]:
    """The continuations to which each one has edges."""
    found: dict[Continuation, list[Continuation]] = {narration.function: []}
    found.update((event.block.continuation, []) for event in narration.events if isinstance(event, e.Create))
    for event in narration.events:
        if isinstance(event, e.Fill):
            targets = [target for target, _ in event.ending.edges]
            found[event.block.continuation] = [
                each for each in targets if isinstance(each, Continuation) and each in found
            ]
    return found
