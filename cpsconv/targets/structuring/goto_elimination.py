"""Elimination of ``goto`` and of jumps out of several loops, for languages that lack both, such as Python.

A variable holds the *target* of a pending jump, 0 if none is pending. A ``goto`` becomes an assignment to the variable.
Until control reaches the label, loops are left or continued, and other statements are skipped.

A jump may lead forward to a label in an enclosing block, or back to the header of an enclosing loop. The structured
form of a function without irreducible loops has no other ``goto``.
"""

from __future__ import annotations

from cpsconv.core.ir import Continuation
from cpsconv.core.nodes import replace
from cpsconv.targets.structuring import tree as s


class UnsupportedGoto(Exception):
    """A ``goto`` leads neither forward to an enclosing block nor back to an enclosing loop."""


def without_gotos(structure: s.Structure) -> s.Block:
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

    def __init__(self, structure: s.Structure) -> None:
        self._loops_around: dict[Continuation, tuple[s.Loop, ...]] = {}
        self._exit_targets: dict[s.Loop, Targets] = {}
        pending: list[tuple[s.Block, tuple[s.Loop, ...]]] = [(structure.body, ())] if structure.goto_targets else []
        while pending:
            block, loops = pending.pop()
            for statement in block:
                if isinstance(statement, s.Label):
                    self._loops_around[statement.member] = loops
                elif isinstance(statement, s.Loop):
                    pending.append((statement.body, (*loops, statement)))
                else:
                    pending += [(inner, loops) for inner in s.blocks_of(statement)]

    def block(self, block: s.Block, loops: tuple[s.Loop, ...]) -> tuple[s.Block, Targets]:
        """The rewritten block, and the targets of jumps that may be pending at its end."""
        done: s.Block = []
        here = done  # the block to append to: `done`, or a guard for the case that no jump is pending
        targets: Targets = {}
        for statement in block:
            if isinstance(statement, s.Label):
                if statement.member in targets:
                    del targets[statement.member]
                    done.append(s.IfTarget(statement.member, [s.SetTarget(None)]) if targets else s.SetTarget(None))
                    here = done
                continue
            statements, more = self._statement(statement, loops)
            if targets and here is done:
                guard = s.IfTarget(None)
                done.append(guard)
                here = guard.body
            here += statements
            if more:
                targets |= more
                here = done
        return done, targets

    def _statement(self, statement: s.Statement, loops: tuple[s.Loop, ...]) -> tuple[s.Block, Targets]:
        if isinstance(statement, s.Goto):
            return self._goto(statement.target, loops)
        if isinstance(statement, s.Loop):
            return self._loop(statement, loops)
        if isinstance(statement, s.If):
            then, targets = self.block(statement.then, loops)
            otherwise, other = self.block(statement.otherwise, loops)
            return [s.If(statement.condition, then, otherwise)], targets | other
        if isinstance(statement, s.Select):
            arms = [(arm, *self.block(arm.body, loops)) for arm in statement.arms]
            targets = {target: None for _, _, inner in arms for target in inner}
            return [s.Select(statement.value, [replace(arm, body=body) for arm, body, _ in arms])], targets
        return [statement], {}

    def _goto(self, target: Continuation, loops: tuple[s.Loop, ...]) -> tuple[s.Block, Targets]:
        if loops and loops[-1].header is target:
            return [s.Continue()], {}
        if self._is_in_same_loop(target, loops):
            return [s.SetTarget(target)], {target: None}
        return [s.SetTarget(target), *self._leave(target, loops)], {}

    def _is_in_same_loop(self, target: Continuation, loops: tuple[s.Loop, ...]) -> bool:
        """Whether the label is in the innermost of the loops, and does not start one of them."""
        return self._loops_around[target] == loops and all(loop.header is not target for loop in loops)

    def _leave(self, target: Continuation, loops: tuple[s.Loop, ...]) -> s.Block:
        if not loops:
            raise UnsupportedGoto
        self._exit_targets.setdefault(loops[-1], {})[target] = None
        return [s.Break()]

    def _loop(self, loop: s.Loop, loops: tuple[s.Loop, ...]) -> tuple[s.Block, Targets]:
        """The rewritten loop, followed by the statements that continue pending jumps to its exit targets."""
        body, targets = self.block(loop.body, (*loops, loop))
        if targets:
            raise UnsupportedGoto
        done: s.Block = [s.Loop(loop.header, body)]
        for target in self._exit_targets.get(loop, ()):
            if loops and loops[-1].header is target:
                done.append(s.IfTarget(target, [s.SetTarget(None), s.Continue()]))
            elif self._is_in_same_loop(target, loops):
                targets[target] = None
            else:
                done.append(s.IfTarget(target, self._leave(target, loops)))
        return done, targets
