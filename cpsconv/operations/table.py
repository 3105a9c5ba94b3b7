"""What the operations of a CPS program are called, take and give. `cpsconv.operations.semantics` computes them.

Operators keep the symbol that C gives them, so that `op` is what the text shows. No implicit conversion exists: both
operands of an arithmetic operator or comparison have the same type. (In C, the front end writes the conversions.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from math import copysign
from typing import NamedTuple

from cpsconv.ir import BOOL, INT, STRING, VOID, Constant, Scalar, Type

Rule = Callable[[Sequence[Type]], "Scalar | None"]
"""From the operands' types to the result's; `None` where the operation does not take such operands."""


class Operation(NamedTuple):
    """How an operation is typed; `traps` says that on integers it may end in a runtime error, defined as they are."""

    rule: Rule
    traps: bool = False


_ARITHMETIC = frozenset(["integer", "float"])
_DATA = _ARITHMETIC | {"bool"}


def is_integer(type: Type) -> bool:
    """Whether values of the type are whole numbers (`bool` is a type of its own)."""
    return isinstance(type, Scalar) and type.kind == "integer"


def is_float(type: Type) -> bool:
    """Whether the type is `float` or `double`."""
    return isinstance(type, Scalar) and type.kind == "float"


def is_arithmetic(type: Type) -> bool:
    """Whether the type is an integer or floating type."""
    return isinstance(type, Scalar) and type.kind in _ARITHMETIC


def is_data(type: Type) -> bool:
    """Whether the type is `bool` or arithmetic."""
    return isinstance(type, Scalar) and type.kind in _DATA


def _same(accepts: Callable[[Type], bool], count: int, result: Scalar | None = None) -> Rule:
    """One or two operands of one type, which is also the result's unless `result` is given."""

    def rule(types: Sequence[Type]) -> Scalar | None:
        first = types[0] if len(types) == count else None
        if isinstance(first, Scalar) and types[-1] is first and accepts(first):
            return result or first
        return None

    return rule


def _shift(types: Sequence[Type]) -> Scalar | None:
    """The result has the type of the shifted value; the count may have another integer type."""
    if len(types) == 2 and is_integer(types[0]) and is_integer(types[1]) and isinstance(types[0], Scalar):
        return types[0]
    return None


def _bits(type: Type) -> bool:
    return type is BOOL or is_integer(type)


CONVERT = "convert"
"""The conversion to the type of the `Primitive`; the text shows it as that type's name, applied."""

PRIMITIVES: dict[str, Operation] = {
    "+": Operation(_same(is_arithmetic, 2)),
    "-": Operation(_same(is_arithmetic, 2)),
    "*": Operation(_same(is_arithmetic, 2)),
    "/": Operation(_same(is_arithmetic, 2), traps=True),
    "%": Operation(_same(is_integer, 2), traps=True),
    "&": Operation(_same(_bits, 2)),
    "|": Operation(_same(_bits, 2)),
    "^": Operation(_same(_bits, 2)),
    "<<": Operation(_shift),
    ">>": Operation(_shift),
    "==": Operation(_same(is_data, 2, BOOL)),
    "!=": Operation(_same(is_data, 2, BOOL)),
    "<": Operation(_same(is_data, 2, BOOL)),
    "<=": Operation(_same(is_data, 2, BOOL)),
    ">": Operation(_same(is_data, 2, BOOL)),
    ">=": Operation(_same(is_data, 2, BOOL)),
    "neg": Operation(_same(is_arithmetic, 1)),
    "~": Operation(_same(is_integer, 1)),
    "!": Operation(_same(lambda type: type is BOOL, 1)),
    "abs": Operation(_same(is_arithmetic, 1)),
}
"""Pure operations but for conversions. `neg` is shown as a `-` before its operand."""

EFFECTS: dict[str, Operation] = {
    "printf": Operation(lambda types: INT if types and types[0] is STRING else None),
    "puts": Operation(lambda types: INT if [*types] == [STRING] else None),
    "putchar": Operation(lambda types: INT if [*types] == [INT] else None),
    "eprint": Operation(lambda types: VOID if [*types] == [STRING] else None),
}
"""Ordered operations. `eprint` writes to standard error; the others are C's."""


@cache
def result_type(op: str, operands: tuple[Type, ...]) -> Scalar | None:
    """The type of what the primitive or effect `op` gives; None where it does not take such operands."""
    operation = PRIMITIVES.get(op) or EFFECTS.get(op)
    return operation.rule(operands) if operation else None


def traps(op: str, result: Scalar) -> bool:
    """Whether the primitive `op` with that result type may end in a runtime error on defined operands."""
    return op != CONVERT and PRIMITIVES[op].traps and result.kind == "integer"


def is_commutative(op: str) -> bool:
    """Whether the operands of `op` can be exchanged. (Of two NaNs, the first decides on the sign of a sum.)"""
    return op in _COMMUTATIVE


_COMMUTATIVE = frozenset(["+", "*", "&", "|", "^", "==", "!="])


def opposite(op: str, type: Type) -> str | None:
    """The comparison that holds of values of that type where `op` does not; None if there is none, or `op` is none.

    Where a number is a NaN, neither ``<`` nor ``>=`` holds.
    """
    return None if is_float(type) and op not in ("==", "!=") else _OPPOSITES.get(op)


_OPPOSITES = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


def constant_key(constant: Constant) -> tuple[object, ...]:
    """What two constants have in common if and only if they are the same."""
    sign = copysign(1, constant.value) if isinstance(constant.value, float) else None  # of a zero, or a NaN
    return constant.type, repr(constant.value), sign


def wrap(type: Scalar, value: int) -> int:
    """The integer of that type which is congruent to `value` modulo ``2 ** type.bits`` (two's complement)."""
    value &= (1 << type.bits) - 1
    return value - (1 << type.bits) if type.signed and value >> (type.bits - 1) else value
