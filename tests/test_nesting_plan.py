"""Nesting plans with bounded depth: lifted groups have exactly their free variables as parameters, on any graph."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import given

from cpsconv.core.analysis.graph import uses
from cpsconv.core.ir import Continuation, Function, Program, Value
from cpsconv.targets.functional.nesting_plan import LiftedGroup, NestingPlan
from testing.ir_programs import programs
from testing.running import converted


def inside_of(plan: NestingPlan, group: LiftedGroup) -> Iterator[Continuation]:
    """The continuations in a lifted group: its members, and recursively those inside of them and passed by them."""
    pending = list(group.members)
    for member in pending:
        yield member
        if member.transfer:
            pending += [edge.target for edge in member.transfer.edges if edge.target in plan.inline]
        pending += plan.groups[member]


def is_local(value: Value) -> bool:
    return isinstance(value, Continuation) and not isinstance(value, Function)


@given(programs())
def test_a_lifted_group_is_closed_and_has_no_unused_parameters(program: Program) -> None:
    for function in program.functions:
        plan = NestingPlan(function, max_depth=2)
        for group in plan.lifted.values():
            members = [*inside_of(plan, group)]
            defined = {*members, *(each for member in members for each in (*member.parameters, *member.body))}
            used = {
                value
                for member in members
                for value in uses(member)
                if is_local(value) or type(value).__name__ in ("Parameter", "Primitive", "Effect")
            }
            assert {*group.free} == used - defined
            assert len({*group.free}) == len(group.free)


def test_the_nesting_depth_is_bounded() -> None:
    ifs = "".join(f"if (x > {number}) s += {number}; else s -= x;\n" for number in range(50))
    (function,) = converted(f"int f(int x) {{ int s = 0; {ifs} return s; }}", "scc").functions
    plan = NestingPlan(function, max_depth=20)
    assert [len(group.free) for group in plan.lifted.values()] == [3, 3]  # s, x and ret
    depth = {function: 0, **{member: 1 for group in plan.lifted.values() for member in group.members}}
    for member in reversed(plan.innermost_first):
        for inside in plan.groups[member]:
            depth.setdefault(inside, depth[member] + 1)
    assert len(depth) == 151 and max(depth.values()) == 20
