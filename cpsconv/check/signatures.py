"""The check of signatures in C, which functions have that take structs by value or variable arguments."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.check.well_formedness import Subject
from cpsconv.ir import (
    DOUBLE,
    INT,
    LONG,
    LONG_DOUBLE,
    MEMORY,
    PTR,
    STRING,
    UNSIGNED,
    UNSIGNED_LONG,
    VOID,
    WIDE_INTEGERS,
    Call,
    CSignature,
    Function,
    Primitive,
    Value,
)
from cpsconv.source import Diagnostic, error


def signatures_in_c_fit(subject: Subject) -> Iterator[Diagnostic]:
    """A signature in C fits the parameters.

    The address of an external function with one is called directly only; if the function is weak, also compared.
    """
    program = subject.program
    for function in (*program.functions, *program.externals):
        if function.c_signature and (message := _error(function, function.c_signature, subject)):
            yield error(f"`{function.name}` {message}", function.span)
    for data in program.data:
        for target, _ in data.addresses.values():
            if isinstance(target, Function) and target.call_signature:
                yield error(f"`{target.name}`, in `{data.name}`, {_ONLY_CALLED}", data.span)
    for member in subject.members:
        for user, values in subject.uses[member]:
            others = user.arguments if isinstance(user, Call) and user.variadic else values  # all but the pointer
            for function in filter(None, map(_named, others)):
                if not (function.is_weak and _is_comparison(user)):  # it may have no definition
                    yield error(f"`{function.name}` {_ONLY_CALLED}", user.span)
    for call in subject.transfers:
        if isinstance(call, Call) and call.variadic and (message := _call_error(call, call.variadic)):
            yield error(message, call.span)


_ONLY_CALLED = "takes structs by value or variable arguments, so it can only be called"


def _error(function: Function, signature: CSignature, subject: Subject) -> str | None:
    """What is wrong with the signature of a function; None if it is sound."""
    parameters = function.parameters[: -1 - function.lifted]
    if function.return_continuation is None:
        return "has no return continuation, so it has no signature in C"
    for number, struct in signature.structs.items():
        if number >= len(parameters) or parameters[number].type is not PTR:
            return f"has no pointer as parameter {number + 1}, for the struct `{struct}`"
        if struct not in subject.program.structs:
            return f"passes `{struct}` by value, which does not belong to this program"
    given = [each.type for each in parameters if each.type is not MEMORY]
    if signature.is_variadic and function.transfer and given[-1:] != [PTR]:
        return "has variable arguments and a body, but no pointer to them as its last parameter"
    if signature.returns_struct and (0 not in signature.structs or function.result is not VOID):
        return "returns a struct by value, so its first parameter is the place for it, and it has no other result"
    return None


def _named(value: Value) -> Function | None:
    """The function with a signature in C whose address the value is."""
    operand = value.operands[0] if isinstance(value, Primitive) and value.operands else None
    return operand if isinstance(operand, Function) and operand.call_signature else None


def _is_comparison(user: object) -> bool:
    return isinstance(user, Primitive) and user.op in ("==", "!=")


def _call_error(call: Call, function: Function) -> str | None:
    """A call with variable arguments passes the fixed ones, too, and expects the result of the function."""
    fixed = [each.type for each in function.parameters[:-1] if each.type is not MEMORY]
    given = [each.type for each in call.arguments if each.type is not MEMORY]
    if given[: len(fixed)] != fixed:
        return f"`{function.name}` takes arguments of the types {', '.join(map(str, fixed))} before the variable ones"
    if call.callee.parameters[-1:] and call.callee.parameters[-1].type != function.ret.type:
        return f"`{function.name}` needs a return continuation of type `{function.ret.type}`"
    if any(each not in _VARIABLE for each in given[len(fixed) :]):
        return f"C promotes the variable arguments of `{function.name}` to {', '.join(map(str, _VARIABLE))}"
    return None


_VARIABLE = INT, UNSIGNED, LONG, UNSIGNED_LONG, *WIDE_INTEGERS, DOUBLE, LONG_DOUBLE, PTR, STRING
"""The types of variable arguments."""
