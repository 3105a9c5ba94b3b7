"""The allocations that become variables of C; the others become calls of `malloc`.

A variable of C exists from its declaration to the end of the block, and once for each call of the function. The object
of an allocation exists until it is deallocated, and each execution of the allocation creates another one. So an
allocation of a constant size is a variable if one of these is true:

- Each path from the allocation to the function's return, or to the allocation itself, deallocates the object.
- The object is *confined* (`cpsconv.core.analysis.places`; calls of the library do not matter). So the object cannot be
  accessed when the function has returned, or when the allocation is executed again.

A return from `main` ends the program, unless a function calls `main`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from cpsconv.core import ir
from cpsconv.core.analysis.graph import functions_used
from cpsconv.core.analysis.places import Places, is_deallocated
from cpsconv.core.analysis.reentry import is_reentered
from cpsconv.core.operations.table import ALLOCATE, DEALLOCATE, ELEMENT, FIELD
from cpsconv.targets.c.library import library_function
from cpsconv.targets.c.pointers import length, unit

MAX_SIZE = 1 << 20
"""The largest variable in bytes; the stack is limited."""


def count(effect: ir.Effect) -> int | None:
    """The number of units of an allocation of constant size; None if it is a single one, -1 if it varies."""
    inner = length(ir.object_type_of(effect))
    if not effect.operands:
        return inner
    (operand,) = effect.operands
    return int(operand.value) * (1 if inner is None else inner) if isinstance(operand, ir.Constant) else -1


Lifetime = Literal["block", "addresses", "function"]
"""The blocks that may declare a variable: one around the allocation and all deallocations, one around all uses of
addresses in the object, or the outermost block of the function."""


def variables(program: ir.Program) -> dict[ir.Value, Lifetime]:
    """The allocations that become variables."""
    allocations = {
        statement: (function, member)
        for function in program.functions
        for member in function.members()
        for statement in member.body
        if statement.op == ALLOCATE and isinstance(statement, ir.Effect)
    }
    if not allocations or any(
        statement.op == DEALLOCATE and statement.operands[0] not in allocations for statement in program.statements()
    ):
        return {}  # any object may be deallocated there
    called = {each for function in program.functions for each in functions_used(function)}
    confined = {function: Places(function, _kept).confined for function in dict(allocations.values())}
    found: dict[ir.Value, Lifetime] = {}
    for effect, (function, member) in allocations.items():
        number = count(effect)
        if number is not None and not 0 < number * max(unit(ir.object_type_of(effect)).size, 1) <= MAX_SIZE:
            continue
        if is_deallocated(effect, member):
            found[effect] = "block"
        elif effect in confined[function]:
            found[effect] = "addresses"
        elif function.name == "main" and function not in called and is_deallocated(effect, member, before_return=False):
            found[effect] = "function"
    return found


def volatile(program: ir.Program) -> set[ir.Value]:
    """The allocations that are volatile if they are variables: the compiler must not keep them in registers.

    In a function that calls `setjmp`, C leaves the values of other variables undefined after a jump. (Calls may access
    the shared objects, so these are in memory in any case.)
    """
    return {each for function in program.functions if is_reentered(function) for each in Places(function).unshared}


def bases(function: ir.Function) -> dict[ir.Value, ir.Value]:
    """The allocation of each address in an object that the function allocates."""
    places = Places(function)
    found: dict[ir.Value, ir.Value] = {}
    for statement in function.statements():
        if statement.op in (ALLOCATE, ELEMENT, FIELD):
            base = places.address(statement)[0].object
            if isinstance(base, ir.Effect) and base.op == ALLOCATE:
                found[statement] = base
    return found


def _kept(call: ir.Call) -> Iterable[ir.Value]:
    """The operands of a call that the callee may store or return."""
    row = library_function(call.callee) if call.pointer is None else None
    if row is None or (row.result and row.result_object is None):
        return call.operands
    return () if row.result_object is None else [call.arguments[row.result_object]]
