"""Range analysis: an interval for each integer value of a program.

This is abstract interpretation (Cousot and Cousot, POPL 1977). Each round visits every function along its dominator
tree, and collects the intervals that each edge passes. Thus all arguments of a continuation are collected before its
visit, except those passed along back edges and by other functions. For the parameters that receive such arguments and
for the results of functions, the *heads*, intervals are *assumed*. If a round collects more than was assumed, the
assumptions are widened, and another round follows. A bound that keeps moving is widened to the bound of the type, which
limits the number of rounds. Finally, the assumptions are narrowed to the collected intervals.

A branch constrains the values in its condition. A constraint holds in all continuations dominated by a target that only
this edge reaches; it is known while that subtree is visited.

Results out of the range of their type wrap; those of the type `integer` become unbounded if they are large. Undefined
values are ignored, since their use ends the program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import isqrt
from typing import Union

from cpsconv.core import ir
from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.analysis.graph import depth_first, functions_used, incoming, reverse_postorder, successors
from cpsconv.core.operations.intervals import Interval, has_interval, join, type_interval, wrapped
from cpsconv.core.operations.queries import opposite
from cpsconv.core.operations.table import CONVERT, OPERATIONS

Place = Union[ir.Parameter, "tuple[ir.Function, int]"]
"""A parameter, or a result of a function, by its index."""

_EXACT_ROUNDS = 3  # before bounds that move are widened
_MAX_ROUNDS = 30
_NARROWING_ROUNDS = 2


def exact_interval(primitive: ir.Primitive, operands: Sequence[Interval]) -> Interval:
    """The interval of an integer result for operands in these intervals, before wrapping."""
    rule = OPERATIONS[primitive.op].interval
    if rule is None or primitive.type is ir.BOOL or not has_interval(primitive.operands[0].type):
        return type_interval(primitive.type)
    return rule(primitive.type, *operands)


@dataclass(frozen=True, slots=True)
class Ranges:
    """The intervals of the integers in a program with a given entry function. A `bool` is 0 or 1.

    `places` has the intervals of parameters and results, `operands` those of the operands of primitives. Missing ones
    are unknown, or belong to unreachable code.
    """

    places: Mapping[Place, Interval] = field(default_factory=dict)
    operands: Mapping[ir.Primitive, tuple[Interval, ...]] = field(default_factory=dict)

    def of_operands(self, primitive: ir.Primitive) -> tuple[Interval, ...]:
        """The intervals of the operands; by default, those of their types."""
        known = self.operands.get(primitive)
        return tuple(type_interval(operand.type) for operand in primitive.operands) if known is None else known


def ranges(entry: ir.Function, called: Sequence[ir.Function] = ()) -> Ranges:
    """The ranges in a first-order program that starts at `entry`, for all arguments.

    The functions in `called`, which may be called through pointers, are analysed for all arguments, too.
    """
    rounds = _Rounds([entry, *called])
    rounds.run()
    for number in range(_MAX_ROUNDS):
        if rounds.is_stable():
            break
        rounds.widen(is_exact=number < _EXACT_ROUNDS)
        rounds.run()
    found = Ranges()
    for _ in range(_NARROWING_ROUNDS):
        if not rounds.is_stable():
            break
        found = Ranges({**rounds.collected, **rounds.assumed}, rounds.operands)
        if not rounds.narrow():
            break
        rounds.run()
    return found


# ------------------------------------------------------------------------------------------------------------- rounds


class _Rounds:
    """The state of the iteration: the intervals `assumed` for heads, those `collected`; `operands` as in `Ranges`.

    `late` has the continuations of irreducible loops that control reached after their turn in a round.
    """

    def __init__(self, roots: Sequence[ir.Function]) -> None:
        self._graphs = [_Graph(function) for function, _ in depth_first(roots, functions_used) if function.transfer]
        self._given: dict[Place, Interval] = {
            parameter: type_interval(parameter.type)
            for root in roots
            for parameter in root.parameters
            if has_interval(parameter.type)
        }
        self._heads: set[Place] = {head for graph in self._graphs for head in graph.heads()}
        self.assumed: dict[Place, Interval] = {}
        self.collected: dict[Place, Interval] = {}
        self.operands: dict[ir.Primitive, tuple[Interval, ...]] = {}
        self.late: set[ir.Continuation] = set()
        self._known_late = 0

    def run(self) -> None:
        """Visit the whole program once."""
        self.collected = dict(self._given)
        self.operands = {}
        self._known_late = len(self.late)
        for graph in self._graphs:
            _Visitor(graph, self).visit_all()

    def is_stable(self) -> bool:
        """Whether everything that control reaches was visited, and the assumptions contain the collected intervals."""
        return len(self.late) == self._known_late and all(
            (assumed := self.assumed.get(head)) and assumed[0] <= found[0] and found[1] <= assumed[1]
            for head, found in self._found()
        )

    def widen(self, is_exact: bool) -> None:
        """Extend the assumptions by the collected intervals and, unless `is_exact`, bounds that moved to extremes."""
        for head, found in self._found():
            assumed = self.assumed.get(head)
            wider = join(assumed, found)
            if assumed and not is_exact:
                lowest, highest = type_interval(_type_at(head))
                root = isqrt(highest)  # an intermediate bound, for numbers whose squares are compared
                upper = highest if wider[1] > root else root
                wider = lowest if wider[0] < assumed[0] else wider[0], upper if wider[1] > assumed[1] else wider[1]
            self.assumed[head] = wider

    def narrow(self) -> bool:
        """Reduce the assumptions to the collected intervals. Returns whether they changed."""
        before, self.assumed = self.assumed, dict(self._found())
        return self.assumed != before

    def _found(self) -> Iterator[tuple[Place, Interval]]:
        return ((head, self.collected[head]) for head in self._heads if head in self.collected)

    def collect(self, place: Place, interval: Interval | None) -> None:
        """Add a value that the place receives."""
        if interval:
            self.collected[place] = join(self.collected.get(place), interval)

    def at(self, place: Place) -> Interval | None:
        """The interval of the values that the place receives; None if there are none."""
        assumed, collected = self.assumed.get(place), self.collected.get(place)
        return join(assumed, collected) if collected else assumed


def _type_at(place: Place) -> ir.Type:
    if isinstance(place, ir.Parameter):
        return place.type
    function, index = place
    assert isinstance(function.ret.type, ir.ContinuationType)
    return function.ret.type.parameters[index]


class _Graph:
    """The graph of a function: `only` has the only edge to a continuation, `cases` the case of an edge of a switch."""

    def __init__(self, function: ir.Function) -> None:
        self.function = function
        root: ir.Continuation = function
        self.tree = Dominance(root, successors, reverse_postorder(function))
        self.only: dict[ir.Continuation, tuple[ir.Transfer, ir.Edge]] = {}
        self.incoming = incoming(function)
        for target, edges in self.incoming.items():
            if len(edges) == 1 and edges[0][0].transfer:
                self.only[target] = edges[0][0].transfer, edges[0][1]
        self.cases: dict[ir.Edge, int] = {}
        for member in function.members():
            if isinstance(member.transfer, ir.Switch):
                self.cases.update(zip(member.transfer.targets, member.transfer.cases, strict=True))

    def heads(self) -> Iterator[Place]:
        """The places that receive values from other functions, or from a continuation visited later."""
        yield from self.function.parameters
        if ret := self.function.return_continuation:
            assert isinstance(ret.type, ir.ContinuationType)
            yield from ((self.function, index) for index in range(len(ret.type.parameters)))
        number = {member: number for number, member in enumerate(self.tree.preorder())}
        for target, edges in self.incoming.items():
            if any(number[source] >= number[target] for source, _ in edges):
                yield from target.parameters


class _Visitor:
    """Visits a function once. `known` has the intervals of the values in scope, `undo` the log to restore it."""

    def __init__(self, graph: _Graph, rounds: _Rounds) -> None:
        self._graph = graph
        self._rounds = rounds
        self._reached: set[ir.Continuation] = {graph.function, *rounds.late}
        self._passed_over: set[ir.Continuation] = set()
        self._known: dict[ir.Value, Interval] = {}
        self._undo: list[tuple[ir.Value, Interval | None]] = []

    def visit_all(self) -> None:
        """Visit each reachable continuation after its dominators."""
        pending: list[tuple[ir.Continuation, int | None]] = [(self._graph.function, None)]
        while pending:
            member, height = pending.pop()
            if height is not None:
                self._restore(height)
                continue
            pending.append((member, len(self._undo)))
            if member not in self._reached:
                self._passed_over.add(member)
            elif self._visit(member):
                pending += [(child, None) for child in reversed(self._graph.tree.children[member])]

    def _visit(self, member: ir.Continuation) -> bool:
        """Visit a continuation. Returns whether it is reachable."""
        if member in self._graph.only and not self._constrain(*self._graph.only[member]):
            return False
        for parameter in member.parameters:
            if interval := self._rounds.at(parameter):
                self._set(parameter, interval)
        for statement in member.body:
            if interval := self._computed(statement):
                self._set(statement, interval)
        assert member.transfer is not None, f"{member.name} is under construction"
        self._leave(member.transfer)
        return True

    def _set(self, value: ir.Value, interval: Interval) -> None:
        self._undo.append((value, self._known.get(value)))
        self._known[value] = wrapped(value.type, interval) if value.type is ir.INTEGER else interval

    def _restore(self, height: int) -> None:
        while len(self._undo) > height:
            value, before = self._undo.pop()
            if before is None:
                del self._known[value]
            else:
                self._known[value] = before

    def _interval(self, value: ir.Value) -> Interval | None:
        """The interval of a value; None if it is never computed."""
        if isinstance(value, ir.Constant):
            return wrapped(value.type, (int(value.value), int(value.value))) if has_interval(value.type) else (0, 1)
        return self._known.get(value) if has_interval(value.type) else (0, 1)

    def _computed(self, statement: ir.Statement) -> Interval | None:
        operands: list[Interval] = []
        for operand in statement.operands:
            if not (interval := self._interval(operand)):
                return None
            operands.append(interval)
        if isinstance(statement, ir.Primitive):
            self._rounds.operands[statement] = tuple(operands)
        if not has_interval(statement.type):
            return None
        if not isinstance(statement, ir.Primitive):
            return type_interval(statement.type)
        return wrapped(statement.type, exact_interval(statement, operands))

    # ---------------------------------------------------------------------------------------------------- transfers

    def _leave(self, transfer: ir.Transfer) -> None:
        if isinstance(transfer, ir.Call):
            target = transfer.then.target
            self._pass(transfer.callee.parameters, transfer.arguments)
            for index, place in enumerate(self._places(target)):
                result = transfer.callee, index
                if has_interval(type := _type_at(result)):
                    is_known = transfer.callee.transfer is not None
                    self._rounds.collect(place, self._rounds.at(result) if is_known else type_interval(type))
            self._reach(target)
            return
        for edge in transfer.edges:
            height = len(self._undo)
            if self._constrain(transfer, edge):
                self._pass(self._places(edge.target), edge.arguments)
                self._reach(edge.target)
            self._restore(height)

    def _reach(self, target: ir.Target) -> None:
        if isinstance(target, ir.Continuation):
            self._reached.add(target)
            if target in self._passed_over:
                self._rounds.late.add(target)

    def _pass(self, places: Sequence[Place], arguments: Iterable[ir.Value]) -> None:
        for place, argument in zip(places, arguments, strict=False):
            if has_interval(argument.type):
                self._rounds.collect(place, self._interval(argument))

    def _places(self, target: ir.Target) -> Sequence[Place]:
        """The places that receive the arguments of an edge; none for an external."""
        if isinstance(target, ir.Continuation):
            return target.parameters
        if isinstance(target, ir.Parameter):
            assert isinstance(target.type, ir.ContinuationType)
            return [(self._graph.function, index) for index in range(len(target.type.parameters))]
        return ()

    # --------------------------------------------------------------------------------------------------- conditions

    def _constrain(self, transfer: ir.Transfer, edge: ir.Edge) -> bool:
        """Apply the constraints that hold on an edge. Returns whether control can take it."""
        if not isinstance(transfer, (ir.Branch, ir.Switch)):
            return True
        return all(self._narrow(value, op, other) for value, op, other in self._constraints(transfer, edge))

    def _constraints(self, transfer: ir.Transfer, edge: ir.Edge) -> Iterator[tuple[ir.Value, str, ir.Value]]:
        """The comparisons that are true on the edge."""
        if isinstance(transfer, ir.Branch):
            yield from _condition_constraints(transfer.condition, edge is transfer.then)
        elif isinstance(transfer, ir.Switch) and edge in self._graph.cases:
            assert isinstance(transfer.value.type, ir.Scalar)
            yield transfer.value, "==", ir.Constant(transfer.value.type, self._graph.cases[edge])

    def _narrow(self, value: ir.Value, op: str, other: ir.Value) -> bool:
        """Apply a true comparison. Returns whether it can be true."""
        while True:
            known, bound = self._interval(value), self._interval(other)
            if known is None or bound is None:
                return False
            narrow = OPERATIONS[op].narrow
            assert narrow, f"{op} is no comparison"
            low, high = narrow(known, bound)
            if low > high:
                return False
            if isinstance(value, ir.Constant):
                return True
            self._set(value, (low, high))
            if isinstance(value, ir.Primitive) and value.op == "*" and value.operands[0] is value.operands[1]:
                self._narrow_root(value, value.operands[0], high)
            if not isinstance(value, ir.Primitive) or value.op != CONVERT or not has_interval(value.operands[0].type):
                return True
            if self._interval(value.operands[0]) != known:
                return True
            value = value.operands[0]  # the conversion preserves the value

    def _narrow_root(self, square: ir.Primitive, root: ir.Value, limit: int) -> None:
        """Apply the constraint that the square of `root` is at most `limit`."""
        known = self._interval(root)
        if known is None or known[0] < 0 or isinstance(root, ir.Constant):
            return
        if square.type is ir.INTEGER or known[1] ** 2 <= type_interval(square.type)[1]:  # it does not wrap
            self._set(root, (known[0], min(known[1], isqrt(limit))))


def _condition_constraints(condition: ir.Value, outcome: bool) -> Iterator[tuple[ir.Value, str, ir.Value]]:
    """The comparisons that are true if the condition has the outcome."""
    while isinstance(condition, ir.Primitive) and condition.op == "!":
        condition, outcome = condition.operands[0], not outcome
    if not isinstance(condition, ir.Primitive) or not has_interval(condition.operands[0].type):
        return
    if negated := opposite(condition.op, condition.operands[0].type):
        op = condition.op if outcome else negated
        left, right = condition.operands
        yield left, op, right
        yield right, OPERATIONS[op].mirror or op, left
    elif condition.op == CONVERT and isinstance(condition.operands[0].type, ir.Scalar):
        yield condition.operands[0], "!=" if outcome else "==", ir.Constant(condition.operands[0].type, 0)
