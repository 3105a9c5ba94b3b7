"""Foreign operations as effects, which engines execute by `cpsconv.core.operations.dialects`."""

from __future__ import annotations

from cpsconv.core.erasure import copied
from cpsconv.core.ir import (
    ABORT,
    INT,
    Continuation,
    Edge,
    Effect,
    Foreign,
    ForeignTransfer,
    Jump,
    Program,
    Switch,
    Value,
)
from cpsconv.core.operations.dialects import TARGETS
from cpsconv.core.operations.table import FOREIGN, FOREIGN_VALUE
from cpsconv.core.transform.rewrite import replace_values


def with_foreign_effects(program: Program) -> Program:
    """A copy in which effects and switches replace pure foreign operations and foreign transfers.

    The program itself if it has neither.
    """
    if not any(map(_has_others, program.members())):
        return program
    program = copied(program)
    for function in program.functions:
        effects: dict[Value, Effect] = {}
        for member in function.members():
            for statement in member.body:
                if statement.op == FOREIGN_VALUE:
                    name, span = statement.name, statement.span
                    effects[statement] = Effect(FOREIGN, statement.operands, statement.type, name, span, statement.of)
            member.body = [effects.get(statement, statement) for statement in member.body]
            if isinstance(member.transfer, ForeignTransfer):
                _switch(member, member.transfer)
        replace_values(function, effects)
    return program


def _has_others(member: Continuation) -> bool:
    """Whether the continuation has foreign operations that are no effects."""
    return isinstance(member.transfer, ForeignTransfer) or any(each.op == FOREIGN_VALUE for each in member.body)


def _switch(member: Continuation, transfer: ForeignTransfer) -> None:
    """Replace the transfer. One without targets does not return."""
    targets, span = transfer.targets, transfer.span
    static, count = Foreign(transfer.text), {TARGETS: len(targets)}
    number = Effect(FOREIGN, (*transfer.values,), INT, None, span, static, attributes=count)
    member.body.append(number)
    if len(targets) > 1:
        member.transfer = Switch(number, [*range(1, len(targets))], targets[1:], targets[0], span)
    else:
        member.transfer = Jump(targets[0] if targets else Edge(ABORT, []), span)
