"""The blocks that look-ups visit, and those in which they have their results: the others are on the stack."""

from __future__ import annotations

from collections.abc import Sequence

from cpsconv.core.construction import events as e
from cpsconv.core.construction.block import Block, Placed
from cpsconv.core.ir import Value
from cpsconv.lab.explain import Step


class LookUps:
    """The look-ups of a construction, step by step.

    In the strategy `scc`, a parameter is placed after the search from its block; in the others, before.
    """

    def __init__(self, strategy: str) -> None:
        self._places_first = strategy != "scc"
        self._searched: set[Value] = set()  # the parameters whose arguments are being looked up

    def visited(self, step: Step) -> Sequence[Block]:
        """The blocks that a look-up visits with the step."""
        match step.event:
            case e.Walk(_, passed, end):
                return [*passed, end]
            case e.Mark(_, join) | e.Cycle(_, join) | e.Visit(_, join) | e.Agree(_, join) | e.Inherit(_, join):
                return [join]
            case e.Place(parameter) | e.Proxy(parameter):
                return [parameter.block]
            case e.Component(_, joins):
                return joins
            case e.Read(_, block):
                return [block]
        return []

    def done(self, step: Step) -> list[Block]:
        """The blocks in which a look-up has its result after the step."""
        recorded = dict.fromkeys(block for record in step.records for block in record.blocks)
        match step.event:
            case e.Walk(_, _, end, value) if value is not None and not self._is_searched(value, end):
                recorded[end] = None
            case e.Place(parameter) if self._places_first:
                self._searched.add(parameter)
                recorded.pop(parameter.block, None)
            case e.Complete(parameter):
                self._searched.discard(parameter)
                recorded[parameter.block] = None
        return [*recorded]

    def _is_searched(self, value: Value, block: Block) -> bool:
        """Whether the value is a parameter of the block whose arguments are being looked up."""
        return isinstance(value, Placed) and value.block is block and value in self._searched
