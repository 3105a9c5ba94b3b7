"""The check of scope: every value is defined, whatever way control takes, before it is used."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Union

from cpsconv.analysis.dominance import DominatorTree
from cpsconv.check.walk import users
from cpsconv.ir import Continuation, Effect, Function, Parameter, Primitive, Program, Value
from cpsconv.source import Diagnostic, error

Defined = Union[Parameter, Primitive, Effect]

Place = tuple[Continuation, int]
"""A continuation and the number of a statement in it. The parameters come before all, the transfer comes after."""

_PARAMETERS = -1


def definitions_dominate_uses(program: Program) -> Iterator[Diagnostic]:
    """The definition of a value dominates its uses, and lies in the same function."""
    for function in program.functions:
        tree = DominatorTree(function)
        definitions = _definitions(function)
        for member in tree.preorder():
            for number, (user, values) in enumerate(users(member)):
                for value in values:
                    if isinstance(value, (Parameter, Primitive, Effect)):
                        complaint = _complaint(value, (member, number), definitions, tree)
                        if complaint:
                            yield error(
                                complaint, user.span, notes=[("defined here", value.span)] if value.span else None
                            )


def _definitions(function: Function) -> dict[Value, Place]:
    """Where each value is defined; where it is first defined, should that be twice."""
    places: dict[Value, Place] = {}
    for member in function.members():
        for parameter in member.parameters:
            places.setdefault(parameter, (member, _PARAMETERS))
        for number, statement in enumerate(member.body):
            places.setdefault(statement, (member, number))
    return places


def _complaint(value: Defined, use: Place, definitions: dict[Value, Place], tree: DominatorTree) -> str | None:
    name = f"`{value.name or value.type}`"
    if value not in definitions:
        return f"{name} is not defined in `{tree.root.name}`"
    (defined_in, defined_at), (used_in, used_at) = definitions[value], use
    if defined_in is used_in:
        return None if defined_at < used_at else f"{name} is used before it is defined"
    if defined_in in tree.children and tree.dominates(defined_in, used_in):
        return None
    return f"{name} is not defined on every way that leads here"
