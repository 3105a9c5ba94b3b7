"""Calls that may return more than once, and transfers that enter such a call again."""

from __future__ import annotations

from cpsconv.core.ir import Call, External, Function, Program


def is_reentered(function: Function) -> bool:
    """Whether the function has a call that may return more than once."""
    transfers = (member.transfer for member in function.members())
    return any(isinstance(each, Call) and each.callee.returns_again for each in transfers)


def jumps(program: Program) -> bool:
    """Whether a call of the program may return more than once, or the program enters such a call again."""
    edges = (edge for member in program.members() if member.transfer for edge in member.transfer.edges)
    enters = any(isinstance(edge.target, External) and not edge.target.ends for edge in edges)
    return enters or any(map(is_reentered, program.functions))
