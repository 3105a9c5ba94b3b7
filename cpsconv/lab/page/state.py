"""The state of a function at a step of its construction, replayed from the events.

The state is a copy of the function: continuations, statements, transfers and edges as far as they exist at the
step. So the printers of finished programs print it. It differs from the function that the Builder constructs in three
respects: a placed parameter is a parameter of its continuation at once, the edges have its arguments, and an argument
that is not known yet is a `GAP`. If a parameter is removed, each of its uses becomes the value that replaces it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from itertools import starmap
from typing import cast

from cpsconv.core import ir
from cpsconv.core.analysis.graph import replace_in_transfer
from cpsconv.core.construction import events as e
from cpsconv.core.construction.block import Block, Placed, Variable
from cpsconv.core.construction.finish import merge_chains
from cpsconv.core.nodes import NodeType, replace
from cpsconv.lab.explain import Collected, Narration
from cpsconv.lab.page.growing_plan import GAP, GrowingPlan


class ContinuationState(metaclass=NodeType):
    """The state of a continuation, with the `number` of its card.

    `incoming` has the edges to it, in the order of its predecessors. `definitions` are the recorded definitions of
    variables. A continuation that was merged into another one is part of its `home`.
    """

    number: int
    is_entered: bool = False
    is_filled: bool = False
    is_sealed: bool = False
    is_dropped: bool = False
    home: ir.Continuation | None = None
    definitions: dict[Variable, ir.Value] = field(default_factory=dict)
    incoming: list[ir.Edge] = field(default_factory=list)


class State:
    """The state after the events applied so far: a `function`, with the `plan` of its text.

    `states` has the state of each continuation ever created. `proxies` are the proxies without arguments. `edges` has
    the edges to each continuation with their sources, in the order of the arguments. Since the last call of `settle`,
    the continuations in `created` and `filled` were created and filled, and if `is_rearranged`, others were removed.
    """

    def __init__(self, narration: Narration, cards: Sequence[str]) -> None:
        self.plan = GrowingPlan(narration.labels)
        self.states: dict[ir.Continuation, ContinuationState] = {}
        self.proxies: set[ir.Parameter] = set()
        self.edges: dict[ir.Continuation, list[tuple[ir.Continuation, ir.Edge]]] = {}
        self.is_closed = False
        self.created: list[ir.Continuation] = []
        self.filled: list[ir.Continuation] = []
        self.is_rearranged = False
        self._narration = narration
        self._numbers = {name: number for number, name in enumerate(cards)}
        self._filled: list[ir.Continuation] = []  # since the first event, in order
        self._kept = _kept(narration)
        self._copies: dict[ir.Value, ir.Value] = {}
        self._replacements: dict[ir.Value, ir.Value] = {}

    # -------------------------------------------------------------------------------------------------------- events

    def apply(self, event: Collected) -> None:
        """Change to the state after `event`."""
        match event:
            case e.Open(function, block):
                parameters = [*function.parameters]
                given = function.attributes
                self.function = ir.Function(function.name, parameters, span=function.span, attributes=given)
                self._add(block, self.function)
                self.plan.give(self.function, function.parameters)
                self._state_of(block).is_entered = self._state_of(block).is_sealed = True
            case e.Create(block):
                member = ir.Continuation(block.continuation.name, span=block.continuation.span)
                self.function.continuations.append(member)
                self._add(block, member)
            case e.Enter(block):
                self._state_of(block).is_entered = True
            case e.Compute(block, statement, operands) if statement not in self._copies:
                self._compute(self._member(block), statement, operands)
            case e.Write(variable, block, value):
                self._define(self._member(block), variable, value)
            case e.Record(variable, blocks, value):
                for block in blocks:
                    self._define(self._member(block), variable, value)
            case e.Fill(block, ending):
                self._fill(self._member(block), ending)
            case e.Seal(block):
                self._state_of(block).is_sealed = True
            case e.Place(parameter) if parameter in self.plan.homes:
                self._withdraw(parameter)  # its look-up was postponed
                self.proxies.discard(parameter)
                self._place(parameter, is_proxy=False)
            case e.Proxy(parameter) | e.Place(parameter) | e.Postpone(parameter):
                self._place(parameter, is_proxy=not isinstance(event, e.Place))
            case e.Operand(parameter, argument, number):
                self._pass(parameter, number, argument)
            case e.Complete(parameter, arguments):
                self._complete(parameter, arguments)
            case e.Remove(parameter, value) | e.Rename(parameter, value):
                self._remove(parameter, value)
            case e.Unreachable(block):
                self._drop(self._member(block))
            case e.Close():
                self._close()
            case e.Unused(_, parameters):
                for unused in map(self._current, parameters):
                    self._withdraw(unused)
                    for member, variable in self.plan.forget(unused):
                        del self.states[member].definitions[variable]
            case e.Redundant(_, replaced):
                for redundant, value in replaced.items():
                    self._remove(self._current(redundant), value)

    def settle(self) -> None:
        """Regard all changes as shown."""
        self.plan.touched.clear()
        self.created.clear()
        self.filled.clear()
        self.is_rearranged = False

    def finish(self) -> None:
        """Remove the definitions, and the computations that the finished function does not have."""
        self.is_rearranged = True
        self.plan.forget_rows()
        for member, each in self.states.items():
            each.definitions.clear()
            self.plan.touched.add(member)
        kept = {self._copies[each] for each in self._narration.function.statements()}
        for member in self.function.members():
            for statement in member.body:
                if statement not in kept:
                    self.plan.release(statement.operands, statement)
                    self.plan.touched.add(member)
            member.body = [each for each in member.body if each in kept]

    # ------------------------------------------------------------------------------------------------- continuations

    def _member(self, block: Block) -> ir.Continuation:
        member = self._copies[block.continuation]
        assert isinstance(member, ir.Continuation)
        return member

    def _state_of(self, block: Block) -> ContinuationState:
        """The state of a continuation, which the caller changes: it is touched."""
        self.plan.touched.add(self._member(block))
        return self.states[self._member(block)]

    def _add(self, block: Block, member: ir.Continuation) -> None:
        self._copies[block.continuation] = member
        name = self.plan.names[member] = self._narration.labels.name(block.continuation)
        self.states[member] = ContinuationState(self._numbers[name])
        self.edges[member] = []
        self.created.append(member)
        self.plan.touched.add(member)

    def _own_parameters(self, continuation: ir.Continuation) -> list[ir.Parameter]:
        """The parameters that construction did not place: those for the result of a call."""
        return [parameter for parameter in continuation.parameters if parameter not in self._kept]

    def _compute(self, member: ir.Continuation, statement: ir.Statement, operands: Sequence[ir.Value]) -> None:
        copy = replace(statement, operands=tuple(map(self._current, operands)))
        self._copies[statement] = copy
        member.body.append(copy)
        self.plan.add(copy, statement, member)

    def _fill(self, member: ir.Continuation, ending: e.Ending) -> None:
        self.states[member].is_filled = True
        self.plan.touched.add(member)
        if ending.edges and ending.edges[0][0] is ir.ABORT and self._is_dead(member):
            return
        edges = [*starmap(self._edge, ending.edges)]
        member.transfer = transfer_of(ending, [*map(self._current, ending.operands)], edges)
        self.plan.use(member.transfer.operands, member)
        for (original, _), edge in zip(ending.edges, edges, strict=True):
            self.plan.ends[edge] = member, edge.target
            if edge.target in self.states:
                assert isinstance(edge.target, ir.Continuation)
                if ending.kind is ir.Call:
                    own = self._own_parameters(cast(ir.Continuation, original))
                    edge.target.parameters += own
                    self.plan.give(edge.target, own)
                    self.plan.inline.add(edge.target)
                else:
                    edge.arguments += [GAP for _ in edge.target.parameters]
                self.states[edge.target].incoming.append(edge)
                self.edges[edge.target].append((member, edge))
                self.plan.touched.update([edge.target, *edge.target.parameters])
            self.plan.use(edge.arguments, edge)
        self.filled.append(member)
        self._filled.append(member)

    def _edge(self, target: ir.Target, arguments: Sequence[ir.Value]) -> ir.Edge:
        return ir.Edge(cast(ir.Target, self._current(target)), [*map(self._current, arguments)])

    def _is_dead(self, member: ir.Continuation) -> bool:
        """Whether the code is dead. The Builder ends it with a transfer that is not in the source."""
        state = self.states[member]
        return state.is_sealed and not state.incoming and member is not self.function

    def _drop(self, member: ir.Continuation) -> None:
        """Remove an unreachable continuation, with the arguments that it passes."""
        self.states[member].is_dropped = True
        self.plan.touched.add(member)
        for statement in member.body:
            self.plan.release(statement.operands, statement)
        self.plan.release(member.transfer.operands if member.transfer else (), member)
        for edge in member.transfer.edges if member.transfer else ():
            self.plan.release(edge.arguments, edge)
            if edge.target in self.states:
                assert isinstance(edge.target, ir.Continuation)
                self.states[edge.target].incoming.remove(edge)
                self.edges[edge.target].remove((member, edge))
                self.plan.inline.discard(edge.target)
                self.plan.touched.update([edge.target, *edge.target.parameters])
        self.function.continuations.remove(member)
        self.is_rearranged = True

    def _close(self) -> None:
        """Merge each continuation into its only predecessor if this jumps to it."""
        self.is_closed = self.is_rearranged = True
        for placed in [each for member in self.function.members() for each in member.parameters]:
            if isinstance(placed, Placed) and placed.forward:
                self._copies[placed.forward] = placed
        tails: dict[ir.Continuation, ir.Continuation] = {}
        for member in self.function.continuations:
            sources = self.edges[member]
            if len(sources) == 1 and type(sources[0][0].transfer) is ir.Jump and not member.parameters:
                self.states[member].home, _ = sources[0]
                tails[sources[0][0]] = member
        for each in self.states.values():
            while each.home and (above := self.states[each.home].home):
                each.home = above
        present = [each for each in self._filled if not self.states[each].is_dropped]
        self.function.continuations = merge_chains(present, tails)
        self._restart()

    def _restart(self) -> None:
        """Collect the edges and uses again, and print all again."""
        self.is_rearranged = True
        self.plan.restart(self.function.members())
        self.plan.touched |= self.states.keys()
        self.edges.update((member, []) for member in self.states)
        for edge, (source, target) in self.plan.ends.items():
            if target in self.states:
                self.edges[target].append((source, edge))
        for member, ends in self.edges.items():
            self.states[member].incoming = [edge for _, edge in ends]

    # ---------------------------------------------------------------------------------------------------- parameters

    def _place(self, parameter: Placed, *, is_proxy: bool) -> None:
        member = self._member(parameter.block)
        self.plan.give(member, [parameter])
        member.parameters.append(parameter)
        if is_proxy:
            self.proxies.add(parameter)
        for edge in self.states[member].incoming:
            edge.arguments.append(GAP)
            self.plan.touched.add(self.plan.ends[edge][0])
        self.plan.touched.add(member)

    def _complete(self, parameter: Placed, arguments: Sequence[ir.Value]) -> None:
        self.proxies.discard(parameter)
        self.plan.touched.update([self._member(parameter.block), parameter])
        for index, argument in enumerate(arguments):
            self._pass(parameter, index, argument)

    def _pass(self, parameter: Placed, index: int, argument: ir.Value) -> None:
        """Set the argument of the edge from the predecessor with that number."""
        member = self._member(parameter.block)
        edge = self.states[member].incoming[index]
        at = _place_of(parameter, member, edge)
        self.plan.release([edge.arguments[at]], edge)
        edge.arguments[at] = self._current(argument)
        self.plan.use([edge.arguments[at]], edge)
        self.plan.touched.update([self.plan.ends[edge][0], parameter])

    def _withdraw(self, parameter: ir.Value) -> None:
        """Remove a parameter, with its arguments."""
        assert isinstance(parameter, ir.Parameter)
        member = self.plan.homes[parameter]
        for edge in self.states[member].incoming:
            self.plan.release([edge.arguments.pop(_place_of(parameter, member, edge))], edge)
            self.plan.touched.add(self.plan.ends[edge][0])
        member.parameters.remove(parameter)
        self.plan.touched.update([member, parameter])

    def _remove(self, parameter: ir.Value, value: ir.Value) -> None:
        """Remove a parameter, and replace each of its uses by `value`."""
        self._withdraw(parameter)
        value = self._replacements[parameter] = self._current(value)

        def replaced(each: ir.Value) -> ir.Value:
            return value if each is parameter else each

        users, definitions = self.plan.replace(parameter, value)
        for user in users:
            if isinstance(user, ir.Continuation):
                assert user.transfer
                replace_in_transfer(user.transfer, replaced)
            elif isinstance(user, ir.Edge):
                user.arguments = [*map(replaced, user.arguments)]
            else:
                user.operands = tuple(map(replaced, user.operands))
        for member, variable in definitions:
            self.states[member].definitions[variable] = value

    def _define(self, member: ir.Continuation, variable: Variable, value: ir.Value) -> None:
        definitions = self.states[member].definitions
        value = self._current(value)
        self.plan.record(value, (member, variable), definitions.get(variable))
        definitions[variable] = value

    def _current(self, value: ir.Value) -> ir.Value:
        """The value in the copy; a removed parameter's replacement."""
        value = self._copies.get(value, value)
        while value in self._replacements:
            value = self._replacements[value]
        return value


def _place_of(parameter: ir.Parameter, member: ir.Continuation, edge: ir.Edge) -> int:
    """The place of the argument for a parameter. The first parameters may be results of a call, without arguments."""
    return member.parameters.index(parameter) - (len(member.parameters) - len(edge.arguments))


def transfer_of(ending: e.Ending, operands: list[ir.Value], edges: list[ir.Edge]) -> ir.Transfer:
    """The transfer that the front end requested, with these operands and edges."""
    if ending.kind is ir.Jump:
        return ir.Jump(edges[0])
    if ending.kind is ir.Branch:
        return ir.Branch(operands[0], edges[0], edges[1])
    if ending.kind is ir.Switch:
        return ir.Switch(operands[0], [*cast("Sequence[int]", ending.fixed)], edges[:-1], edges[-1])
    if ending.kind is ir.ForeignTransfer:
        return ir.ForeignTransfer(str(ending.fixed[0]), operands, edges)
    callee = cast(ir.Function, ending.fixed[0])
    if not callee.name:  # a prototype: the first operand is the pointer
        return ir.Call(callee, operands[1:], edges[0], pointer=operands[0])
    return ir.Call(callee, operands, edges[0])


def _kept(narration: Narration) -> set[ir.Value | None]:
    """The parameters of the program that construction placed."""
    placed = {event.parameter for event in narration.events if isinstance(event, (e.Proxy, e.Place))}
    removed = {event.parameter for event in narration.events if isinstance(event, e.Remove)}
    return {parameter.forward for parameter in placed - removed}
