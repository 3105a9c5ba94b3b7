"""Checks of types: constants, operations, decisions, edges and calls."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from typing import Any

from cpsconv import ir
from cpsconv.check.well_formedness import Subject
from cpsconv.erasure import is_explicit
from cpsconv.long_double import LongDouble
from cpsconv.operations.contents import is_regular, scalar_at, unsound
from cpsconv.operations.table import (
    ALLOCATE,
    COPY,
    EFFECTS,
    ELEMENT,
    FIELD,
    PRIMITIVES,
    memory_of,
    result_type,
    takes_address,
)
from cpsconv.operations.types import is_integer, is_storable, wrap
from cpsconv.source import Diagnostic, Span, counted, error


def constants_are_in_range(subject: Subject) -> Iterator[Diagnostic]:
    """A constant is one of the values of its type."""
    for user, value in subject.used(ir.Constant):
        if not _is_value(value.type, value.value):
            yield error(f"{value.value!r} is not a value of type `{value.type}`", user.span)


def _is_value(type: ir.Scalar, value: int | bool | float | LongDouble | str) -> bool:
    if type.kind == "bool":
        return isinstance(value, bool)
    if type is ir.INTEGER:
        return isinstance(value, int) and not isinstance(value, bool)
    if type.kind == "integer":
        return isinstance(value, int) and not isinstance(value, bool) and wrap(type, value) == value
    if type.kind == "float":
        return isinstance(value, LongDouble if type is ir.LONG_DOUBLE else float)
    if type.kind == "pointer":
        return value == 0
    return type.kind == "string" and isinstance(value, str) and all(char <= "\xff" for char in value)


# ----------------------------------------------------------------------------------------------------- operations


def operations_fit_their_operands(subject: Subject) -> Iterator[Diagnostic]:
    """An operation is known, accepts the types of its operands, and has the type that follows from them."""
    for statement in subject.statements:
        if message := _operation_error(statement):
            yield error(message, statement.span)


def _operation_error(statement: ir.Statement) -> str | None:
    operands = tuple([operand.type for operand in statement.operands])
    row = (PRIMITIVES if isinstance(statement, ir.Primitive) else EFFECTS).get(statement.op)
    if row is None:
        return f"there is no operation `{statement.op}`"
    result = _result_type(statement.op, operands, statement.type)
    if result is None and takes_address(statement.op, statement.operands, statement.type):
        result = ir.PTR
    if not isinstance(statement.of, _STATIC.get(statement.op, _NONE)):
        return f"`{statement.op}` does not concern `{_static(statement.of)}`"
    if isinstance(statement, ir.Effect) and statement.alignment:
        if statement.op != ALLOCATE:
            return f"`{statement.op}` has no alignment"
        if reason := ir.unaligned(statement.alignment):
            return reason
    if isinstance(statement, ir.Effect) and statement.on_stack and statement.op != ALLOCATE:
        return f"`{statement.op}` has no place on the stack"
    if statement.op == ALLOCATE and isinstance(statement.of, ir.Array) and operands in ((), (ir.MEMORY,)):
        return f"`{statement.op}` has no number of elements"
    if result == statement.type:
        return None
    if row.kind == "conversion":
        return f"{_list(operands)} cannot be converted to `{statement.type}`"
    if result is None:
        return f"`{statement.op}` cannot be applied to {_list(operands)}"
    return f"`{statement.op}` of {_list(operands)} is of type `{result}`, not `{statement.type}`"


@lru_cache(maxsize=4096)
def _result_type(op: str, operands: tuple[ir.Type, ...], target: ir.Scalar) -> ir.Scalar | None:
    are_values = all(isinstance(type, ir.Scalar) and type is not ir.VOID for type in operands)
    return result_type(op, operands, target) if are_values else None


_NONE = type(None)
_STATIC: dict[str, Any] = {
    ELEMENT: (ir.Scalar, ir.Struct),
    FIELD: ir.Field,
    ALLOCATE: (ir.Scalar, ir.Struct, ir.Array),  # an array, if a number of them is allocated
    COPY: ir.Struct,
}
"""The classes of the static operands of operations. The other operations have none."""


def _static(of: ir.Static) -> str:
    return f"{of.struct}.{of.name}" if isinstance(of, ir.Field) else str(of)


def structs_belong_to_the_program(subject: Subject) -> Iterator[Diagnostic]:
    """A struct that an operation or data names, or another struct contains, is listed, after those that it contains."""
    known: set[ir.Struct] = set()
    for struct in subject.program.structs:
        for field in struct.fields.values():
            if not _is_known(field.type, known):
                yield error(f"the field `{field.name}` of `{struct}` has the unknown type `{field.type}`", struct.span)
        known.add(struct)
    for data in subject.program.data:
        if not _is_known(data.object_type, known):
            yield error(f"`{data.name}` has the unknown type `{data.object_type}`", data.span)
    for statement in subject.statements:
        of = statement.of
        if of is not None and not _is_known(of.struct if isinstance(of, ir.Field) else of, known):
            yield error(f"`{_static(of)}` does not belong to this program", statement.span)


def object_types_can_be_written(subject: Subject) -> Iterator[Diagnostic]:
    """Object types have limited sizes and depths, and structs have fields."""
    program = subject.program
    users: list[tuple[ir.ObjectType, Span | None]] = [(struct, struct.span) for struct in program.structs]
    users += [(data.object_type, data.span) for data in program.data]
    users += [(each.of, each.span) for each in subject.statements if each.of and not isinstance(each.of, ir.Field)]
    for type, span in users:
        if reason := unsound(type):
            yield error(f"an object type {reason}", span)
        elif isinstance(type, ir.Struct) and not type.fields:
            yield error(f"`{type}` has no fields", span)


def data_fit_their_types(subject: Subject) -> Iterator[Diagnostic]:
    """The content of data is no longer than the type. Addresses are constant, and in places of the type `ptr`."""
    for data in subject.program.data:
        if reason := ir.unaligned(data.alignment):
            yield error(reason, data.span)
        if len(data.content) > data.object_type.size:
            yield error(f"the content of `{data.name}` is longer than `{data.object_type}`", data.span)
        elif data.addresses and not is_regular(data):
            yield error(f"`{data.name}` has bytes between its addresses that belong to no value", data.span)
        for offset, (target, _) in data.addresses.items():
            if scalar_at(data.object_type, offset) is not ir.PTR:
                yield error(f"`{data.name}` has no `ptr` at the offset {offset}", data.span)
            if isinstance(target, ir.Data) and target.is_thread_local:
                message = f"`{data.name}` contains the address of `{target.name}`, which each thread has"
                yield error(message, data.span)


def _is_known(type: ir.ObjectType, known: Collection[ir.Struct]) -> bool:
    element, _ = ir.innermost(type)
    return element in known if isinstance(element, ir.Struct) else is_storable(element)


def _list(types: Sequence[ir.Type]) -> str:
    """``nothing``, ```int```, ```int` and `bool```, and so on."""
    texts = [f"`{type}`" for type in types]
    return " and ".join([", ".join(texts[:-1]), *texts[-1:]] if len(texts) > 1 else texts) or "nothing"


def formats_fit_their_arguments(subject: Subject) -> Iterator[Diagnostic]:
    """A `printf` with a constant format has an argument of the right kind for each conversion. More are allowed."""
    for statement in subject.statements:
        if statement.op == "printf":
            operands = [operand for operand in statement.operands if operand.type is not ir.MEMORY]
            yield from (error(message, statement.span) for message in _format_errors(operands))


def _format_errors(operands: Sequence[ir.Value]) -> Iterator[str]:
    if not operands or not isinstance(operands[0], ir.Constant) or not isinstance(operands[0].value, str):
        return
    from cpsconv.operations.formats import misfits  # imported on use: most commands start without a printf

    yield from misfits(operands[0].value, [operand.type for operand in operands[1:]])


def memory_is_used_in_order(subject: Subject) -> Iterator[Diagnostic]:
    """Where memory is explicit, every access takes place in the current memory. Elsewhere, there are no memories."""
    if is_explicit(subject.program):
        from cpsconv.check.explicit_memory import order_errors  # imported on use: few programs have explicit memory

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
    type = switch.value.type
    if not isinstance(type, ir.Scalar) or not is_integer(type):
        yield f"a switch takes an integer, not `{type}`"
        return
    if len(switch.cases) != len(switch.targets):
        yield f"a switch has {counted(len(switch.cases), 'case', 'no')}, but {len(switch.targets)} edges for them"
    seen: set[int] = set()
    for case in switch.cases:
        if not _is_value(type, case):
            yield f"{case!r} is not a value of type `{type}`"
        elif case in seen:
            yield f"the case {case} occurs twice"
        seen.add(case)


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
        return _argument_errors(name, parameters, edge.arguments)
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
    yield from _argument_errors(callee, parameters, call.arguments)
    if isinstance(then.type, ir.ContinuationType) and then.type != returned:
        yield f"`{callee}` needs a return continuation of type `{returned}`; `{then.name}` is of type `{then.type}`"


def _argument_errors(target: str, parameters: Sequence[ir.Type], arguments: Sequence[ir.Value]) -> Sequence[str]:
    if [argument.type for argument in arguments] == [*parameters]:
        return []
    if len(arguments) != len(parameters):
        passed = "1 is" if len(arguments) == 1 else f"{len(arguments) or 'none'} are"
        return [f"`{target}` takes {counted(len(parameters), 'argument', 'no')}, but {passed} passed"]
    return [
        f"argument {number} of `{target}` must be of type `{parameter}`, not `{argument.type}`"
        for number, (parameter, argument) in enumerate(zip(parameters, arguments, strict=True), 1)
        if argument.type != parameter
    ]
