"""Warnings about finished programs: uninitialised variables, pointers to variables, and indices in loops."""

from __future__ import annotations

from cpsconv.core.analysis.graph import uses
from cpsconv.core.ir import Constant, Program, Undef
from cpsconv.core.operations.names import RELEASE, RESIZE
from cpsconv.core.operations.table import DEALLOCATE, ELEMENT
from cpsconv.core.source import Diagnostic, in_source_order

_ON_OBJECTS = frozenset([DEALLOCATE, RELEASE, RESIZE])


def warnings_of(program: Program) -> list[Diagnostic]:
    """The warnings about uninitialised variables, pointers to variables and indices in loops, in source order."""
    found: list[Diagnostic] = []
    for function in program.functions:
        statements = [each for member in function.members() for each in member.body]
        if any(each.op in _ON_OBJECTS for each in statements):
            from cpsconv.core.check.pointers import pointer_warnings  # imported on use: few programs have objects

            found += pointer_warnings(function)
        if any(each.op == ELEMENT and type(each.operands[1]) is not Constant for each in statements):
            from cpsconv.core.check.loop_indices import index_warnings  # likewise

            found += index_warnings(function)
        if any(Undef in map(type, uses(member)) for member in function.members()):
            from cpsconv.core.check.initialisation import uninitialised_uses  # likewise

            found += uninitialised_uses(function)
    return in_source_order(found)
