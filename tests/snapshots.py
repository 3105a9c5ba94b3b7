"""Snapshots of a Builder: the state of a function under construction, taken from the blocks themselves.

The page replays the construction from events. A snapshot, taken at an event, has the attributes of the
replayed `State`, but each is computed from the blocks of that moment, without any history. (The blocks do not have the
operands that the strategy `paper` has collected for a parameter: these are counted by events.)
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from cpsconv.core import ir
from cpsconv.core.construction import Block, Placed, events
from cpsconv.core.nodes import replace
from cpsconv.lab.explain import Narration
from cpsconv.lab.page.growing_plan import GAP


def resolved(value: ir.Value) -> ir.Value:
    """`value`, or what replaces it; nothing is changed."""
    while isinstance(value, Placed) and value.forward is not None:
        value = value.forward
    return value


Closed = dict[ir.Continuation, tuple[list[ir.Parameter], list[tuple[ir.Value, list[ir.Value]]]]]
"""The parameters of each continuation of a finished function, and the target and arguments of each edge."""


class Snapshots:
    """An observer that takes a snapshot of the open function at each event up to the last one before `Close`."""

    def __init__(self) -> None:
        self.by_function: dict[ir.Function, list[Snapshot]] = defaultdict(list)
        self._function: ir.Function | None = None
        self._blocks: list[Block] = []
        self.closed: dict[ir.Function, Closed] = {}
        self._entered: set[Block] = set()
        self._dropped: set[Block] = set()
        self._dead: set[Block] = set()
        self._appended: dict[Placed, list[ir.Value]] = {}

    def __call__(self, event: events.Event) -> None:
        match event:
            case events.Open(function, entry):
                self._function, self._blocks, self._entered = function, [entry], {entry}
            case events.Create(block):
                self._blocks.append(block)
            case events.Enter(block):
                self._entered.add(block)
                if block.sealed and not block.predecessors:
                    self._dead.add(block)
            case events.Unreachable(block):
                self._dropped.add(block)
            case events.Operand(parameter, argument):
                self._appended.setdefault(parameter, []).append(argument)
            case events.Close(function):
                self._function = None
                self.closed[function] = {
                    member: (
                        [*member.parameters],
                        [(edge.target, [*edge.arguments]) for edge in member.transfer.edges] if member.transfer else [],
                    )
                    for member in function.members()
                }
        if self._function:
            taken = Snapshot(self._blocks, self._entered, self._dropped, self._appended)
            taken.transfers = {block: each for block, each in taken.transfers.items() if block not in self._dead}
            self.by_function[self._function].append(taken)


class Ended:
    """A transfer with the operands and arguments that it has now."""

    def __init__(self, transfer: ir.Transfer) -> None:
        self.edges = [*transfer.edges]
        self.ending = events.ending_of(transfer)

    @property
    def values(self) -> list[ir.Value]:
        return [*self.ending.operands, *(each for _, arguments in self.ending.edges for each in arguments)]


class Snapshot:
    """The contents of the blocks at an event; `state` converts them to the attributes of a `State`."""

    def __init__(
        self, blocks: list[Block], entered: set[Block], dropped: set[Block], appended: dict[Placed, list[ir.Value]]
    ) -> None:
        self.blocks = [*blocks]
        self.dropped = dropped & {*blocks}
        self.entered = entered & {*blocks}
        self.flags = {block: (block.filled, block.sealed) for block in blocks}
        self.definitions = {block: {v: resolved(value) for v, value in block.definitions.items()} for block in blocks}
        self.bodies = {block: [(each, each.operands) for each in block.continuation.body] for block in blocks}
        self.transfers = {block: Ended(block.continuation.transfer) for block in blocks if block.continuation.transfer}
        self.edges = {
            edge: (source, block)
            for block in blocks
            for source, edge in zip(block.predecessors, block.edges, strict=True)
            if source not in dropped
        }
        self.placed = {block: [each for each in block.placed if each.forward is None] for block in blocks}
        self.proxies = {
            each
            for block in blocks
            for each in block.proxies.values()
            if each.arguments is None and each.forward is None
        }
        self.operands = {each: self._operands(each, appended) for block in blocks for each in self.placed[block]}
        self.resolved = {
            value: resolved(value)
            for block in blocks
            for value in [
                *(operand for _, operands in self.bodies[block] for operand in operands),
                *(self.transfers[block].values if block in self.transfers else ()),
            ]
        }

    def _operands(self, parameter: Placed, appended: dict[Placed, list[ir.Value]]) -> dict[ir.Edge, ir.Value]:
        block = parameter.block
        found = parameter.arguments if parameter.arguments is not None else appended.get(parameter, [])
        return {edge: resolved(value) for edge, value in zip(block.edges, found, strict=False)}

    def state(self, narration: Narration, cards: Sequence[str]) -> State:
        """The state, with the names of a narration, and the numbers of the cards."""
        return State(self, narration, cards)


class State:
    """Has the attributes of `cpsconv.lab.page.state.State`, and is its own plan of the text."""

    is_closed = False
    is_rearranged = True

    def __init__(self, taken: Snapshot, narration: Narration, cards: Sequence[str]) -> None:
        self.plan = self
        self.created: list[ir.Continuation] = []  # all, once they are copied
        self.filled: list[ir.Continuation] = []
        self.touched: set[Any] = set()
        self.labels = narration.labels
        self._cards = cards
        self.proxies = taken.proxies
        self._taken = taken
        self._kept = {each.forward for block in narration.end.blocks.values() for each in block.placed}
        self._copies: dict[ir.Value, Any] = {}
        self._originals: dict[ir.Value, Any] = {}
        self._edges: dict[ir.Edge, ir.Edge] = {}
        self._copy_blocks()
        self._copy_contents()
        self._plan()

    def _copy_blocks(self) -> None:
        taken = self._taken
        self.states: dict[ir.Continuation, ContinuationState] = {}
        for block in taken.blocks:
            original = block.continuation
            is_entry = isinstance(original, ir.Function)
            name, attributes = original.name, getattr(original, "attributes", ir.NO_ATTRIBUTES)
            copy = ir.Function(name, attributes=attributes) if is_entry else ir.Continuation(name)
            copy.parameters = [*original.parameters] if is_entry else []
            self._copies[original] = copy
            filled, sealed = taken.flags[block]
            flags = block in taken.entered, filled, sealed, block in taken.dropped
            self.states[copy] = ContinuationState(self._cards.index(self.labels.name(original)), *flags)
        self.created = [*self.states]
        entry, *others = [self._copies[block.continuation] for block in taken.blocks if block not in taken.dropped]
        self.function = entry
        entry.continuations = others

    def _copy_contents(self) -> None:
        taken = self._taken
        for block in taken.blocks:
            copy = self._copies[block.continuation]
            for statement, _ in taken.bodies[block]:
                self._copies[statement] = replace(statement)
                self._originals[self._copies[statement]] = statement
                copy.body.append(self._copies[statement])
        for block in taken.blocks:
            copy = self._copies[block.continuation]
            for statement, operands in taken.bodies[block]:
                self._copies[statement].operands = tuple(map(self._of, operands))
            calls = [source for source, to in taken.edges.values() if to is block]
            if any(taken.transfers[source].ending.kind is ir.Call for source in calls):
                copy.parameters += [each for each in block.continuation.parameters if each not in self._kept]
            if copy is not self.function:
                copy.parameters += taken.placed[block]
            copy.transfer = self._transfer(taken.transfers.get(block))
            variables = {variable: self._of(value) for variable, value in taken.definitions[block].items()}
            self.states[copy].definitions = variables

    @property
    def parameters(self) -> dict[ir.Continuation, list[ir.Parameter]]:
        """The parameters of each continuation."""
        return {member: member.parameters for member in self.function.members()}

    def place_in_entry(self) -> None:
        """Add the parameters of the entry, which only the strategy `paper` places, after the printers were created."""
        self.function.parameters += self._taken.placed[self._taken.blocks[0]]

    def _of(self, value: ir.Value) -> ir.Value:
        value = self._taken.resolved.get(value, value)
        copy: ir.Value = self._copies.get(value, value)
        return copy

    def _transfer(self, ended: Ended | None) -> ir.Transfer | None:
        if ended is None:
            return None
        kind, fixed, operands, _ = ended.ending
        operands = tuple(map(self._of, operands))
        given = [arguments for _, arguments in ended.ending.edges]
        edges = [*map(self._edge, ended.edges, given)]
        if kind is ir.Jump:
            return ir.Jump(edges[0])
        if kind is ir.Branch:
            return ir.Branch(operands[0], edges[0], edges[1])
        if kind is ir.Switch:
            return ir.Switch(operands[0], [*fixed], edges[:-1], edges[-1])  # type: ignore[list-item]
        if not getattr(fixed[0], "name", ""):  # a prototype: the first operand is the pointer
            return ir.Call(fixed[0], [*operands[1:]], edges[0], pointer=operands[0])  # type: ignore[arg-type]
        return ir.Call(fixed[0], [*operands], edges[0])  # type: ignore[arg-type]

    def _edge(self, edge: ir.Edge, given: tuple[ir.Value, ...]) -> ir.Edge:
        arguments = [*map(self._of, given)]
        if edge in self._taken.edges:
            _, block = self._taken.edges[edge]
            for parameter in self._taken.placed[block]:
                arguments.append(self._of(self._taken.operands[parameter].get(edge, GAP)))
        copy = self._edges[edge] = ir.Edge(self._of(edge.target), arguments)  # type: ignore[arg-type]
        return copy

    def _plan(self) -> None:
        """Name all values, and write those in place that the finished text has in place and that can be."""
        members = [*self.function.members()]
        self.edges: dict[ir.Continuation, list[tuple[ir.Continuation, ir.Edge]]] = {each: [] for each in self.states}
        for edge, (source, block) in self._taken.edges.items():
            if edge in self._edges:
                self.edges[self._copies[block.continuation]].append(
                    (self._copies[source.continuation], self._edges[edge])
                )
        self.names: dict[ir.Value, str] = {GAP: "…"}
        for original, copy in self._copies.items():
            if isinstance(original, ir.Continuation):
                self.names[copy] = self.labels.name(original)
                self.names |= {each: self.labels.name(each) for each in copy.parameters}
        self.names |= {each: self.labels.name(each) for each in self._taken.placed[self._taken.blocks[0]]}
        users: dict[ir.Value, list[tuple[ir.Continuation, bool]]] = defaultdict(list)
        for member in members:
            for statement in member.body:
                for value in statement.operands:
                    users[value].append((member, True))
            if member.transfer:
                for value in member.transfer.operands:
                    users[value].append((member, True))
                for edge in member.transfer.edges:
                    for value in edge.arguments:
                        users[value].append((member, isinstance(member.transfer, ir.Jump)))
        self.used = Counter({value: len(found) for value, found in users.items()})
        self.recorded = {value for each in self.states.values() for value in each.definitions.values()}
        self.in_place: set[ir.Value] = set()
        for member in self.states:
            for statement in member.body:
                name = self.labels.name_of(self._originals[statement])
                if name is None and (not users[statement] or users[statement] == [(member, True)]):
                    self.in_place.add(statement)
                else:
                    self.names[statement] = name or self.labels.spare_name(self._originals[statement])
        calls = [member.transfer for member in members if isinstance(member.transfer, ir.Call)]
        self.inline = {call.then.target for call in calls}

    def is_line(self, statement: Any) -> bool:
        return statement not in self.in_place or not self.used[statement]

    def is_shown(self, statement: ir.Primitive | ir.Effect) -> bool:
        if statement not in self.names or statement.type is ir.VOID:
            return False
        is_used = self.used[statement] or statement in self.recorded
        return isinstance(statement, ir.Primitive) or bool(is_used) or self.labels.is_named(self._originals[statement])


class ContinuationState:
    """The counterpart of `cpsconv.lab.page.state.ContinuationState`."""

    home = None

    def __init__(self, number: int, *flags: bool) -> None:
        self.number = number
        self.is_entered, self.is_filled, self.is_sealed, self.is_dropped = flags
        self.definitions: dict[Any, ir.Value] = {}
