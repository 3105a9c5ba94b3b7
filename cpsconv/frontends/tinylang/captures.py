"""The variables of enclosing procedures that a nested procedure needs, and which of them have to be in memory.

A procedure needs the variables that it uses, and those that the procedures need that it calls or passes on, except its
own. A variable that no nested procedure assigns is passed as a value: while the nested procedure runs, its owner waits
and cannot change it. Two kinds of variables are passed as references to memory instead: those that a nested procedure
assigns (`Expressions.change`), and those that a procedure value needs and that are assigned at all, since a value may
be called later.
"""

from __future__ import annotations

from cpsconv.frontends.tinylang.typed_tree import Procedure


def find_captures(procedures: list[Procedure]) -> None:
    """Complete `captured` of all procedures."""
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
    for user in procedures:
        for procedure, span in user.values.items():
            for variable in procedure.captured:
                if variable.assigned and not variable.is_reference:
                    variable.keep_in_memory(f"the procedure value `{procedure.name}` uses it", span)
