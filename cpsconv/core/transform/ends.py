"""The ends of runs at what has no meaning here, such as foreign operations: each becomes a runtime error.

A program prints such an error itself, before it aborts. In the program that `raising_errors` returns, engines raise it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Union

from cpsconv.core.analysis.graph import reachable
from cpsconv.core.construction.failures import error_at_end, error_text
from cpsconv.core.erasure import copied
from cpsconv.core.ir import (
    ABORT,
    STRING,
    VOID,
    Continuation,
    Edge,
    Effect,
    ForeignTransfer,
    Function,
    Jump,
    Primitive,
    Program,
    Statement,
    Transfer,
)
from cpsconv.core.operations.foreign import has_foreign
from cpsconv.core.operations.runtime_errors import ErrorText
from cpsconv.core.operations.table import FOREIGN_OPERATIONS
from cpsconv.core.source import Span
from cpsconv.core.transform.pruning import drop_unreachable_functions


def ending_at_foreign(program: Program, entry: Function, has_meaning: Callable[[str], object]) -> Program:
    """A copy of the program that ends where it reaches a foreign operation without a meaning.

    The program itself if it has no foreign operations. The copy has neither nested functions nor explicit memory, nor
    functions to which neither the entry nor data lead.
    """
    if not has_foreign(program):
        return program
    program = copied(program)

    def without_meaning(part: Part) -> str | None:
        text = _foreign_text(part)
        return None if text is None or has_meaning(text) else f"reaches the foreign operation `{text}`"

    for function in program.functions:
        end_where(function, without_meaning)
    drop_unreachable_functions(program, [each for each in program.functions if each.name == entry.name])
    return program


Part = Union[Statement, Transfer]


def end_where(function: Function, reason: Callable[[Part], str | None]) -> None:
    """End, in place, each continuation at its first statement or transfer that the function gives a reason for.

    The runtime error is the function's name and the reason. Continuations that only follow such ends are removed.
    """
    for member in function.members():
        for number, part in enumerate([*member.body, member.transfer]):
            if part is not None and (text := reason(part)):
                del member.body[number:]
                end(member, f"`{function.name}` {text}", part.span)
                break
    reached = {*reachable(function)}
    function.continuations = [each for each in function.continuations if each in reached]


def end(member: Continuation, message: str, span: Span | None) -> None:
    """End the continuation, in place of its transfer, with a runtime error."""
    member.body.append(Effect("eprint", (error_text(message, span),), VOID, span=span))
    member.transfer = Jump(Edge(ABORT, []), span)


def raising_errors(program: Program) -> Program:
    """A copy whose runs raise `AbortError` where the program prints a constant text before it aborts.

    The program itself if it has no such place.
    """
    if not any(map(error_at_end, program.members())):
        return program
    program = copied(program)
    for printed, message in filter(None, map(error_at_end, program.members())):
        printed.operands = (ErrorText(STRING, message, printed.span),)
    return program


def _foreign_text(part: Part) -> str | None:
    """The text of a foreign statement or transfer."""
    if isinstance(part, ForeignTransfer):
        return part.text
    if isinstance(part, (Primitive, Effect)) and part.op in FOREIGN_OPERATIONS:
        return str(part.of)
    return None
