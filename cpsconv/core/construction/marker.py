"""The marker variant (section 3.3): joins are marked first, and get a parameter only if one proves necessary."""

from __future__ import annotations

from cpsconv.core.analysis.undefined_operands import counted
from cpsconv.core.construction.block import Block, Placed, Variable, resolve
from cpsconv.core.construction.events import Agree, Cycle, Mark
from cpsconv.core.construction.placement import Placement
from cpsconv.core.ir import Value


class Marker(Placement):
    """Places a parameter where a look-up returns to a marked join, or where the results of predecessors differ."""

    def look_up(self, variable: Variable, block: Block) -> Value:
        """As `Basic.look_up`, with a mark instead of a parameter.

        For each marked join, `marks` holds the blocks passed before it, and the results of its predecessors so far.
        """
        marks: dict[Block, tuple[list[Block], list[Value]]] = {}
        while True:
            value, join, passed = self.walk(variable, block)
            if value is None and join not in marks:
                marks[join] = passed, []
                if self.observer is not None:
                    self.observer(Mark(variable, join))
                block = join.predecessors[0]
                continue
            if value is None:
                if self.observer is not None:
                    self.observer(Cycle(variable, join))
                value = self.place(variable, join)  # back at the mark: a parameter breaks the cycle
                self.record(variable, passed, value)
            while marks:
                join, (passed, results) = marks.popitem()
                results.append(value)
                if len(results) < len(join.predecessors):
                    marks[join] = passed, results
                    block = join.predecessors[len(results)]
                    break
                value = self._decide(variable, join, results)
                self.record(variable, passed, value)
            else:
                return value

    def _decide(self, variable: Variable, join: Block, results: list[Value]) -> Value:
        """The value at a join, from the results of its predecessors."""
        parameter = join.definitions.get(variable)
        if type(parameter) is Placed:
            return self.complete(parameter, results)
        values = counted(self.undefined, {*map(resolve, results)})
        if len(values) > 1:
            return self.complete(self.place(variable, join), results)
        (value,) = values
        if self.observer is not None:
            self.observer(Agree(variable, join, value))
        self.record(variable, [join], value)
        return value
