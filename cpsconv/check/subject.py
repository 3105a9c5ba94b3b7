"""What is checked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Union

from cpsconv.analysis.dominance import DominatorTree
from cpsconv.ir import Continuation, Program, Statement, Transfer, Value

User = Union[Statement, Transfer]

Uses = list[tuple[User, Sequence[Value]]]
"""The statements of a continuation, in order, and its transfer, each with all values that it uses, targets included."""


class Subject:
    """A program, of whatever shape, with what several checks want to know of it.

    `members` are its functions and the continuations that these list, and `trees` the dominator trees of the functions.
    `uses` are those of the members, and of whatever else can be reached.
    """

    def __init__(self, program: Program) -> None:
        self.program = program
        self.members = [member for function in program.functions for member in function.members()]
        self.trees = [DominatorTree(function) for function in program.functions]
        reached = chain.from_iterable(tree.children for tree in self.trees)
        self.uses = {member: _uses_in(member) for member in dict.fromkeys(chain(self.members, reached))}


def _uses_in(member: Continuation) -> Uses:
    uses: Uses = [(statement, statement.operands) for statement in member.body]
    if member.transfer:
        uses.append((member.transfer, member.transfer.uses))
    return uses
