"""The layout of a function as structured statements: where each continuation is written.

As in Ramsey, *Beyond Relooper* (ICFP 2022), a continuation is written inside the one that dominates it: in place, if a
single edge leads there; otherwise after a labelled block, which jumps to it leave. A loop is one labelled ``for``; what
is outside of the loop follows it. Values of a loop that later continuations use are variables before the loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from cpsconv.abi.javascript import PREFIX
from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.analysis.graph import count_uses, local_target, reverse_postorder, successors, uses
from cpsconv.core.analysis.loops import Loop, LoopNest
from cpsconv.core.ir import Continuation, Effect, Function, Parameter, Primitive, Value


class Layout:
    """The places of the continuations of a function.

    `merges` has, for each continuation, those that follow its statement: it dominates them, and several edges lead
    there. `after_loop` has, for the header of a loop, those outside of the loop, except ends of single arms. `escaping`
    has, for each header, the values of its loop that are used outside. `headers` are the headers of loops, `used`
    counts the uses of values, `passed` has those that are arguments of edges, and `user` the user of those that are
    used once.
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        self.members = reverse_postorder(function)
        self._number = {member: number for number, member in enumerate(self.members)}
        root: Continuation = function
        self._tree = Dominance(root, successors, self.members)
        self._loops = LoopNest(self._tree, successors)
        self.headers = {loop.entries[0] for loop in self._loops.innermost.values()}
        self.is_reducible = not any(loop.irreducible for loop in self._loops.innermost.values())
        self.used = count_uses(function)
        edges = (edge for member in self.members if member.transfer for edge in member.transfer.edges)
        self.passed = {value for edge in edges for value in edge.arguments}
        self._entries = self._count_entries()
        self.merges: dict[Continuation, list[Continuation]] = {member: [] for member in self.members}
        self.after_loop: dict[Continuation, list[Continuation]] = {member: [] for member in self.members}
        self._place()
        self._placed = {
            each for placed in (self.merges, self.after_loop) for found in placed.values() for each in found
        }
        self.user = self._users()
        self.home: dict[Value, Continuation] = {
            statement: member for member in self.members for statement in member.body
        }
        self.escaping = self._escaping()

    def loops_around(self, member: Continuation) -> Iterator[Loop[Continuation]]:
        """The loops that contain a continuation, from the innermost."""
        loop = self._loops.innermost.get(member)
        while loop:
            yield loop
            loop = loop.around

    def is_back(self, source: Continuation, target: Continuation) -> bool:
        """Whether an edge leads back to the header of a loop."""
        return self._number[target] <= self._number[source]

    def _count_entries(self) -> Counter[Continuation]:
        """The number of edges to each continuation that do not lead back."""
        return Counter(
            target
            for member in self.members
            for edge in (member.transfer.edges if member.transfer else ())
            if (target := local_target(edge)) and not self.is_back(member, target)
        )

    def _place(self) -> None:
        for member in self.members[1:]:
            parent = self._tree.parent[member]
            own = {*self.loops_around(member)}
            left = [loop for loop in self.loops_around(parent) if loop not in own]
            is_end = self._entries[member] == 1 and not self._tree.children[member] and parent not in self.headers
            if left and not is_end:
                self.after_loop[left[-1].entries[0]].append(member)
            elif self._entries[member] > 1:
                self.merges[parent].append(member)

    def is_in_place(self, member: Continuation) -> bool:
        """Whether a continuation is written at the only edge to it."""
        return member not in self._placed

    def _users(self) -> dict[Value, Continuation]:
        """The user of each value that is used once, not by a closure, which may be written as a whole elsewhere."""
        found: dict[Value, Continuation] = {}
        for member in self.members:
            found |= dict.fromkeys(uses(member), member)
            for statement in member.body:
                if str(statement.of).startswith((f"{PREFIX}closure", f"{PREFIX}class")):
                    for operand in statement.operands:
                        found.pop(operand, None)
        return {value: member for value, member in found.items() if self.used[value] == 1}

    def _escaping(self) -> dict[Continuation, list[Value]]:
        """For each header, the values that are defined in its loop and used outside: of the outermost such loop."""
        defined: dict[Value, Continuation] = dict(self.home.items())
        for member in self.members[1:]:
            defined |= dict.fromkeys(member.parameters, member)
        homes: dict[Value, Continuation] = {}
        for member in self.members:
            around = {*self.loops_around(member)}
            for value in uses(member):
                home = defined.get(value) if isinstance(value, (Parameter, Primitive, Effect)) else None
                left = [loop.entries[0] for loop in self.loops_around(home) if loop not in around] if home else []
                if left and (value not in homes or self._number[left[-1]] < self._number[homes[value]]):
                    homes[value] = left[-1]
        found: dict[Continuation, list[Value]] = {}
        for value, header in homes.items():
            if defined[value] is not header or value not in header.parameters:
                found.setdefault(header, []).append(value)
        return found
