"""The basic strategy: Algorithms 1 to 4 without recursion, and with `may_assign`, an extension of the paper."""

from __future__ import annotations

from cpsconv.core.construction.block import Block, Placed, Variable
from cpsconv.core.construction.placement import Placement
from cpsconv.core.ir import Value


class Basic(Placement):
    """Places a parameter at every join that a look-up reaches, and removes it if it turns out trivial."""

    def look_up(self, variable: Variable, block: Block) -> Value:
        """Algorithm 2, with an explicit stack of the parameters whose arguments are being collected."""
        collecting: list[tuple[Placed, list[Value]]] = []
        while True:
            value, join, passed = self.walk(variable, block)
            if value is None:
                parameter = self.place(variable, join)  # before searching further: look-ups that return here end
                self.record(variable, passed, parameter)
                collecting.append((parameter, []))
                block = join.predecessors[0]
                continue
            while collecting:
                parameter, arguments = collecting[-1]
                arguments.append(value)
                if len(arguments) < len(parameter.block.predecessors):
                    block = parameter.block.predecessors[len(arguments)]
                    break
                collecting.pop()
                value = self.complete(parameter, arguments)
            else:
                return value
