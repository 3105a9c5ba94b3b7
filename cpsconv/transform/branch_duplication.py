"""Which edges can be threaded through the forks that they lead to, and the copies of forks for them.

A *fork* is a continuation that ends with a branch or a switch. `cpsconv.transform.jump_threading` says what for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

from cpsconv.analysis.flow import escaping_continuations
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
    Transfer,
    Value,
)
from cpsconv.operations.semantics import fold
from cpsconv.transform.known_values import Facts, decided

MOST_STATEMENTS = 8
"""How many statements a continuation may have to be copied. (Any number if only one edge leads to it.)"""

MOST_PASSED = 32
"""Through how many continuations an edge is threaded."""

MOST_BETWEEN = 4
"""How many of them may lie between one fork and the next."""

MOST_BACK = 16
"""Through how many continuations it is looked back for what was decided before."""


@dataclass(eq=False, slots=True)
class Copy:
    """A copy of `original` for the edge `entry`, which is to pass `arguments`; it leaves along the edge `way`.

    `own` has what stands there for each parameter and statement of the original: a constant, or something new.
    """

    original: Continuation
    entry: Edge
    way: Edge
    continuation: Continuation
    arguments: list[Value] = field(default_factory=list)
    own: dict[Value, Value] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class History:
    """What was threaded so far: the originals that an edge has passed, and the copies made."""

    passed: dict[Edge, frozenset[Continuation]] = field(default_factory=dict)
    made: set[Continuation] = field(default_factory=set)


class Threads:
    """Finds the edges of a function that can be threaded, on the function as it is.

    So the copies do not lead to each other yet, but each to the original that is next on its way.
    """

    def __init__(self, function: Function, history: History) -> None:
        """`history` is brought up to date with the copies."""
        self._function = function
        self._history = history
        self._incoming = incoming(function)
        self._decided = decided(function)
        self._ways = {
            member: _ways(member.transfer)
            for member in function.continuations
            if member not in history.made and self._can_be_passed(member)
        }

    def copies(self) -> Iterator[Copy]:
        """A copy for each edge that can be threaded, followed by those for the edges by which the copies leave.

        Edges to which nothing comes any more once the others are threaded are left out.
        """
        reached: set[Continuation] = {self._function}
        pending: list[Continuation] = [self._function]
        while pending:
            member = pending.pop()
            onward: list[Value] = [*escaping_continuations(member)]
            for edge in member.transfer.edges if member.transfer else ():
                row = [*self._follow(member, edge)]
                yield from row
                onward.append(row[-1].way.target if row else edge.target)
            for value in onward:
                if value in self._incoming and value not in reached:
                    reached.add(value)
                    pending.append(value)

    def _can_be_passed(self, member: Continuation) -> bool:
        """Whether it may be of use to copy `member`: a fork, or what several edges come through on the way to one."""
        before, transfer = self._incoming[member], member.transfer
        if isinstance(transfer, Jump):
            useful = len(before) > 1 and transfer.edge.target in self._incoming
        else:
            useful = isinstance(transfer, (Branch, Switch))
        return useful and (len(member.body) <= MOST_STATEMENTS or len(before) == 1) and _is_plain(member)

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

    def _follow(self, member: Continuation, edge: Edge) -> Iterator[Copy]:
        """The copies for `edge`, which starts at `member`. The last is one of a fork: to go further is not worth it."""
        if edge.target not in self._ways or isinstance(member.transfer, Call):
            return
        facts = self._facts(member, edge)
        known: dict[Value, Value] = {}
        row: list[Copy] = []
        while len(row) <= MOST_BETWEEN:
            copy = self._next(edge, known, facts)
            if copy is None:
                return
            row.append(copy)
            if not isinstance(copy.original.transfer, Jump):
                yield from row
                row.clear()
            known.update(copy.own)
            edge = copy.way

    def _next(self, edge: Edge, known: dict[Value, Value], facts: Facts) -> Copy | None:
        """The copy of what `edge` leads to, if it can be threaded through that."""
        original, passed = edge.target, self._history.passed.get(edge, frozenset())
        if not isinstance(original, Continuation) or original not in self._ways or original in passed:
            return None
        if len(passed) == MOST_PASSED or (passed and len(original.body) > MOST_STATEMENTS):
            return None
        copy = _Copying(original, edge, known, facts, self._ways[original]).run()
        if copy:
            self._history.passed[copy.way] = passed | {original}
            self._history.made.add(copy.continuation)
        return copy


Ways = Callable[[Sequence[Value]], "Edge | None"]
"""The function from what a transfer uses to where it leads; None if that is not certain."""


def _is_plain(member: Continuation) -> bool:
    """Whether nothing is a continuation of what `member` receives and passes."""
    passed = [value for edge in member.transfer.edges for value in edge.arguments] if member.transfer else []
    return all(isinstance(value.type, Scalar) for value in (*member.parameters, *passed))


def _ways(transfer: Transfer | None) -> Ways:
    if isinstance(transfer, Jump):
        return lambda _: transfer.edge
    cases: dict[object, Edge] = {}
    if isinstance(transfer, Branch):
        cases, default = {True: transfer.then}, transfer.otherwise
    else:
        assert isinstance(transfer, Switch)
        cases, default = dict(zip(transfer.cases, transfer.targets, strict=True)), transfer.default

    def way(operands: Sequence[Value]) -> Edge | None:
        (decided,) = operands
        return cases.get(decided.value, default) if isinstance(decided, Constant) else None

    return way


class _Copying:
    """Makes one copy. `known` has what stands for values of those that it came through, on the way there."""

    def __init__(
        self,
        original: Continuation,
        entry: Edge,
        known: dict[Value, Value],
        facts: Facts,
        ways: Ways,
    ) -> None:
        self._copy = Copy(original, entry, Edge(original), Continuation(original.name, span=original.span))
        self._known = known
        self._facts = facts
        self._ways = ways

    def run(self) -> Copy | None:
        """The copy; None if it is not certain which way the original goes."""
        copy, original, transfer = self._copy, self._copy.original, self._copy.original.transfer
        assert transfer
        for parameter, argument in zip(original.parameters, copy.entry.arguments, strict=True):
            copy.own[parameter] = self._facts.constant(argument) or self._parameter(parameter, argument)
        for statement in original.body:
            copy.own[statement] = self._statement(statement)
        way = self._ways(self._here(transfer.operands))
        if way is None:
            return None
        copy.way.target, copy.way.arguments = way.target, self._here(way.arguments)
        copy.continuation.transfer = Jump(copy.way, transfer.span)
        return copy

    def _here(self, values: Sequence[Value]) -> list[Value]:
        """What stands for the original's `values` in the copy."""
        found = [self._copy.own.get(value) or self._known.get(value, value) for value in values]
        return [self._facts.constant(value) or value for value in found]

    def _parameter(self, original: Parameter, argument: Value) -> Value:
        """A new parameter. The argument itself will not do: it may be a value of the original, from the last time."""
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
