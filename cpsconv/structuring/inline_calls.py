"""Which calls are written in place, where their result is used: ``return n * f(n - 1);``.

The result must be used once, by what comes next after the call, and nothing that is computed together with it may trap
or be a call itself: C does not say in which order it computes operands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cpsconv.analysis.graph import incoming, reverse_postorder
from cpsconv.ir import Branch, Call, Continuation, Effect, Function, Jump, Parameter, Primitive, Switch, Value
from cpsconv.operations.table import traps
from cpsconv.text.plan import TextPlan

_DEEPEST = 4  # calls within calls


def calls_in_place(function: Function, text_plan: TextPlan) -> dict[Value, Call]:
    """From the parameter that gets the result of a call to the call, for those that are written in place."""
    found: dict[Value, Call] = {}
    depth: dict[Value, int] = {}  # of the calls within each
    arrivals = incoming(function)
    for member in reverse_postorder(function)[1:]:
        edges = arrivals[member]
        call = edges[0][0].transfer if len(edges) == 1 else None
        if isinstance(call, Call) and len(member.parameters) == 1:
            (result,) = member.parameters
            inner = max((depth.get(value, 0) for value in _computed(call.arguments, text_plan)), default=0)
            if text_plan.used[result] == 1 and inner < _DEEPEST and _is_used_next(result, member, text_plan):
                found[result], depth[result] = call, inner + 1
    return found


def _is_used_next(result: Parameter, member: Continuation, text_plan: TextPlan) -> bool:
    """Whether the first that is done in `member`, and would be missed, uses the result; and nothing else matters."""
    used = [*_computed(_next(member, text_plan), text_plan)]
    return result in used and not any(isinstance(each, Primitive) and traps(each.op, each.type) for each in used)


def _next(member: Continuation, text_plan: TextPlan) -> tuple[Value, ...]:
    """The values that are used by the first thing done in `member`."""
    for statement in member.body:
        if statement not in text_plan.in_place:
            is_missed = isinstance(statement, Effect) or text_plan.used[statement] > 0
            return (statement, *statement.operands) if is_missed else ()
    transfer = member.transfer
    if isinstance(transfer, Jump):
        target = transfer.edge.target
        is_missed = not isinstance(target, Continuation) or all(text_plan.used[each] for each in target.parameters)
        return tuple(transfer.edge.arguments) if is_missed else ()
    return tuple(transfer.operands) if isinstance(transfer, (Branch, Switch, Call)) else ()


def _computed(values: Sequence[Value], text_plan: TextPlan) -> Iterator[Value]:
    """The values, and what is computed in place for them."""
    pending = [*values]
    while pending:
        value = pending.pop()
        yield value
        if isinstance(value, Primitive) and value in text_plan.in_place:
            pending += value.operands
