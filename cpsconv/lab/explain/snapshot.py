"""Snapshots of a finished function that changes.

The events of a construction state each part of the function. Jump threading copies whole continuations; so the function
is shown as it is after the change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cpsconv.core.construction.events import Ending, Event, ending_of
from cpsconv.core.ir import Continuation, Function, Parameter, Statement, Transfer, Value


class Member(NamedTuple):
    """A continuation at a moment: its parameters, its statements with their operands, and the state of its transfer.

    The `transfer` itself, which may change, tells to which continuation it moves when continuations are merged.
    """

    continuation: Continuation
    parameters: Sequence[Parameter]
    body: Sequence[tuple[Statement, Sequence[Value]]]
    transfer: Transfer
    ending: Ending


class Snapshot(Event):
    """The `members` that a function has at the moment, itself first. No sentence is about this event."""

    function: Function
    members: Sequence[Member]


def snapshot(function: Function, members: Iterable[Continuation]) -> Snapshot:
    """The snapshot of a function with these members."""
    return Snapshot(function, [*map(_member, members)])


def _member(continuation: Continuation) -> Member:
    assert continuation.transfer
    body = [(statement, statement.operands) for statement in continuation.body]
    transfer = continuation.transfer
    return Member(continuation, [*continuation.parameters], body, transfer, ending_of(transfer))
