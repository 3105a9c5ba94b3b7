"""Rewriting of a function in place: replacement of values, removal of parameters."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import compress
from typing import TypeVar, cast

from cpsconv.core.analysis.graph import replace_in_transfer
from cpsconv.core.ir import Continuation, Function, Parameter, Program, Target, Value

Replaced = TypeVar("Replaced", bound=Value)


def replace_values(function: Function, replacements: Mapping[Replaced, Value]) -> None:
    """Replace each use of a key of `replacements` in the function by its value. The values must not be keys."""

    def replace(value: Value) -> Value:
        return replacements.get(value, value)  # type: ignore[arg-type]

    for member in function.members():
        for statement in member.body:
            statement.operands = tuple(map(replace, statement.operands))
        if member.transfer:
            replace_in_transfer(member.transfer, replace)
            for edge in member.transfer.edges:
                edge.target = cast(Target, replace(edge.target))


def replace_free_values(program: Program, replacements: Mapping[Replaced, Value]) -> None:
    """Replace the keys of `replacements`, values of one function, in the functions nested in it."""
    for function in program.functions:
        if not replacements.keys().isdisjoint(function.free):
            replace_values(function, replacements)


def drop_parameters(function: Function, parameters: Collection[Parameter]) -> None:
    """Remove `parameters` from their continuations, and their arguments from the edges."""
    masks = {
        continuation: [parameter not in parameters for parameter in continuation.parameters]
        for continuation in function.continuations
        if any(parameter in parameters for parameter in continuation.parameters)
    }
    for member in function.members():
        for edge in member.transfer.edges if member.transfer else ():
            if isinstance(edge.target, Continuation) and edge.target in masks:
                edge.arguments = [*compress(edge.arguments, masks[edge.target])]
    for continuation, mask in masks.items():
        continuation.parameters = [*compress(continuation.parameters, mask)]
