"""Counted loops: ``for i in range(i, n)``, in which Python advances the counter.

The counter is a parameter of the loop header. Every edge back to the header passes the counter plus or minus one, and
the header only compares the counter with a loop-invariant bound. The counter of a Python `range` never reaches the
bound. So the counter must be dead where the comparison fails.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from cpsconv.core.analysis.graph import local_target, uses
from cpsconv.core.ir import Constant, Continuation, Edge, Function, Parameter, Primitive, Value
from cpsconv.core.operations.queries import opposite
from cpsconv.core.operations.types import is_integer
from cpsconv.engines.python.overflow import Overflow
from cpsconv.targets.structuring.decisions import Decision, DecisionGraph, Test
from cpsconv.targets.structuring.tree import BasicBlock, Break, If, Loop, blocks_of
from cpsconv.targets.structuring.variables import Variables

_RANGES = {"<": ("+", 1, 0), "<=": ("+", 1, 1), ">": ("-", -1, 0), ">=": ("-", -1, -1)}
"""For each comparison of counter and bound: the operator that advances the counter, the step, and `beyond`."""


@dataclass(frozen=True)
class CountedLoop:
    """A counted loop, whose range ends at ``bound + beyond``. Its `back_edges` need not advance the counter."""

    counter: Parameter
    bound: Value
    step: int
    beyond: int
    back_edges: list[Edge]


class CountedLoops:
    """Finds the counted loops of a function."""

    def __init__(self, function: Function, graph: DecisionGraph, variables: Variables, overflow: Overflow) -> None:
        self._graph = graph
        self._variables = variables
        self._overflow = overflow
        self._users: dict[Value, set[Continuation]] = defaultdict(set)
        self._incoming: dict[Continuation, list[tuple[Continuation, Edge]]] = defaultdict(list)
        for member in function.members():
            for value in uses(member):
                self._users[value].add(member)
        for member in graph.members:
            for edge in graph.edges(member):
                if target := local_target(edge):
                    self._incoming[target].append((member, edge))

    def recognised(self, loop: Loop) -> CountedLoop | None:
        """The loop as a counted loop, if it is one."""
        decision, test = self._graph.terminators.get(loop.header), _exit_test(loop)
        if test is None or not isinstance(decision, Decision) or not self._graph.is_empty(loop.header):
            return None
        compared = test.value
        if not isinstance(compared, Primitive) or compared not in self._variables.in_place:
            return None
        op = compared.op if test.negated else opposite(compared.op, compared.operands[0].type)
        if op not in _RANGES:
            return None
        counter, bound = compared.operands
        members = _members_of(loop)
        if not isinstance(counter, Parameter) or counter not in loop.header.parameters or self._changes(bound, members):
            return None
        back_edges = [edge for member, edge in self._incoming[loop.header] if member in members]
        index, (advance, step, beyond) = loop.header.parameters.index(counter), _RANGES[op]
        is_counted = (
            self._users[counter] <= members
            and not any(self._reads(edge, counter) for edge in (decision.then, decision.otherwise))
            and all(edge.arguments and self._advances(edge.arguments[index], counter, advance) for edge in back_edges)
        )
        return CountedLoop(counter, bound, step, beyond, back_edges) if is_counted else None

    def _changes(self, bound: Value, members: set[Continuation]) -> bool:
        if isinstance(bound, Constant):
            return not is_integer(bound.type)
        if bound in self._variables.in_place or not is_integer(bound.type):
            return True
        return any(bound in member.parameters or bound in member.body for member in members)

    def _reads(self, edge: Edge, value: Value) -> bool:
        return any(value in self._variables.read_by(argument) for argument in edge.arguments)

    def _advances(self, argument: Value, counter: Parameter, op: str) -> bool:
        if not isinstance(argument, Primitive) or argument not in self._variables.in_place:
            return False
        first, last = argument.operands[0], argument.operands[-1]
        is_one = isinstance(last, Constant) and last.value == 1
        return argument.op == op and first is counter and is_one and not self._overflow.must_wrap(argument)


def _exit_test(loop: Loop) -> Test | None:
    """The single test at the start of the body, if it leaves the loop and does nothing else."""
    if len(loop.body) < 2 or not isinstance(loop.body[0], BasicBlock) or not isinstance(loop.body[1], If):
        return None
    first = loop.body[1]
    is_break = len(first.then) == 1 and isinstance(first.then[0], Break) and not first.otherwise
    return first.condition if is_break and isinstance(first.condition, Test) else None


def _members_of(loop: Loop) -> set[Continuation]:
    """The continuations whose statements are in the body."""
    blocks = [loop.body]
    for block in blocks:  # appended to during iteration
        for statement in block:
            blocks += blocks_of(statement)
    return {statement.member for block in blocks for statement in block if isinstance(statement, BasicBlock)}
