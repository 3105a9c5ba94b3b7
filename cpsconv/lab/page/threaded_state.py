"""The state of a function at each step of its construction and of jump threading, replayed from their events.

Jump threading changes the finished function: the state becomes that of each `Snapshot`, and the events of the
reconstructions are replayed as those of the construction.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import starmap, takewhile
from typing import cast

from cpsconv.core import ir
from cpsconv.core.analysis.graph import replace_in_transfer
from cpsconv.core.construction import events as e
from cpsconv.core.construction.block import Block
from cpsconv.core.nodes import replace
from cpsconv.lab.explain import Collected, Narration
from cpsconv.lab.explain.snapshot import Member, Snapshot, snapshot
from cpsconv.lab.page.state import State, transfer_of


def state_of(narration: Narration, cards: Sequence[str]) -> State:
    """The state before all events of a narration; `cards` are the names of its cards, in order."""
    return (ThreadedState if narration.is_threaded else State)(narration, cards)


class ThreadedState(State):
    """The state of a construction, and then of jump threading."""

    def __init__(self, narration: Narration, cards: Sequence[str]) -> None:
        super().__init__(narration, cards)
        self._blocks: Collection[Block] = ()  # of the reconstruction
        self._transfers: dict[ir.Continuation, ir.Transfer] = {}  # in the last snapshot

    def apply(self, event: Collected) -> None:
        """Change to the state after `event`."""
        match event:
            case Snapshot(_, members):
                self._become(members)
            case e.Reconstruct(_, blocks):
                self._blocks = {*blocks}
            case e.Replace(_, block, value, replacement):
                self._replace_uses(self._member(block), self._current(value), self._current(replacement))
            case e.Record(variable, blocks, value) if self._blocks:  # others are starts of continuations
                super().apply(e.Record(variable, [block for block in blocks if block in self._blocks], value))
            case _:
                super().apply(event)

    def finish(self) -> None:
        """Become the finished function."""
        self._become(snapshot(self._narration.function, self._narration.function.members()).members)

    def _become(self, members: Sequence[Member]) -> None:
        """Have the continuations of a snapshot, and no definitions."""
        self.plan.forget_rows()
        self.plan.touched.clear()
        for continuation, *_ in members:
            if continuation not in self._copies:
                member = ir.Continuation(continuation.name, span=continuation.span)
                self._add(Block(continuation), member)
                added = self.states[member]
                added.is_entered = added.is_filled = added.is_sealed = True
        self._note_absent(members)
        for statement in [statement for each in members for statement, _ in each.body]:
            self._copies[statement] = replace(statement)
        for each in members:
            self._copy_member(each)
        self.function.continuations = [self._copy_of(each.continuation) for each in members[1:]]
        for state in self.states.values():
            state.definitions.clear()
        self._restart()

    def _note_absent(self, members: Sequence[Member]) -> None:
        """Note the continuations that are not in a snapshot: they were merged into others, or are unreachable."""
        homes = {each.transfer: self._copy_of(each.continuation) for each in members}
        for member in {*self.function.continuations} - {*homes.values()}:
            state = self.states[member]
            state.home = homes.get(self._transfers[member]) if member in self._transfers else None
            state.is_dropped = state.home is None

    def _copy_of(self, continuation: ir.Continuation) -> ir.Continuation:
        return cast(ir.Continuation, self._copies[continuation])

    def _copy_member(self, original: Member) -> None:
        member = self._copy_of(original.continuation)
        self._transfers[member] = original.transfer
        member.parameters = [cast(ir.Parameter, self._current(each)) for each in original.parameters]
        self.plan.name(member.parameters)
        member.body = []
        for statement, operands in original.body:
            copy = cast(ir.Statement, self._copies[statement])
            copy.operands = tuple(map(self._current, operands))
            self.plan.copy(copy, statement)
            member.body.append(copy)
        ending = original.ending
        edges = [*starmap(self._edge, ending.edges)]
        member.transfer = transfer_of(ending, [*map(self._current, ending.operands)], edges)

    def _replace_uses(self, member: ir.Continuation, value: ir.Value, replacement: ir.Value) -> None:
        """Replace the uses of a value in a continuation; if the value is computed there, those before it.

        The replacement is a definition of the same variable, so that no other event replaces it again.
        """

        def replaced(each: ir.Value) -> ir.Value:
            return replacement if each is value else each

        for statement in takewhile(lambda each: each is not value, member.body):
            if value in statement.operands:
                self.plan.touch(statement, value)
                self.plan.release(statement.operands, statement)
                statement.operands = tuple(map(replaced, statement.operands))
                self.plan.use(statement.operands, statement)
        if value not in member.body and member.transfer:
            edges = member.transfer.edges
            for edge in edges:
                self.plan.touch(edge, value)
                self.plan.release(edge.arguments, edge)
            self.plan.release(member.transfer.operands, member)
            replace_in_transfer(member.transfer, replaced)
            self.plan.use(member.transfer.operands, member)
            for edge in edges:
                self.plan.use(edge.arguments, edge)
