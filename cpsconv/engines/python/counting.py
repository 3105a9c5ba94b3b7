"""Loops that count: ``for i in range(i, n)``, in which Python advances the counter.

The counter is a parameter of the header, to which every way round the loop passes one more, or less, than it is. The
header does nothing but compare it with what does not change within. Python's counter does not come to the bound itself:
so where the comparison fails, nobody may use it any more.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from cpsconv.analysis.graph import uses
from cpsconv.engines.python.overflow import Care
from cpsconv.ir import Constant, Continuation, Edge, Function, Parameter, Primitive, Value
from cpsconv.operations.table import opposite
from cpsconv.operations.types import is_integer
from cpsconv.structuring.decisions import Fork, Test, Ways, local_target
from cpsconv.structuring.tree import Break, If, Loop, Run, blocks_of
from cpsconv.structuring.variables import Variables

_STEPS = {"<": ("+", 1, 0), "<=": ("+", 1, 1), ">": ("-", -1, 0), ">=": ("-", -1, -1)}
"""By what the counter is compared: how it is advanced, by how much, and how far beyond the bound a range ends."""


@dataclass(frozen=True)
class Count:
    """A counter, and where it ends: `beyond` the bound. Of `advancing` ways, none need do so."""

    counter: Parameter
    bound: Value
    step: int
    beyond: int
    advancing: list[Edge]


class Counting:
    """Finds the loops of a function that count."""

    def __init__(self, function: Function, ways: Ways, variables: Variables, care: Care) -> None:
        self._ways = ways
        self._variables = variables
        self._care = care
        self._users: dict[Value, set[Continuation]] = defaultdict(set)
        self._arrivals: dict[Continuation, list[tuple[Continuation, Edge]]] = defaultdict(list)
        for member in function.members():
            for value in uses(member):
                self._users[value].add(member)
        for member in ways.members:
            for edge in ways.edges(member):
                if target := local_target(edge):
                    self._arrivals[target].append((member, edge))

    def count(self, loop: Loop) -> Count | None:
        """How a loop counts, if it does."""
        exit, test = self._ways.exits.get(loop.header), _leaving(loop)
        if test is None or not isinstance(exit, Fork) or not self._ways.is_empty(loop.header):
            return None
        compared = test.value
        if not isinstance(compared, Primitive) or compared not in self._variables.in_place:
            return None
        op = compared.op if test.negated else opposite(compared.op, compared.operands[0].type)
        if op not in _STEPS:
            return None
        counter, bound = compared.operands
        sign, step, beyond = _STEPS[op]
        within = _members_within(loop)
        if not isinstance(counter, Parameter) or counter not in loop.header.parameters or self._changes(bound, within):
            return None
        around = [edge for member, edge in self._arrivals[loop.header] if member in within]
        index = loop.header.parameters.index(counter)
        is_counter = (
            self._users[counter] <= within
            and not any(self._reads(edge, counter) for edge in (exit.then, exit.otherwise))
            and all(edge.arguments and self._advances(edge.arguments[index], counter, sign) for edge in around)
        )
        return Count(counter, bound, step, beyond, around) if is_counter else None

    def _changes(self, bound: Value, within: set[Continuation]) -> bool:
        if isinstance(bound, Constant):
            return not is_integer(bound.type)
        if bound in self._variables.in_place or not is_integer(bound.type):
            return True
        return any(bound in member.parameters or bound in member.body for member in within)

    def _reads(self, edge: Edge, value: Value) -> bool:
        return any(value in self._variables.read_by(argument) for argument in edge.arguments)

    def _advances(self, argument: Value, counter: Parameter, sign: str) -> bool:
        if not isinstance(argument, Primitive) or argument not in self._variables.in_place:
            return False
        first, last = argument.operands[0], argument.operands[-1]
        is_one = isinstance(last, Constant) and last.value == 1
        return argument.op == sign and first is counter and is_one and not self._care.overflows(argument)


def _leaving(loop: Loop) -> Test | None:
    """The only test with which the body begins, where it leaves the loop and does nothing else."""
    if len(loop.body) < 2 or not isinstance(loop.body[0], Run) or not isinstance(loop.body[1], If):
        return None
    first = loop.body[1]
    is_break = len(first.then) == 1 and isinstance(first.then[0], Break) and not first.otherwise
    return first.condition if is_break and isinstance(first.condition, Test) else None


def _members_within(loop: Loop) -> set[Continuation]:
    """The continuations whose statements are in the body."""
    blocks = [loop.body]
    for block in blocks:  # grows underway
        for statement in block:
            blocks += blocks_of(statement)
    return {statement.member for block in blocks for statement in block if isinstance(statement, Run)}
