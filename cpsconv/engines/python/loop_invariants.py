"""Loop-invariant code motion: operations whose operands no iteration changes are computed before the loop, once.

Only operations that cannot fail are moved, since the loop may never compute them. Of equal operations, the first one is
kept if it is computed on every path to the others. Conversions, which mostly cost nothing in Python, and arguments,
such as the next number of a counter, are not shared.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from cpsconv.core import ir
from cpsconv.core.analysis.dominance import Dominance
from cpsconv.core.analysis.graph import incoming, successors
from cpsconv.core.analysis.loops import Loop, LoopNest
from cpsconv.core.analysis.undefined import Place, may_be_undefined
from cpsconv.core.erasure import copied
from cpsconv.core.operations.table import CONVERT, PRIMITIVES, constant_key, traps
from cpsconv.core.transform.rewrite import replace_values

_MOVED = ("arithmetic", "conversion")
"""The kinds of operations that are moved. The others are part of conditions and addresses."""


def with_invariants_before_loops(program: ir.Program) -> ir.Program:
    """A copy of the program, whose loops compute what is invariant only once; the program itself if it has no loops."""
    if not any(map(_has_loop, program.functions)):
        return program
    program = copied(program)
    uncertain = may_be_undefined(program)
    for function in program.functions:
        if _has_loop(function):
            _Motion(function, uncertain).run()
    return program


def _has_loop(function: ir.Function) -> bool:
    """Whether a continuation jumps to one before it, as each loop does."""
    numbers = {member: number for number, member in enumerate(function.members())}
    return any(
        numbers.get(following, len(numbers)) <= number
        for member, number in numbers.items()
        for following in successors(member)
    )


def _key(operand: ir.Value) -> object:
    """A key that is equal for equal operands, also for equal conversions of a value."""
    if isinstance(operand, ir.Primitive) and operand.op == CONVERT:
        [value] = operand.operands
        return operand.type, constant_key(value) if isinstance(value, ir.Constant) else value
    return constant_key(operand) if isinstance(operand, ir.Constant) else operand


class _Motion:
    """The motion of the operations of one function."""

    def __init__(self, function: ir.Function, uncertain: Collection[Place]) -> None:
        self._function = function
        self._uncertain = uncertain
        self._edges = incoming(function)
        self._dominance = Dominance[ir.Continuation](function, successors, [*function.members()])
        self._loops = LoopNest(self._dominance, successors).innermost
        self._owners: dict[ir.Value, ir.Continuation] = {
            value: member for member in function.members() for value in (*member.parameters, *member.body)
        }
        self._passed = {value for edges in self._edges.values() for _, edge in edges for value in edge.arguments}
        self._before = {loop: self._place_before(loop) for loop in {*self._loops.values()}}

    def run(self) -> None:
        """Move what can be moved, operands first."""
        known: dict[object, ir.Primitive] = {}
        replaced: dict[ir.Primitive, ir.Value] = {}
        moved: dict[ir.Continuation, list[ir.Statement]] = defaultdict(list)
        for member in self._dominance.preorder():
            for statement in member.body:
                if not isinstance(statement, ir.Primitive) or not self._is_movable(statement):
                    continue
                operands = [replaced.get(each, each) for each in statement.operands]  # type: ignore[call-overload]
                key = statement.op, statement.type, tuple(map(_key, operands))
                place = self._place(member, operands)
                is_shared = statement.op != CONVERT and statement not in self._passed
                if is_shared and key in known and self._dominance.dominates(self._owners[known[key]], place):
                    replaced[statement] = known[key]
                elif place is not member:
                    moved[place].append(statement)
                if is_shared and statement not in replaced:
                    known[key] = statement
                self._owners[statement] = place
        gone = {*replaced, *(each for statements in moved.values() for each in statements)}
        for member in self._function.members():
            member.body = [*(each for each in member.body if each not in gone), *moved.get(member, ())]
        replace_values(self._function, replaced)

    def _is_movable(self, primitive: ir.Primitive) -> bool:
        return (
            PRIMITIVES[primitive.op].kind in _MOVED
            and not traps(primitive.op, primitive.type)
            and not any(isinstance(each, ir.Undef) or each in self._uncertain for each in primitive.operands)
        )

    def _place(self, member: ir.Continuation, operands: Collection[ir.Value]) -> ir.Continuation:
        """The continuation that computes an operation of `member` on these operands: that before the outermost loop."""
        loop = self._loops.get(member)
        while loop and (before := self._before[loop]) and not any(self._is_in(each, loop) for each in operands):
            member, loop = before, loop.around
        return member

    def _is_in(self, value: ir.Value, loop: Loop[ir.Continuation]) -> bool:
        """Whether the value is computed in the loop."""
        owner = self._owners.get(value)
        around = self._loops.get(owner) if owner else None
        while around and around is not loop:
            around = around.around
        return around is loop

    def _place_before(self, loop: Loop[ir.Continuation]) -> ir.Continuation | None:
        """The only continuation from which the loop is entered, if it is in the same loops around it."""
        header = loop.entries[0]
        entering = {
            source for source, _ in self._edges.get(header, ()) if not self._dominance.dominates(header, source)
        }
        if loop.irreducible or len(entering) != 1:
            return None
        [source] = entering
        return source if self._loops.get(source) is loop.around else None
