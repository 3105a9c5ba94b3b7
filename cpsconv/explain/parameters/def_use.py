"""The source variables of a finished function: where each is assigned and read, and which parameters stand for it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field

from cpsconv.analysis.graph import incoming, successors
from cpsconv.construction.block import Variable
from cpsconv.construction.record import BlockRecord, FunctionRecord, Write
from cpsconv.ir import Continuation, Function, Jump, Parameter, Value


@dataclass(eq=False, slots=True)
class Facts:
    """What is known about one variable: for each continuation the last assignment in it and the parameter that it has
    for the variable, if any; and the continuations that read it before they assign to it.
    """

    assigned: dict[Continuation, Write] = field(default_factory=dict)
    parameters: dict[Continuation, Parameter] = field(default_factory=dict)
    reading: set[Continuation] = field(default_factory=set)


class Story:
    """A finished function together with the record of its construction. `facts` has all of its variables."""

    def __init__(self, function: Function, record: FunctionRecord) -> None:
        self.function = function
        self.facts: dict[Variable, Facts] = {}
        self.variables: dict[Parameter, Variable] = {}
        self._own = set(function.parameters)
        self._edges = incoming(function)
        blocks = {block.continuation: block for block in record.blocks}
        listed = set(function.members())
        for member in function.members():
            self._note_parameters(member, blocks[member])
            for block in _chain(blocks[member], blocks, listed):
                self._note_events(member, block)

    def predecessors(self, member: Continuation) -> list[Continuation]:
        """Where the edges to `member` start: one item for each edge."""
        return [sender for sender, _ in self._edges.get(member, ())]

    def arguments(self, parameter: Parameter, home: Continuation) -> list[tuple[Continuation, Value]]:
        """What `parameter` of `home` receives, and from where: one item for each edge."""
        index = home.parameters.index(parameter)
        return [(sender, edge.arguments[index]) for sender, edge in self._edges[home]]

    def is_assigned_in(self, variable: Variable, member: Continuation) -> bool:
        """Whether `member` assigns to the variable. To begin with, every variable has its first value."""
        return member is self.function or member in self.facts[variable].assigned

    def is_live(self, variable: Variable, member: Continuation) -> bool:
        """Whether some way from the start of `member` reads the variable before it is assigned to."""
        facts = self.facts[variable]
        pending, seen = [member], {member}
        for at in pending:  # grows underway
            if at in facts.reading:
                return True
            if at not in facts.assigned:
                following = [each for each in dict.fromkeys(successors(at)) if each not in seen]
                seen.update(following)
                pending += following
        return False

    def _note_parameters(self, member: Continuation, block: BlockRecord) -> None:
        kept = set(member.parameters)
        for variable, parameter in block.carried.items():
            if parameter in kept:  # it may have been removed since
                self._of(variable).parameters[member] = parameter
                self.variables[parameter] = variable

    def _note_events(self, member: Continuation, block: BlockRecord) -> None:
        for event in block.events:
            facts = self._of(event.variable)
            if isinstance(event, Write):
                facts.assigned[member] = event
                if isinstance(event.value, Parameter) and event.value in self._own and event.span is None:
                    facts.parameters[member] = event.value  # what the function is called with
            elif member not in facts.assigned:
                facts.reading.add(member)

    def _of(self, variable: Variable) -> Facts:
        return self.facts.setdefault(variable, Facts())


def _chain(
    head: BlockRecord, blocks: dict[Continuation, BlockRecord], listed: Collection[Continuation]
) -> Iterator[BlockRecord]:
    """The blocks that became one continuation: the first, and those that are only jumped to, from the one before."""
    block: BlockRecord | None = head
    while block:
        yield block
        target = block.ending.edges[0][0] if block.ending.kind is Jump else None
        merged = isinstance(target, Continuation) and target not in listed
        block = blocks.get(target) if merged else None  # type: ignore[arg-type]
