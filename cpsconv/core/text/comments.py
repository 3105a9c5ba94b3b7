"""Comments in the text of a program, which itself contains none.

A caller that wants comments in the text passes the printer a table from *items*, the parts with lines of their own in
the text, to their comments.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Union

from cpsconv.core import ir
from cpsconv.core.analysis.graph import transfer_uses


class Comment(NamedTuple):
    """The `text` of a comment, with its slashes.

    A comment is above its item or, if it is `trailing`, after the item on the same line. A blank line follows if the
    comment is `apart`.
    """

    text: str
    trailing: bool = False
    apart: bool = False


class End(NamedTuple):
    """The closing brace of a function."""

    function: ir.Function


Item = Union[ir.Statement, ir.Transfer, ir.Continuation, End, ir.Struct, ir.Data, ir.Program]
"""A part of the program that can have comments. Comments after the last function belong to the program."""

Comments = Mapping[Item, Sequence[Comment]]


def comments_of(comments: Comments, function: ir.Function, in_place: Collection[ir.Value]) -> Comments:
    """The comments on `function` and its parts.

    A value that is written in place has no line of its own: its comments move to the statement or transfer around it.
    """
    if not comments:
        return comments
    end = End(function)
    found: dict[Item, list[Comment]] = {end: [*comments.get(end, ())]}
    for member in function.members():
        shown_in = _shown_in(member, in_place)
        parts = [member, *member.body, member.transfer] if member.transfer else [member, *member.body]
        for item in parts:
            found.setdefault(shown_in.get(item, item), []).extend(comments.get(item, ()))
    return found


def _shown_in(member: ir.Continuation, in_place: Collection[ir.Value]) -> dict[Item, Item]:
    """Maps each statement of `member` that is written in place to the statement or transfer around it."""
    shown_in: dict[ir.Value, Item] = {}
    if member.transfer:
        shown_in.update((value, member.transfer) for value in transfer_uses(member) if value in in_place)
    for statement in reversed(member.body):
        item = shown_in.get(statement, statement)
        shown_in.update((value, item) for value in statement.operands if value in in_place)
    return {statement: shown_in[statement] for statement in member.body if statement in shown_in}
