"""The evidence for or against a parameter, and the search for it in the graph of a function.

The terms are those of Braun et al., section 4. *Two non-null paths X₀ →⁺ X_J and Y₀ →⁺ Y_K converge at a block Z* if
they start at different blocks (1), both end at Z (2), and at least one of them ends wherever they share a block (3). So
they share only Z, where one of them may also start. *A φ function for v is necessary in Z* if two paths converge there
whose first blocks contain assignments to v. At the entry every variable has an initial value, a parameter of the
function or undefined; this counts as an assignment.

*By Definition 2.* Search backwards from the parameter's continuation `Z`, up to assignments to its variable. Let a root
precede every value found, and let each value precede the continuations that assign it. Two paths from the root to `Z`
that share no other node carry two different values, from two different continuations, and meet first at `Z`. If there
were no such paths, then by Menger's theorem all paths would contain one node: a value, the only one that arrives; or a
continuation, in which the variable has one value, if need be that of a parameter there. In either case `Z`, and all
parameters for the variable between that node and `Z`, would receive only each other and that value: a redundant set. A
minimal program has no redundant sets, so the paths are always found.

*By values.* In CPS text there are parameters but no variables. The same search is done in the graph of values: a root
precedes every value that is not a parameter, and each value precedes the parameters that receive it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Union

from cpsconv.core.analysis.feasible import FeasiblePaths
from cpsconv.core.analysis.flow import ParameterEdges
from cpsconv.core.construction.block import Variable
from cpsconv.core.construction.record import Write
from cpsconv.core.ir import Continuation, Edge, InMemory, Parameter, Value
from cpsconv.core.nodes import NodeType, replace
from cpsconv.core.source import Span
from cpsconv.core.transform.minimality import redundant_parameters
from cpsconv.lab.explain.def_use import DefUse
from cpsconv.lab.explain.disjoint_paths import two_disjoint_paths


class Assignment(metaclass=NodeType):
    """The last assignment to a variable in a continuation; `write` is None for a variable without an initial value."""

    continuation: Continuation
    write: Write | None


class DefinitionPath(metaclass=NodeType):
    """A path from a definition to the start of the continuation of a necessary parameter, without another assignment.

    `path` has both ends; `value` is the value that the variable has at the end of the first continuation. If no run
    takes the path, `impossible` is the index of the first continuation that control cannot enter along it; it is None
    if that is not proved.
    """

    assignment: Assignment
    value: Value
    path: list[Continuation]
    impossible: int | None


class ParameterAnswer(metaclass=NodeType):
    """An answer about `parameter` of `home`."""

    home: Continuation
    parameter: Parameter


class Convergence(ParameterAnswer):
    """The parameter is necessary for `variable`: two paths with different values converge at its continuation."""

    variable: Variable
    paths: tuple[DefinitionPath, DefinitionPath]


class Passing(metaclass=NodeType):
    """`value` is passed along `edge`, which starts at `sender`, to `parameter`; if `is_impossible`, no run does it."""

    value: Value
    sender: Continuation
    edge: Edge
    parameter: Parameter
    is_impossible: bool = False

    @property
    def span(self) -> Span | None:
        """The span of the transfer."""
        return self.sender.transfer.span if self.sender.transfer else None


class TwoValues(ParameterAnswer):
    """The parameter is needed: two values reach it, through disjoint chains of parameters.

    This is the evidence in CPS text, where no variables are known.
    """

    chains: tuple[list[Passing], list[Passing]]


class Redundant(ParameterAnswer):
    """The parameter is not needed: it is always equal to `value`."""

    value: Value


class Supplied(ParameterAnswer):
    """The parameter is one of a function, or of a continuation that is passed as a value: its arguments are unknown."""

    __slots__ = ()


class ReachingDefinitions(metaclass=NodeType):
    """`variable` has no parameter at `home`: `assignments` and `parameters`, with their continuations, reach its start.

    They are one definition, or several with the same value; or they differ and the variable is not `live`.
    """

    home: Continuation
    variable: Variable
    assignments: list[Assignment]
    parameters: list[tuple[Continuation, Parameter]]
    live: bool


class Memory(metaclass=NodeType):
    """The `variable` is an object in memory, which has no parameters."""

    variable: InMemory


Answer = Union[Convergence, TwoValues, Redundant, Supplied, ReachingDefinitions, Memory]


# ---------------------------------------------------------------------------------------------------------- paths


_Node = Union[Continuation, "tuple[Value]", str]
"""A node of the searched graph: the end of a continuation, an assigned value, the root, or the start of `Z`."""

_ROOT = "root"
_GOAL: _Node = "start of Z"

_Source = Union[Value, str]
"""A node of the graph of values: a value, or the root."""


def convergence(def_use: DefUse, home: Continuation, parameter: Parameter, feasible: FeasiblePaths) -> Convergence:
    """Two paths that converge at `home`, which has `parameter` for a variable. The program must be minimal."""
    variable = def_use.variables[parameter]
    parameters = def_use.accesses[variable].parameters
    values: dict[Continuation, Value] = {}  # the values of the variable at the ends of continuations

    def predecessors(member: Continuation) -> list[Continuation]:
        """The predecessors. The value at the end of each is the argument that it passes, or the value in `member`."""
        if member in parameters:
            found = def_use.arguments(parameters[member], member)
        else:
            found = [(predecessor, values[member]) for predecessor in def_use.predecessors(member)]
        values.update(found)
        return [predecessor for predecessor, _ in found]

    def sources(node: _Node) -> Iterable[_Node]:
        if isinstance(node, tuple):
            return [_ROOT]
        if node == _GOAL:
            return predecessors(home)
        assert isinstance(node, Continuation)
        if def_use.is_assigned_in(variable, node):
            return [(values[node],)]
        return [] if node is home else predecessors(node)

    found = two_disjoint_paths(_GOAL, _ROOT, sources)
    assert found, f"{home.name} needs no parameter for {variable.name}: the program is not minimal"
    first, second = (_definition_path(def_use, variable, values, path, home, feasible) for path in found)
    return Convergence(home, parameter, variable, (first, second))


def _definition_path(
    def_use: DefUse,
    variable: Variable,
    values: Mapping[Continuation, Value],
    found: list[_Node],
    home: Continuation,
    feasible: FeasiblePaths,
) -> DefinitionPath:
    """The path to `home` for a path that was `found` backwards."""
    members = [node for node in reversed(found) if isinstance(node, Continuation)]
    assignment = Assignment(members[0], def_use.accesses[variable].assigned.get(members[0]))
    path = [*members, home]
    return DefinitionPath(assignment, values[members[0]], path, feasible.impossible_step(path))


def reaching_definitions(def_use: DefUse, home: Continuation, variable: Variable) -> ReachingDefinitions:
    """The assignments to `variable`, and its parameters, that reach the start of `home`."""
    accesses = def_use.accesses[variable]
    assignments = [Assignment(home, None)] if home is def_use.function else []
    parameters = []
    seen: set[Continuation] = set()
    pending = [home]
    for member in pending:  # appended to during iteration
        for predecessor in def_use.predecessors(member):
            if predecessor in seen:
                continue
            seen.add(predecessor)
            if def_use.is_assigned_in(variable, predecessor):
                assignments.append(Assignment(predecessor, accesses.assigned.get(predecessor)))
            elif predecessor in accesses.parameters:
                parameters.append((predecessor, accesses.parameters[predecessor]))
            else:
                pending.append(predecessor)
    return ReachingDefinitions(home, variable, assignments, parameters, def_use.is_live(variable, home))


# --------------------------------------------------------------------------------------------------------- values


def by_values(
    home: Continuation, parameter: Parameter, received: ParameterEdges, feasible: FeasiblePaths
) -> TwoValues | Redundant:
    """Two values that reach `parameter` through disjoint chains of parameters, or the only value that it has."""

    def sources(value: _Source) -> Iterable[_Source]:
        if isinstance(value, Parameter) and value in received:
            return [passing.value for passing in _passings(value, received)]
        return [_ROOT]

    start: _Source = parameter
    found = two_disjoint_paths(start, _ROOT, sources)
    if not found:
        arguments = {each: [passing.value for passing in _passings(each, received)] for each in received}
        return Redundant(home, parameter, redundant_parameters(arguments)[parameter])
    first, second = (_chain([*reversed(path[:-1])], received, feasible) for path in found)
    return TwoValues(home, parameter, (first, second))


def _passings(parameter: Parameter, received: ParameterEdges) -> Iterable[Passing]:
    """The values that the parameter receives, one item for each edge."""
    index, edges = received[parameter]
    return [Passing(edge.arguments[index], sender, edge, parameter) for sender, edge in edges]


def _chain(values: list[_Source], received: ParameterEdges, feasible: FeasiblePaths) -> list[Passing]:
    chain = []
    for value, receiver in pairwise(values):
        assert isinstance(receiver, Parameter)
        passing = next(each for each in _passings(receiver, received) if each.value is value)
        chain.append(replace(passing, is_impossible=feasible.is_impossible(passing.sender, passing.edge)))
    return chain
