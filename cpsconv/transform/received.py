"""What parameters receive: the parameters that can be removed, and the arguments that go with them."""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.analysis.graph import incoming
from cpsconv.ir import Call, Continuation, Function, Parameter, Value

Received = dict[Parameter, list[Value]]
"""For each parameter that could be removed, the arguments passed to it, one for each edge."""


def received_in(function: Function) -> Received:
    """The arguments of every parameter whose continuation is entered only by edges that pass arguments."""
    fixed = set(_passed_on(function))
    received: Received = {}
    for continuation, edges in incoming(function).items():
        if continuation not in fixed:
            for index, parameter in enumerate(continuation.parameters):
                received[parameter] = [edge.arguments[index] for _, edge in edges]
    return received


def _passed_on(function: Function) -> Iterator[Value]:
    """Continuations that somebody else enters, with arguments unknown here: return continuations, and values."""
    for member in function.members():
        transfer = member.transfer
        if transfer is None:
            continue
        if isinstance(transfer, Call):
            yield transfer.then.target
        for value in (*transfer.operands, *(argument for edge in transfer.edges for argument in edge.arguments)):
            if isinstance(value, Continuation):
                yield value
