"""What is wrong with signatures in C, of functions that take structs by value or variable arguments, and with calls."""

from __future__ import annotations

from collections.abc import Collection

from cpsconv.core import ir

ONLY_CALLED = "takes structs by value or variable arguments, so it can only be called"


def signature_error(function: ir.Function, signature: ir.CSignature, structs: Collection[ir.Struct]) -> str | None:
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
    if signature.returns_struct and (0 not in signature.structs or function.result is not ir.VOID):
        return "returns a struct by value, so its first parameter is the place for it, and it has no other result"
    return None


def signed_function(value: ir.Value) -> ir.Function | None:
    """The function with a signature in C whose address the value is."""
    operand = value.operands[0] if isinstance(value, ir.Primitive) and value.operands else None
    return operand if isinstance(operand, ir.Function) and operand.call_signature else None


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
