"""Which calls are written in place, where their result is used: ``return n * f(n - 1);``.

The result must be used once, by what comes next after the call, and nothing that is computed together with it may trap
or be a call itself: C does not say in which order it computes operands.
"""

from __future__ import annotations

from collections.abc import Iterator

from cpsconv.analysis.graph import incoming
from cpsconv.ir import Branch, Call, Continuation, Effect, Function, Jump, Parameter, Primitive, Switch, Value
from cpsconv.primitives import traps
from cpsconv.text.names import Appearance

_DEEPEST = 4  # calls within calls


def calls_in_place(function: Function, appearance: Appearance) -> dict[Value, Call]:
    """From the parameter that gets the result of a call to the call, for those that are written in place."""
    found: dict[Value, Call] = {}
    depth: dict[Call, int] = {}
    for member, edges in incoming(function).items():
        call = edges[0][0].transfer
        if len(edges) == 1 and isinstance(call, Call) and len(member.parameters) == 1:
            (result,) = member.parameters
            if appearance.used[result] == 1 and _is_used_next(result, member, appearance):
                depth[call] = 1 + max(
                    (depth.get(found[value], 0) for value in call.arguments if value in found), default=0
                )
                if depth[call] <= _DEEPEST:
                    found[result] = call
    return found


def _is_used_next(result: Parameter, member: Continuation, appearance: Appearance) -> bool:
    """Whether the first that is done in `member`, and would be missed, uses the result; and nothing else matters."""
    used = [*_computed(_next(member, appearance), appearance)]
    return result in used and not any(isinstance(each, Primitive) and traps(each.op, each.type) for each in used)


def _next(member: Continuation, appearance: Appearance) -> tuple[Value, ...]:
    """The values that are used by the first thing done in `member`."""
    for statement in member.body:
        if statement not in appearance.in_place:
            is_missed = isinstance(statement, Effect) or appearance.used[statement] > 0
            return (statement, *statement.operands) if is_missed else ()
    transfer = member.transfer
    if isinstance(transfer, Jump):
        target = transfer.edge.target
        is_missed = not isinstance(target, Continuation) or all(appearance.used[each] for each in target.parameters)
        return tuple(transfer.edge.arguments) if is_missed else ()
    return tuple(transfer.operands) if isinstance(transfer, (Branch, Switch, Call)) else ()


def _computed(values: tuple[Value, ...], appearance: Appearance) -> Iterator[Value]:
    """The values, and what is computed in place for them."""
    pending = [*values]
    while pending:
        value = pending.pop()
        yield value
        if isinstance(value, Primitive) and value in appearance.in_place:
            pending += value.operands
