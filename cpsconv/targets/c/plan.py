"""The values that C writes in place, in addition to those of the text: loads, and repeated addresses.

The text shows each load as a statement, because loads are effects, and so in their order. C may write a load where its
value is used, if the value is used once, later in the same continuation, and nothing happens in between except other
loads and computations. An address without a name, such as the one of `a[i].x` in ``a[i].x += 1``, is written again
where it is used, instead of being stored in a variable.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from cpsconv.core import ir
from cpsconv.core.operations.table import ELEMENT, FIELD, LOAD, OPERATIONS, STORE, traps
from cpsconv.core.text.plan import MAX_DEPTH, TextPlan

MAX_STEPS = 4  # of an address that is written repeatedly


def in_place(function: ir.Function, plan: TextPlan, calls: Mapping[ir.Value, ir.Call]) -> set[ir.Statement]:
    """The values that C writes in place: those of the text, loads, computations with loads, and repeated addresses."""
    found: set[ir.Statement] = {*plan.in_place}
    if any(statement.op == LOAD or _is_address(statement) for statement in function.statements()):
        repeated = _repeated_addresses(function, plan)
        for member in function.members():
            found |= _Body(member, plan, calls, repeated).found()
    return found


def _is_address(value: ir.Value) -> bool:
    return isinstance(value, ir.Primitive) and value.op in (ELEMENT, FIELD)


def _repeated_addresses(function: ir.Function, plan: TextPlan) -> set[ir.Statement]:
    """The addresses without names, in a few steps from stored values, that are used for accesses only."""
    steps: dict[ir.Value, int] = {}
    used = {value for member in function.members() for value in _used_as_values(member)}
    for statement in function.statements():
        if _is_address(statement) and statement.name is None and statement not in used:
            steps[statement] = 0
    for statement in function.statements():
        if statement in steps:
            base, *rest = statement.operands
            steps[statement] = 1 + steps.get(base, 0)
            if any(value in plan.in_place for value in (base, *rest) if value not in steps):
                steps[statement] = MAX_STEPS + 1
    return {value for value, count in steps.items() if isinstance(value, ir.Primitive) and count <= MAX_STEPS}


def _used_as_values(member: ir.Continuation) -> list[ir.Value]:
    """The values that are used, but not as addresses of accesses or of other addresses."""
    used: list[ir.Value] = [*member.transfer.uses] if member.transfer else []
    for statement in member.body:
        if statement.op == STORE or _is_address(statement):
            used += statement.operands[:1] if statement.op == STORE else statement.operands[1:]
        elif OPERATIONS[statement.op].form != "access":
            used += statement.operands
    return used


class _Body:
    """Plans one body backwards: `anchor` is the index of the statement that evaluates a value in place."""

    def __init__(
        self,
        member: ir.Continuation,
        plan: TextPlan,
        calls: Mapping[ir.Value, ir.Call],
        repeated: Collection[ir.Statement],
    ) -> None:
        self._member = member
        self._plan = plan
        self._calls = calls
        self._repeated = repeated

    def found(self) -> set[ir.Statement]:
        body, plan = self._member.body, self._plan
        users = self._users()
        anchor: dict[ir.Value, int] = {}
        barrier = len(body)  # the index of the next statement that a load is not moved across
        barriers = [barrier] * (len(body) + 1)
        for index in range(len(body) - 1, -1, -1):
            barriers[index] = barrier
            if isinstance(body[index], ir.Effect) and body[index].op != LOAD:
                barrier = index
        for index in range(len(body) - 1, -1, -1):
            statement = body[index]
            user = users.get(statement)
            if plan.used[statement] == 1 and user is not None and self._is_written_once(user, anchor):
                at = anchor.get(body[user], user) if user < len(body) else user
                if statement in plan.in_place or (self._is_movable(statement) and at <= barriers[index]):
                    anchor[statement] = at
        return self._bounded(anchor)

    def _is_written_once(self, user: int, anchor: Mapping[ir.Value, int]) -> bool:
        """Whether C writes the expression of the statement at that index once."""
        statement = self._member.body[user] if user < len(self._member.body) else None
        return statement is None or statement in anchor or statement not in self._repeated

    def _users(self) -> dict[ir.Value, int]:
        """The index of the last user of each value, in this body; the transfer follows the last statement."""
        body, transfer = self._member.body, self._member.transfer
        users = {value: index for index, statement in enumerate(body) for value in statement.operands}
        used = transfer.edge.arguments if isinstance(transfer, ir.Jump) else transfer.operands if transfer else ()
        return users | {value: len(body) for value in used}

    def _is_movable(self, statement: ir.Statement) -> bool:
        if isinstance(statement, ir.Effect):
            return statement.op == LOAD
        return not traps(statement.op, statement.type)

    def _bounded(self, anchor: Mapping[ir.Value, int]) -> set[ir.Statement]:
        """The planned values, without those that contain a call or are nested too deeply."""
        found: set[ir.Statement] = set()
        depth: dict[ir.Value, int] = {}
        has_call: dict[ir.Value, bool] = {}
        for statement in self._member.body:
            depth[statement] = 1 + max((depth.get(each, 0) for each in statement.operands if each in found), default=0)
            has_call[statement] = any(each in self._calls or has_call.get(each) for each in statement.operands)
            is_planned = statement in self._repeated or statement in anchor
            is_suitable = not has_call[statement] and depth[statement] <= MAX_DEPTH
            if statement in self._plan.in_place or (is_planned and is_suitable):
                found.add(statement)
            else:
                has_call[statement] = False
        return found
