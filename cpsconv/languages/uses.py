"""Uses of variables that an assignment may not precede, found by construction.

The analysis of a front end constructs the control flow of a program, with a variable for each fact, which is assigned
where the fact becomes true. Where a path without such an assignment leads, the variable has an undefined value.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Generic, TypeVar

from cpsconv.core.analysis.graph import depth_first, local_target
from cpsconv.core.construction import Builder, Variable
from cpsconv.core.ir import BOOL, VOID, Constant, Undef, Value

Use = TypeVar("Use")

HOLDS = Constant(BOOL, True)
"""The value of a variable whose fact is true."""


class Uses(Generic[Use]):
    """The uses of facts in a program under construction with `builder`.

    >>> uses = Uses[str]()
    >>> b, fact = uses.builder, Variable("x is assigned", BOOL)
    >>> then, after = b.continuation("then"), b.continuation("after")
    >>> b.branch(HOLDS, then, after)
    >>> b.open(then)
    >>> b.write_variable(fact, HOLDS)
    >>> uses.add(fact, "use in the arm")
    >>> b.jump(after)
    >>> b.open(after)
    >>> uses.add(fact, "use after the join")
    >>> b.ret()
    >>> uses.unassigned()
    ['use after the join']
    """

    def __init__(self) -> None:
        self.builder = Builder(checked=False)
        self.builder.function("uses", [], VOID)
        self._uses: dict[Value, Use] = {}

    def add(self, fact: Variable, use: Use) -> None:
        """Add a use of the fact in the open block."""
        self._uses[self.builder.primitive("!", self.builder.read_variable(fact))] = use

    def unassigned(self) -> list[Use]:
        """The uses that a path without an assignment leads to, in the order of `add`. Closes the function."""
        function = self.builder.finish()
        receivers: dict[Value, list[Value]] = defaultdict(
            list
        )  # the uses of a value, and the parameters that it reaches
        for member in function.members():
            for use in member.body:
                receivers[use.operands[0]].append(use)
            for edge in member.transfer.edges if member.transfer else ():
                target = local_target(edge)
                for argument, parameter in zip(edge.arguments, target.parameters if target else (), strict=True):
                    receivers[argument].append(parameter)
        roots: list[Value] = [value for value in receivers if isinstance(value, Undef)]
        reached = {value for value, _ in depth_first(roots, lambda value: receivers.get(value, ()))}
        return [use for value, use in self._uses.items() if value in reached]
