"""What LLVM IR cannot say. There, a continuation is a block of its function or where that returns to, and no value."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.emit.llvm.prototypes import MAIN, return_continuation
from cpsconv.ir import (
    VOID,
    Constant,
    Continuation,
    ContinuationType,
    Function,
    Program,
    Scalar,
)
from cpsconv.source import Diagnostic, DiagnosticError, error


def require_expressible(program: Program) -> None:
    """Raises `DiagnosticError` with everything in the program that cannot be said."""
    complaints = [complaint for function in program.functions for complaint in _complaints(function)]
    if complaints:
        raise DiagnosticError(complaints)


def _complaints(function: Function) -> Iterator[Diagnostic]:
    ret = return_continuation(function)
    for member in function.members():
        for parameter in member.parameters:
            if isinstance(parameter.type, ContinuationType) and parameter is not ret:
                complaint = (
                    f"the parameter `{parameter.name}` of `{member.name}` is a continuation; LLVM IR has no such values"
                )
                yield error(complaint, parameter.span or member.span)
        yield from _complaints_of_body(member)
    if ret and isinstance(ret.type, ContinuationType):
        if any(isinstance(type, ContinuationType) for type in ret.type.parameters):
            complaint = f"`{function.name}` returns a continuation; LLVM IR has no such values"
            yield error(complaint, ret.span or function.span)
        elif function.name == MAIN:
            yield from _complaints_of_main(function, ret.type)


def _complaints_of_body(member: Continuation) -> Iterator[Diagnostic]:
    for statement in member.body:
        if statement.op == "printf" and not isinstance(statement.operands[0], Constant):
            yield error("a printf format that is not a constant cannot be compiled", statement.span)
    for edge in member.transfer.edges if member.transfer else ():
        for argument in edge.arguments:
            if isinstance(argument.type, ContinuationType):
                name = argument.name if not isinstance(argument, Constant) else ""
                complaint = f"the continuation `{name}` is passed as a value; LLVM IR has no such values"
                yield error(complaint, member.transfer.span if member.transfer else None)


def _complaints_of_main(function: Function, type: ContinuationType) -> Iterator[Diagnostic]:
    """The system takes an integer from `main`, and passes to it what is not meant for its parameters."""
    if len(function.parameters) > 1:
        yield error("`main` takes parameters, and the system has no values for them", function.span)
    returned = type.parameters or (VOID,)
    for result in returned if len(returned) == 1 else [None]:
        if not isinstance(result, Scalar) or result.kind not in ("integer", "bool", "void"):
            yield error("`main` must return an integer or nothing", function.span)
