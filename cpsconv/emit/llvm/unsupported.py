"""The programs that LLVM IR cannot express: mainly those with continuations as values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cpsconv import ir
from cpsconv.emit.llvm.calling_convention import MAIN, result_types
from cpsconv.entry import data_parameters
from cpsconv.operations.types import is_bits
from cpsconv.source import MAX_ERRORS, Diagnostic, DiagnosticError, error


def require_expressible(program: ir.Program) -> None:
    """Raises `DiagnosticError` with at most `MAX_ERRORS` errors if LLVM IR cannot express the program."""
    errors = [each for function in program.functions for each in _errors(function)]
    if errors:
        raise DiagnosticError(errors[:MAX_ERRORS])


_NO_VALUE = "LLVM IR has no continuations as values"


def _errors(function: ir.Function) -> Iterator[Diagnostic]:
    ret = function.return_continuation
    for member in function.members():
        for parameter in member.parameters:
            if isinstance(parameter.type, ir.ContinuationType) and parameter is not ret:
                message = f"the parameter `{parameter.name}` of `{member.name}` is a continuation; {_NO_VALUE}"
                yield error(message, parameter.span or member.span)
        yield from _errors_in_body(member)
    returned = result_types(function)
    if any(isinstance(type, ir.ContinuationType) for type in returned):
        yield error(f"`{function.name}` returns a continuation; {_NO_VALUE}", function.span)
    elif function.name == MAIN:
        yield from _errors_of_main(function, returned)


def _errors_in_body(member: ir.Continuation) -> Iterator[Diagnostic]:
    for statement in member.body:
        if statement.op == "printf" and not isinstance(statement.operands[0], ir.Constant):
            yield error("the target llvm requires a constant printf format", statement.span)
    if member.transfer:
        for edge in member.transfer.edges:
            for argument in edge.arguments:
                is_named = isinstance(argument, (ir.Continuation, ir.External, ir.Parameter))
                if is_named and not isinstance(argument.type, ir.Scalar):
                    message = f"the continuation `{argument.name}` is passed as a value; {_NO_VALUE}"
                    yield error(message, member.transfer.span)


def _errors_of_main(function: ir.Function, returned: Sequence[ir.Type]) -> Iterator[Diagnostic]:
    """The system expects an integer from `main`, and passes no values of the parameters' types."""
    if data_parameters(function):
        yield error("`main` takes parameters, for which the system has no values", function.span)
    if len(returned) > 1 or not all(is_bits(type) for type in returned):
        yield error("`main` must return an integer or nothing", function.span)
