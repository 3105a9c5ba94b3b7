"""Foreign operations before a run: ends of runs where they have no meaning, and otherwise effects.

Engines execute a foreign effect by `cpsconv.core.operations.dialects`.
"""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.core.analysis.graph import reachable
from cpsconv.core.construction.failures import error_text
from cpsconv.core.erasure import copied
from cpsconv.core.ir import (
    ABORT,
    INT,
    VOID,
    Continuation,
    Edge,
    Effect,
    Foreign,
    ForeignTransfer,
    Function,
    Jump,
    Program,
    Switch,
    Value,
)
from cpsconv.core.operations.dialects import TARGETS
from cpsconv.core.operations.foreign import has_foreign
from cpsconv.core.operations.table import FOREIGN, FOREIGN_OPERATIONS, FOREIGN_VALUE
from cpsconv.core.source import Span
from cpsconv.core.transform.pruning import drop_unreachable_functions
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


def ending_at_foreign(program: Program, entry: Function, has_meaning: Callable[[str], object]) -> Program:
    """A copy of the program that ends where it reaches a foreign operation without a meaning.

    The program itself if it has no foreign operations. The copy has neither nested functions nor explicit memory, nor
    continuations that only follow such operations, nor functions to which neither the entry nor data lead.
    """
    if not has_foreign(program):
        return program
    program = copied(program)
    for function in program.functions:
        for member in function.members():
            _end_at_foreign(member, function.name, has_meaning)
        reached = {*reachable(function)}
        function.continuations = [each for each in function.continuations if each in reached]
    drop_unreachable_functions(program, [each for each in program.functions if each.name == entry.name])
    return program


def _end_at_foreign(member: Continuation, function: str, has_meaning: Callable[[str], object]) -> None:
    for number, statement in enumerate(member.body):
        if statement.op in FOREIGN_OPERATIONS and not has_meaning(str(statement.of)):
            del member.body[number:]
            _end(member, str(statement.of), function, statement.span)
            return
    if isinstance(member.transfer, ForeignTransfer) and not has_meaning(member.transfer.text):
        _end(member, member.transfer.text, function, member.transfer.span)


def _end(member: Continuation, operation: str, function: str, span: Span | None) -> None:
    text = error_text(f"`{function}` reaches the foreign operation `{operation}`", span)
    member.body.append(Effect("eprint", (text,), VOID, span=span))
    member.transfer = Jump(Edge(ABORT, []), span)
