"""Elimination of ``goto`` and of jumps out of several loops, for languages that lack both, such as Python.

A variable holds the *target* of a pending jump, 0 if none is pending. A ``goto`` becomes an assignment to the variable.
Until control reaches the label, loops are left or continued, and other statements are skipped.

A jump may lead forward to a label in an enclosing block, or back to the header of an enclosing loop. The structured
form of a function without irreducible loops has no other ``goto``.
"""

from __future__ import annotations

from cpsconv.ir import Continuation
from cpsconv.nodes import replace
from cpsconv.structuring import tree


class UnsupportedGoto(Exception):
    """A ``goto`` leads neither forward to an enclosing block nor back to an enclosing loop."""


def without_gotos(structure: tree.Structure) -> tree.Block:
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

    def __init__(self, structure: tree.Structure) -> None:
        self._loops_around: dict[Continuation, tuple[tree.Loop, ...]] = {}
        self._exit_targets: dict[tree.Loop, Targets] = {}
        pending: list[tuple[tree.Block, tuple[tree.Loop, ...]]] = (
            [(structure.body, ())] if structure.goto_targets else []
        )
        while pending:
            block, loops = pending.pop()
            for statement in block:
                if isinstance(statement, tree.Label):
                    self._loops_around[statement.member] = loops
                elif isinstance(statement, tree.Loop):
                    pending.append((statement.body, (*loops, statement)))
                else:
                    pending += [(inner, loops) for inner in tree.blocks_of(statement)]

    def block(self, block: tree.Block, loops: tuple[tree.Loop, ...]) -> tuple[tree.Block, Targets]:
        """The rewritten block, and the targets of jumps that may be pending at its end."""
        done: tree.Block = []
        here = done  # the block to append to: `done`, or a guard for the case that no jump is pending
        targets: Targets = {}
        for statement in block:
            if isinstance(statement, tree.Label):
                if statement.member in targets:
                    del targets[statement.member]
                    done.append(
                        tree.IfTarget(statement.member, [tree.SetTarget(None)]) if targets else tree.SetTarget(None)
                    )
                    here = done
                continue
            statements, more = self._statement(statement, loops)
            if targets and here is done:
                guard = tree.IfTarget(None)
                done.append(guard)
                here = guard.body
            here += statements
            if more:
                targets |= more
                here = done
        return done, targets

    def _statement(self, statement: tree.Statement, loops: tuple[tree.Loop, ...]) -> tuple[tree.Block, Targets]:
        if isinstance(statement, tree.Goto):
            return self._goto(statement.target, loops)
        if isinstance(statement, tree.Loop):
            return self._loop(statement, loops)
        if isinstance(statement, tree.If):
            then, targets = self.block(statement.then, loops)
            otherwise, other = self.block(statement.otherwise, loops)
            return [tree.If(statement.condition, then, otherwise)], targets | other
        if isinstance(statement, tree.Select):
            arms = [(arm, *self.block(arm.body, loops)) for arm in statement.arms]
            targets = {target: None for _, _, inner in arms for target in inner}
            return [tree.Select(statement.value, [replace(arm, body=body) for arm, body, _ in arms])], targets
        return [statement], {}

    def _goto(self, target: Continuation, loops: tuple[tree.Loop, ...]) -> tuple[tree.Block, Targets]:
        if loops and loops[-1].header is target:
            return [tree.Continue()], {}
        if self._is_in_same_loop(target, loops):
            return [tree.SetTarget(target)], {target: None}
        return [tree.SetTarget(target), *self._leave(target, loops)], {}

    def _is_in_same_loop(self, target: Continuation, loops: tuple[tree.Loop, ...]) -> bool:
        """Whether the label is in the innermost of the loops, and does not start one of them."""
        return self._loops_around[target] == loops and all(loop.header is not target for loop in loops)

    def _leave(self, target: Continuation, loops: tuple[tree.Loop, ...]) -> tree.Block:
        if not loops:
            raise UnsupportedGoto
        self._exit_targets.setdefault(loops[-1], {})[target] = None
        return [tree.Break()]

    def _loop(self, loop: tree.Loop, loops: tuple[tree.Loop, ...]) -> tuple[tree.Block, Targets]:
        """The rewritten loop, followed by the statements that continue pending jumps to its exit targets."""
        body, targets = self.block(loop.body, (*loops, loop))
        if targets:
            raise UnsupportedGoto
        done: tree.Block = [tree.Loop(loop.header, body)]
        for target in self._exit_targets.get(loop, ()):
            if loops and loops[-1].header is target:
                done.append(tree.IfTarget(target, [tree.SetTarget(None), tree.Continue()]))
            elif self._is_in_same_loop(target, loops):
                targets[target] = None
            else:
                done.append(tree.IfTarget(target, self._leave(target, loops)))
        return done, targets
