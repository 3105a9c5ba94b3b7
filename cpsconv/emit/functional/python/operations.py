"""What computes the operations of a program in Python: its operators, and the functions of the prelude.

Integers of Python have no bounds. So what may leave its type is brought back, ``to_int(a + b)``. That is done but once,
even if the operands may have left it, too: ``to_int(a + b - c)`` is the same, since ``a + b`` is congruent to
``to_int(a + b)`` modulo 2**32.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cpsconv.emit.functional.terms import OPEN, PREFIX, Term, atom, call, infix, prefix, quoted
from cpsconv.ir import BOOL, DOUBLE, FLOAT, INT, LONG, UNSIGNED, UNSIGNED_LONG, Constant, Effect, Scalar, Statement
from cpsconv.operations.semantics import normalised
from cpsconv.operations.table import CONVERT
from cpsconv.operations.types import contains
from cpsconv.text.layout import wrapped


def snake_case(type: Scalar) -> str:
    """The name of a type as one word."""
    return type.name.replace(" ", "_")


def computed(statement: Statement, operands: Sequence[Term]) -> Term:
    """``to_int(a + b)``, ``printf("%d", a)``: the statement, of which these are the operands."""
    op, type = statement.op, statement.operands[0].type
    assert isinstance(type, Scalar)
    if isinstance(statement, Effect):
        return call(op, operands)
    if op == CONVERT:
        return _converted(type, statement.type, operands[0])
    if op in _COMPARISONS:
        return infix(op, operands)
    if type.kind == "integer":
        return _on_integers(op, type, operands)
    return _on_floats(op, type, operands) if type.kind == "float" else _on_bools(op, operands)


# ----------------------------------------------------------------------------------------------------- operations

_COMPARISONS = frozenset(["==", "!=", "<", "<=", ">", ">="])
_DIVISIONS = {"/": "quotient", "%": "remainder"}
_PREFIXES = {"neg": "-", "~": "~"}

_LEAVING = {True: frozenset(["+", "-", "*", "<<", "neg", "abs"]), False: frozenset(["+", "-", "*", "<<", "neg", "~"])}
"""The operations whose result may not be in the range of their type, by whether that is signed."""


def _on_integers(op: str, type: Scalar, operands: Sequence[Term]) -> Term:
    if op in _DIVISIONS:
        return call(f"{snake_case(type)}_{_DIVISIONS[op]}", operands)
    if op in ("<<", ">>"):
        operands = operands[0], _shift_count(operands[1], type.bits)
    if op not in _LEAVING[type.signed]:
        return _exact(op, operands)
    if op != "abs":
        operands = [_congruent(operand, type) for operand in operands]
    return _brought_back(type, _exact(op, operands))


@dataclass(frozen=True, slots=True, kw_only=True)
class _BroughtBack(Term):
    """``to_int(exact)``: what is congruent to another term, modulo 2 to the power of `bits`."""

    exact: Term
    bits: int


def _brought_back(type: Scalar, exact: Term) -> Term:
    return _BroughtBack(call(f"to_{snake_case(type)}", [exact]).piece, exact=exact, bits=type.bits)


def _congruent(term: Term, type: Scalar) -> Term:
    """The term, or a simpler one where the result is brought back into the type anyway."""
    return term.exact if isinstance(term, _BroughtBack) and term.bits >= type.bits else term


def _shift_count(count: Term, bits: int) -> Term:
    """``count % 32``, or a number below 32."""
    if isinstance(count.piece, str) and count.piece.isdecimal():
        return Term(str(int(count.piece) % bits))
    return infix("%", [count, Term(str(bits))])


def _on_floats(op: str, type: Scalar, operands: Sequence[Term]) -> Term:
    exact = call("divided", operands) if op == "/" else _exact(op, operands)
    return call("to_float", [exact]) if type is FLOAT and len(operands) == 2 else exact


def _on_bools(op: str, operands: Sequence[Term]) -> Term:
    return Term(wrapped("not ", atom(operands[0]).piece), OPEN) if op == "!" else infix(op, operands)


def _exact(op: str, operands: Sequence[Term]) -> Term:
    """What Python computes, whose integers have no bounds."""
    if op == "abs":
        return call("abs", operands)
    return prefix(_PREFIXES[op], operands[0]) if op in _PREFIXES else infix(op, operands)


# ---------------------------------------------------------------------------------------------------- conversions


def _converted(source: Scalar, target: Scalar, operand: Term) -> Term:
    if target is source or (target is DOUBLE and source is FLOAT):
        return operand
    if target is BOOL:
        return infix("!=", [operand, Term("0")])
    if target.kind == "float":
        return call("float" if target is DOUBLE else "to_float", [operand])
    if source.kind == "float":
        return _truncated(target, operand)
    if source is BOOL:
        return call("int", [operand])
    if contains(target, source):
        return operand
    return _brought_back(target, _congruent(operand, target))


def _truncated(target: Scalar, operand: Term) -> Term:
    """What the instructions of x86-64 make of a floating number: see `cpsconv.operations.semantics`."""
    if target is UNSIGNED_LONG:
        return call("truncated_to_unsigned_long", [operand])
    bits = "64" if target in (LONG, UNSIGNED) else "32"
    truncated = call("truncated", [operand, Term(bits)])
    return truncated if target in (INT, LONG) else _brought_back(target, truncated)


# ------------------------------------------------------------------------------------------------------- literals


def literal(constant: Constant) -> Term:
    """``5``, ``-0.5``, ``True``, ``"text"``"""
    value = normalised(constant.type, constant.value)
    if isinstance(value, str):
        return Term(quoted(value, r"\x{:02x}"))
    text = repr(value)
    if isinstance(value, float) and not math.isfinite(value):
        text = f"{'-' if math.copysign(1, value) < 0 else ''}math.{abs(value)}"
    return Term(text, PREFIX if text.startswith("-") else "")
