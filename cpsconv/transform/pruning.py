"""Removal of what nothing uses: parameters, computations, functions.

Construction places parameters for what is read, and by section 4 of the paper that makes the program *pruned*: each
parameter reaches a use that is no parameter. But not all that is read is used. The statement ``x;`` reads a variable
and does nothing with it, and ``y = x;`` does nothing where `y` is not read afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from cpsconv.analysis import flow
from cpsconv.analysis.graph import depth_first, functions_used
from cpsconv.construction.events import Observer, Unused
from cpsconv.ir import Constant, Continuation, Function, Parameter, Primitive, Program, Undef, Value
from cpsconv.operations.table import traps
from cpsconv.transform.rewrite import drop_parameters


def prune(program: Program, *, computations: bool = False, observer: Observer | None = None) -> None:
    """Remove all parameters of all functions that are passed to each other at most, in place.

    With `computations`, primitives that nothing uses are removed, too, unless they could be a fault. `observer` is told
    of the parameters.
    """
    for function in program.functions:
        received = flow.parameter_arguments(function)
        if not (received or computations):
            continue
        idle = set(_harmless(function, received)) if computations else set()
        used = _reached_from(_used(function, received, idle), received, idle)
        unused = [parameter for parameter in received if parameter not in used]
        if unused:
            if observer:
                observer(Unused(function, unused))
            drop_parameters(function, set(unused))
        for member in function.members() if idle else ():
            member.body = [statement for statement in member.body if statement not in idle or statement in used]


def unused_parameters(function: Function) -> list[Parameter]:
    """The parameters that `prune` would remove."""
    received = flow.parameter_arguments(function)
    used = _reached_from(_used(function, received, ()), received, ())
    return [parameter for parameter in received if parameter not in used]


def drop_unreachable_functions(program: Program, roots: Iterable[Function]) -> None:
    """Remove every function that is not used by one of `roots`, nor by one that is used, in place."""
    reached = {function for function, _ in depth_first(roots, functions_used)}
    program.functions = [function for function in program.functions if function in reached]


def _reached_from(
    values: Iterator[Value], received: flow.ParameterArguments, idle: Collection[Primitive]
) -> set[Value]:
    """The values, and those that come to them through parameters and the `idle` statements."""
    sources: dict[Value, Sequence[Value]] = dict(received.items())
    sources.update((primitive, primitive.operands) for primitive in idle)
    reached = set(values)
    pending = [*reached]
    for value in pending:  # which grows meanwhile
        for source in sources.get(value, ()):
            if source not in reached:
                reached.add(source)
                pending.append(source)
    return reached


def _used(function: Function, received: flow.ParameterArguments, idle: Collection[Primitive]) -> Iterator[Value]:
    """What is used otherwise than by an idle statement, or as an argument for one of the parameters received."""
    for member in function.members():
        for statement in member.body:
            if statement not in idle:
                yield from statement.operands
        if member.transfer:
            yield from member.transfer.operands
            for edge in member.transfer.edges:
                target = edge.target
                yield target
                if edge.arguments and not (
                    isinstance(target, Continuation) and received.keys() >= {*target.parameters}
                ):
                    yield from edge.arguments


def _harmless(function: Function, received: flow.ParameterArguments) -> Iterator[Primitive]:
    """The primitives that are never a fault. What is passed to the function, or by a call, is taken to be defined."""
    undefined = _maybe_undefined(received)
    for member in function.members():
        for statement in member.body:
            if isinstance(statement, Primitive) and not (_may_trap(statement) or _may_use(undefined, statement)):
                yield statement


def _may_use(undefined: set[Value], primitive: Primitive) -> bool:
    return any(isinstance(operand, Undef) or operand in undefined for operand in primitive.operands)


def _may_trap(primitive: Primitive) -> bool:
    divides_well = isinstance(primitive.operands[-1], Constant) and primitive.operands[-1].value not in (0, -1)
    return traps(primitive.op, primitive.type) and not divides_well


def _maybe_undefined(received: flow.ParameterArguments) -> set[Value]:
    """The undefined values that are passed on, and the parameters to which one may come."""
    receivers: dict[Value, list[Value]] = {}
    for parameter, arguments in received.items():
        for argument in arguments:
            receivers.setdefault(argument, []).append(parameter)
    undefined: list[Value] = [value for value in receivers if isinstance(value, Undef)]
    return {value for value, _ in depth_first(undefined, lambda value: receivers.get(value, ()))}
