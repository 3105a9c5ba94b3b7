"""Elimination of ``goto`` and of jumps out of several loops, for languages that lack both, such as Python.

A variable holds the *target* of a pending jump, 0 if none is pending. A ``goto`` becomes an assignment to the variable.
Until control reaches the label, loops are left or continued, and other statements are skipped.

A jump may lead forward to a label in an enclosing block, or back to the header of an enclosing loop. The structured
form of a function without irreducible loops has no other ``goto``.
"""

from __future__ import annotations

from cpsconv.ir import Continuation
from cpsconv.nodes import replace
from cpsconv.structuring.tree import (
    Block,
    Break,
    Continue,
    Goto,
    If,
    IfTarget,
    Label,
    Loop,
    Select,
    SetTarget,
    Statement,
    Structure,
    blocks_of,
)


class UnsupportedGoto(Exception):
    """A ``goto`` leads neither forward to an enclosing block nor back to an enclosing loop."""


def without_gotos(structure: Structure) -> Block:
    """The body of a function without ``goto`` and labels. Recursive, for statements that are not nested deeply.

    Raises `UnsupportedGoto` if a ``goto`` cannot be eliminated.
    """
    elimination = _GotoElimination(structure)
    body, pending = elimination.block(structure.body, ())
    if pending:
        raise UnsupportedGoto
    return body


Targets = dict[Continuation, None]
"""The possible targets of a pending jump, in the order of discovery."""


class _GotoElimination:
    """Rewrites the blocks of one function.

    The argument `loops` of a method has the loops around the statement, the innermost last. `_loops_around` has the
    loops around each label, `_exit_targets` the targets outside each loop to which a jump in the loop leads.
    """

    def __init__(self, structure: Structure) -> None:
        self._loops_around: dict[Continuation, tuple[Loop, ...]] = {}
        self._exit_targets: dict[Loop, Targets] = {}
        pending: list[tuple[Block, tuple[Loop, ...]]] = [(structure.body, ())] if structure.goto_targets else []
        while pending:
            block, loops = pending.pop()
            for statement in block:
                if isinstance(statement, Label):
                    self._loops_around[statement.member] = loops
                elif isinstance(statement, Loop):
                    pending.append((statement.body, (*loops, statement)))
                else:
                    pending += [(inner, loops) for inner in blocks_of(statement)]

    def block(self, block: Block, loops: tuple[Loop, ...]) -> tuple[Block, Targets]:
        """The rewritten block, and the targets of jumps that may be pending at its end."""
        done: Block = []
        here = done  # the block to append to: `done`, or a guard for the case that no jump is pending
        targets: Targets = {}
        for statement in block:
            if isinstance(statement, Label):
                if statement.member in targets:
                    del targets[statement.member]
                    done.append(IfTarget(statement.member, [SetTarget(None)]) if targets else SetTarget(None))
                    here = done
                continue
            statements, more = self._statement(statement, loops)
            if targets and here is done:
                guard = IfTarget(None)
                done.append(guard)
                here = guard.body
            here += statements
            if more:
                targets |= more
                here = done
        return done, targets

    def _statement(self, statement: Statement, loops: tuple[Loop, ...]) -> tuple[Block, Targets]:
        if isinstance(statement, Goto):
            return self._goto(statement.target, loops)
        if isinstance(statement, Loop):
            return self._loop(statement, loops)
        if isinstance(statement, If):
            then, targets = self.block(statement.then, loops)
            otherwise, other = self.block(statement.otherwise, loops)
            return [If(statement.condition, then, otherwise)], targets | other
        if isinstance(statement, Select):
            arms = [(arm, *self.block(arm.body, loops)) for arm in statement.arms]
            targets = {target: None for _, _, inner in arms for target in inner}
            return [Select(statement.value, [replace(arm, body=body) for arm, body, _ in arms])], targets
        return [statement], {}

    def _goto(self, target: Continuation, loops: tuple[Loop, ...]) -> tuple[Block, Targets]:
        if loops and loops[-1].header is target:
            return [Continue()], {}
        if self._is_in_same_loop(target, loops):
            return [SetTarget(target)], {target: None}
        return [SetTarget(target), *self._leave(target, loops)], {}

    def _is_in_same_loop(self, target: Continuation, loops: tuple[Loop, ...]) -> bool:
        """Whether the label is in the innermost of the loops, and does not start one of them."""
        return self._loops_around[target] == loops and all(loop.header is not target for loop in loops)

    def _leave(self, target: Continuation, loops: tuple[Loop, ...]) -> Block:
        if not loops:
            raise UnsupportedGoto
        self._exit_targets.setdefault(loops[-1], {})[target] = None
        return [Break()]

    def _loop(self, loop: Loop, loops: tuple[Loop, ...]) -> tuple[Block, Targets]:
        """The rewritten loop, followed by the statements that continue pending jumps to its exit targets."""
        body, targets = self.block(loop.body, (*loops, loop))
        if targets:
            raise UnsupportedGoto
        done: Block = [Loop(loop.header, body)]
        for target in self._exit_targets.get(loop, ()):
            if loops and loops[-1].header is target:
                done.append(IfTarget(target, [SetTarget(None), Continue()]))
            elif self._is_in_same_loop(target, loops):
                targets[target] = None
            else:
                done.append(IfTarget(target, self._leave(target, loops)))
        return done, targets
