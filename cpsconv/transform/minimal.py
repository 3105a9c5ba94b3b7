"""Removal of redundant sets of parameters (Braun et al., section 3.2, Algorithm 5).

A set of parameters is *redundant* if they receive only each other and one other value: then they all have that value.
In programs with irreducible control flow, construction can leave such sets. Lemma 1 of the paper: every redundant set
contains a strongly connected component that is redundant, too, so it is enough to look at components.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from cpsconv.analysis.graph import incoming
from cpsconv.analysis.scc import strongly_connected_components
from cpsconv.ir import Call, Continuation, Function, Parameter, Program, Value
from cpsconv.transform.rewrite import drop_parameters, replace_values

Received = dict[Parameter, list[Value]]
"""For each parameter that could be removed, the arguments passed to it, one for each edge."""


def minimise(program: Program) -> None:
    """Remove all redundant parameters of all functions, in place. What is left is minimal."""
    for function in program.functions:
        replaced = redundant_parameters(_received(function))
        if replaced:
            replace_values(function, replaced)
            drop_parameters(function, replaced)


def redundant_parameters(received: Received) -> dict[Parameter, Value]:
    """The redundant ones among the parameters, each with the value that it always has, itself none of them.

    Algorithm 5. Its recursion into inner components is a stack of those still to be processed; components come
    after those that they receive values from, so that these have been replaced by then.
    """
    replaced: dict[Parameter, Value] = {}
    pending = [_components(received, received, replaced)]
    while pending:
        component = next(pending[-1], None)
        if component is None:
            pending.pop()
            continue
        inner, outer = _split(component, received, replaced)
        if len(outer) == 1:
            replaced.update(dict.fromkeys(component, outer[0]))
        elif outer and inner:
            pending.append(_components(inner, received, replaced))
    return {parameter: _final(value, replaced) for parameter, value in replaced.items()}


def _components(
    parameters: Collection[Parameter], received: Received, replaced: dict[Parameter, Value]
) -> Iterator[list[Parameter]]:
    """The components of the graph that `parameters` induce, operands first."""
    within = frozenset(parameters)

    def operands(parameter: Parameter) -> Iterator[Parameter]:
        for value in received[parameter]:
            final = _final(value, replaced)
            if isinstance(final, Parameter) and final in within:
                yield final

    return strongly_connected_components(parameters, operands)


def _split(
    component: list[Parameter], received: Received, replaced: dict[Parameter, Value]
) -> tuple[list[Parameter], list[Value]]:
    """The parameters that receive values from inside the component only, and the distinct values from outside."""
    members: frozenset[Value] = frozenset(component)
    inner: list[Parameter] = []
    outer: dict[Value, None] = {}
    for parameter in component:
        values = [_final(value, replaced) for value in received[parameter]]
        entering = [value for value in values if value not in members]
        outer.update(dict.fromkeys(entering))
        if not entering:
            inner.append(parameter)
    return inner, list(outer)


def _final(value: Value, replaced: dict[Parameter, Value]) -> Value:
    while isinstance(value, Parameter) and value in replaced:
        value = replaced[value]
    return value


def _received(function: Function) -> Received:
    """The arguments of every parameter whose continuation is entered only by edges that pass arguments."""
    fixed = set(_passed_on(function))
    received: Received = {}
    for continuation, edges in incoming(function).items():
        if continuation not in fixed:
            for index, parameter in enumerate(continuation.parameters):
                received[parameter] = [edge.arguments[index] for _, edge in edges]
    return received


def _passed_on(function: Function) -> Iterator[Value]:
    """Continuations that somebody else enters, with arguments unknown here: return continuations, and values."""
    for member in function.members():
        transfer = member.transfer
        if transfer is None:
            continue
        if isinstance(transfer, Call):
            yield transfer.then.target
        for value in (*transfer.operands, *(argument for edge in transfer.edges for argument in edge.arguments)):
            if isinstance(value, Continuation):
                yield value
