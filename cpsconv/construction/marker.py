"""The marker variant (section 3.3): a join is only marked, and gets a parameter when that proves to be needed."""

from __future__ import annotations

from cpsconv.construction.block import Block, Placed, Variable, resolve
from cpsconv.construction.events import Agree, Cycle, Mark
from cpsconv.construction.placement import Placement, remember
from cpsconv.ir import Value


class Marker(Placement):
    """Places a parameter where a look-up comes back to a marked join, or where the predecessors' answers differ."""

    def look_up(self, variable: Variable, block: Block) -> Value:
        """As `Basic.look_up`, but with a mark for a parameter.

        Of each join marked, `marks` holds the blocks that wait for its value, and what its predecessors have answered.
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
                value = self.place(variable, join)  # back at the mark: this parameter breaks the cycle
                remember(variable, passed, value)
            while marks:
                join, (passed, answers) = marks.popitem()
                answers.append(value)
                if len(answers) < len(join.predecessors):
                    marks[join] = passed, answers
                    block = join.predecessors[len(answers)]
                    break
                value = self._decide(variable, join, answers)
                remember(variable, passed, value)
            else:
                return value

    def _decide(self, variable: Variable, join: Block, answers: list[Value]) -> Value:
        """The value at a join, now that all of its predecessors have answered."""
        parameter = join.definitions.get(variable)
        if type(parameter) is Placed:
            return self.complete(parameter, answers)
        values = set(map(resolve, answers))
        if len(values) > 1:
            return self.complete(self.place(variable, join), answers)
        value = join.definitions[variable] = values.pop()
        if self.observer is not None:
            self.observer(Agree(variable, join, value))
        return value
