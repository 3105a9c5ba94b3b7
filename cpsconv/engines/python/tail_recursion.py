"""Self tail calls as loops, in constant stack space."""

from __future__ import annotations

from collections.abc import Collection

from cpsconv.analysis.undefined import Place
from cpsconv.ir import Call, Continuation, Edge, Function, Jump
from cpsconv.structuring.decisions import Terminator, local_target


def with_tail_calls_as_jumps(
    function: Function, maybe_undefined: Collection[Place]
) -> tuple[Function, dict[Continuation, Terminator]]:
    """The function, and jumps that replace the transfers of continuations that call it and return its result.

    If there are such continuations, the result is a new function that jumps to a continuation with the parameters and
    the body of the old one; all else is shared. A result that may be undefined is not affected, since a runtime error
    reports where it was returned.
    """
    ret = function.return_continuation
    if ret is None:
        return function, {}
    header = Continuation(function.name, function.parameters[:-1], function.body, function.transfer, function.span)
    jumps: dict[Continuation, Terminator] = {}
    for member in function.members():
        call = member.transfer
        if isinstance(call, Call) and call.callee is function:
            only_returns = _only_returns(local_target(call.then), function)
            if call.then.target is ret or (only_returns and (function.ret, 0) not in maybe_undefined):
                jumps[header if member is function else member] = Jump(Edge(header, call.arguments), call.span)
    if not jumps:
        return function, {}
    entry = Jump(Edge(header))
    return Function(function.name, [ret], [], entry, function.span, [header, *function.continuations]), jumps


def _only_returns(member: Continuation | None, function: Function) -> bool:
    """Whether a continuation does nothing but return its arguments."""
    if member is None or member.body or not isinstance(member.transfer, Jump):
        return False
    edge = member.transfer.edge
    return edge.target is function.return_continuation and edge.arguments == member.parameters
