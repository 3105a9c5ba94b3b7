"""Replacing what a finished transfer uses, in place: the step that every rewriting of a program takes."""

from __future__ import annotations

from collections.abc import Callable

from cpsconv.ir import Branch, Call, Switch, Transfer, Value


def replace_in_transfer(transfer: Transfer, replace: Callable[[Value], Value]) -> None:
    """Let the transfer use ``replace(value)`` for every value, as operand or as argument. Its targets stay."""
    if isinstance(transfer, Branch):
        transfer.condition = replace(transfer.condition)
    elif isinstance(transfer, Switch):
        transfer.value = replace(transfer.value)
    elif isinstance(transfer, Call):
        transfer.arguments = [*map(replace, transfer.arguments)]
    for edge in transfer.edges:
        if edge.arguments:
            edge.arguments = [*map(replace, edge.arguments)]
