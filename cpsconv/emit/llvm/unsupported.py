"""What LLVM IR cannot say. There, a continuation is a block of its function or where that returns to, and no value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cpsconv.emit.llvm.prototypes import MAIN, data_parameters, result_types
from cpsconv.ir import (
    BOOL,
    Constant,
    Continuation,
    ContinuationType,
    External,
    Function,
    Parameter,
    Program,
    Scalar,
    Type,
)
from cpsconv.operations.types import is_integer
from cpsconv.source import MAX_ERRORS, Diagnostic, DiagnosticError, error


def require_expressible(program: Program) -> None:
    """Raises `DiagnosticError` with what the program has that cannot be said, or the first of it."""
    complaints = [complaint for function in program.functions for complaint in _complaints(function)]
    if complaints:
        raise DiagnosticError(complaints[:MAX_ERRORS])


def _complaints(function: Function) -> Iterator[Diagnostic]:
    ret = function.return_continuation
    for member in function.members():
        for parameter in member.parameters:
            if isinstance(parameter.type, ContinuationType) and parameter is not ret:
                complaint = f"the parameter `{parameter.name}` of `{member.name}` is a continuation; {_NO_VALUE}"
                yield error(complaint, parameter.span or member.span)
        yield from _complaints_of_body(member)
    returned = result_types(function)
    if any(isinstance(type, ContinuationType) for type in returned):
        yield error(f"`{function.name}` returns a continuation; {_NO_VALUE}", function.span)
    elif function.name == MAIN:
        yield from _complaints_of_main(function, returned)


def _complaints_of_body(member: Continuation) -> Iterator[Diagnostic]:
    for statement in member.body:
        if statement.op == "printf" and not isinstance(statement.operands[0], Constant):
            yield error("LLVM IR cannot check a printf format that is not a constant", statement.span)
    if member.transfer:
        for edge in member.transfer.edges:
            for argument in edge.arguments:
                if isinstance(argument, (Continuation, External, Parameter)) and not isinstance(argument.type, Scalar):
                    complaint = f"the continuation `{argument.name}` is passed as a value; {_NO_VALUE}"
                    yield error(complaint, member.transfer.span)


def _complaints_of_main(function: Function, returned: Sequence[Type]) -> Iterator[Diagnostic]:
    """The system takes an integer from `main`, and what it passes is not meant for its parameters."""
    if data_parameters(function):
        yield error("`main` takes parameters, and the system has no values for them", function.span)
    if len(returned) > 1 or not all(is_integer(type) or type is BOOL for type in returned):
        yield error("`main` must return an integer or nothing", function.span)


_NO_VALUE = "LLVM IR has no such values"
