"""Removal of parameters that nothing uses.

Construction places parameters for what is read, and by section 4 of the paper that makes the program *pruned*: each
parameter reaches a use that is no parameter. But not all that is read is used. The statement ``x;`` reads a variable
and does nothing with it, and ``y = x;`` does nothing where `y` is not read afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.analysis import flow
from cpsconv.ir import Continuation, Function, Parameter, Program, Value
from cpsconv.transform.rewrite import drop_parameters


def prune(program: Program) -> None:
    """Remove all parameters of all functions that are passed to each other at most, in place."""
    for function in program.functions:
        received = flow.arguments(function)
        used = _reached_from(_used(function, received), received)
        unused = received.keys() - used
        if unused:
            drop_parameters(function, unused)


def _reached_from(values: Iterator[Value], received: flow.Arguments) -> set[Value]:
    """The values, and those that come to them through parameters."""
    reached = set(values)
    pending = [*reached]
    while pending:
        value = pending.pop()
        for argument in received.get(value, ()) if isinstance(value, Parameter) else ():
            if argument not in reached:
                reached.add(argument)
                pending.append(argument)
    return reached


def _used(function: Function, received: flow.Arguments) -> Iterator[Value]:
    """What is used otherwise than as an argument for one of the parameters received."""
    for member in function.members():
        for statement in member.body:
            yield from statement.operands
        if member.transfer:
            yield from member.transfer.operands
            for edge in member.transfer.edges:
                target = edge.target
                yield target
                if not (isinstance(target, Continuation) and received.keys() >= {*target.parameters}):
                    yield from edge.arguments
