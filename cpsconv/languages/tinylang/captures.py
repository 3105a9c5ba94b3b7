"""The variables that nested procedures use, and which of these variables have to be in memory."""

from __future__ import annotations

from math import inf

from cpsconv.languages.tinylang import tree
from cpsconv.languages.tinylang.scopes import Procedure, Variable
from cpsconv.languages.tinylang.types import NIL


def find_captures(procedures: list[Procedure]) -> None:
    """Complete `captured` of all procedures, and decide which captured variables have to be in memory.

    A procedure needs the variables that it uses, and those that the procedures need that it calls or passes on, except
    its own. Variables with one value, which they have before a nested procedure can use them, stay values. The others
    are in memory. So are all that are assigned and that a procedure value needs, since its closure is made before. The
    closure is itself a variable of the procedure around, so that a procedure value equals itself everywhere.
    """
    for procedure in procedures:
        procedure.uses = [*procedure.captured]
    _complete(procedures)
    _capture_closures(procedures)
    for user in procedures:
        for procedure, span in user.values.items():
            for variable in procedure.captured:
                if variable.assigned and not variable.is_reference:
                    variable.keep_in_memory(f"the procedure value `{procedure.name}` uses it", span)
    for procedure in procedures:
        for variable in procedure.uses:
            if not (variable.is_cell or _has_one_value(variable)):
                reason = f"it is assigned, and the nested procedure `{procedure.name}` uses it"
                variable.keep_in_memory(reason, procedure.captured[variable])


def _complete(procedures: list[Procedure]) -> None:
    """Add to the captured variables of each procedure those of the procedures that it uses."""
    users: dict[Procedure, list[Procedure]] = {}
    for procedure in procedures:
        for used in procedure.used:
            users.setdefault(used, []).append(procedure)
    pending = [procedure for procedure in procedures if procedure.captured]
    while pending:
        procedure = pending.pop()
        for user in users.get(procedure, ()):
            missing = [each for each in procedure.captured if each.owner is not user and each not in user.captured]
            for variable in missing:
                user.captured[variable] = user.used[procedure]
            if missing:
                pending.append(user)


def _capture_closures(procedures: list[Procedure]) -> None:
    """Let procedures use the closures of those that they use as values, if these need variables."""
    for user in procedures:
        for procedure, span in user.values.items():
            owner = procedure.enclosing
            if procedure.captured and owner:
                if procedure.closure is None:
                    owner.closures.append(procedure)
                    owner.used.setdefault(procedure, span)  # to create the closure
                    name, reason = f"{procedure.name} as a value", "it is a closure"
                    procedure.closure = Variable(name, NIL, span, owner, in_memory=(reason, span))
                if user is not owner:
                    user.captured.setdefault(procedure.closure, span)
    _complete(procedures)


def _has_one_value(variable: Variable) -> bool:
    """Whether the variable is never assigned, or only by one statement of its owner, before any nested use."""
    if not variable.assigned:
        return True
    owner = variable.owner
    if variable.is_parameter or len(variable.assigned) > 1 or owner is None:
        return False
    nested = [span.start for procedure, span in owner.used.items() if variable in procedure.captured]
    first = min(nested, default=inf)
    return any(
        isinstance(each, tree.Assignment) and each.target.span.start in variable.assigned and each.span.end <= first
        for each in owner.block.statements or ()
    )
