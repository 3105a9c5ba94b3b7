"""Replacing what a finished transfer uses, in place: the step that every rewriting of a program takes."""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.ir import Branch, Call, Switch, Transfer, Value


def replace_in_transfer(transfer: Transfer, replace: Callable[[Value], Value]) -> None:
    """Let the transfer use ``replace(value)`` for every value, as operand or as argument. Its targets stay."""
    match transfer:
        case Branch(condition):
            transfer.condition = replace(condition)
        case Switch(value):
            transfer.value = replace(value)
        case Call(_, arguments):
            transfer.arguments = [*map(replace, arguments)]
    for edge in transfer.edges:
        if edge.arguments:
            edge.arguments = [*map(replace, edge.arguments)]
