"""The functions in which a runtime error may occur, apart from exceeded limits.

Conservative, in linear time: a function is infallible if it only computes, by operations that are defined for all
integers, and calls such functions only. So all effects, and calls of external functions and through pointers, may fail.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection

from cpsconv.core.analysis.graph import depth_first, functions_used, uses
from cpsconv.core.analysis.undefined import Place
from cpsconv.core.ir import Call, Continuation, Effect, External, Function, Program, Statement, Undef, Value
from cpsconv.core.operations.table import traps


def fallible(program: Program, uncertain: Collection[Place]) -> set[Function]:
    """The functions in which, or in whose callees, an error may occur, given the places undefined values may reach."""

    def is_wrong(value: Value) -> bool:
        return isinstance(value, Undef) or value in uncertain or (isinstance(value, External) and not value.ends)

    callers: dict[Function, list[Function]] = defaultdict(list)
    first = [*program.externals]
    for function in program.functions:
        for used in functions_used(function):
            callers[used].append(function)
        if any(_may_fail(member) or any(map(is_wrong, uses(member))) for member in function.members()):
            first.append(function)
    return {each for each, _ in depth_first(first, lambda each: callers.get(each, []))}


def _may_fail(member: Continuation) -> bool:
    is_pointer_call = isinstance(member.transfer, Call) and member.transfer.pointer is not None
    return is_pointer_call or any(map(_statement_may_fail, member.body))


def _statement_may_fail(statement: Statement) -> bool:
    return isinstance(statement, Effect) or traps(statement.op, statement.type)
