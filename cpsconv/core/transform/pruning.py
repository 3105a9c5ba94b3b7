"""Removal of unused parameters, computations and functions.

A program is *pruned* if each parameter reaches a use that is not a parameter. Construction places parameters only for
variables that are read (section 4 of the paper). But a read is not always a use: the statement ``x;`` reads a variable
without using it, and so does ``y = x;`` if `y` is not read afterwards.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from cpsconv.core.analysis import flow
from cpsconv.core.analysis.graph import depth_first, functions_used, uses
from cpsconv.core.analysis.nesting import find_free_values
from cpsconv.core.construction.events import Observer, Unused
from cpsconv.core.ir import Constant, Continuation, Data, Function, Parameter, Primitive, Program, Undef, Value
from cpsconv.core.operations.table import traps
from cpsconv.core.transform.rewrite import drop_parameters


def prune(program: Program, *, computations: bool = False, observer: Observer | None = None) -> None:
    """Remove, in place, all parameters whose only uses are as arguments of each other. Reports them to `observer`.

    With `computations`, unused primitives are removed, too, unless they might raise a runtime error.
    """
    while _prune(program, computations, observer) and program.has_nested_functions:
        find_free_values(program)  # a nested function may no longer use a value of the function around it


def _prune(program: Program, computations: bool, observer: Observer | None) -> bool:
    """Prune each function. Whether something was removed."""
    has_changed = False
    for function in program.functions:
        received = flow.parameter_arguments(function)
        if not (received or computations):
            continue
        removable = set(_removable(function, received)) if computations else set()
        used = _reached_from(_used(function, received, removable), received, removable)
        unused = [parameter for parameter in received if parameter not in used]
        if unused:
            if observer:
                observer(Unused(function, unused))
            drop_parameters(function, set(unused))
        for member in function.members() if removable else ():
            member.body = [statement for statement in member.body if statement not in removable or statement in used]
        has_changed = has_changed or bool(unused) or not removable <= used
    return has_changed


def unused_parameters(function: Function) -> list[Parameter]:
    """The parameters that `prune` would remove."""
    received = flow.parameter_arguments(function)
    used = _reached_from(_used(function, received, ()), received, ())
    return [parameter for parameter in received if parameter not in used]


def drop_unreachable_functions(program: Program, roots: Iterable[Function]) -> None:
    """Remove, in place, every function that is not reachable from `roots` or data by calls and references.

    Declarations of external functions, and local data, that nothing else uses are removed, too.
    """
    addressed = [target for data in program.data for target, _ in data.addresses.values()]
    start = [*roots, *(target for target in addressed if isinstance(target, Function))]
    reached = {function for function, _ in depth_first(start, functions_used)}
    program.functions = [function for function in program.functions if function in reached]
    program.externals = [function for function in program.externals if function in reached]
    values = (value for member in program.members() for value in uses(member))
    used = [value for value in values if isinstance(value, Data)]
    used += [data for data in program.data if not data.is_local]
    kept = {data for data, _ in depth_first(dict.fromkeys(used), _data_referenced)}
    program.data = [data for data in program.data if data in kept]


def _data_referenced(data: Data) -> list[Data]:
    return [target for target, _ in data.addresses.values() if isinstance(target, Data)]


def _reached_from(
    values: Iterator[Value], received: flow.ParameterArguments, removable: Collection[Primitive]
) -> set[Value]:
    """The values, and the values that they depend on via parameters and `removable` primitives."""
    sources: dict[Value, Sequence[Value]] = dict(received.items())
    sources.update((primitive, primitive.operands) for primitive in removable)
    reached = set(values)
    pending = [*reached]
    for value in pending:  # appended to during iteration
        for source in sources.get(value, ()):
            if source not in reached:
                reached.add(source)
                pending.append(source)
    return reached


def _used(function: Function, received: flow.ParameterArguments, removable: Collection[Primitive]) -> Iterator[Value]:
    """The values used other than by `removable` primitives or as arguments of the parameters in `received`."""
    for member in function.members():
        for statement in member.body:
            if statement not in removable:
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


def _removable(function: Function, received: flow.ParameterArguments) -> Iterator[Primitive]:
    """The primitives that raise no runtime error. Parameters of functions and results of calls count as defined."""
    undefined = _maybe_undefined(received)
    for statement in function.statements():
        uses_undefined = any(isinstance(operand, Undef) or operand in undefined for operand in statement.operands)
        if isinstance(statement, Primitive) and not uses_undefined and not _may_trap(statement):
            yield statement


def _may_trap(primitive: Primitive) -> bool:
    if not traps(primitive.op, primitive.type):
        return False
    divisor = primitive.operands[-1]
    return not (isinstance(divisor, Constant) and divisor.value not in (0, -1) and primitive.op != "*")


def _maybe_undefined(received: flow.ParameterArguments) -> set[Value]:
    """The undefined values that are passed as arguments, and the parameters that may receive them."""
    receivers: dict[Value, list[Value]] = {}
    for parameter, arguments in received.items():
        for argument in arguments:
            receivers.setdefault(argument, []).append(parameter)
    undefined: list[Value] = [value for value in receivers if isinstance(value, Undef)]
    return {value for value, _ in depth_first(undefined, lambda value: receivers.get(value, ()))}
