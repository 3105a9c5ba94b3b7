"""The checks that a program is pruned and minimal.

Both concern only *placed* parameters, which receive arguments on edges within a function. The parameters of a function
are those of the source, and the result of a call comes from the callee.
"""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.core.analysis.dominance import immediate_dominators
from cpsconv.core.analysis.graph import depth_first
from cpsconv.core.analysis.redundancy import Arguments, UndefinedOperands
from cpsconv.core.analysis.undefined_operands import Rule, keep_undefined
from cpsconv.core.check.scope import shown
from cpsconv.core.ir import Continuation, Function, Parameter, Program, Value
from cpsconv.core.source import Diagnostic, error


def is_pruned(program: Program) -> Iterator[Diagnostic]:
    """Each placed parameter is used, directly or via other parameters to which it is passed."""
    for function in program.functions:
        received = _received(function)
        live = _live(function, received)
        yield from (_fault("is never used", parameter) for parameter in received if parameter not in live)


def is_minimal(program: Program, undefined: Rule = keep_undefined) -> Iterator[Diagnostic]:
    """No set of placed parameters is redundant: none receives only each other and one other value that counts.

    Values flow from arguments to parameters. If every path to a parameter passes through one other value, the parameter
    is always equal to this value. `undefined` is the rule for undefined operands. (`cpsconv.core.transform.minimality`
    proves both directions.)
    """
    for function in program.functions:
        for parameter, value in redundant_parameters(function, undefined).items():
            yield _fault(f"is always equal to {shown(value)}", parameter)


def _live(function: Function, received: dict[Value, list[Value]]) -> set[Value]:
    """The values used, directly or via placed parameters."""
    return {value for value, _ in depth_first(_used(function), lambda value: received.get(value, ()))}


def redundant_parameters(function: Function, undefined: Rule = keep_undefined) -> dict[Value, Value]:
    """The placed parameters that all other values reach only via one value, each with the first such value."""
    return UndefinedOperands(function, undefined).redundant(_received(function), _dominated)


def _dominated(received: Arguments) -> dict[Value, Value]:
    root = None
    flow: dict[Value | None, list[Value]] = {root: []}
    for parameter, arguments in received.items():
        for argument in arguments:
            flow.setdefault(argument, []).append(parameter)
    flow[root] = [value for value in flow if value and value not in received]
    dominators = immediate_dominators(root, lambda value: flow.get(value, ()))
    redundant: dict[Value, Value] = {}
    for value, dominator in dominators.items():  # each after its dominator
        if value and dominator:
            redundant[value] = redundant.get(dominator, dominator)
    return redundant


def _received(function: Function) -> dict[Value, list[Value]]:
    """For each placed parameter its arguments, one for each edge."""
    received: dict[Value, list[Value]] = {}
    for member in function.members():
        for edge in member.transfer.edges if member.transfer else ():
            if isinstance(edge.target, Continuation):
                for parameter, argument in zip(edge.target.parameters, edge.arguments, strict=False):
                    received.setdefault(parameter, []).append(argument)
    return received


def _used(function: Function) -> Iterator[Value]:
    """The values used other than as arguments to continuations of the function."""
    for member in function.members():
        for statement in member.body:
            yield from statement.operands
        if member.transfer:
            yield from member.transfer.operands
            for edge in member.transfer.edges:
                yield edge.target
                if not isinstance(edge.target, Continuation):
                    yield from edge.arguments


def _fault(message: str, parameter: Value) -> Diagnostic:
    assert isinstance(parameter, Parameter)
    return error(f"the parameter `{parameter.name}` {message}", parameter.span)
