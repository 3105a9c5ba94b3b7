"""The marker variant (section 3.3): a join is only marked, and gets a parameter when that proves to be needed."""

from __future__ import annotations

from dataclasses import dataclass, field

from cpsconv.build.block import Block, Placed, Variable, resolve
from cpsconv.build.events import Agree, Cycle, Mark
from cpsconv.build.placement import Placement, remember
from cpsconv.ir import Value


@dataclass(eq=False, slots=True)
class _Mark:
    """A join whose predecessors are being asked, their answers so far, and the blocks that wait for its value."""

    join: Block
    passed: list[Block]
    answers: list[Value] = field(default_factory=list)


class Marker(Placement):
    """Places a parameter where a look-up comes back to a marked join, or where the predecessors' answers differ."""

    def look_up(self, variable: Variable, block: Block) -> Value:
        """As `Basic.look_up`, but with a mark for a parameter."""
        marks: list[_Mark] = []
        marked: set[Block] = set()
        while True:
            value, join, passed = self.walk(variable, block)
            if value is None and join not in marked:
                marks.append(_Mark(join, passed))
                marked.add(join)
                if self.observer:
                    self.observer(Mark(variable, join))
                block = join.predecessors[0]
                continue
            if value is None:
                if self.observer:
                    self.observer(Cycle(variable, join))
                value = self.place(variable, join)  # back at the mark: this parameter breaks the cycle
                remember(variable, passed, value)
            while marks:
                mark = marks[-1]
                mark.answers.append(value)
                if len(mark.answers) < len(mark.join.predecessors):
                    block = mark.join.predecessors[len(mark.answers)]
                    break
                marks.pop()
                marked.discard(mark.join)
                value = self._decide(variable, mark)
                remember(variable, mark.passed, value)
            else:
                return value

    def _decide(self, variable: Variable, mark: _Mark) -> Value:
        """The value at a join, now that all of its predecessors have answered."""
        parameter = mark.join.definitions.get(variable)
        if type(parameter) is Placed:
            return self.complete(parameter, mark.answers)
        values = {resolve(answer) for answer in mark.answers}
        if len(values) > 1:
            return self.complete(self.place(variable, mark.join), mark.answers)
        value = mark.join.definitions[variable] = values.pop()
        if self.observer:
            self.observer(Agree(variable, mark.join, value))
        return value
