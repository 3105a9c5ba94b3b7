"""The source variables of a finished function: where each is assigned and read, and its parameters."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import field

from cpsconv.core.analysis.graph import incoming, successors
from cpsconv.core.construction.block import Variable
from cpsconv.core.construction.record import BlockRecord, FunctionRecord, Write
from cpsconv.core.ir import Continuation, Function, Jump, Parameter, Value
from cpsconv.core.nodes import NodeType


class Accesses(metaclass=NodeType):
    """The assignments to one variable (the last one in each continuation), its parameters, and the continuations that
    read it before they assign to it.
    """

    assigned: dict[Continuation, Write] = field(default_factory=dict)
    parameters: dict[Continuation, Parameter] = field(default_factory=dict)
    reading: set[Continuation] = field(default_factory=set)


class DefUse:
    """A finished function with the record of its construction; `accesses` has an entry for each of its variables."""

    def __init__(self, function: Function, record: FunctionRecord) -> None:
        self.function = function
        self.accesses: dict[Variable, Accesses] = {}
        self.variables: dict[Parameter, Variable] = {}
        self._own = set(function.parameters)
        self._edges = incoming(function)
        blocks = {block.continuation: block for block in record.blocks}
        listed = set(function.members())
        for member in function.members():
            self._note_parameters(member, blocks[member])
            for block in _merged(blocks[member], blocks, listed):
                self._note_events(member, block)

    def predecessors(self, member: Continuation) -> list[Continuation]:
        """The continuations in which the edges to `member` start, one item for each edge."""
        return [sender for sender, _ in self._edges.get(member, ())]

    def arguments(self, parameter: Parameter, home: Continuation) -> list[tuple[Continuation, Value]]:
        """The values that `parameter` of `home` receives, with their senders, one item for each edge."""
        index = home.parameters.index(parameter)
        return [(sender, edge.arguments[index]) for sender, edge in self._edges[home]]

    def is_assigned_in(self, variable: Variable, member: Continuation) -> bool:
        """Whether `member` assigns to the variable. The entry counts: there, every variable has an initial value."""
        return member is self.function or member in self.accesses[variable].assigned

    def is_live(self, variable: Variable, member: Continuation) -> bool:
        """Whether some path from the start of `member` reads the variable before it assigns to it."""
        accesses = self.accesses[variable]
        pending, seen = [member], {member}
        for at in pending:  # appended to during iteration
            if at in accesses.reading:
                return True
            if at not in accesses.assigned:
                following = [each for each in dict.fromkeys(successors(at)) if each not in seen]
                seen.update(following)
                pending += following
        return False

    def _note_parameters(self, member: Continuation, block: BlockRecord) -> None:
        kept = set(member.parameters)
        for variable, parameter in block.carried.items():
            if parameter in kept:  # otherwise it was removed later
                self._of(variable).parameters[member] = parameter
                self.variables[parameter] = variable

    def _note_events(self, member: Continuation, block: BlockRecord) -> None:
        for event in block.events:
            accesses = self._of(event.variable)
            if isinstance(event, Write):
                accesses.assigned[member] = event
                if isinstance(event.value, Parameter) and event.value in self._own and event.span is None:
                    accesses.parameters[member] = event.value  # the function's own parameter
            elif member not in accesses.assigned:
                accesses.reading.add(member)

    def _of(self, variable: Variable) -> Accesses:
        return self.accesses.setdefault(variable, Accesses())


def _merged(
    head: BlockRecord, blocks: dict[Continuation, BlockRecord], listed: Collection[Continuation]
) -> Iterator[BlockRecord]:
    """The blocks that became one continuation: `head`, and the blocks that were merged into it, in order."""
    block: BlockRecord | None = head
    while block:
        yield block
        target = block.ending.edges[0][0] if block.ending.kind is Jump else None
        block = blocks.get(target) if isinstance(target, Continuation) and target not in listed else None
