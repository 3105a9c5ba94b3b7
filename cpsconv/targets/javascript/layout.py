"""The layout of a function as structured statements: where each continuation is written.

As in Ramsey, *Beyond Relooper* (ICFP 2022), a continuation is written inside the one that dominates it: in place, if a
single edge leads there; otherwise after a labelled block, which jumps to it leave. A loop is one labelled ``for``; what
is outside of the loop follows it. Values of a loop that later continuations use are variables before the loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain

from cpsconv.abi.javascript import CONSTANTS, PREFIX
from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.analysis.graph import count_uses, local_target, reverse_postorder, successors, uses
from cpsconv.core.analysis.loops import Loop, LoopNest
from cpsconv.core.ir import (
    Call,
    Continuation,
    Edge,
    Effect,
    ForeignTransfer,
    Function,
    Jump,
    Parameter,
    Primitive,
    Value,
)
from cpsconv.targets.javascript.terms import operation_of

_STARTS = (f"{PREFIX}result", f"{PREFIX}exception")


def is_start(member: Continuation) -> bool:
    """Whether a continuation begins with the result or exception of the transfer that leads to it."""
    return bool(member.body) and str(member.body[0].of) in _STARTS


def operations(member: Continuation) -> Iterator[tuple[Value | None, str, Sequence[Value]]]:
    """The operations of a continuation: the result of each, its name and static operand, and its operands."""
    for statement in member.body:
        yield statement, str(statement.of), statement.operands
    transfer = member.transfer
    if isinstance(transfer, ForeignTransfer):
        target = local_target(transfer.targets[0]) if transfer.targets else None
        yield target.body[0] if target and is_start(target) else None, transfer.text, transfer.values


class Layout:
    """The places of the continuations of a function.

    `merges` has, for each continuation, those that follow its statement: it dominates them, and several edges lead
    there. `after_loop` has, for the header of a loop, those outside of the loop, except ends of single arms. `headers`
    are the headers of loops; `functions` has, for each continuation, those that are functions inside it if loops and
    joins are functions. `chains` has the operations that one ``try`` contains. A *segment* is a sequence of
    continuations that follow each other without a branch or join, denoted by the first; `prefix` is the first one.

    `used` counts the uses of values, `passed` has those that are arguments of edges, `users` the segments that use
    each, and `user` that of a value that is used once. `methods` are properties that are called as methods, when both
    are the only uses of the object. `class_names` are the cells of the names of classes in them.
    `escaping` has, for each header, the values of its loop that are used outside.
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
        self.users = self._find_users()
        self.user = {value: found[0] for value, found in self.users.items() if self.used[value] == 1}
        self.methods = self._find_methods()
        self.class_names = {
            operands["extends" in text.split()]
            for member in self.members
            for _, text, operands in operations(member)
            if text.startswith(f"{PREFIX}class ") and "cell" in text.split()
        }
        self._forget_closures()
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

    def _find_users(self) -> dict[Value, list[Continuation]]:
        found: dict[Value, list[Continuation]] = {}
        for member in self.members:
            for value in dict.fromkeys(uses(member)):
                users = found.setdefault(value, [])
                if self.segment[member] not in users[-1:]:
                    users.append(self.segment[member])
        return found

    def _find_methods(self) -> set[Value]:
        """The results of ``get`` that are only called, with the object as `this`, which has no other use."""
        objects: dict[Value, Value] = {}
        found = set[Value]()
        for member in self.members:
            for result, text, operands in operations(member):
                name, _ = operation_of(text)
                if name == "get" and result and self.used[result] == 1 and self.used[operands[0]] == 2:
                    objects[result] = operands[0]
                elif name == "call" and objects.get(operands[0]) is operands[1]:
                    users = {*self.users[operands[0]], *self.users[operands[1]]}
                    if len(users) == 1:
                        found.add(operands[0])
                        self.used[operands[1]] = 1
                        self.user[operands[1]] = users.pop()
        return found

    def _forget_closures(self) -> None:
        """Forget single users that are closures, which may be written as a whole elsewhere."""
        for member in self.members:
            for _, text, operands in operations(member):
                if text.startswith((f"{PREFIX}closure", f"{PREFIX}class")):
                    for operand in operands:
                        self.user.pop(operand, None)

    def leaving(self, links: Sequence[Continuation]) -> Iterator[Value]:
        """The values that a ``try`` defines and that are used after it."""
        for member in links:
            for result, _, _ in [*operations(member)][0 if member is not links[0] else len(member.body) :]:
                is_used = result and any(each is not self.segment[links[0]] for each in self.users.get(result, ()))
                if result and is_used and not is_constant(result):
                    yield result

    def _written_in(self, member: Continuation) -> Continuation:
        """The continuation in whose loops the text of a continuation is."""
        while self._entries[member] == 1 and member not in self.headers and member not in self._placed:
            member = self._tree.parent[member]
        return member

    def _escaping(self) -> dict[Continuation, list[Value]]:
        """For each header, the values that are defined in its loop and used outside: of the outermost such loop."""
        defined: dict[Value, Continuation] = dict(self.home.items())
        for member in self.members[1:]:
            defined |= dict.fromkeys(member.parameters, member)
        homes: dict[Value, Continuation] = {}
        for member in self.members:
            around = {*self.loops_around(self._written_in(member))}
            for value in uses(member):
                is_variable = isinstance(value, (Parameter, Primitive, Effect)) and not is_constant(value)
                home = defined.get(value) if is_variable else None
                left = [loop.entries[0] for loop in self.loops_around(home) if loop not in around] if home else []
                if left and (value not in homes or self._number[left[-1]] < self._number[homes[value]]):
                    homes[value] = left[-1]
        found: dict[Continuation, list[Value]] = {}
        for value, header in homes.items():
            if defined[value] is not header or value not in header.parameters:
                found.setdefault(header, []).append(value)
        return found


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
