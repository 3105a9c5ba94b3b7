"""What analyses, checks and back ends ask of operations; all follows from the rows of the table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from cpsconv.core.ir import PTR, Statement, Type
from cpsconv.core.operations.names import PRINT
from cpsconv.core.operations.table import EFFECTS, LOAD_OR, OPERATIONS, STORE
from cpsconv.core.operations.types import is_float

Entry = TypeVar("Entry")


def passes_undefined(op: str) -> int | None:
    """The index of the operand of an operation on memory that may be undefined: a stored or a default value."""
    return {STORE: 0, LOAD_OR: 1}.get(op)


def accesses_memory(statement: Statement) -> bool:
    """Whether the statement is an operation on memory, or prints a string in memory."""
    row = EFFECTS.get(statement.op)
    return row is not None and (row.is_on_memory or any(operand.type is PTR for operand in statement.operands))


def opposite(op: str, type: Type) -> str | None:
    """The negation of the comparison `op` on operands of the type; None if there is none, or `op` is no comparison.

    On floating types only ``==`` and ``!=`` have a negation: for a NaN, both ``<`` and ``>=`` are false.
    """
    row = OPERATIONS[op]
    return None if is_float(type) and not row.commutative else row.negation


def in_order_of_use(op: str, operands: Sequence[Entry]) -> Sequence[Entry]:
    """The operands in the order in which the operation examines them: the first undefined operand is reported.

    A divisor is compared with 0 before the dividend is examined, and an index multiplied by the size of an element
    before the pointer is examined; printing examines its format after its arguments.
    """
    if OPERATIONS[op].kind in ("division", "shift", "address"):
        return operands[::-1]
    return [*operands[1:], operands[0]] if op == PRINT else operands
