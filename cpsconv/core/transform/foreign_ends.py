"""The ends of runs at foreign operations, which have no meaning here: each becomes a runtime error that names it."""

from __future__ import annotations

from cpsconv.core.analysis.graph import reachable
from cpsconv.core.construction.failures import error_text
from cpsconv.core.erasure import copied
from cpsconv.core.ir import ABORT, VOID, Continuation, Edge, Effect, ForeignTransfer, Function, Jump, Program
from cpsconv.core.operations.foreign import has_foreign
from cpsconv.core.operations.table import FOREIGN_OPERATIONS
from cpsconv.core.source import Span
from cpsconv.core.transform.pruning import drop_unreachable_functions


def ending_at_foreign(program: Program, entry: Function) -> Program:
    """A copy of the program that ends where it reaches a foreign operation; the program itself if it has none.

    The copy has neither nested functions nor explicit memory, nor continuations that only follow such operations, nor
    functions to which neither the entry nor data lead.
    """
    if not has_foreign(program):
        return program
    program = copied(program)
    for function in program.functions:
        for member in function.members():
            _end_at_foreign(member, function.name)
        reached = {*reachable(function)}
        function.continuations = [each for each in function.continuations if each in reached]
    drop_unreachable_functions(program, [each for each in program.functions if each.name == entry.name])
    return program


def _end_at_foreign(member: Continuation, function: str) -> None:
    for number, statement in enumerate(member.body):
        if statement.op in FOREIGN_OPERATIONS:
            del member.body[number:]
            _end(member, str(statement.of), function, statement.span)
            return
    if isinstance(member.transfer, ForeignTransfer):
        _end(member, member.transfer.text, function, member.transfer.span)


def _end(member: Continuation, operation: str, function: str, span: Span | None) -> None:
    text = error_text(f"`{function}` reaches the foreign operation `{operation}`", span)
    member.body.append(Effect("eprint", (text,), VOID, span=span))
    member.transfer = Jump(Edge(ABORT, []), span)
