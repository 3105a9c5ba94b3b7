"""The expansion of operations into others, for back ends that have no spelling of their own.

The row of an operation may have an `expansion` into other operations (`cpsconv.core.operations.table`). A back end
states which operations it does not spell, in general or on some operands (`completeness.Unspelled`). The steps of an
expansion have the location of the operation, so that a runtime error is reported there.
"""

from __future__ import annotations

from cpsconv.core.erasure import copied
from cpsconv.core.ir import NO_ATTRIBUTES, Constant, Primitive, Program, Scalar, Statement, Type, Value
from cpsconv.core.operations.expansions import Choices
from cpsconv.core.operations.odd_types import is_odd
from cpsconv.core.operations.semantics import fold
from cpsconv.core.operations.table import CONVERT, PRIMITIVES, Expansion, result_type
from cpsconv.core.operations.types import is_whole
from cpsconv.core.transform.odd_types import Lacks, without_odd_types


def expanded(program: Program, unspelled: Choices, is_lacking: Lacks = is_odd) -> Program:
    """A copy of the program in which the `unspelled` operations are expanded; the program itself if it has none.

    Types that the back end lacks become others (`cpsconv.core.transform.odd_types`).

    The program has neither nested functions nor explicit memory.
    """
    program = without_odd_types(program, steps, is_lacking)
    if not unspelled or not any(_expansion(each, unspelled) for each in program.statements()):
        return program
    copy = copied(program)
    for member in copy.members():
        member.body = [step for statement in member.body for step in steps(statement, unspelled)]
    return copy


def with_standard_types(program: Program) -> Program:
    """A copy of the program without types that back ends lack; the program itself if it has none."""
    return without_odd_types(program, steps)


def _expansion(statement: Statement, unspelled: Choices) -> Expansion | None:
    choose = unspelled.get(statement.op)
    return choose(statement) if choose and isinstance(statement, Primitive) else None


def steps(statement: Statement, unspelled: Choices) -> list[Statement]:
    """The statements that compute the statement without `unspelled` operations.

    The last one is the statement itself, which is changed: it loses its attributes, which hold for the operation that
    was expanded. (Recursive, as deep as expansions are nested.)
    """
    expansion = _expansion(statement, unspelled)
    if not expansion:
        return [statement]
    found: list[Statement] = []

    def make(operation: str | Scalar, *operands: Value) -> Value:
        step = _primitive(statement, operation, operands)
        if isinstance(step, Primitive):
            found.extend(steps(step, unspelled))
        return step

    value = expansion(make, *statement.operands)
    if found and found[-1] is value:
        found.pop()
        statement.op, statement.operands = value.op, value.operands
    else:
        statement.op, statement.operands = CONVERT, (value,)
    statement.attributes = NO_ATTRIBUTES
    return [*found, statement]


def _primitive(statement: Statement, operation: str | Scalar, operands: tuple[Value, ...]) -> Primitive | Constant:
    """An operation, or a conversion to a type, as a step of what the statement does; a constant if it is known."""
    op, target = (CONVERT, operation) if isinstance(operation, Scalar) else (operation, None)
    types: tuple[Type, ...] = tuple([operand.type for operand in operands])
    result = result_type(op, types, target)
    assert result, f"the expansion of {statement.op} applies {op} to {', '.join(map(str, types))}"
    step = Primitive(op, operands, result, None, statement.span)
    return fold(step) or step


def faults(statement: Statement) -> list[tuple[str, list[Primitive]]]:
    """The messages of the runtime errors that a primitive raises on integers, each with its conditions, in order.

    Errors that do not occur with constant operands, and conditions that hold with them, are omitted.
    """
    row = PRIMITIVES.get(statement.op)
    if row is None or row.faults is None or not is_whole(statement.type):
        return []
    pairs = row.faults(lambda operation, *operands: _primitive(statement, operation, operands), *statement.operands)
    return [
        (message, [each for each in conditions if isinstance(each, Primitive)])
        for message, conditions in pairs
        if not any(isinstance(each, Constant) and not each.value for each in conditions)
    ]
