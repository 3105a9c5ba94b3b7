"""Evidence that a parameter is necessary, found in the graph of a function.

*By Definition 2.* Go back from the parameter's continuation `Z`, never past an assignment to its variable. Let a root
lead to every value found so, and each value to the continuations that assign it. Two ways from the root to `Z` that
share nothing else bring two different values, from two different continuations, and meet at `Z` for the first time. If
there were none then, by Menger's theorem, all ways would pass one place: a value, the only one that arrives; or a
continuation, where the variable has one value, that of a parameter there if need be. Either way `Z`, and all parameters
for the variable in between, would receive only each other and that value: a redundant set. In a minimal program there
are no such sets, so the ways are always found.

*By values.* In CPS text there are parameters but no variables. Then the same is done in the graph of values: a root
leads to every value that is no parameter, and each value to the parameters that receive it.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Union

from cpsconv.analysis.dominance import immediate_dominators
from cpsconv.analysis.flow import Received
from cpsconv.construction.record import SourceVariable
from cpsconv.explain.parameters.def_use import DefUse
from cpsconv.explain.parameters.disjoint_paths import two_disjoint_paths
from cpsconv.explain.parameters.evidence import (
    Assignment,
    Convergence,
    DefinitionPath,
    Passing,
    ReachingDefinitions,
    Redundant,
    TwoValues,
)
from cpsconv.ir import Continuation, Parameter, Value

_Place = Union[Continuation, "tuple[Value]", str]
"""A node of the graph that is searched: the end of a continuation, an assigned value, the root, or the start of `Z`."""

_ROOT: _Place = "root"
_GOAL: _Place = "start of Z"

_Source = Union[Value, str]
"""A node of the graph of values: a value, or the root."""

_ORIGIN: _Source = "root"


def convergence(def_use: DefUse, home: Continuation, parameter: Parameter) -> Convergence:
    """Two ways that converge at `home`, which has `parameter` for a variable. The program must be minimal."""
    variable = def_use.variables[parameter]
    values = _values(def_use, home, variable)

    def sources(place: _Place) -> Iterable[_Place]:
        if isinstance(place, tuple):
            return [_ROOT]
        if place == _GOAL:
            return def_use.predecessors(home)
        assert isinstance(place, Continuation)
        if def_use.is_assigned_in(variable, place):
            return [(values[place],)]
        return [] if place is home else def_use.predecessors(place)

    found = two_disjoint_paths(_GOAL, _ROOT, sources)
    assert found, f"{home.name} needs no parameter for {variable.name}: the program is not minimal"
    first, second = (_way(def_use, variable, [*reversed(path[1:-2]), home]) for path in found)
    return Convergence(home, parameter, variable, (first, second))


def _way(def_use: DefUse, variable: SourceVariable, path: list[_Place]) -> DefinitionPath:
    members = [place for place in path if isinstance(place, Continuation)]
    return DefinitionPath(Assignment(members[0], def_use.accesses[variable].assigned.get(members[0])), members)


def _values(def_use: DefUse, home: Continuation, variable: SourceVariable) -> dict[Continuation, Value]:
    """The value that the variable has at the end of each continuation from which it comes to `home` unassigned.

    It is the argument that is passed on, sooner or later, on the way there.
    """
    parameters = def_use.accesses[variable].parameters
    values: dict[Continuation, Value] = dict(def_use.arguments(parameters[home], home))
    pending = [*values]
    for member in pending:  # grows underway
        if member is home or def_use.is_assigned_in(variable, member):
            continue
        if member in parameters:
            found = def_use.arguments(parameters[member], member)
        else:
            found = [(predecessor, values[member]) for predecessor in def_use.predecessors(member)]
        for predecessor, value in found:
            if predecessor not in values:
                values[predecessor] = value
                pending.append(predecessor)
    return values


def by_values(home: Continuation, parameter: Parameter, received: Received) -> TwoValues | Redundant:
    """Two values that come to `parameter` by separate chains of parameters, or the one that it always has."""

    def sources(value: _Source) -> Iterable[_Source]:
        if isinstance(value, Parameter) and value in received:
            return [passing.value for passing in passings(value, received)]
        return [_ORIGIN]

    start: _Source = parameter
    found = two_disjoint_paths(start, _ORIGIN, sources)
    if not found:
        return Redundant(home, parameter, _only_value(parameter, received))
    first, second = (_chain([*reversed(path[:-1])], received) for path in found)
    return TwoValues(home, parameter, (first, second))


def passings(parameter: Parameter, received: Received) -> Iterable[Passing]:
    """How the parameter comes by its values: one item for each edge."""
    index, edges = received[parameter]
    return [Passing(edge.arguments[index], sender, edge, parameter) for sender, edge in edges]


def _chain(values: list[_Source], received: Received) -> list[Passing]:
    chain = []
    for value, receiver in pairwise(values):
        assert isinstance(receiver, Parameter)
        chain.append(next(each for each in passings(receiver, received) if each.value is value))
    return chain


def _only_value(parameter: Parameter, received: Received) -> Value:
    """The topmost value that every way of values to `parameter` passes (see `cpsconv.transform.minimality`)."""
    flow: dict[_Source, list[_Source]] = {_ORIGIN: []}
    for receiver in received:
        for passing in passings(receiver, received):
            if passing.value not in received:
                flow[_ORIGIN].append(passing.value)
            flow.setdefault(passing.value, []).append(receiver)
    dominators = immediate_dominators(_ORIGIN, lambda value: flow.get(value, ()))
    value: _Source = parameter
    while dominators[value] is not _ORIGIN:
        value = dominators[value]
    assert not isinstance(value, str)
    return value


def reaching_definitions(def_use: DefUse, home: Continuation, variable: SourceVariable) -> ReachingDefinitions:
    """The assignments and the parameters from which `variable` comes to the start of `home` unchanged."""
    accesses = def_use.accesses[variable]
    assignments = [Assignment(home, None)] if home is def_use.function else []
    parameters = []
    seen: set[Continuation] = set()
    pending = [home]
    for member in pending:  # grows underway
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
