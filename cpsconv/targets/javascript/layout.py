"""The layout of a function as structured statements: where each continuation is written.

As in Ramsey, *Beyond Relooper* (ICFP 2022), a continuation is written inside the one that dominates it: in place, if a
single edge leads there; otherwise after a labelled block, which jumps to it leave. A loop is one labelled ``for``; what
is outside of the loop follows it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from cpsconv.abi.javascript import CONSTANTS, PREFIX
from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.analysis.graph import local_target, reverse_postorder, successors
from cpsconv.core.analysis.loops import Loop, LoopNest
from cpsconv.core.ir import Call, Continuation, Edge, ForeignTransfer, Function, Jump, Primitive, Value
from cpsconv.targets.javascript.terms import operation_of

_STARTS = (f"{PREFIX}result", f"{PREFIX}exception")


def is_start(member: Continuation) -> bool:
    """Whether a continuation begins with the result or exception of the transfer that leads to it."""
    return bool(member.body) and str(member.body[0].of) in _STARTS


class Instruction(NamedTuple):
    """An operation with its static operand, its operands, and the value that it defines, if any."""

    name: str
    operand: str
    operands: Sequence[Value]
    result: Value | None


def instructions(member: Continuation) -> Iterator[Instruction]:
    """The instructions of a continuation, the last of which may be its transfer."""
    for statement in member.body:
        yield Instruction(*operation_of(statement.of), statement.operands, statement)
    transfer = member.transfer
    if isinstance(transfer, ForeignTransfer):
        target = local_target(transfer.targets[0]) if transfer.targets else None
        result = target.body[0] if target and is_start(target) else None
        yield Instruction(*operation_of(transfer.text), transfer.values, result)


class Layout:
    """The places of the continuations of a function.

    `merges` has, for each continuation, those that follow its statement: it dominates them, and several edges lead
    there. `after_loop` has, for the header of a loop, those outside of the loop, except ends of single arms. `headers`
    are the headers of loops; `functions` has, for each continuation, those that are functions inside it if loops and
    joins are functions. `chains` has the operations that one ``try`` contains. A *segment* is a sequence of
    continuations that follow each other without a branch or join, denoted by the first; `prefix` is the first one.
    """

    def __init__(self, function: Function) -> None:
        self.function = function
        self.members = reverse_postorder(function)
        self.number = {member: number for number, member in enumerate(self.members)}
        root: Continuation = function
        self._tree = Dominance(root, successors, self.members)
        self._loops = LoopNest(self._tree, successors)
        self.headers = {loop.entries[0] for loop in self._loops.innermost.values()}
        self.is_reducible = not any(loop.irreducible for loop in self._loops.innermost.values())
        self.chains = self._find_chains()
        self._linked = {each: links[0] for links in self.chains.values() for each in links[1:]}
        self._entries = self._count_entries()
        self.merges: dict[Continuation, list[Continuation]] = {member: [] for member in self.members}
        self.after_loop: dict[Continuation, list[Continuation]] = {member: [] for member in self.members}
        self._place()
        self._placed = {*chain(*self.merges.values(), *self.after_loop.values())}
        self.functions = {
            member: [each for each in self._tree.children[member] if self.is_function(each)] for member in self.members
        }
        self.segment, self.prefix = self._find_segments()

    def loops_around(self, member: Continuation) -> Iterator[Loop[Continuation]]:
        """The loops that contain a continuation, from the innermost."""
        loop = self._loops.innermost.get(member)
        while loop:
            yield loop
            loop = loop.around

    def is_back(self, source: Continuation, target: Continuation) -> bool:
        """Whether an edge leads back to the header of a loop."""
        return self.number[target] <= self.number[source]

    def _find_chains(self) -> dict[Continuation, list[Continuation]]:
        """For each continuation that begins a ``try``, those whose operations have the same handler as its own."""
        count = Counter(target for member in self.members for target in successors(member))
        found: dict[Continuation, list[Continuation]] = {}
        linked = set[Continuation]()
        for member in self.members:
            if member in linked or len(guard := _guard(member)) < 2:
                continue
            links = found[member] = [member]
            after = local_target(guard[0])
            while len(guard) == 2 and after and count[after] == 1 and not self._loops_differ(member, after):
                following = _guard(after)
                if len(following) != 2 or _key(following[1]) != _key(guard[1]):
                    break
                linked.add(after)
                links.append(after)
                after = local_target(following[0])
        return found

    def _loops_differ(self, one: Continuation, other: Continuation) -> bool:
        return other in self.headers or self._loops.innermost.get(one) is not self._loops.innermost.get(other)

    def _count_entries(self) -> Counter[Continuation]:
        """The number of edges to each continuation that do not lead back; those of one ``try`` count once."""
        return Counter(
            target
            for member in self.members
            for edge in (member.transfer.edges if member.transfer else ())
            if (target := local_target(edge)) and not self.is_back(member, target)
            if member not in self._linked or target is not local_target(_guard(member)[1])
        )

    def _place(self) -> None:
        for member in self.members[1:]:
            parent = self._tree.parent[member]
            own = {*self.loops_around(member)}
            left = [loop for loop in self.loops_around(parent) if loop not in own]
            is_end = self._entries[member] == 1 and not self._tree.children[member] and parent not in self.headers
            if self.is_end(member):
                continue
            if left and not is_end:
                self.after_loop[left[-1].entries[0]].append(member)
            elif self._entries[member] > 1:
                self.merges[parent].append(member)

    def is_end(self, member: Continuation) -> bool:
        """Whether a continuation only returns a value, which each edge to it can do."""
        transfer = member.transfer
        returns = isinstance(transfer, Jump) and transfer.edge.target is self.function.ret
        return returns and member is not self.function and all(map(is_constant, member.body))

    def is_in_place(self, member: Continuation) -> bool:
        """Whether a continuation is written at the only edge to it."""
        return member not in self._placed

    def is_function(self, member: Continuation) -> bool:
        """Whether a continuation is a function of its own, if loops and joins are functions."""
        return (self._entries[member] > 1 or member in self.headers) and not self.is_end(member)

    def name(self, member: Continuation) -> str:
        """A name for a continuation."""
        return "loop" if member in self.headers else member.name

    def depth(self) -> int:
        """The number of functions inside each other, if loops and joins are functions."""
        depths: dict[Continuation, int] = {self.function: 0}
        for member, parent in self._tree.parent.items():
            depths[member] = depths[parent] + self.is_function(member)
        return max(depths.values())

    def _find_segments(self) -> tuple[dict[Continuation, Continuation], list[Continuation]]:
        segment: dict[Continuation, Continuation] = {}
        prefix: list[Continuation] = [self.function]
        for member in self.members:
            first = segment.setdefault(member, segment[self._linked[member]] if member in self._linked else member)
            target = local_target(member.transfer.then) if isinstance(member.transfer, Call) else None
            if target and not self.is_function(target) and self.is_in_place(target):
                segment[target] = first
                if member is prefix[-1]:
                    prefix.append(target)
        return segment, prefix

    def written_in(self, member: Continuation) -> Continuation:
        """The continuation in whose loops the text of a continuation is."""
        while self._entries[member] == 1 and member not in self.headers and member not in self._placed:
            member = self._tree.parent[member]
        return member


def is_constant(value: Value) -> bool:
    """Whether a value is written in place wherever it is used: a literal, or the function of a closure."""
    return isinstance(value, Primitive) and (
        operation_of(value.of)[0] in CONSTANTS or isinstance(value.operands[0], Function)
    )


def _guard(member: Continuation) -> Sequence[Edge]:
    """The edges of an operation in ``try``."""
    transfer = member.transfer
    is_guarded = isinstance(transfer, ForeignTransfer) and len(transfer.targets) > 1
    return transfer.edges if transfer and is_guarded else ()


def _key(edge: Edge) -> tuple[object, ...]:
    return edge.target, *edge.arguments
