"""Labels and `goto`."""

from __future__ import annotations

from dataclasses import dataclass

from cpsconv.construction import Block
from cpsconv.frontends.c import syntax as c
from cpsconv.frontends.c.emission import Emitter
from cpsconv.frontends.c.prescan import Survey
from cpsconv.frontends.c.semantic_errors import Complaints
from cpsconv.ir import ABORT
from cpsconv.source import Span


@dataclass(eq=False, slots=True)
class _Place:
    """The continuation that a label stands for; `arrivals` ways to it are still to come."""

    block: Block
    arrivals: int


class Labels:
    """The labels of one function. A label that nothing jumps to needs no continuation."""

    def __init__(self, emit: Emitter, complaints: Complaints, survey: Survey) -> None:
        self._emit = emit
        self._complaints = complaints
        self._survey = survey
        self._places: dict[str, _Place] = {}
        self._check()

    def jump(self, node: c.Goto) -> None:
        """Lower a `goto`. Control does not go on after it, even if its label is missing."""
        place = self._place(node.name)
        if place:
            self._emit.jump(place.block, node.span)
            self._arrive(place)
        else:
            self._emit.leave(ABORT, span=node.span)

    def enter(self, node: c.Label) -> None:
        """Go on at a label, from the statement before it or by a `goto`."""
        if self._survey.labels[node.name] is not node or not self._survey.gotos[node.name]:
            return
        place = self._place(node.name)
        assert place
        self._emit.jump(place.block)
        self._arrive(place)
        self._emit.enter(place.block, expected=place.arrivals > 0)

    def _place(self, name: str) -> _Place | None:
        """What the label stands for; None if there is no such label."""
        label = self._survey.labels.get(name)
        if label and name not in self._places:
            arrivals = self._survey.gotos[name] + 1  # the statement before it comes there, too
            self._places[name] = _Place(self._emit.continuation(name, span=label.span), arrivals)
        return self._places.get(name)

    def _arrive(self, place: _Place) -> None:
        place.arrivals -= 1
        if place.arrivals == 0:
            self._emit.seal(place.block)

    def _check(self) -> None:
        survey = self._survey
        for label in survey.repeated:
            note = ("it first stands here", _name_span(survey.labels[label.name]))
            message = f"the label `{label.name}` stands twice in this function"
            self._complaints.error(message, _name_span(label), note=note)
        for name, jump in survey.jumps.items():
            if name not in survey.labels:
                help = self._complaints.near(name, survey.labels)
                self._complaints.error(f"there is no label `{name}` in this function", jump.name_span, help=help)
        for name, label in survey.labels.items():
            if name not in survey.jumps:
                self._complaints.warning(f"the label `{name}` is never used", _name_span(label))


def _name_span(label: c.Label) -> Span:
    return Span(label.span.source, label.span.start, label.span.start + len(label.name))
