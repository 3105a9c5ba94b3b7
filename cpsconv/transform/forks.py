"""Which edges can be threaded through the fork that they lead to, and the copies of forks for them.

A *fork* is a continuation that ends with a branch or a switch. `cpsconv.transform.thread_jumps` says what for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from cpsconv.analysis.graph import incoming
from cpsconv.ir import (
    Branch,
    Call,
    Constant,
    Continuation,
    Edge,
    Function,
    Jump,
    Parameter,
    Primitive,
    Scalar,
    Statement,
    Switch,
    Value,
)
from cpsconv.operations import fold
from cpsconv.transform.facts import Facts, decided

MOST_STATEMENTS = 8
"""How many statements a fork may have to be copied. (Any number if only one edge leads to it: then that is no copy.)"""

MOST_IN_A_ROW = 32
"""Through how many forks an edge is threaded at a time."""

MOST_BACK = 16
"""Through how many continuations it is looked back for what was decided before."""

Passed = dict[Edge, "frozenset[Continuation]"]
"""The forks that an edge has already been threaded through."""


@dataclass(eq=False, slots=True)
class Copy:
    """A copy of `fork` for the edge `entry`, which is to pass `arguments`; it leaves along the edge `way`.

    `own` has what stands there for each parameter and statement of the fork: a constant, or something new.
    """

    fork: Continuation
    entry: Edge
    way: Edge
    continuation: Continuation
    arguments: list[Value] = field(default_factory=list)
    own: dict[Value, Value] = field(default_factory=dict)


class Threads:
    """Finds the edges of a function that can be threaded, on the function as it is.

    So the copies do not lead to each other yet, but each to the original that is next on its way.
    """

    def __init__(self, function: Function, passed: Passed) -> None:
        """`passed` is for reading; it is brought up to date for the edges by which the copies leave."""
        self._function = function
        self._passed = passed
        self._incoming = incoming(function)
        self._decided = decided(function)
        self._ways: dict[Continuation, Callable[[Constant], Edge]] = {
            member: _ways(member.transfer)
            for member in function.continuations
            if isinstance(member.transfer, (Branch, Switch)) and _is_plain(member)
        }

    def copies(self) -> Iterator[Copy]:
        """A copy for each edge that can be threaded, followed by those for the edges by which the copies leave."""
        for member in self._function.members():
            if member.transfer and not isinstance(member.transfer, Call):
                for edge in member.transfer.edges:
                    if edge.target in self._ways:
                        yield from self._follow(edge, self._facts(member, edge))

    def _facts(self, start: Continuation, edge: Edge) -> Facts:
        """What is known on `edge`, which starts at `start`: what was decided there, and on the only way there."""
        facts = Facts()
        for _ in range(MOST_BACK):
            if edge in self._decided:
                facts.learn(self._decided[edge])
            before = self._incoming.get(start, [])
            if len(before) != 1:
                break
            start, edge = before[0]
        return facts

    def _follow(self, edge: Edge, facts: Facts) -> Iterator[Copy]:
        known: dict[Value, Value] = {}
        for _ in range(MOST_IN_A_ROW):
            fork, passed = edge.target, self._passed.get(edge, frozenset())
            if not isinstance(fork, Continuation) or fork in passed or not self._can_be_copied(fork, edge):
                return
            copy = _Copying(fork, edge, known, facts, self._ways[fork]).run()
            if copy is None:
                return
            yield copy
            known.update(copy.own)
            edge = copy.way
            self._passed[edge] = passed | {fork}

    def _can_be_copied(self, fork: Continuation, edge: Edge) -> bool:
        if fork not in self._ways:
            return False
        before = self._incoming[fork]
        return len(fork.body) <= MOST_STATEMENTS or (len(before) == 1 and before[0][1] is edge)


def _is_plain(fork: Continuation) -> bool:
    """Whether the fork is not concerned with continuations as values."""
    passed = [value for edge in fork.transfer.edges for value in edge.arguments] if fork.transfer else []
    return all(isinstance(value.type, Scalar) for value in (*fork.parameters, *passed))


def _ways(transfer: Branch | Switch) -> Callable[[Constant], Edge]:
    """The function from what is decided by to where that leads."""
    if isinstance(transfer, Branch):
        return lambda decided: transfer.then if decided.value else transfer.otherwise
    cases: dict[object, Edge] = dict(zip(transfer.cases, transfer.targets, strict=True))
    return lambda decided: cases.get(decided.value, transfer.default)


class _Copying:
    """Makes one copy. `known` has what stands, on the way there, for values of the forks that it came through."""

    def __init__(
        self,
        fork: Continuation,
        entry: Edge,
        known: dict[Value, Value],
        facts: Facts,
        ways: Callable[[Constant], Edge],
    ) -> None:
        self._copy = Copy(fork, entry, Edge(fork), Continuation(fork.name, span=fork.span))
        self._known = known
        self._facts = facts
        self._ways = ways

    def run(self) -> Copy | None:
        """The copy; None if it is not certain which way the fork goes."""
        copy, transfer = self._copy, self._copy.fork.transfer
        assert transfer
        for parameter, argument in zip(copy.fork.parameters, copy.entry.arguments, strict=True):
            copy.own[parameter] = self._facts.constant(argument) or self._parameter(parameter, argument)
        for statement in copy.fork.body:
            copy.own[statement] = self._statement(statement)
        (decided,) = self._here(transfer.operands)
        if not isinstance(decided, Constant):
            return None
        way = self._ways(decided)
        copy.way.target = way.target
        copy.way.arguments = self._here(way.arguments)
        copy.continuation.transfer = Jump(copy.way, transfer.span)
        return copy

    def _here(self, values: Sequence[Value]) -> list[Value]:
        """What stands for the fork's `values` in the copy."""
        found = [self._copy.own.get(value) or self._known.get(value, value) for value in values]
        return [self._facts.constant(value) or value for value in found]

    def _parameter(self, original: Parameter, argument: Value) -> Value:
        """A new parameter. The argument itself will not do: it may be a value of the fork, from the last time."""
        parameter = Parameter(original.type, original.name, original.span)
        self._facts.pass_on(argument, parameter)
        self._copy.continuation.parameters.append(parameter)
        self._copy.arguments.append(argument)
        return parameter

    def _statement(self, original: Statement) -> Value:
        statement = replace(original, operands=tuple(self._here(original.operands)))
        if isinstance(statement, Primitive):
            constant = self._facts.constant(statement) or fold(statement)
            if constant:
                return constant
        self._copy.continuation.body.append(statement)
        return statement
