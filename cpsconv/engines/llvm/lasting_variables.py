"""The variables of constant size that exist, and may be written, at each access of the function that allocates them.

Their accesses need no look-up: the address is known after the allocation, and the size is a constant. A pointer that is
stored or passed is no such access, also if it is to the variable: it is looked up as any other one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cpsconv.abi.attributes import ON_STACK
from cpsconv.core import ir
from cpsconv.core.analysis.graph import incoming
from cpsconv.core.analysis.reentry import jumps
from cpsconv.core.operations.pointers import MAX_SIZE
from cpsconv.core.operations.table import ALLOCATE, PROTECTING

_ENDING = "deallocate"


def lasting_variables(program: ir.Program, root: Callable[[ir.Value], ir.Value]) -> dict[ir.Value, int]:
    """The variables with their sizes in bytes. `root` returns the pointer from which an address was computed.

    There are none in a program that ends or protects variables by other pointers, or by `longjmp`.
    """
    changing = {each: root(each.operands[0]) for each in program.statements() if each.op in (_ENDING, *PROTECTING)}
    if jumps(program) or not all(map(_is_allocation, changing.values())):
        return {}
    constant = {changed for each, changed in changing.items() if each.op in PROTECTING}
    found: dict[ir.Value, int] = {}
    for function in program.functions:
        sizes: dict[ir.Value, int] = {
            each: size for each in function.statements() if (size := _size(each)) and each not in constant
        }
        if sizes:
            for variable in _used_after_their_end(function, sizes, root):
                sizes.pop(variable, None)
            found |= sizes
    return found


def _is_allocation(value: ir.Value) -> bool:
    return isinstance(value, ir.Effect) and value.op == ALLOCATE


def _size(statement: ir.Statement) -> int | None:
    """The size of an allocated variable; None for other statements, and if it is not constant, or wrong."""
    if not isinstance(statement, ir.Effect) or statement.op != ALLOCATE or ON_STACK in statement.attributes:
        return None
    size = ir.object_type_of(statement).size
    for count in statement.operands:
        if not isinstance(count, ir.Constant):
            return None
        size *= int(count.value)
    return size if 0 < size <= MAX_SIZE else None


def _used_after_their_end(
    function: ir.Function, variables: dict[ir.Value, int], root: Callable[[ir.Value], ir.Value]
) -> Iterator[ir.Value]:
    """The roots of operands in statements that a path reaches after the end of the variable, with repetitions."""
    bits = {variable: 1 << index for index, variable in enumerate(variables)}
    edges = incoming(function)
    after: dict[ir.Continuation, int] = dict.fromkeys(function.members(), 0)

    def before(member: ir.Continuation) -> int:
        ended = 0
        for source, _ in edges.get(member, ()):
            ended |= after[source]
        return ended

    followers: dict[ir.Continuation, list[ir.Continuation]] = {member: [] for member in after}
    for member, arriving in edges.items():
        for source, _ in arriving:
            followers[source].append(member)
    pending = [*after]
    while pending:
        member = pending.pop()
        ended = before(member)
        for statement in member.body:
            ended = _after(statement, ended, bits)
        if ended != after[member]:
            after[member] = ended
            pending += followers[member]
    for member in after:
        ended = before(member)
        for statement in member.body:
            yield from (each for each in map(root, statement.operands) if ended & bits.get(each, 0))
            ended = _after(statement, ended, bits)


def _after(statement: ir.Statement, ended: int, bits: dict[ir.Value, int]) -> int:
    """The variables that have ended after a statement."""
    if statement.op == ALLOCATE:
        return ended & ~bits.get(statement, 0)
    return ended | bits.get(statement.operands[0], 0) if statement.op == _ENDING else ended
