"""Duplication of branches for jump threading: finding the edges to thread, and copying continuations for them.

A *branch* is here a continuation that ends with a branch or switch. `cpsconv.core.transform.jump_threading` explains
the transformation.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field

from cpsconv.core import ir
from cpsconv.core.analysis.flow import escaping_continuations
from cpsconv.core.analysis.graph import depth_first, incoming, uses
from cpsconv.core.ir import (
    BOOL,
    Branch,
    Constant,
    Continuation,
    Edge,
    Function,
    Parameter,
    Primitive,
    Scalar,
    Switch,
    Value,
)
from cpsconv.core.nodes import NodeType, replace
from cpsconv.core.operations.semantics import fold
from cpsconv.core.operations.table import constant_key
from cpsconv.core.operations.types import is_whole

MAX_STATEMENTS = 8
"""The maximal number of statements of a copied continuation. (There is no limit if only one edge leads to it.)"""

MAX_PASSED = 32
"""The maximal number of continuations through which an edge is threaded."""

MAX_BETWEEN = 4
"""The maximal number of continuations between one branch and the next."""

MAX_BACK = 16
"""The maximal number of single predecessors whose outcomes are used."""


MAX_LIVE = 50_000
"""The maximal number of joins at which values of copied continuations are live, added up over these values."""


class Copy(metaclass=NodeType):
    """A copy of `original` for the edge `entry`, which will pass `arguments` to it. The copy jumps along `exit`.

    `entry` leaves `source`, which may be a copy, too. `own` maps the parameters and statements of the original to those
    of the copy, or to constants.
    """

    source: ir.Continuation
    original: ir.Continuation
    entry: ir.Edge
    exit: ir.Edge
    continuation: ir.Continuation
    arguments: list[ir.Value] = field(default_factory=list)
    own: dict[ir.Value, ir.Value] = field(default_factory=dict)


class History(metaclass=NodeType):
    """The threading so far: the original continuations that each edge was threaded through, and all copies."""

    passed: dict[ir.Edge, frozenset[ir.Continuation]] = field(default_factory=dict)
    copies: set[ir.Continuation] = field(default_factory=set)


class Threads:
    """Finds the edges of a function that can be threaded, without changing the function.

    So all exits of copies lead to original continuations.
    """

    def __init__(self, function: ir.Function, history: History) -> None:
        """`history` is extended by the copies."""
        self._function = function
        self._history = history
        self._incoming = incoming(function)
        self._edge_facts = edge_facts(function)
        useful = [each for each in function.continuations if each not in history.copies and self._can_be_copied(each)]
        self._exits = {member: _exit_of(member.transfer) for member in self._affordable(useful)}

    def copies(self) -> Iterator[Copy]:
        """The copies for all edges that can be threaded. If the exit of a copy can be threaded, its copy follows.

        Edges that become unreachable by threading are omitted.
        """
        reached: set[ir.Continuation] = {self._function}
        pending: list[ir.Continuation] = [self._function]
        while pending:
            member = pending.pop()
            onward: list[ir.Value] = [*escaping_continuations(member)]
            for edge in member.transfer.edges if member.transfer else ():
                row = [*self._follow(member, edge)]
                yield from row
                onward.append(row[-1].exit.target if row else edge.target)
            for value in onward:
                if value in self._incoming and value not in reached:
                    reached.add(value)
                    pending.append(value)

    def _can_be_copied(self, member: ir.Continuation) -> bool:
        """Whether copying `member` can be useful: it is a branch, or a join that jumps to another continuation."""
        before, transfer = self._incoming[member], member.transfer
        if isinstance(transfer, ir.Jump):
            useful = len(before) > 1 and transfer.edge.target in self._incoming
        else:
            useful = isinstance(transfer, (ir.Branch, ir.Switch))
        return useful and (len(member.body) <= MAX_STATEMENTS or len(before) == 1) and _is_plain(member)

    def _affordable(self, members: Sequence[ir.Continuation]) -> Iterator[ir.Continuation]:
        """The members, without the last ones of which values are used elsewhere, if values are live at too many joins.

        A copy defines the values again, so that each join at which a value is live may have to pass it.
        """
        users: dict[ir.Value, list[ir.Continuation]] = {}
        for user in self._function.members():
            for value in uses(user):
                users.setdefault(value, []).append(user)
        live = 0
        for member in members:
            values = [value for value in (*member.parameters, *member.body) if {*users.get(value, ())} - {member}]
            if live <= MAX_LIVE:
                live += sum(self._live_joins(member, users[value]) for value in values)
            if live <= MAX_LIVE or not values:
                yield member

    def _live_joins(self, home: ir.Continuation, users: Sequence[ir.Continuation]) -> int:
        """The number of joins at which a value of `home` is live."""
        live = depth_first(users, lambda each: [start for start, _ in self._before(each)] if each is not home else ())
        return sum(len(self._before(each)) > 1 for each, _ in live)

    def _before(self, member: ir.Continuation) -> Sequence[tuple[ir.Continuation, ir.Edge]]:
        return self._incoming.get(member, ())

    def _known_on(self, edge: ir.Edge, start: ir.Continuation) -> KnownValues:
        """The values known on `edge`, which leaves `start`, by outcomes on the only path to the edge."""
        known = KnownValues()
        for _ in range(MAX_BACK):
            if edge in self._edge_facts:
                known.learn(self._edge_facts[edge])
            before = self._incoming.get(start, [])
            if len(before) != 1:
                break
            start, edge = before[0]
        return known

    def _follow(self, member: ir.Continuation, edge: ir.Edge) -> Iterator[Copy]:
        """The copies for `edge`, which leaves `member`, in order. The last one is the copy of a branch."""
        if edge.target not in self._exits or isinstance(member.transfer, ir.Call):
            return
        known = self._known_on(edge, member)
        replaced: dict[ir.Value, ir.Value] = {}
        row: list[Copy] = []
        while len(row) <= MAX_BETWEEN:
            copy = self._next(member, edge, replaced, known)
            if copy is None:
                return
            row.append(copy)
            if not isinstance(copy.original.transfer, ir.Jump):
                yield from row
                row.clear()
            replaced.update(copy.own)
            member, edge = copy.continuation, copy.exit

    def _next(
        self, source: ir.Continuation, edge: ir.Edge, replaced: dict[ir.Value, ir.Value], known: KnownValues
    ) -> Copy | None:
        """The copy of the target of `edge`, which leaves `source`, if the edge can be threaded through it."""
        original, passed = edge.target, self._history.passed.get(edge, frozenset())
        if not isinstance(original, ir.Continuation) or original not in self._exits or original in passed:
            return None
        if len(passed) == MAX_PASSED or (passed and len(original.body) > MAX_STATEMENTS):
            return None
        copy = _Copying(source, original, edge, replaced, known, self._exits[original]).run()
        if copy:
            self._history.passed[copy.exit] = passed | {original}
            self._history.copies.add(copy.continuation)
        return copy


ExitOf = Callable[[Sequence[ir.Value]], "ir.Edge | None"]
"""A function from the operands of a transfer to the edge that it takes, None if the edge is not known."""


def _is_plain(member: ir.Continuation) -> bool:
    """Whether `member` neither receives nor passes continuations."""
    passed = [value for edge in member.transfer.edges for value in edge.arguments] if member.transfer else []
    return all(isinstance(value.type, ir.Scalar) for value in (*member.parameters, *passed))


def _exit_of(transfer: ir.Transfer | None) -> ExitOf:
    if isinstance(transfer, ir.Jump):
        return lambda _: transfer.edge
    cases: dict[object, ir.Edge] = {}
    if isinstance(transfer, ir.Branch):
        cases, default = {True: transfer.then}, transfer.otherwise
    else:
        assert isinstance(transfer, ir.Switch)
        cases, default = dict(zip(transfer.cases, transfer.targets, strict=True)), transfer.default

    def exit_of(operands: Sequence[ir.Value]) -> ir.Edge | None:
        (operand,) = operands
        return cases.get(operand.value, default) if isinstance(operand, ir.Constant) else None

    return exit_of


class _Copying:
    """Creates one copy. `replaced` maps values of the originals copied before to those of their copies."""

    def __init__(
        self,
        source: ir.Continuation,
        original: ir.Continuation,
        entry: ir.Edge,
        replaced: dict[ir.Value, ir.Value],
        known: KnownValues,
        exit_of: ExitOf,
    ) -> None:
        continuation = ir.Continuation(original.name, span=original.span)
        self._copy = Copy(source, original, entry, ir.Edge(original), continuation)
        self._replaced = replaced
        self._known = known
        self._exit_of = exit_of

    def run(self) -> Copy | None:
        """The copy; None if its outcome is not known."""
        copy, original, transfer = self._copy, self._copy.original, self._copy.original.transfer
        assert transfer
        for parameter, argument in zip(original.parameters, copy.entry.arguments, strict=True):
            copy.own[parameter] = self._known.constant(argument) or self._parameter(parameter, argument)
        for statement in original.body:
            copy.own[statement] = self._statement(statement)
        exit = self._exit_of(self._copied(transfer.operands))
        if exit is None:
            return None
        copy.exit.target, copy.exit.arguments = exit.target, self._copied(exit.arguments)
        copy.continuation.transfer = ir.Jump(copy.exit, transfer.span)
        return copy

    def _copied(self, values: Sequence[ir.Value]) -> list[ir.Value]:
        """The values in the copy for `values` of the original."""
        found = [self._copy.own.get(value) or self._replaced.get(value, value) for value in values]
        return [self._known.constant(value) or value for value in found]

    def _parameter(self, original: ir.Parameter, argument: ir.Value) -> ir.Value:
        """A new parameter. (The argument cannot replace it: it may be the original's own value, one iteration old.)"""
        parameter = replace(original)
        self._known.pass_on(argument, parameter)
        self._copy.continuation.parameters.append(parameter)
        self._copy.arguments.append(argument)
        return parameter

    def _statement(self, original: ir.Statement) -> ir.Value:
        statement = replace(original, operands=tuple(self._copied(original.operands)))
        if isinstance(statement, ir.Primitive):
            constant = self._known.constant(statement) or fold(statement)
            if constant:
                return constant
        self._copy.continuation.body.append(statement)
        return statement


# ---------------------------------------------------------------------------------- values that are known on a path


Fact = tuple[Value, Constant]
"""A value, and the constant that it is known to equal."""


def edge_facts(function: Function) -> dict[Edge, Fact]:
    """The fact implied by each edge of a branch or switch. (The default of a switch implies none.)"""
    return {edge: fact for member in function.members() for edge, fact in _edge_facts(member)}


def _edge_facts(member: Continuation) -> Iterator[tuple[Edge, Fact]]:
    match member.transfer:
        case Branch(condition, then, otherwise):
            yield then, (condition, Constant(BOOL, True))
            yield otherwise, (condition, Constant(BOOL, False))
        case Switch(value, cases, targets):
            assert isinstance(value.type, Scalar)
            for case, edge in zip(cases, targets, strict=True):
                yield edge, (value, Constant(value.type, case))


@dataclass(slots=True)
class KnownValues:
    """The values known to be constants.

    The result of a primitive is known if the result of the same operation on the same operands is known: primitives are
    pure, and equal operations either both raise a runtime error or both do not.
    """

    _constants: dict[Hashable, Constant] = field(default_factory=dict)
    _same: dict[Value, Value] = field(default_factory=dict)

    def learn(self, fact: Fact) -> None:
        """Add a fact. From ``x == 5``, the value of `x` is known, too."""
        value, constant = fact
        self._constants.setdefault(self._key(value), constant)
        if isinstance(value, Primitive) and (value.op, constant.value) in (("==", True), ("!=", False)):
            self._learn_equality(*value.operands)

    def pass_on(self, argument: Value, parameter: Parameter) -> None:
        """Record that the parameter has the value of the argument."""
        self._same[parameter] = self._same.get(argument, argument)

    def constant(self, value: Value) -> Constant | None:
        """The constant that the value is known to equal, or None."""
        return value if isinstance(value, Constant) else self._constants.get(self._key(value))

    def _learn_equality(self, left: Value, right: Value) -> None:
        if is_whole(left.type) or left.type is BOOL:  # 0.0 == -0.0, but they differ
            for one, other in (left, right), (right, left):
                if isinstance(other, Constant):
                    self._constants.setdefault(self._key(one), other)

    def _key(self, value: Value) -> Hashable:
        """A key that is equal only for equal values."""
        if isinstance(value, Primitive):
            return value.op, value.type, value.of, *map(self._operand_key, value.operands)
        return self._operand_key(value)

    def _operand_key(self, value: Value) -> Hashable:
        value = self._same.get(value, value)
        return constant_key(value) if isinstance(value, Constant) else value
