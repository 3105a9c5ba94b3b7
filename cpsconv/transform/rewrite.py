"""Rewriting of a function in place: the small steps that transformations are made of."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import compress
from typing import cast

from cpsconv.analysis.graph import replace_in_transfer
from cpsconv.ir import Continuation, Function, Parameter, Target, Transfer, Value


def replace_values(function: Function, replacements: Mapping[Parameter, Value]) -> None:
    """Let every use of a key of `replacements` use the value instead. Values are not looked up again."""

    def replace(value: Value) -> Value:
        return replacements.get(value, value) if isinstance(value, Parameter) else value

    for member in function.members():
        for statement in member.body:
            statement.operands = tuple(map(replace, statement.operands))
        if member.transfer:
            replace_in_transfer(member.transfer, replace)
            for edge in member.transfer.edges:
                edge.target = cast(Target, replace(edge.target))


def drop_parameters(function: Function, parameters: Collection[Parameter]) -> None:
    """Take `parameters` out of their continuations, and the arguments for them out of the edges that lead there."""
    stays = {
        continuation: [parameter not in parameters for parameter in continuation.parameters]
        for continuation in function.continuations
        if any(parameter in parameters for parameter in continuation.parameters)
    }
    for member in function.members():
        if member.transfer:
            _drop_arguments(member.transfer, stays)
    for continuation, kept in stays.items():
        continuation.parameters = [*compress(continuation.parameters, kept)]


def _drop_arguments(transfer: Transfer, stays: Mapping[Continuation, list[bool]]) -> None:
    for edge in transfer.edges:
        if isinstance(edge.target, Continuation) and edge.target in stays:
            edge.arguments = [*compress(edge.arguments, stays[edge.target])]
