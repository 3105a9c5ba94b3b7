"""Feasible paths: where control can get, while a variable is undefined or along a given path.

A search from the start of a function follows the undefined value through parameters, and collects *facts* on its way:
the intervals of integers, the outcomes of conditions, the values that parameters receive, and the loads that no write
has followed. It does not follow an edge that contradicts the facts. So a flag that is set together with the variable,
a repeated condition, or a loop that runs at least once leads to no path on which the variable is undefined.

Facts are about *terms*: values, and operations on terms. Equal terms have equal values until control enters again the
continuation that defines a part of them; then facts about them are forgotten. At most `MAX_STATES` sets of facts are
kept for a position, to distinguish paths that join; further ones are merged, which forgets what differs.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import pairwise

from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.graph import depth_first, is_local, successors
from cpsconv.core.ir import (
    Branch,
    Call,
    Constant,
    Continuation,
    Data,
    Edge,
    Effect,
    ForeignTransfer,
    Function,
    Primitive,
    Switch,
    Transfer,
    Undef,
    Value,
)
from cpsconv.core.operations.intervals import Interval, has_interval, type_interval, wrapped
from cpsconv.core.operations.queries import opposite
from cpsconv.core.operations.table import ALLOCATING, CONVERT, FOREIGN, LOAD, OPERATIONS, STORE

MAX_STEPS = 5_000
"""The number of edges after which a search ends; an edge with many facts counts several times."""

MAX_STATES = 6
_MAX_DEPTH = 6  # of terms
_MAX_CASES = 32
_FACTS_PER_STEP = 32
_MAX_FACTS = 64  # about intervals and outcomes; older ones are forgotten
_ANY = 1 << 300  # larger than all numbers

Term = Hashable
"""A value, a constant as a pair of its type and number, or a tuple of an operation, its static operand and terms."""

Position = tuple[Continuation, Value | None]
"""A continuation that control can enter, while the value of a parameter is undefined if there is one."""


class TooManySteps(Exception):
    """The search was not finished."""


class Facts:
    """What holds on all paths to a position.

    `intervals` has those of integers and of truth values, `same` the terms of parameters and loads, and `loads` the
    values in memory, by address and type.
    """

    __slots__ = ("intervals", "loads", "same")

    def __init__(
        self, intervals: Mapping[Term, Interval], same: Mapping[Value, Term], loads: Mapping[Term, Term]
    ) -> None:
        self.intervals = dict(intervals)
        self.same = dict(same)
        self.loads = dict(loads)

    def copy(self) -> Facts:
        """The same facts, to be extended."""
        return Facts(self.intervals, self.same, self.loads)

    @property
    def cost(self) -> int:
        """The number of steps that an edge counts with these facts, which are copied."""
        return 1 + (len(self.same) + len(self.loads)) // _FACTS_PER_STEP

    def implies(self, other: Facts) -> bool:
        """Whether the other facts follow from these ones."""
        return (
            all(
                (mine := self.intervals.get(term)) and low <= mine[0] and mine[1] <= high
                for term, (low, high) in other.intervals.items()
            )
            and other.same.items() <= self.same.items()
            and other.loads.items() <= self.loads.items()
        )

    def widened(self, other: Facts) -> Facts:
        """The facts that hold here and there. A bound that differs is forgotten, so that this ends in a loop."""
        intervals = {}
        for term, (low, high) in self.intervals.items():
            if found := other.intervals.get(term):
                wider = low if low <= found[0] else -_ANY, high if found[1] <= high else _ANY
                if wider != (-_ANY, _ANY):
                    intervals[term] = wider
        same = {key: term for key, term in self.same.items() if other.same.get(key) == term}
        loads = {key: term for key, term in self.loads.items() if other.loads.get(key) == term}
        return Facts(intervals, same, loads)

    # -------------------------------------------------------------------------------------------------------- terms

    def term(self, value: Value, depth: int = _MAX_DEPTH) -> Term:
        """The term of a value."""
        if isinstance(value, Constant):
            return value.type, value.value
        if not isinstance(value, Primitive) or not depth:
            return self.same.get(value, value)
        if OPERATIONS[value.op].kind in ("comparison", "logic"):
            term, positive = self.condition(value, depth)
            return "truth", positive, term
        return value.op, value.of, value.type, *(self.term(each, depth - 1) for each in value.operands)

    def condition(self, value: Value, depth: int = _MAX_DEPTH) -> tuple[Term, bool]:
        """The term of a truth value, ``==`` or ``<`` if possible, and whether the value is that of the term."""
        positive = True
        while isinstance(value, Primitive) and value.op == "!":
            value, positive = value.operands[0], not positive
        if not isinstance(value, Primitive) or not depth:
            term: Term = self.same.get(value, value) if not isinstance(value, Constant) else self.term(value)
        elif OPERATIONS[value.op].kind == "comparison":
            return self._comparison(value.op, value.operands, positive, depth)
        elif value.op == CONVERT and has_interval(value.operands[0].type):
            zero = Constant(value.operands[0].type, 0)  # type: ignore[arg-type]
            return self._comparison("!=", (value.operands[0], zero), positive, depth)
        else:
            term = (value.op, value.of, value.type, *(self.term(each, depth - 1) for each in value.operands))
        return _unpacked(term, positive)

    def _comparison(self, op: str, operands: Sequence[Value], positive: bool, depth: int) -> tuple[Term, bool]:
        type = operands[0].type
        left, right = (self.term(each, depth - 1) for each in operands)
        if op in (">", ">="):
            op, left, right = OPERATIONS[op].mirror or op, right, left
        if op == "!=" or (op == "<=" and opposite(op, type)):
            positive = not positive
            op, left, right = ("==", left, right) if op == "!=" else ("<", right, left)
        if op == "==" and _is_constant(left):
            left, right = right, left
        if op == "==" and _is_constant(right) and _is_truth(left):
            truth = _truth_within(left)
            if right[1] in (0, 1):  # type: ignore[index]
                return _unpacked(truth, positive == bool(right[1]))  # type: ignore[index]
        return (op, type, left, right), positive

    # ---------------------------------------------------------------------------------------------------- intervals

    def interval(self, value: Value, depth: int = _MAX_DEPTH) -> Interval:
        """The interval of a value of a type that has intervals."""
        if isinstance(value, Constant):
            return int(value.value), int(value.value)
        low, high = type_interval(value.type)
        found = [self.intervals.get(value), self.intervals.get(self.term(value))]
        term = self.same.get(value)
        if _is_constant(term):
            found.append((int(term[1]), int(term[1])))  # type: ignore[index]
        if isinstance(value, Primitive) and depth and all(has_interval(each.type) for each in value.operands):
            rule = OPERATIONS[value.op].interval
            if rule:
                operands = [self.interval(each, depth - 1) for each in value.operands]
                found.append(wrapped(value.type, rule(value.type, *operands)))
        for each in found:
            if each:
                low, high = max(low, each[0]), min(high, each[1])
        return low, high

    def passed(self, value: Value) -> Interval | None:
        """The interval of an argument, which may be a condition whose outcome is known; None for other types."""
        if isinstance(value, Primitive) and OPERATIONS[value.op].kind in ("comparison", "logic"):
            possible = [outcome for outcome in (0, 1) if self.copy().assume(value, bool(outcome))]
            return (possible[0], possible[-1]) if possible else (0, 1)
        return self.interval(value) if has_interval(value.type) else None

    def restrict(self, value: Value, interval: Interval) -> bool:
        """Add that a value is in an interval. Returns whether that is possible."""
        low, high = self.interval(value)
        low, high = max(low, interval[0]), min(high, interval[1])
        term = self.term(value)
        while low <= high and self.intervals.get(("==", value.type, term, (value.type, low))) == (0, 0):
            low += 1
        while low <= high and self.intervals.get(("==", value.type, term, (value.type, high))) == (0, 0):
            high -= 1
        if low > high:
            return False
        if not isinstance(value, Constant):
            self.intervals[value] = self.intervals[term] = low, high
            if isinstance(value, Primitive) and value.op == CONVERT and has_interval(value.operands[0].type):
                inner_low, inner_high = self.interval(value.operands[0])
                kept = type_interval(value.type)
                if kept[0] <= inner_low and inner_high <= kept[1]:  # the conversion preserves the value
                    return self.restrict(value.operands[0], (low, high))
        return True

    def assume(self, value: Value, outcome: bool) -> bool:
        """Add the outcome of a condition. Returns whether that is possible."""
        for term, positive in self.condition(value), _NO_FACTS.condition(value):
            truth = outcome == positive
            known = self.intervals.get(term) or _constant_truth(term)
            if known and not known[0] <= truth <= known[1]:
                return False
            self.intervals[term] = int(truth), int(truth)
        while isinstance(value, Primitive) and value.op == "!":
            value, outcome = value.operands[0], not outcome
        if not isinstance(value, Primitive):
            return True
        if value.op == CONVERT and has_interval(value.operands[0].type):
            zero = Constant(value.operands[0].type, 0)  # type: ignore[arg-type]
            return self._compare(value.operands[0], "!=" if outcome else "==", zero)
        if OPERATIONS[value.op].kind == "comparison" and has_interval(value.operands[0].type):
            op = value.op if outcome else OPERATIONS[value.op].negation
            assert op
            left, right = value.operands
            return self._compare(left, op, right) and self._compare(right, OPERATIONS[op].mirror or op, left)
        return True

    def _compare(self, left: Value, op: str, right: Value) -> bool:
        narrow = OPERATIONS[op].narrow
        assert narrow
        return self.restrict(left, narrow(self.interval(left), self.interval(right)))

    def follow(self, transfer: Transfer, edge: Edge) -> bool:
        """Add what holds after control has left a continuation along an edge. Returns whether that is possible."""
        if isinstance(transfer, Branch):
            return self.assume(transfer.condition, edge is transfer.then)
        if isinstance(transfer, Switch):
            return self._choose(transfer, edge)
        if isinstance(transfer, (Call, ForeignTransfer)):
            self.loads.clear()
        return True

    def _choose(self, transfer: Switch, edge: Edge) -> bool:
        value, type = transfer.value, transfer.value.type
        low, high = self.interval(value)
        term = self.term(value)
        for case, target in zip(transfer.cases, transfer.targets, strict=True):
            if target is edge:
                return low <= case <= high and self.restrict(value, (case, case))
        for case in transfer.cases[:_MAX_CASES]:
            self.intervals[("==", type, term, (type, case))] = 0, 0
        return self.restrict(value, (low, high))


_NO_FACTS = Facts({}, {}, {})
"""It gives the terms of the values themselves: they are equal in paths on which parameters receive different values."""


def _unpacked(term: Term, positive: bool) -> tuple[Term, bool]:
    """A term of a truth value without the mark ``truth``, and whether the value is that of the term."""
    while isinstance(term, tuple) and term[0] == "truth":
        positive, term = positive == term[1], term[2]
    return term, positive


def _is_constant(term: Term) -> bool:
    return isinstance(term, tuple) and len(term) == 2


def _truth_within(term: Term) -> Term:
    """The truth value that a term converts to a number."""
    while isinstance(term, tuple) and term[0] == CONVERT:
        term = term[3]
    return term


def _is_truth(term: Term) -> bool:
    return isinstance(inner := _truth_within(term), tuple) and inner[0] == "truth"


def _constant_truth(term: Term) -> Interval | None:
    """The truth value of a term that has the same one in each state, as an interval."""
    if _is_constant(term):
        return (int(bool(term[1])),) * 2  # type: ignore[index]
    if not isinstance(term, tuple) or term[0] not in ("==", "<"):
        return None
    op, type, left, right = term
    if (left == right and has_interval(type)) or (left == right and op == "==" and type.kind in ("pointer",)):
        return (int(op == "=="),) * 2
    if op == "==" and isinstance(left, Data) and not left.is_replaceable and _is_constant(right) and not right[1]:
        return 0, 0
    return None


# ------------------------------------------------------------------------------------------------------------- search


def _include(facts: Facts, states: list[Facts]) -> Facts | None:
    """Add facts to the states, merged with others if there are many. Returns what was added, if anything."""
    if any(facts.implies(each) for each in states):
        return None
    if len(states) == MAX_STATES:
        facts = states.pop().widened(facts)
    states.append(facts)
    return facts


def undefined_positions(function: Function, uses: Iterable[Continuation]) -> set[Position]:
    """The positions on feasible paths to the continuations `uses`.

    Raises `TooManySteps` if there are too many paths.
    """
    return _Search(function, uses).positions()


class FeasiblePaths:
    """Proofs that no run takes a path of a function.

    The search for the states of the function visits at most `MAX_STEPS` edges, and so do all searches along paths
    together. Beyond that, nothing is proved.
    """

    def __init__(self, function: Function) -> None:
        self._function = function
        self._search: _Search | None = None
        self._steps = 0

    def impossible_step(self, path: Sequence[Continuation]) -> int | None:
        """The index of the first continuation that control cannot enter along the path; None if that is not proved."""
        return self._first_impossible(path[0], [(member, _edges(member, next)) for member, next in pairwise(path)])

    def is_impossible(self, sender: Continuation, edge: Edge) -> bool:
        """Whether it is proved that no run takes the edge."""
        return self._first_impossible(sender, [(sender, [edge])]) is not None

    def _first_impossible(self, start: Continuation, links: Iterable[tuple[Continuation, list[Edge]]]) -> int | None:
        if self._search is None:
            self._search = _Search(self._function, self._function.members())
            try:
                self._search.positions()
            except TooManySteps:
                self._steps = MAX_STEPS
        states, index = self._search.states((start, None)), 0
        for member, edges in links:
            self._steps += sum(facts.cost for facts in states)
            if not states or not edges or self._steps >= MAX_STEPS:
                break
            states, index = self._search.advance(states, member, edges), index + 1
        return index if not states and self._steps < MAX_STEPS else None


def _edges(member: Continuation, following: Continuation) -> list[Edge]:
    return [edge for edge in member.transfer.edges if edge.target is following] if member.transfer else []


class _Search:
    """The search in one function. `states` has the facts at each position."""

    def __init__(self, function: Function, uses: Iterable[Continuation]) -> None:
        self._function = function
        self._tree = DominatorTree(function)
        self._homes: dict[Value, Continuation] = {}
        before: dict[Continuation, list[Continuation]] = {}
        for member in function.members():
            self._homes.update(dict.fromkeys([*member.parameters, *member.body], member))
            for target in successors(member):
                before.setdefault(target, []).append(member)
        self._leading = {member for member, _ in depth_first(uses, lambda member: before.get(member, ()))}
        self._depths: dict[Term, Continuation | None] = {}
        self._states: dict[Position, list[Facts]] = {}
        self._pending: list[tuple[Position, Facts]] = []

    def positions(self) -> set[Position]:
        """All positions that the search reaches."""
        self._reach((self._function, None), _NO_FACTS)
        steps = 0
        for position, facts in self._pending:  # appended to during iteration
            if facts in self._states[position]:  # it is not replaced by wider ones
                member, undefined = position
                facts = facts.copy()
                self._execute(member, facts)
                steps += facts.cost * len(member.transfer.edges) if member.transfer else 0
                if steps > MAX_STEPS:
                    raise TooManySteps
                if member.transfer:
                    self._leave(member.transfer, undefined, facts)
        return {*self._states}

    def states(self, position: Position) -> list[Facts]:
        """The facts with which control reaches a position; after `positions`, there is one for each possible state."""
        return self._states.get(position, [])

    def advance(self, states: Iterable[Facts], member: Continuation, edges: Iterable[Edge]) -> list[Facts]:
        """The facts after control has left a continuation along some edge to another one, from a state at its start."""
        found: list[Facts] = []
        assert member.transfer
        for facts in states:
            before = facts.copy()
            self._execute(member, before)
            for edge in edges:
                after = before.copy()
                if after.follow(member.transfer, edge):
                    assert isinstance(edge.target, Continuation)
                    self._pass(edge.target, edge.arguments, after)
                    _include(after, found)
        return found

    def _reach(self, position: Position, facts: Facts) -> None:
        """Continue the search from a position, unless it is known with fewer facts."""
        if position[0] in self._leading and (added := _include(facts, self._states.setdefault(position, []))):
            self._pending.append((position, added))

    def _execute(self, member: Continuation, facts: Facts) -> None:
        """Add the facts about loads, after the statements of a continuation."""
        for statement in member.body:
            if not isinstance(statement, Effect):
                continue
            if statement.op == LOAD:
                place = statement.type, *map(facts.term, statement.operands)
                facts.same[statement] = facts.loads.setdefault(place, statement)
            elif statement.op == STORE:
                facts.loads.clear()
                if len(statement.operands) == 2:
                    value, address = statement.operands
                    facts.loads[(value.type, facts.term(address))] = facts.term(value)
            elif statement.op == FOREIGN or (OPERATIONS[statement.op].is_on_memory and statement.op not in ALLOCATING):
                facts.loads.clear()

    def _leave(self, transfer: Transfer, undefined: Value | None, facts: Facts) -> None:
        for value in transfer.uses:
            if is_local(value) and all(edge.target is not value for edge in transfer.edges):
                self._enter(value, (), undefined, _NO_FACTS.copy())  # it is passed as a value
        for edge in transfer.edges:
            after = facts.copy()
            if is_local(edge.target) and after.follow(transfer, edge):
                self._enter(edge.target, edge.arguments, undefined, after)

    def _enter(self, target: Continuation, arguments: Sequence[Value], undefined: Value | None, facts: Facts) -> None:
        """Reach the positions at the start of a continuation."""
        self._pass(target, arguments, facts)
        self._reach((target, None), facts)
        for parameter, value in zip(target.parameters, arguments, strict=False):
            if isinstance(value, Undef) or value is undefined:
                self._reach((target, parameter), facts)
        if undefined and target is not self._homes[undefined] and self._tree.dominates(self._homes[undefined], target):
            self._reach((target, undefined), facts)

    def _pass(self, target: Continuation, arguments: Sequence[Value], facts: Facts) -> None:
        """Change the facts to those at the start of a continuation that gets the arguments."""
        passed = [
            (parameter, facts.term(value), facts.passed(value))
            for parameter, value in zip(target.parameters, arguments, strict=False)
            if not isinstance(value, Undef)
        ]
        self._forget(target, facts)
        for parameter, term, interval in passed:
            if not self._is_bound_in(target, term):
                facts.same[parameter] = term
            if interval and interval != type_interval(parameter.type):
                facts.intervals[parameter] = interval

    def _forget(self, target: Continuation, facts: Facts) -> None:
        """Forget the facts about values that the continuation, or one that it dominates, defines again."""
        kept = [each for each in facts.intervals.items() if not self._is_bound_in(target, each[0])]
        facts.intervals = dict(kept[-_MAX_FACTS:])
        facts.same = {
            value: term
            for value, term in facts.same.items()
            if not self._is_bound_in(target, value) and not self._is_bound_in(target, term)
        }
        facts.loads = {
            place: term
            for place, term in facts.loads.items()
            if not self._is_bound_in(target, place) and not self._is_bound_in(target, term)
        }

    def _is_bound_in(self, target: Continuation, term: Term) -> bool:
        """Whether the continuation dominates the definition of a value in the term."""
        deepest = self._deepest(term)
        return deepest is not None and self._tree.dominates(target, deepest)

    def _deepest(self, term: Term) -> Continuation | None:
        """The continuation that all others dominate that define values in the term; None for a constant."""
        if term in self._depths:
            return self._depths[term]
        found = None
        pending = [term]
        for each in pending:  # appended to during iteration
            if isinstance(each, tuple):
                pending += each
                continue
            home = self._homes.get(each)  # type: ignore[call-overload]
            if home is not None and (found is None or self._tree.dominates(found, home)):
                found = home
        self._depths[term] = found
        return found
