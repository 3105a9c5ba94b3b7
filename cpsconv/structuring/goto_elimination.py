"""Python has neither ``goto`` nor a ``break`` for more than one loop. What would need them is done with a variable.

It says where control is *bound for*: 0 where that is nowhere in particular. Instead of a ``goto`` the variable is set.
On the way to the label nothing else is done then: loops are left or continued, other statements skipped.

That leads forward to a label in a block around, and back to the header of a loop around. There is no other ``goto`` in
the structured form of a function without irreducible loops.
"""

from __future__ import annotations

from dataclasses import replace

from cpsconv.ir import Continuation
from cpsconv.structuring.tree import (
    BindFor,
    Block,
    Break,
    Continue,
    Goto,
    If,
    Label,
    Loop,
    Select,
    Statement,
    Structure,
    WhenBound,
    blocks_of,
)


class Unreachable(Exception):
    """A ``goto`` leads neither forward in a block around nor back in a loop around."""


def without_gotos(structure: Structure) -> Block:
    """The body of a function without ``goto`` and labels. (Its statements are not nested deeply.)

    Raises `Unreachable` where that is not possible.
    """
    jumps = _Jumps(structure)
    body, bound = jumps.block(structure.body, ())
    if bound:
        raise Unreachable
    return body


Bound = dict[Continuation, None]
"""What control may be bound for, in the order in which that was found out."""


class _Jumps:
    """`loops` are those around a statement, the innermost last. `_left` has what each loop is left for."""

    def __init__(self, structure: Structure) -> None:
        self._wanted = structure.wanted
        self._loops_around: dict[Continuation, tuple[Loop, ...]] = {}
        self._left: dict[Loop, Bound] = {}
        self._find_labels(structure.body)

    def _find_labels(self, body: Block) -> None:
        pending: list[tuple[Block, tuple[Loop, ...]]] = [(body, ())] if self._wanted else []
        while pending:
            block, loops = pending.pop()
            for statement in block:
                if isinstance(statement, Label):
                    self._loops_around[statement.member] = loops
                elif isinstance(statement, Loop):
                    pending.append((statement.body, (*loops, statement)))
                else:
                    pending += [(inner, loops) for inner in blocks_of(statement)]

    def block(self, block: Block, loops: tuple[Loop, ...]) -> tuple[Block, Bound]:
        """The statements of a block; and what control may be bound for at its end."""
        done: Block = []
        here = done  # where statements go: after one from which control may be bound for elsewhere, into a condition
        bound: Bound = {}
        for statement in block:
            if isinstance(statement, Label):
                if statement.member in bound:
                    del bound[statement.member]
                    arrived = BindFor(None)
                    done.append(WhenBound(statement.member, [arrived]) if bound else arrived)
                    here = done
                continue
            statements, more = self._statement(statement, loops)
            if bound and here is done:
                guard = WhenBound(None)
                done.append(guard)
                here = guard.body
            here += statements
            if more:
                bound |= more
                here = done
        return done, bound

    def _statement(self, statement: Statement, loops: tuple[Loop, ...]) -> tuple[Block, Bound]:
        if isinstance(statement, Goto):
            return self._goto(statement.target, loops)
        if isinstance(statement, Loop):
            return self._loop(statement, loops)
        if isinstance(statement, If):
            then, bound = self.block(statement.then, loops)
            otherwise, other = self.block(statement.otherwise, loops)
            return [If(statement.condition, then, otherwise)], bound | other
        if isinstance(statement, Select):
            arms = [(arm, *self.block(arm.body, loops)) for arm in statement.arms]
            bound = {target: None for _, _, targets in arms for target in targets}
            return [Select(statement.value, [replace(arm, body=body) for arm, body, _ in arms])], bound
        return [statement], {}

    def _goto(self, target: Continuation, loops: tuple[Loop, ...]) -> tuple[Block, Bound]:
        if loops and loops[-1].header is target:
            return [Continue()], {}
        if self._is_here(target, loops):
            return [BindFor(target)], {target: None}
        return [BindFor(target), *self._leave(target, loops)], {}

    def _is_here(self, target: Continuation, loops: tuple[Loop, ...]) -> bool:
        """Whether the label is in the same loop; it is not, if control goes round a loop to come to it."""
        return self._loops_around[target] == loops and all(loop.header is not target for loop in loops)

    def _leave(self, target: Continuation, loops: tuple[Loop, ...]) -> Block:
        if not loops:
            raise Unreachable
        self._left.setdefault(loops[-1], {})[target] = None
        return [Break()]

    def _loop(self, loop: Loop, loops: tuple[Loop, ...]) -> tuple[Block, Bound]:
        """A loop, and behind it what leads further to where it was left for."""
        body, bound = self.block(loop.body, (*loops, loop))
        if bound:
            raise Unreachable
        done: Block = [Loop(loop.header, body)]
        for target in self._left.get(loop, ()):
            if loops and loops[-1].header is target:
                done.append(WhenBound(target, [BindFor(None), Continue()]))
            elif self._is_here(target, loops):
                bound[target] = None
            else:
                done.append(WhenBound(target, self._leave(target, loops)))
        return done, bound
