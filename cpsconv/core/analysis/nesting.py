"""Nested functions: their free values, and the continuations in which they are defined.

A function needs the values of others that its own statements and transfers use, and those that the functions need that
it calls, except its own. This is the least solution of the equations of lambda lifting (Johnsson 1985).

In a well-formed program, the owners of a function's free values enclose each other. The function is defined in the
innermost of them, in the continuation that the definitions of its free values there dominate first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Union

from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.graph import depth_first, functions_used, uses
from cpsconv.core.analysis.scc import strongly_connected_components
from cpsconv.core.ir import Continuation, Effect, Function, Parameter, Primitive, Program

Definition = Union[Parameter, Primitive, Effect]
"""A value that has a definition in a function."""


def owners_of_values(program: Program) -> dict[Definition, tuple[Function, Continuation]]:
    """The function and the continuation of each definition, in the order of the program."""
    return {
        value: (function, member)
        for function in program.functions
        for member in function.members()
        for value in (*member.parameters, *member.body)
    }


def find_free_values(program: Program) -> None:
    """Compute `Function.free` of all functions, in the order of the definitions."""
    owners = owners_of_values(program)
    order = {value: number for number, value in enumerate(owners)}
    for function in program.functions:
        function.free = []  # its calls use it
    needs = {function: _foreign(function, owners) for function in program.functions}
    callers: dict[Function, list[Function]] = {}
    for function in program.functions if any(needs.values()) else ():
        for callee in functions_used(function):
            callers.setdefault(callee, []).append(function)
    pending = [function for function in program.functions if needs[function]]
    for function in pending:  # appended to during iteration
        for caller in callers.get(function, ()):
            if missing := {each for each in needs[function] - needs[caller] if owners[each][0] is not caller}:
                needs[caller] |= missing
                pending.append(caller)
    for function, found in needs.items():
        function.free = sorted(found, key=order.__getitem__)


def _foreign(function: Function, owners: dict[Definition, tuple[Function, Continuation]]) -> set[Definition]:
    """The values of other functions that the members of `function` use."""
    found = set()
    for member in function.members():
        for value in uses(member):
            if isinstance(value, (Parameter, Primitive, Effect)) and value in owners:
                found.add(value)
    return {value for value in found if owners[value][0] is not function}


def uncalled_functions(program: Program) -> Iterator[Function]:
    """The functions with free values that functions without free values do not call, directly or indirectly."""
    roots = [function for function in program.functions if not function.free]
    reached = {function for function, _ in depth_first(roots, functions_used)}
    return (function for function in program.functions if function not in reached)


def drop_uncalled(program: Program) -> None:
    """Remove, in place, the nested functions that are not called. Computes the free values of all functions again."""
    find_free_values(program)
    dropped = set(uncalled_functions(program))
    program.functions = [function for function in program.functions if function not in dropped]


class Nesting:
    """The nesting of the functions of a well-formed program, or of some of them.

    `enclosing` has the function around each function with free values, `inner` the functions that are defined in each
    continuation, in their order.
    """

    def __init__(self, program: Program) -> None:
        self.enclosing: dict[Function, Function] = {}
        self.inner: dict[Continuation, list[Function]] = {}
        if not program.has_nested_functions:
            return
        owners = owners_of_values(program)
        around = {
            function: {owners[value][0] for value in function.free if value in owners} for function in program.functions
        }
        depth: dict[Function, int] = {}
        for function, *_ in strongly_connected_components(program.functions, around.__getitem__):
            depth[function] = 1 + max((depth.get(each, 0) for each in around[function]), default=0)
        trees: dict[Function, DominatorTree] = {}
        for function in filter(around.get, program.functions):
            innermost = max(around[function], key=depth.__getitem__)
            tree = trees.get(innermost) or trees.setdefault(innermost, DominatorTree(innermost))
            homes = [owners[value][1] for value in function.free if owners[value][0] is innermost]
            home = max(homes, key=lambda member: tree.dominated(member).start)
            self.enclosing[function] = innermost
            self.inner.setdefault(home, []).append(function)
