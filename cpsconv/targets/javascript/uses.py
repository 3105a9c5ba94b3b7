"""The uses of values in the text of a function: which are written in place, and which are variables before a loop."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cpsconv.abi.javascript import NO_NAMES
from cpsconv.abi.javascript.facts import class_facts
from cpsconv.core.analysis.graph import count_uses, uses
from cpsconv.core.ir import Continuation, Effect, Parameter, Primitive, Value
from cpsconv.targets.javascript.layout import Layout, instructions, is_constant


class Uses:
    """The uses of the values of a function that is laid out.

    `used` counts the uses of values, `passed` has those that are arguments of edges, `users` the segments that use
    each, and `user` that of a value that is used once. `methods` are properties that are called as methods, when both
    are the only uses of the object. `class_names` are cells that are the names of classes, in them.
    `escaping` has, for each header, the values of its loop that are used outside: variables before the loop.
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self.used = count_uses(layout.function)
        edges = (edge for member in layout.members if member.transfer for edge in member.transfer.edges)
        self.passed = {value for edge in edges for value in edge.arguments}
        self.users = self._find_users()
        self.user = {value: found[0] for value, found in self.users.items() if self.used[value] == 1}
        self.methods = self._find_methods()
        self.class_names = {*self._find_class_names()}
        self._forget_closures()
        self.escaping = self._escaping()

    def _find_users(self) -> dict[Value, list[Continuation]]:
        found: dict[Value, list[Continuation]] = {}
        for member in self._layout.members:
            for value in dict.fromkeys(uses(member)):
                users = found.setdefault(value, [])
                if self._layout.segment[member] not in users[-1:]:
                    users.append(self._layout.segment[member])
        return found

    def _find_class_names(self) -> Iterator[Value]:
        """The cells of names that are used in their class only, and that it can have in its text."""
        for member in self._layout.members:
            for name, operand, operands, _ in instructions(member):
                if name == "class" and (facts := class_facts(operand)).has_cell:
                    cell = operands[facts.is_derived]
                    if self.used[cell] == operands.count(cell) and facts.name not in NO_NAMES:
                        yield cell

    def _find_methods(self) -> set[Value]:
        """The results of ``get`` that are only called, with the object as `this`, which has no other use."""
        objects: dict[Value, Value] = {}
        found = set[Value]()
        for member in self._layout.members:
            for name, _, operands, result in instructions(member):
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
        for member in self._layout.members:
            for name, _, operands, _ in instructions(member):
                if name in ("closure", "class"):
                    for operand in operands:
                        self.user.pop(operand, None)

    def leaving(self, links: Sequence[Continuation]) -> Iterator[Value]:
        """The values that a ``try`` defines and that are used after it."""
        segment = self._layout.segment[links[0]]
        for member in links:
            for *_, result in [*instructions(member)][0 if member is not links[0] else len(member.body) :]:
                is_used = result and any(each is not segment for each in self.users.get(result, ()))
                if result and is_used and not is_constant(result):
                    yield result

    def _escaping(self) -> dict[Continuation, list[Value]]:
        """For each header, the values that are defined in its loop and used outside: of the outermost such loop."""
        layout = self._layout
        defined: dict[Value, Continuation] = {each: member for member in layout.members for each in member.body}
        for member in layout.members[1:]:
            defined |= dict.fromkeys(member.parameters, member)
        homes: dict[Value, Continuation] = {}
        for member in layout.members:
            around = {*layout.loops_around(layout.written_in(member))}
            for value in uses(member):
                is_variable = isinstance(value, (Parameter, Primitive, Effect)) and not is_constant(value)
                home = defined.get(value) if is_variable else None
                left = [loop.entries[0] for loop in layout.loops_around(home) if loop not in around] if home else []
                if left and (value not in homes or layout.number[left[-1]] < layout.number[homes[value]]):
                    homes[value] = left[-1]
        found: dict[Continuation, list[Value]] = {}
        for value, header in homes.items():
            if defined[value] is not header or value not in header.parameters:
                found.setdefault(header, []).append(value)
        return found
