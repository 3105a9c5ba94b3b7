"""A function that ends with a call of itself goes round a loop: that needs no more room than once, however often."""

from __future__ import annotations

from collections.abc import Collection

from cpsconv.analysis.undefined import Place
from cpsconv.ir import Call, Continuation, Edge, Function, Jump
from cpsconv.structuring.decisions import Exit, local_target


def with_tail_calls_as_jumps(
    function: Function, uncertain: Collection[Place]
) -> tuple[Function, dict[Continuation, Exit]]:
    """The function, and exits for those of its continuations that call it and return what it returns.

    Where there are any, it is another function, which begins with a jump to a continuation that has the parameters and
    the body of the old one. All else they share. A result that may be undefined stays where it is returned.
    """
    ret = function.return_continuation
    if ret is None:
        return function, {}
    head = Continuation(function.name, function.parameters[:-1], function.body, function.transfer, function.span)
    exits: dict[Continuation, Exit] = {}
    for member in function.members():
        call = member.transfer
        if isinstance(call, Call) and call.callee is function:
            is_plain = _only_returns(local_target(call.then), function) and (function.ret, 0) not in uncertain
            if call.then.target is ret or is_plain:
                exits[head if member is function else member] = Jump(Edge(head, call.arguments), call.span)
    if not exits:
        return function, {}
    entry = Jump(Edge(head))
    return Function(function.name, [ret], [], entry, function.span, [head, *function.continuations]), exits


def _only_returns(member: Continuation | None, function: Function) -> bool:
    """Whether all that a continuation does is to return what it gets."""
    if member is None or member.body or not isinstance(member.transfer, Jump):
        return False
    edge = member.transfer.edge
    return edge.target is function.return_continuation and edge.arguments == member.parameters
