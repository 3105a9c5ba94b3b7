"""Calls written in place, where their result is used: ``return n * f(n - 1);``.

The result must be used once, by the statement or transfer after the call, and no other operand that is computed with
it may trap or be a call: C does not define the order in which operands are evaluated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from cpsconv.core.analysis.graph import incoming, reverse_postorder
from cpsconv.core.ir import Branch, Call, Continuation, Effect, Function, Jump, Parameter, Primitive, Switch, Value
from cpsconv.core.operations.table import traps
from cpsconv.core.text.plan import TextPlan

MAX_DEPTH = 4  # of nested calls


def calls_in_place(function: Function, text_plan: TextPlan) -> dict[Value, Call]:
    """The calls written in place, by the parameter that receives the result."""
    found: dict[Value, Call] = {}
    depth: dict[Value, int] = {}  # of nested calls
    predecessors = incoming(function)
    for member in reverse_postorder(function)[1:]:
        edges = predecessors[member]
        call = edges[0][0].transfer if len(edges) == 1 else None
        if isinstance(call, Call) and len(member.parameters) == 1:
            (result,) = member.parameters
            inner = max((depth.get(value, 0) for value in _computed(call.operands, text_plan)), default=0)
            if text_plan.used[result] == 1 and inner < MAX_DEPTH and _is_used_next(result, member, text_plan):
                found[result], depth[result] = call, inner + 1
    return found


def _is_used_next(result: Parameter, member: Continuation, text_plan: TextPlan) -> bool:
    """Whether the next statement uses the result, and no primitive that is computed with the result traps."""
    used = [*_computed(_used_next(member, text_plan), text_plan)]
    return result in used and not any(isinstance(each, Primitive) and traps(each.op, each.type) for each in used)


def _used_next(member: Continuation, text_plan: TextPlan) -> tuple[Value, ...]:
    """The values used by the first statement of `member` not in place, or by its transfer; none if it is dead."""
    for statement in member.body:
        if statement not in text_plan.in_place:
            is_needed = isinstance(statement, Effect) or text_plan.used[statement] > 0
            return (statement, *statement.operands) if is_needed else ()
    transfer = member.transfer
    if isinstance(transfer, Jump):
        target = transfer.edge.target
        is_needed = not isinstance(target, Continuation) or all(text_plan.used[each] for each in target.parameters)
        return tuple(transfer.edge.arguments) if is_needed else ()
    return tuple(transfer.operands) if isinstance(transfer, (Branch, Switch, Call)) else ()


def _computed(values: Sequence[Value], text_plan: TextPlan) -> Iterator[Value]:
    """The values, and the values computed in place for them."""
    pending = [*values]
    while pending:
        value = pending.pop()
        yield value
        if isinstance(value, Primitive) and value in text_plan.in_place:
            pending += value.operands
