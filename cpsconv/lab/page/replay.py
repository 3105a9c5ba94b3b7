"""The replay of a construction: its steps, with the edits that each step makes to the panes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import replace
from typing import Any

from cpsconv.core.analysis.graph import depth_first, is_local
from cpsconv.core.construction import events as e
from cpsconv.core.ir import Continuation
from cpsconv.lab.explain import Collected, Narration, Step
from cpsconv.lab.explain.snapshot import Snapshot
from cpsconv.lab.page.cps_pane import CpsPane
from cpsconv.lab.page.flow_pane import FlowPane
from cpsconv.lab.page.pane import Pane
from cpsconv.lab.page.phi_pane import PhiPane
from cpsconv.lab.page.source_variables import Variables
from cpsconv.lab.page.threaded_state import state_of
from cpsconv.targets.numbering import nested_order

Json = dict[str, Any]

_MAX_INNER = 1_000_000
"""The work, events times continuations, above which the page shows a look-up as one step, without those within it."""

MAX_WORK = 15_000_000
"""The work, events times continuations, above which a function is too large for a page."""


def work_of(narration: Narration) -> int:
    """The work of a replay: each step prints few continuations, but scans all."""
    return len(narration.events) * (50 + len(narration.end.blocks))


def card_names(narration: Narration) -> Iterator[str]:
    """The names of all continuations ever created, in the order of the nested text; unreachable ones are last.

    A continuation that is not in the finished function follows its first predecessor, a copy that of its edge.
    """
    function = narration.function
    created: list[Continuation] = [function]
    following: dict[Continuation, list[Continuation]] = defaultdict(list)
    for event in narration.events:
        match event:
            case e.Create(block):
                created.append(block.continuation)
            case e.Fill(block, ending):
                following[block.continuation] += (target for target, _ in ending.edges if is_local(target))
            case e.Redirect(_, source, _, copy):
                following[source].append(copy)
    members = {*function.members()}
    order = depth_first(
        [*nested_order(function), *created], lambda each: [after for after in following[each] if after not in members]
    )
    return (narration.labels.name(each) for each, _ in order)


class Replay:
    """The steps of a narration with the state after each of them.

    `parameters` has the home of each parameter that is placed or copied, and the numbers of the steps that place,
    complete, examine or remove it. `values` are the names of all statements.
    """

    def __init__(self, narration: Narration, variables: Variables, cards: list[str]) -> None:
        self.narration = narration
        self.state = state_of(narration, cards)
        self.parameters: dict[str, Json] = {}
        self._variables = variables
        self._panes: dict[str, Pane] = {}

    def steps(self) -> Iterator[tuple[Step, Json]]:
        """Each step with the edits of the panes. If there are too many, each look-up is one step."""
        narration = self.narration
        steps = narration.each_step(inner=work_of(narration) <= _MAX_INNER)
        number, step, following = 0, next(steps), next(steps, None)
        for event in narration.events:
            if following and event is following.event:
                yield step, self._edits()
                number, step, following = number + 1, following, next(steps, None)
            self.state.apply(event)
            if isinstance(event, e.Close):
                step = _with_merged(step, self._merged())
            self._note(event, number)
        yield step, self._edits()
        merged = {*self._merged()}
        self.state.finish()
        new = [each for each in self._merged() if each not in merged]
        yield _with_merged(self._last_step(), new), self._edits()

    def _edits(self) -> Json:
        """The edits of the panes since the last call."""
        state = self.state
        if not self._panes:
            self._panes = {"flow": FlowPane(state, self._variables), "cps": CpsPane(state), "phi": PhiPane(state)}
        found = {name: [*pane.edits()] for name, pane in self._panes.items()}
        state.settle()
        return {name: edits for name, edits in found.items() if edits}

    def _note(self, event: Collected, number: int) -> None:
        """Note the parameters that the event is about."""
        name = self.narration.labels.name
        match event:
            case e.Proxy(parameter) | e.Postpone(parameter) | e.Place(parameter):
                home = name(parameter.block.continuation)
                self.parameters.setdefault(name(parameter), {"home": home, "steps": [number]})
                self._note_step(name(parameter), number)
            case e.Complete(parameter) | e.Keep(parameter) | e.Remove(parameter) | e.Rename(parameter):
                self._note_step(name(parameter), number)
            case Snapshot():
                names = self.state.plan.names
                for copy in self.state.created:
                    for each in copy.parameters:
                        self.parameters[names[each]] = {"home": names[copy], "steps": [number]}
            case e.Unused(_, parameters) | e.Redundant(_, parameters):
                for each in parameters:
                    self._note_step(name(each), number)

    def _note_step(self, parameter: str, number: int) -> None:
        steps = self.parameters[parameter]["steps"]
        if steps[-1] != number:
            steps.append(number)

    @property
    def values(self) -> list[str]:
        return [*self.state.plan.statement_names]

    def _merged(self) -> list[str]:
        """The names of the continuations that were merged into others."""
        return [self.state.plan.names[member] for member, each in self.state.states.items() if each.home]

    def _last_step(self) -> Step:
        """The step after all events: the finished function."""
        function = self.narration.function
        entry, text = self.narration.end.blocks[function], "the finished function"
        return Step(
            e.Close(function),
            records=(),
            text=text,
            lines=(),
            block=entry,
            filled=True,
            sealed=True,
            variable=None,
            span=function.span,
            within=False,
        )


def _with_merged(step: Step, names: Collection[str]) -> Step:
    """The step, with the names of the continuations that it merges into others."""
    if not names:
        return step
    merged = ", ".join(f"`{name}`" for name in names)
    are = "is" if len(names) == 1 else "are"
    return replace(step, text=f"{step.text}; {merged} {are} merged into the only predecessor")
