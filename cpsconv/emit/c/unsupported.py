"""The functions that C, as far as cpsconv reads it, cannot express, apart from continuations as values."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv import ir
from cpsconv.command_line import is_main_with_arguments
from cpsconv.emit.unsupported import Obstacle, never_returning
from cpsconv.entry import data_parameters, return_type
from cpsconv.operations.table import traps


def obstacles(function: ir.Function) -> Iterator[Obstacle]:
    """The parts of a function that C cannot express, apart from continuations as values."""
    type = return_type(function)
    if type is None:
        yield from never_returning(function)
        return
    returned = type.parameters
    if len(returned) > 1:
        yield f"`{function.name}` returns {len(returned)} values", function.span
    is_ordinary = not data_parameters(function) and returned in ((), (ir.INT,))
    if function.name == "main" and not is_ordinary and not is_main_with_arguments(function):
        yield "`main` takes other parameters or returns another type than `int`", function.span
    for member in function.members():
        yield from _in_body(member)
        transfer = member.transfer
        assert transfer is not None, f"{member.name} is under construction"
        for edge in transfer.edges:
            if isinstance(edge.target, ir.Function):
                how = "call returns to" if isinstance(transfer, ir.Call) else "jump to"
                yield f"a {how} the function `{edge.target.name}`", transfer.span or member.span


def _in_body(member: ir.Continuation) -> Iterator[Obstacle]:
    for statement in member.body:
        type = statement.type
        if isinstance(statement, ir.Effect):
            if statement.op in ("printf", "eprint") and not isinstance(statement.operands[0], ir.Constant):
                yield f"the text of `{statement.op}` is not constant", statement.span
            elif statement.op == "eprint":
                end = member.transfer
                if statement is not member.body[-1] or not isinstance(end, ir.Jump) or end.edge.target is not ir.ABORT:
                    yield "an `eprint` that is not followed by `abort`, as in an assertion", statement.span
        elif traps(statement.op, type) and type.signed and type.bits < ir.INT.bits:
            yield f"`{statement.op}` on `{type}` may overflow, but C computes it as an `int`", statement.span
