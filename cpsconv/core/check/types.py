"""Checks of types: constants, operations, decisions, edges and calls."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cpsconv.core import ir
from cpsconv.core.check.well_formedness import Subject
from cpsconv.core.operations.contents import unsound
from cpsconv.core.operations.misuse import (
    argument_errors,
    attribute_faults,
    data_errors,
    format_errors,
    is_known,
    is_value,
    operation_error,
    static_text,
    switch_errors,
)
from cpsconv.core.operations.names import PRINT
from cpsconv.core.operations.table import memory_of
from cpsconv.core.source import Diagnostic, Span, counted, error


def constants_are_in_range(subject: Subject) -> Iterator[Diagnostic]:
    """A constant is one of the values of its type."""
    for user, value in subject.used(ir.Constant):
        if not is_value(value.type, value.value):
            yield error(f"{value.value!r} is not a value of type `{value.type}`", user.span)


# ----------------------------------------------------------------------------------------------------- operations


def operations_fit_their_operands(subject: Subject) -> Iterator[Diagnostic]:
    """An operation is known, accepts the types of its operands, and has the type that follows from them."""
    for statement in subject.statements:
        if message := operation_error(statement):
            yield error(message, statement.span)


def structs_belong_to_the_program(subject: Subject) -> Iterator[Diagnostic]:
    """A struct that an operation or data names, or another struct contains, is listed, after those that it contains."""
    known: set[ir.Struct] = set()
    for struct in subject.program.structs:
        for field in struct.fields.values():
            if not is_known(field.type, known):
                yield error(f"the field `{field.name}` of `{struct}` has the unknown type `{field.type}`", struct.span)
        known.add(struct)
    for data in (*subject.program.external_data, *subject.program.data):
        if not is_known(data.object_type, known):
            yield error(f"`{data.name}` has the unknown type `{data.object_type}`", data.span)
    for statement, of in subject.typed:
        if not is_known(of.struct if isinstance(of, ir.Field) else of, known):
            yield error(f"`{static_text(of)}` does not belong to this program", statement.span)


def object_types_can_be_written(subject: Subject) -> Iterator[Diagnostic]:
    """Object types have limited sizes and depths, and structs have fields."""
    program = subject.program
    users: list[tuple[ir.ObjectType, Span | None]] = [(struct, struct.span) for struct in program.structs]
    users += [(data.object_type, data.span) for data in (*program.external_data, *program.data)]
    users += [(of, statement.span) for statement, of in subject.typed if not isinstance(of, ir.Field)]
    for type, span in users:
        if reason := unsound(type):
            yield error(f"an object type {reason}", span)
        elif isinstance(type, ir.Struct) and not type.fields:
            yield error(f"`{type}` has no fields", span)


def data_fit_their_types(subject: Subject) -> Iterator[Diagnostic]:
    """The content of data is no longer than the type. Addresses are constant, and in places of the type `ptr`."""
    for data in subject.program.data:
        yield from (error(message, data.span) for message in data_errors(data))


def formats_fit_their_arguments(subject: Subject) -> Iterator[Diagnostic]:
    """What prints by a constant format has an argument of the right kind for each conversion. More are allowed."""
    for statement in subject.statements:
        if statement.op == PRINT:
            operands = [operand for operand in statement.operands if operand.type is not ir.MEMORY]
            yield from (error(message, statement.span) for message in format_errors(operands))


def memory_is_used_in_order(subject: Subject) -> Iterator[Diagnostic]:
    """Where memory is explicit, every access takes place in the current memory. Elsewhere, there are no memories."""
    if subject.program.has_explicit_memory:
        from cpsconv.core.check.explicit_memory import (
            order_errors,  # imported on use: few programs have explicit memory
        )

        yield from order_errors(subject)
        return
    found: list[ir.Statement | ir.Parameter] = [
        each for each in subject.statements if isinstance(each, ir.Effect) and memory_of(each) is not None
    ]
    found += [each for member in subject.members for each in member.parameters if each.type is ir.MEMORY]
    for each in found:
        yield error(f"no function takes `{ir.MEMORY}`", each.span)


# ------------------------------------------------------------------------------------------------------ decisions


def decisions_fit_their_values(subject: Subject) -> Iterator[Diagnostic]:
    """A branch decides on a `bool`; a switch on an integer, by distinct values of its type, each with an edge."""
    for transfer in subject.transfers:
        if isinstance(transfer, ir.Branch) and transfer.condition.type != ir.BOOL:
            yield error(f"a branch takes a `bool`, not `{transfer.condition.type}`", transfer.span)
        elif isinstance(transfer, ir.Switch):
            yield from (error(message, transfer.span) for message in _switch_errors(transfer))


def _switch_errors(switch: ir.Switch) -> Iterator[str]:
    yield from switch_errors(switch.value.type, switch.cases)
    if len(switch.cases) != len(switch.targets):
        yield f"a switch has {counted(len(switch.cases), 'case', 'no')}, but {len(switch.targets)} edges for them"


# -------------------------------------------------------------------------------------------------- edges and calls


def edges_fit_their_targets(subject: Subject) -> Iterator[Diagnostic]:
    """An edge leads to a continuation, with arguments that match its parameters in number and types.

    The return edge of a call has no arguments: the callee supplies them.
    """
    for transfer in subject.transfers:
        for edge in transfer.edges:
            for message in _edge_errors(edge, transfer):
                yield error(message, transfer.span)


def _edge_errors(edge: ir.Edge, transfer: ir.Transfer) -> Sequence[str]:
    name, parameters = edge.target.name, _parameter_types(edge.target)
    if parameters is None:
        return [f"`{name}` is of type `{edge.target.type}`, which is no continuation"]
    if not isinstance(transfer, ir.Call):
        return argument_errors(name, parameters, edge.arguments)
    return [f"`{name}` gets its arguments from `{transfer.callee.name}`, not from the call"] if edge.arguments else []


def _parameter_types(target: ir.Target) -> Sequence[ir.Type] | None:
    """The types of the parameters of the target, if it is a continuation."""
    if isinstance(target, ir.Continuation):
        return [parameter.type for parameter in target.parameters]
    return target.type.parameters if isinstance(target.type, ir.ContinuationType) else None


def calls_fit_their_callees(subject: Subject) -> Iterator[Diagnostic]:
    """The arguments of a call match the function, and its return continuation accepts the result."""
    for call in subject.transfers:
        if isinstance(call, ir.Call):
            yield from (error(message, call.span) for message in _call_errors(call))


def _call_errors(call: ir.Call) -> Iterator[str]:
    if call.pointer is not None and call.pointer.type is not ir.PTR:
        yield f"a call through a pointer takes a `ptr`, not `{call.pointer.type}`"
    callee, then = call.callee.name, call.then.target
    *parameters, returned = call.callee.type.parameters or (ir.VOID,)
    if not isinstance(returned, ir.ContinuationType):
        yield f"`{callee}` has no return continuation, so it cannot be called"
        return
    yield from argument_errors(callee, parameters, call.arguments)
    if isinstance(then.type, ir.ContinuationType) and then.type != returned:
        yield f"`{callee}` needs a return continuation of type `{returned}`; `{then.name}` is of type `{then.type}`"


# ----------------------------------------------------------------------------------------------------- attributes


def attributes_are_allowed(subject: Subject) -> Iterator[Diagnostic]:
    """A registered attribute is on a part that may have it, with its kind of value. Types belong to the program."""
    return attribute_faults(subject.program)
