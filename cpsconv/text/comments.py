"""Comments, and what of a program they are about.

A program has no comments. Who wants them in its text gives the printer a table from *items*, which have lines of their
own there, to the comments on each.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Union

from cpsconv.analysis.graph import transfer_uses
from cpsconv.ir import Continuation, Function, Program, Statement, Transfer, Value


class Comment(NamedTuple):
    """The `text` of a comment with its slashes.

    It may stand `behind` something on the same line, or `apart`: with a blank line after it.
    """

    text: str
    behind: bool = False
    apart: bool = False


class End(NamedTuple):
    """The closing brace of a function."""

    function: Function


Item = Union[Statement, Transfer, Continuation, End, Program]
"""What a comment can be about. What comes after the last function is about the program."""

Comments = Mapping[Item, Sequence[Comment]]

NO_COMMENTS: Comments = {}


def of_function(comments: Comments, function: Function, in_place: Collection[Value]) -> Comments:
    """Those of `comments` that are about `function` or a part of it.

    What stands in place has no line of its own: its comments go to the statement or transfer in which it stands.
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


def _shown_in(member: Continuation, in_place: Collection[Value]) -> dict[Item, Item]:
    """For each statement of `member` that stands in place, the statement or transfer in which it does."""
    shown_in: dict[Value, Item] = {}
    if member.transfer:
        shown_in.update((value, member.transfer) for value in transfer_uses(member) if value in in_place)
    for statement in reversed(member.body):
        item = shown_in.get(statement, statement)
        shown_in.update((value, item) for value in statement.operands if value in in_place)
    return {statement: shown_in[statement] for statement in member.body if statement in shown_in}
