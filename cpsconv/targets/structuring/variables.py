"""The variables of a function: the values that are stored, and the values that share a variable.

A value written in place needs no variable. Two values may share a variable if one becomes the other along an edge or
by a computation, their types and names (without numbers) are equal, and they are never live at the same time. So
the values of one variable of the source usually share one variable again.

This is register allocation for programs in SSA form (Hack and Goos, *Optimal Register Allocation for SSA-form Programs
in Polynomial Time*, 2006) with an unlimited number of registers: along the dominator tree, each definition takes a
variable that contains no live value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Union

from cpsconv.core import ir
from cpsconv.core.analysis.graph import local_target
from cpsconv.core.analysis.reentry import is_reentered
from cpsconv.core.analysis.scc import strongly_connected_components
from cpsconv.core.nodes import NodeType
from cpsconv.core.text.plan import TextPlan
from cpsconv.targets.structuring.decisions import Choice, Decision, DecisionGraph, tests

MAX_CANDIDATES = 8  # variables that are examined for sharing

_Definition = tuple[ir.Continuation, int, Union[ir.Parameter, ir.Statement]]


class Variable(metaclass=NodeType):
    """A variable of a function. Only values of one `kind` share it: of one type, if no other distinction is made."""

    name: str
    type: ir.Scalar
    kind: object = None


@dataclass(eq=False)
class Variables:
    """The variables of one function. `calls` are written in place; `new_name` returns an unused name for a hint.

    Values in place are primitives and loads. Values of different kinds, by `kind_of`, do not share a variable.
    """

    function: ir.Function
    graph: DecisionGraph
    text_plan: TextPlan
    calls: Mapping[ir.Value, ir.Call]
    new_name: Callable[[str], str]
    kind_of: Callable[[ir.Value], object] = lambda value: value.type

    def __post_init__(self) -> None:
        self.in_place = self.text_plan.in_place
        self._of: dict[ir.Value, Variable] = {}
        self._undefined: dict[tuple[str, ir.Scalar], Variable] = {}
        self._latest: dict[Variable, int] = {}
        self._predecessors: dict[ir.Continuation, list[ir.Continuation]] = {member: [] for member in self.graph.members}
        order = strongly_connected_components(self.graph.members, self.graph.successors)
        self._component = {member: number for number, members in enumerate(order) for member in members}
        self._share()

    def of(self, value: ir.Value) -> Variable:
        """The variable of a parameter, statement or `Undef`; no assignment is made to the variable of an `Undef`."""
        if isinstance(value, ir.Undef):
            key = value.name, value.type
            if key not in self._undefined:
                self._undefined[key] = self.new(value.name, value.type)
            return self._undefined[key]
        return self._of[value]

    def new(self, hint: str | None, type: ir.Scalar, kind: object = None) -> Variable:
        """A new variable."""
        return Variable(self.new_name(hint or ""), type, kind)

    def read_by(self, value: ir.Value) -> Iterator[ir.Value]:
        """The values whose variables the expression for `value` reads. (Its depth is bounded.)"""
        if value in self.calls:
            for argument in self.calls[value].operands:
                yield from self.read_by(argument)
        elif value in self.in_place:
            assert isinstance(value, (ir.Primitive, ir.Effect))
            for operand in value.operands:
                yield from self.read_by(operand)
        elif isinstance(value, (ir.Parameter, ir.Primitive, ir.Effect, ir.Undef)):
            yield value

    def must_evaluate(self, value: ir.Value, must_compute: Callable[[ir.Primitive], bool]) -> bool:
        """Whether the expression for a value contains a call, or a primitive in place that must be computed."""
        if value in self.calls:
            return True
        return isinstance(value, ir.Primitive) and value in self.in_place and must_compute(value)

    def is_stored(self, statement: ir.Statement) -> bool:
        """Whether the result of a statement is stored in a variable."""
        return statement not in self.in_place and self.text_plan.used[statement] > 0

    def is_in_place(self, transfer: ir.Transfer) -> bool:
        """Whether a transfer is a call that is written in place, where its result is used."""
        target = local_target(transfer.then) if isinstance(transfer, ir.Call) else None
        return target is not None and any(parameter in self.calls for parameter in target.parameters)

    def is_unset(self, variable: Variable, member: ir.Continuation) -> bool:
        """Whether no assignment to the variable can precede the end of `member`."""
        return self._latest.get(variable, -1) < self._component[member]

    # ------------------------------------------------------------------------------------------------------- liveness

    def _uses(self, member: ir.Continuation) -> Iterator[tuple[int, ir.Value]]:
        """The values that `member` uses, each with the index of the statement; the terminator follows the last one."""
        for index, statement in enumerate(member.body):
            if statement not in self.in_place:
                for operand in statement.operands:
                    yield from ((index, value) for value in self.read_by(operand))
        terminator = self.graph.terminators[member]
        used = [argument for edge in self.graph.edges(member) for argument in edge.arguments]
        if isinstance(terminator, Decision):
            used += [test.value for test in tests(terminator.condition)]
        elif isinstance(terminator, Choice):
            used.append(terminator.value)
        elif not self.is_in_place(terminator):
            used += terminator.operands
        for operand in used:
            yield from ((len(member.body), value) for value in self.read_by(operand))

    def _definitions(self, member: ir.Continuation) -> Iterator[tuple[int, ir.Parameter | ir.Statement]]:
        """The values that `member` defines, each with the index of the statement; parameters have the index -1."""
        for parameter in member.parameters:
            if isinstance(parameter.type, ir.Scalar) and parameter not in self.calls:
                yield -1, parameter
        yield from ((index, statement) for index, statement in enumerate(member.body) if self.is_stored(statement))

    def _live_range(self, home: ir.Continuation, users: Iterable[ir.Continuation]) -> set[ir.Continuation]:
        """The members at whose start a value is live, which is defined in `home` and used in `users`."""
        found: set[ir.Continuation] = set()
        pending = [*users]
        while pending:
            needing = pending.pop()
            if needing is not home and needing not in found:
                found.add(needing)
                pending += self._predecessors[needing]
        return found

    # -------------------------------------------------------------------------------------------------------- sharing

    def _share(self) -> None:
        """Give a variable to each definition: one web after the other, so that little of the liveness is stored."""
        tree = self.graph.dominance()
        definitions = [
            (member, index, value) for member in tree.preorder() for index, value in self._definitions(member)
        ]
        webs = {value: web for web in self._webs() for value in web}
        last: dict[ir.Value, dict[ir.Continuation, int]] = {value: {} for value in webs}
        for member in self.graph.members:
            for target in self.graph.successors(member):
                self._predecessors[target].append(member)
            for index, value in self._uses(member):
                if value in last:
                    last[value][member] = index
        by_web: dict[int, list[_Definition]] = {}
        for each in definitions:
            if each[2] in webs:
                by_web.setdefault(id(webs[each[2]]), []).append(each)
        for web in by_web.values():
            self._divide(web, last)
        for member, _, value in definitions:
            assert isinstance(value.type, ir.Scalar)
            variable = self._of.setdefault(value, Variable("", value.type, self.kind_of(value)))
            variable.name = variable.name or self.new_name(value.name or "")
            self._latest[variable] = max(self._latest.get(variable, 0), self._component[member])

    def _divide(self, web: list[_Definition], last: Mapping[ir.Value, Mapping[ir.Continuation, int]]) -> None:
        """Divide the values of a web, whose definitions are in dominance order, among variables."""
        defining = {member for member, _, _ in web}
        live: dict[ir.Continuation, list[tuple[int, ir.Value]]] = {}
        ends: dict[ir.Value, int] = {}
        for home, _, value in web:  # the index in a member after which each value is dead
            live_in = self._live_range(home, last[value])
            for member in (home, *live_in):
                if member in defining:
                    is_live_out = any(target in live_in for target in self.graph.successors(member))
                    end = len(member.body) + 1 if is_live_out else last[value].get(member, 0)
                    if member is home:
                        ends[value] = end
                    else:
                        live.setdefault(member, []).append((end, value))
        variables: list[Variable] = []
        latest: ir.Continuation | None = None
        for number, (member, index, value) in enumerate(web, len(web)):
            if member is not latest:
                latest, taken = member, {self._of[other] for _, other in live.get(member, ())}
                pending = [(end, rank, self._of[other]) for rank, (end, other) in enumerate(live.get(member, ()))]
                heapify(pending)
            while pending and pending[0][0] <= index:
                taken.discard(heappop(pending)[-1])
            variable = next((each for each in variables[:MAX_CANDIDATES] if each not in taken), None)
            if variable is None:
                assert isinstance(value.type, ir.Scalar)
                variable = Variable("", value.type, self.kind_of(value))
                variables.append(variable)
            self._of[value] = variable
            taken.add(variable)
            heappush(pending, (ends[value], number, variable))

    def _webs(self) -> Iterator[Sequence[ir.Value]]:
        """The sets of values that may share variables, each with several values.

        There are none in a function that calls `setjmp`: the values at the call are used again after a jump.
        """
        if is_reentered(self.function):
            return iter(())
        related: dict[ir.Value, list[ir.Value]] = {}
        for later, earlier in self._related_values():
            if _alike(later, earlier) and self.kind_of(later) == self.kind_of(earlier):
                related.setdefault(later, []).append(earlier)
                related.setdefault(earlier, []).append(later)
        return (web for web in strongly_connected_components(related, related.__getitem__) if len(web) > 1)

    def _related_values(self) -> Iterator[tuple[ir.Parameter | ir.Statement, ir.Value]]:
        """Each value with the values that it may be equal to, or that it is computed from."""
        for member in self.graph.members:
            for _, value in self._definitions(member):
                if not isinstance(value, ir.Parameter):
                    for operand in value.operands:
                        yield from ((value, read) for read in self.read_by(operand))
            for edge in self.graph.edges(member):
                target = local_target(edge)
                for parameter, argument in zip(target.parameters if target else (), edge.arguments, strict=False):
                    yield from ((parameter, read) for read in self.read_by(argument))


def _alike(one: ir.Parameter | ir.Statement, other: ir.Value) -> bool:
    """Whether two values may stem from the same variable of the source: of one type, with one name up to a number."""
    if isinstance(other, (ir.Undef, ir.Constant)) or one.type is not other.type:
        return False
    first, second = (name.rstrip("0123456789").rstrip("_") or name for name in (one.name or "", other.name or ""))
    return bool(first) and first == second
