"""Checks of attributes: places on the stack, constant bytes, signatures in C and their calls, thread-local data."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from cpsconv.abi.attributes import (
    CONSTANT_BYTES,
    SRET,
    CSignature,
    c_signature,
    call_signature,
    is_thread_local,
    variadic_callee,
)
from cpsconv.core import ir
from cpsconv.core.operations.table import ALLOCATE
from cpsconv.core.source import Diagnostic, error

RULES = {
    "c-signature": "a signature in C that does not fit its external function, or a use that does not fit the signature"
}
"""The rule of the checks of signatures."""

_RULE = "c-signature"

ONLY_CALLED = "takes structs by value or variable arguments, so it can only be called"


def misplaced(statement: ir.Statement) -> str | None:
    """What is wrong with a statement with the attribute `on_stack`, or None."""
    return None if statement.op == ALLOCATE else f"`{statement.op}` has no place on the stack"


def without_ranges(data: ir.Data) -> str | None:
    """What is wrong with the constant bytes that data state, or None."""
    stated = str(data.attributes[CONSTANT_BYTES]).split(" ")
    ranges = [re.fullmatch("([0-9]{1,10})-([0-9]{1,10})", each) for each in stated]
    if all(each and int(each[1]) <= int(each[2]) < data.object_type.size for each in ranges):
        return None
    return f"the attribute `{CONSTANT_BYTES}` of `{data.name}` has no ranges of its bytes, such as `4-7 12-15`"


def thread_errors(program: ir.Program) -> Iterator[Diagnostic]:
    """Data contain no addresses of thread-local data."""
    for data in program.data:
        for target, _ in data.addresses.values():
            if isinstance(target, ir.Data) and is_thread_local(target):
                message = f"`{data.name}` contains the address of `{target.name}`, which each thread has"
                yield error(message, data.span, rule="type-mismatch")


def signature_errors(program: ir.Program) -> Iterator[Diagnostic]:
    """A signature in C fits the parameters, and the uses of its function.

    The address of an external function with one is called directly only; if it is replaceable, also compared.
    """
    for function in (*program.functions, *program.externals):
        if (signature := c_signature(function)) and (message := signature_error(function, signature, program.structs)):
            yield error(f"`{function.name}` {message}", function.span, rule=_RULE)
    for data in program.data:
        for target, _ in data.addresses.values():
            if isinstance(target, ir.Function) and call_signature(target):
                yield error(f"`{target.name}`, in `{data.name}`, {ONLY_CALLED}", data.span, rule=_RULE)
    for member in program.members():
        for statement in member.body:
            for function in filter(None, map(signed_function, statement.operands)):
                if not (function.is_replaceable and statement.op in ("==", "!=")):  # it may have no definition
                    yield error(f"`{function.name}` {ONLY_CALLED}", statement.span, rule=_RULE)
        if member.transfer:
            yield from _transfer_errors(member.transfer)


def _transfer_errors(transfer: ir.Transfer) -> Iterator[Diagnostic]:
    variadic = variadic_callee(transfer) if isinstance(transfer, ir.Call) else None
    used = transfer.arguments if variadic and isinstance(transfer, ir.Call) else transfer.uses  # all but the pointer
    for function in filter(None, map(signed_function, used)):
        yield error(f"`{function.name}` {ONLY_CALLED}", transfer.span, rule=_RULE)
    if isinstance(transfer, ir.Call) and variadic and (message := variadic_call_error(transfer, variadic)):
        yield error(message, transfer.span, rule=_RULE)


def signature_error(function: ir.Function, signature: CSignature, structs: Collection[ir.Struct]) -> str | None:
    """What is wrong with the signature of a function, in a program with these structs; None if it is sound."""
    parameters = function.parameters[: -1 - function.lifted]
    if function.return_continuation is None:
        return "has no return continuation, so it has no signature in C"
    for number, struct in signature.structs.items():
        if number >= len(parameters) or parameters[number].type is not ir.PTR:
            return f"has no pointer as parameter {number + 1}, for the struct `{struct}`"
        if struct not in structs:
            return f"passes `{struct}` by value, which does not belong to this program"
    given = [each.type for each in parameters if each.type is not ir.MEMORY]
    if signature.is_variadic and function.transfer and given[-1:] != [ir.PTR]:
        return "has variable arguments and a body, but no pointer to them as its last parameter"
    if signature.returns_struct and (SRET not in parameters[0].attributes or function.result is not ir.VOID):
        return "returns a struct by value, so its first parameter is the place for it, and it has no other result"
    return None


def signed_function(value: ir.Value) -> ir.Function | None:
    """The function with a signature in C whose address the value is."""
    operand = value.operands[0] if isinstance(value, ir.Primitive) and value.operands else None
    return operand if isinstance(operand, ir.Function) and call_signature(operand) else None


def variadic_call_error(call: ir.Call, function: ir.Function) -> str | None:
    """A call with variable arguments passes the fixed ones, too, and expects the result of the function."""
    fixed = [each.type for each in function.parameters[:-1] if each.type is not ir.MEMORY]
    given = [each.type for each in call.arguments if each.type is not ir.MEMORY]
    if given[: len(fixed)] != fixed:
        return f"`{function.name}` takes arguments of the types {', '.join(map(str, fixed))} before the variable ones"
    if call.callee.parameters[-1:] and call.callee.parameters[-1].type != function.ret.type:
        return f"`{function.name}` needs a return continuation of type `{function.ret.type}`"
    if any(each not in _VARIABLE for each in given[len(fixed) :]):
        return f"C promotes the variable arguments of `{function.name}` to {', '.join(map(str, _VARIABLE))}"
    return None


_VARIABLE = (
    ir.INT,
    ir.UNSIGNED,
    ir.LONG,
    ir.UNSIGNED_LONG,
    *ir.WIDE_INTEGERS,
    ir.DOUBLE,
    ir.LONG_DOUBLE,
    ir.PTR,
    ir.STRING,
)
"""The types of variable arguments."""
