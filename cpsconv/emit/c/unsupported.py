"""The programs that C, as far as cpsconv reads it, cannot express: mainly those with continuations as values."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv import ir
from cpsconv.operations.table import traps
from cpsconv.source import Diagnostic, Span, error, in_source_order


def unsupported(program: ir.Program) -> list[Diagnostic]:
    """An error for each part of the program that C cannot express, in source order."""
    return in_source_order([each for function in program.functions for each in _of_function(function)])


def _unsupported(what: str, span: Span | None) -> Diagnostic:
    return error(f"not expressible in C: {what}", span)


def _of_function(function: ir.Function) -> Iterator[Diagnostic]:
    last = function.parameters[-1] if function.parameters else None
    if last is None or not isinstance(last.type, ir.ContinuationType):
        yield _unsupported(f"`{function.name}` never returns: it has no return continuation", function.span)
        return
    returned = last.type.parameters
    if len(returned) > 1:
        yield _unsupported(f"`{function.name}` returns {len(returned)} values", function.span)
    for type in returned:
        if not _is_plain(type):
            yield _unsupported(f"`{function.name}` returns {_kind(type)}", function.span)
    if function.name == "main" and (len(function.parameters) > 1 or list(returned) != [ir.INT]):
        yield _unsupported("`main` takes parameters or does not return an `int`", function.span)
    for member in function.members():
        parameters = member.parameters[:-1] if member is function else member.parameters
        for parameter in parameters:
            if not _is_plain(parameter.type):
                what = f"the parameter `{parameter.name}` of `{member.name}` is {_kind(parameter.type)}"
                yield _unsupported(what, parameter.span or member.span)
        yield from _of_body(member)
        yield from _of_transfer(member)


def _is_plain(type: ir.Type) -> bool:
    return isinstance(type, ir.Scalar) and type is not ir.STRING


def _kind(type: ir.Type) -> str:
    return "a continuation" if isinstance(type, ir.ContinuationType) else "a string (a pointer)"


def _of_body(member: ir.Continuation) -> Iterator[Diagnostic]:
    for statement in member.body:
        type = statement.type
        if isinstance(statement, ir.Effect):
            yield from _of_effect(statement, member)
        elif traps(statement.op, type) and type.signed and type.bits < ir.INT.bits:
            what = f"`{statement.op}` on `{type}` may overflow, but C computes it as an `int`"
            yield _unsupported(what, statement.span)


def _of_effect(effect: ir.Effect, member: ir.Continuation) -> Iterator[Diagnostic]:
    if any(operand.type is ir.STRING and not isinstance(operand, ir.Constant) for operand in effect.operands):
        yield _unsupported("an undefined string is used", effect.span)
    elif effect.op == "eprint":
        end = member.transfer
        if effect is not member.body[-1] or not isinstance(end, ir.Jump) or end.edge.target is not ir.ABORT:
            yield _unsupported("an `eprint` that is not followed by `abort`, as in an assertion", effect.span)


def _of_transfer(member: ir.Continuation) -> Iterator[Diagnostic]:
    transfer = member.transfer
    assert transfer is not None, f"{member.name} is under construction"
    passed = [*transfer.operands, *(value for edge in transfer.edges for value in edge.arguments)]
    for value in passed:
        if isinstance(value, (ir.Continuation, ir.External)) or isinstance(value.type, ir.ContinuationType):
            name = value.name if isinstance(value, (ir.Continuation, ir.External, ir.Parameter)) else "a continuation"
            yield _unsupported(f"the continuation `{name}` is passed as a value", transfer.span or member.span)
    for edge in transfer.edges:
        if isinstance(edge.target, ir.Function):
            how = "call returns to" if isinstance(transfer, ir.Call) else "jump to"
            yield _unsupported(f"a {how} the function `{edge.target.name}`", transfer.span or member.span)
