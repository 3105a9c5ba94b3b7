"""Self tail calls as loops, in constant stack space.

C programs have no tail calls: in ``return f(n - 1)``, the caller continues after the call, although it does nothing but
return the result. Such calls become a loop as well, but the loop counts them, since their number is limited.
"""

from __future__ import annotations

from collections.abc import Collection

from cpsconv.core.analysis.graph import local_target, only_returns
from cpsconv.core.analysis.undefined import Place
from cpsconv.core.ir import Call, Continuation, Edge, Function, Jump
from cpsconv.targets.structuring.decisions import Terminator


def with_tail_calls_as_jumps(
    function: Function, maybe_undefined: Collection[Place]
) -> tuple[Function, dict[Continuation, Terminator], Continuation | None]:
    """The function, and jumps that replace the transfers of continuations that call it and return its result.

    If there are such continuations, the result is a new function that jumps to a continuation with the parameters and
    the body of the old one; all else is shared. The last result is this continuation if the jumps to it must be
    counted. A result that may be undefined is not affected, since a runtime error reports where it was returned.
    """
    ret = function.return_continuation
    if ret is None:
        return function, {}, None
    header = Continuation(function.name, function.parameters[:-1], function.body, function.transfer, function.span)
    tail_calls: dict[Continuation, Terminator] = {}
    pending_calls: dict[Continuation, Terminator] = {}
    for member in function.members():
        call = member.transfer
        if isinstance(call, Call) and call.callee is function:
            jump = Jump(Edge(header, call.arguments), call.span)
            if call.then.target is ret:
                tail_calls[header if member is function else member] = jump
            elif only_returns(local_target(call.then), function) and (function.ret, 0) not in maybe_undefined:
                pending_calls[header if member is function else member] = jump
    jumps = tail_calls or pending_calls
    if not jumps:
        return function, {}, None
    entry = Jump(Edge(header))
    looping = Function(function.name, [ret], [], entry, function.span, [header, *function.continuations])
    return looping, jumps, None if tail_calls else header
