"""What C, as far as cpsconv reads it, cannot say of a CPS program: continuations as values, above all."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.ir import (
    ABORT,
    INT,
    STRING,
    Call,
    Constant,
    Continuation,
    ContinuationType,
    Effect,
    External,
    Function,
    Jump,
    Parameter,
    Primitive,
    Program,
    Scalar,
    Statement,
    Type,
)
from cpsconv.source import Diagnostic, Span, error, in_source_order


def refusals(program: Program) -> list[Diagnostic]:
    """All that cannot be said in C, in source order."""
    return in_source_order([each for function in program.functions for each in _of_function(function)])


def _refusal(what: str, span: Span | None) -> Diagnostic:
    return error(f"C cannot say this: {what}", span)


def _of_function(function: Function) -> Iterator[Diagnostic]:
    last = function.parameters[-1] if function.parameters else None
    if last is None or not isinstance(last.type, ContinuationType):
        yield _refusal(f"`{function.name}` never returns, for it takes no return continuation", function.span)
        return
    returned = last.type.parameters
    if len(returned) > 1:
        yield _refusal(f"`{function.name}` returns {len(returned)} values", function.span)
    for type in returned:
        if not _is_plain(type):
            yield _refusal(f"`{function.name}` returns {_kind(type)}", function.span)
    if function.name == "main" and (len(function.parameters) > 1 or list(returned) != [INT]):
        yield _refusal("`main` takes parameters, or does not return an `int`", function.span)
    for member in function.members():
        parameters = member.parameters[:-1] if member is function else member.parameters
        for parameter in parameters:
            if not _is_plain(parameter.type):
                what = f"the parameter `{parameter.name}` of `{member.name}` is {_kind(parameter.type)}"
                yield _refusal(what, parameter.span or member.span)
        yield from _of_body(member)
        yield from _of_transfer(member)


def _is_plain(type: Type) -> bool:
    return isinstance(type, Scalar) and type is not STRING


def _kind(type: Type) -> str:
    return "a continuation" if isinstance(type, ContinuationType) else "a string, that is, a pointer"


def _of_body(member: Continuation) -> Iterator[Diagnostic]:
    for statement in member.body:
        if isinstance(statement, Effect):
            yield from _of_effect(statement, member)
        elif _divides_narrowly(statement):
            what = f"`{statement.op}` on `{statement.type}` overflows there where it does not as an `int`"
            yield _refusal(what, statement.span)


def _divides_narrowly(primitive: Primitive) -> bool:
    type = primitive.type
    return primitive.op in ("/", "%") and type.kind == "integer" and type.signed and type.bits < INT.bits


def _of_effect(effect: Effect, member: Continuation) -> Iterator[Diagnostic]:
    if any(operand.type is STRING and not isinstance(operand, Constant) for operand in effect.operands):
        yield _refusal("a string without a value is used", effect.span)
    elif effect.op == "eprint" and not _is_end(effect, member):
        yield _refusal("`eprint` is no `assert`, after which the program is aborted", effect.span)


def _is_end(statement: Statement, member: Continuation) -> bool:
    transfer = member.transfer
    return statement is member.body[-1] and isinstance(transfer, Jump) and transfer.edge.target is ABORT


def _of_transfer(member: Continuation) -> Iterator[Diagnostic]:
    transfer = member.transfer
    assert transfer is not None, f"{member.name} is under construction"
    passed = [*transfer.operands, *(value for edge in transfer.edges for value in edge.arguments)]
    for value in passed:
        if isinstance(value, (Continuation, External)) or isinstance(value.type, ContinuationType):
            name = value.name if isinstance(value, (Continuation, External, Parameter)) else "a continuation"
            yield _refusal(f"the continuation `{name}` is passed as a value", transfer.span or member.span)
    for edge in transfer.edges:
        if isinstance(edge.target, Function):
            how = "returns to" if isinstance(transfer, Call) else "goes on in"
            yield _refusal(f"control {how} the function `{edge.target.name}`", transfer.span or member.span)
