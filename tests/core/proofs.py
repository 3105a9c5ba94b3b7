"""Proofs of rules by z3: what a term computes, as a formula, for a choice of types.

An integer is a bit-vector of its width, an `integer` an Int, a `bool` a Bool, a `float` or `double` a floating-point
number of SMT-LIB. Formulas do not know the limit for the size of products of `integer`. The
formula of a term says when its evaluation is a fault and what its value is otherwise. It has to say what
`cpsconv.core.operations.semantics` computes: `tests/core/test_proofs.py` compares.

SMT-LIB has one NaN only. So nothing is proven of the sign of a NaN.
"""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import z3

from cpsconv.core.ir import BOOL, DOUBLE, INTEGER, Constant, Primitive, Scalar
from cpsconv.core.operations.runtime_errors import ProgramError
from cpsconv.core.operations.semantics import normalised, operation
from cpsconv.core.operations.table import CONVERT, result_type
from cpsconv.core.operations.types import is_whole, range_of
from cpsconv.core.simplify.terms import Number, Operation, Rule, Term, Types, Unknown

Values = Mapping[str, Any]
"""What the unknowns of a term stand for."""

PATIENCE = 20_000
"""How many milliseconds z3 may take for one claim. What it does not know by then is neither proven nor refuted."""

FAULT = "fault"
"""What is computed where there is a fault."""

# --------------------------------------------------------------------------------------------------------- proofs


class Meaning(NamedTuple):
    """What a term computes: a value of the type, unless it is a fault."""

    type: Scalar
    value: z3.ExprRef
    fault: z3.BoolRef


def proves(rule: Rule, types: Types) -> bool:
    """Whether the rule holds for a choice of types."""
    return counterexample(rule, types) is None


def counterexample(rule: Rule, types: Types) -> Values | None:
    """Values of the unknowns for which the rule does not hold; None if there are none, and that is a proof."""
    if shifts_right(rule.left) and shifts_right(rule.right) and not _falsifying(claim_about_bits(rule, types)):
        return None
    model = _falsifying(claim(rule, types))
    if model is None:
        return None
    return {
        unknown.name: python_value(types[unknown.type], model.eval(meaning(unknown, types).value, True))
        for unknown in unknowns_in(rule.left)
    }


def claim(rule: Rule, types: Types) -> z3.BoolRef:
    """Where the condition holds, both sides are a fault, or none is and they have the same value, bit for bit."""
    left, right = meaning(rule.left, types), meaning(rule.right, types)
    if left.type is not right.type:
        raise TypeError(f"the sides of {rule} are {left.type} and {right.type}")
    same = z3.And(left.fault == right.fault, z3.Or(left.fault, left.value == right.value))
    return z3.Implies(condition(rule, types), same)


def condition(rule: Rule, types: Types) -> z3.BoolRef:
    """The rule's condition. One that is a fault does not hold."""
    if rule.where is None:
        return z3.BoolVal(True)
    where = meaning(rule.where, types)
    return z3.And(z3.Not(where.fault), where.value)


@cache
def _falsifying(claim: z3.BoolRef) -> z3.ModelRef | None:
    """A model in which the claim is false. Many choices of types make the same claim, which is looked at once."""
    context = z3.Context()  # in a shared one, the time of a proof depends on the terms created before
    solver = z3.Solver(ctx=context)
    solver.set("timeout", PATIENCE)
    solver.add(z3.Not(claim).translate(context))
    answer = solver.check()
    assert answer != z3.unknown, solver.reason_unknown()
    return solver.model().translate(claim.ctx) if answer == z3.sat else None


# ----------------------------------------------------------------------------------------------------- right shifts

Bits = Callable[[z3.BitVecRef], z3.BoolRef]
"""The bits of an integer: from a position to the bit there."""


def shifts_right(term: Term) -> bool:
    """Whether a term is an unknown, or such a term shifted right by a constant."""
    if isinstance(term, Operation):
        return term.op == ">>" and shifts_right(term.operands[0])
    return isinstance(term, Unknown)


def claim_about_bits(rule: Rule, types: Types) -> z3.BoolRef:
    """The claim of a rule between right shifts of `x`, which are never a fault: any bit is the same on both sides.

    Where it comes from is easily compared. To compare all of the bits takes z3 a long time.
    """
    type = types["T"]
    x = z3.Function("x", sort(type), z3.BoolSort())
    position = z3.Const("position", sort(type))
    same = bit(rule.left, types, x, position) == bit(rule.right, types, x, position)
    return z3.Implies(z3.And(condition(rule, types), z3.ULT(position, type.bits)), same)


def bit(term: Term, types: Types, x: Bits, position: z3.BitVecRef) -> z3.BoolRef:
    """The bit at a position of `x` shifted right: one of `x` at a higher position, or what is shifted in."""
    if not isinstance(term, Operation):
        return x(position)
    shifted, count = term.operands
    type = types["T"]
    source = position + _count(meaning(count, types).value, type.bits)
    inside = z3.ULT(source, type.bits)
    if type.signed:
        return bit(shifted, types, x, z3.If(inside, source, type.bits - 1))
    return z3.And(inside, bit(shifted, types, x, source))


# ---------------------------------------------------------------------------------------------------------- terms


def meaning(term: Term, types: Types) -> Meaning:
    """What a term computes, with a z3 constant for each unknown. Raises `TypeError` if it is not well-typed."""
    if isinstance(term, Unknown):
        type = types[term.type]
        return Meaning(type, z3.Const(term.name, sort(type)), z3.BoolVal(False))
    if isinstance(term, Number):
        constant = term.constant_for(types)
        return Meaning(constant.type, z3_value(constant.type, constant.value), z3.BoolVal(False))
    assert isinstance(term, Operation)
    operands = [meaning(operand, types) for operand in term.operands]
    values = [operand.value for operand in operands]
    type = type_of(term, [operand.type for operand in operands], types)
    fault = z3.Or(*[operand.fault for operand in operands], traps(term.op, type, values))
    return Meaning(type, formula(term.op, operands[0].type, type)(*values), fault)


def computed(term: Term, types: Types, values: Values) -> Any:
    """What our own operations compute; `FAULT` where they do not. Raises `TypeError` as `meaning` does."""
    try:
        return _constant(term, types, values).value
    except ProgramError:
        return FAULT


def _constant(term: Term, types: Types, values: Values) -> Constant:
    if isinstance(term, Unknown):
        return Constant(types[term.type], values[term.name])
    if isinstance(term, Number):
        return term.constant_for(types)
    assert isinstance(term, Operation)
    operands = tuple(_constant(operand, types, values) for operand in term.operands)
    type = type_of(term, [operand.type for operand in operands], types)
    return Constant(type, operation(Primitive(term.op, operands, type))(*[operand.value for operand in operands]))


def type_of(term: Operation, operands: list[Scalar], types: Types) -> Scalar:
    """The type of what an operation gives."""
    type = types[term.type] if term.op == CONVERT else result_type(term.op, tuple(operands))
    if type is None:
        raise TypeError(f"{term} does not take {' and '.join(map(str, operands))}")
    return type


def parts(term: Term) -> Iterator[Term]:
    """A term and all that it consists of."""
    yield term
    if isinstance(term, Operation):
        for operand in term.operands:
            yield from parts(operand)


def unknowns_in(term: Term) -> Iterator[Unknown]:
    """All occurrences of unknowns in a term."""
    return (part for part in parts(term) if isinstance(part, Unknown))


# --------------------------------------------------------------------------------------------------------- values

_WHOLE = [0, 1, 3, 7, 31, 64, -1, -3]
_REAL = [
    *(0.0, 0.5, 1.75, 3e9, 2.0**63, 2.0**64, 1e-45, 5e-324),
    *(2.0**-126, 2.0**-1022, 3.4e38, 1.7e308, math.inf, math.nan),
]


def special(type: Scalar) -> list[Any]:
    """Values at the ends of the type's range, and some between."""
    if type is BOOL:
        return [False, True]
    if type is INTEGER:
        return [*_WHOLE, 2**64, -(10**30)]
    values = [*_REAL, *map(operator.neg, _REAL)] if type.kind == "float" else [*_WHOLE, *range_of(type)]
    return [normalised(type, value) for value in values]


def same_value(one: Any, other: Any) -> bool:
    """Whether two values are the same bit for bit."""
    if isinstance(one, float) and isinstance(other, float):
        return float_bits(DOUBLE, one) == float_bits(DOUBLE, other)
    return bool(one == other)


def differing(rule: Rule, types: Types) -> Values | None:
    """Special values for which the sides are not the same bit for bit, the sign of a NaN included; None if always."""
    unknowns = {unknown.name: types[unknown.type] for unknown in unknowns_in(rule.left)}
    for chosen in product(*map(special, unknowns.values())):
        values = dict(zip(unknowns, chosen, strict=True))
        if rule.where is not None and computed(rule.where, types, values) is not True:
            continue
        if not same_value(computed(rule.left, types, values), computed(rule.right, types, values)):
            return values
    return None


def sort(type: Scalar) -> z3.SortRef:
    """What z3 takes for the type."""
    if type is BOOL:
        return z3.BoolSort()
    if type.kind == "float":
        return z3.Float64() if type is DOUBLE else z3.Float32()
    return z3.IntSort() if type is INTEGER else z3.BitVecSort(type.bits)


def z3_value(type: Scalar, value: Any) -> z3.ExprRef:
    """A value of the type, for z3."""
    if type is BOOL:
        return z3.BoolVal(value)
    if type.kind == "float":
        return z3.simplify(z3.fpBVToFP(z3.BitVecVal(float_bits(type, value), type.bits), sort(type)))
    return z3.IntVal(value) if type is INTEGER else z3.BitVecVal(value, type.bits)


def python_value(type: Scalar, value: z3.ExprRef) -> Any:
    """The value of the type that z3 has found, as our operations take it."""
    if type is BOOL:
        return z3.is_true(value)
    if type.kind == "float":
        return _python_float(type, value)
    return value.as_signed_long() if type.signed and type is not INTEGER else value.as_long()


def _python_float(type: Scalar, value: z3.FPNumRef) -> float:
    if value.isNaN():
        return float("nan")
    bits = z3.simplify(z3.fpToIEEEBV(value)).as_long()
    return struct.unpack(_layout(type), bits.to_bytes(type.bits // 8, "big"))[0]


def float_bits(type: Scalar, value: float) -> int:
    """The bits of a `float` or `double`."""
    return int.from_bytes(struct.pack(_layout(type), value), "big")


def _layout(type: Scalar) -> str:
    return ">d" if type is DOUBLE else ">f"


# ----------------------------------------------------------------------------------------------------- operations

Formula = Callable[..., z3.ExprRef]


def traps(op: str, type: Scalar, values: list[z3.ExprRef]) -> z3.BoolRef:
    """Whether an operation is a fault: an integer division by zero, or one with a quotient out of range."""
    if op not in ("/", "%") or not is_whole(type):
        return z3.BoolVal(False)
    dividend, divisor = values
    if type is INTEGER:
        return divisor == 0
    lowest, _ = range_of(type)
    overflows = z3.And(dividend == lowest, divisor == -1) if type.signed else z3.BoolVal(False)
    return z3.Or(divisor == 0, overflows)


def formula(op: str, operand: Scalar, result: Scalar) -> Formula:
    """What an operation computes from the operands' values, where it is no fault."""
    if op == CONVERT:
        return lambda value: _CONVERSIONS[operand.kind, result.kind](value, operand, result)
    if operand is INTEGER:
        return _UNBOUNDED[op]
    if operand.kind == "integer":
        return (_SIGNED if operand.signed else _UNSIGNED)[op]
    return (_FLOATS if operand.kind == "float" else _BOOLS)[op]


def _rounded(exact: Formula) -> Formula:
    return lambda left, right: exact(z3.RNE(), left, right)


def _count(count: z3.BitVecRef, bits: int) -> z3.BitVecRef:
    """A shift count modulo the number of bits, which is a power of two."""
    return _resized(count, bits, signed=False) & (bits - 1)


def _resized(value: z3.BitVecRef, bits: int, signed: bool) -> z3.BitVecRef:
    """The integer wrapped to that many bits."""
    more = bits - value.size()
    if more <= 0:
        return z3.Extract(bits - 1, 0, value)
    return z3.SignExt(more, value) if signed else z3.ZeroExt(more, value)


_INTEGERS: dict[str, Formula] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<<": lambda value, count: value << _count(count, value.size()),
    "==": operator.eq,
    "!=": operator.ne,
    "neg": operator.neg,
    "~": operator.invert,
}

_SIGNED: dict[str, Formula] = {
    **_INTEGERS,
    "/": operator.truediv,
    "%": z3.SRem,
    ">>": lambda value, count: value >> _count(count, value.size()),
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "abs": lambda value: z3.If(value < 0, -value, value),
}

_UNSIGNED: dict[str, Formula] = {
    **_INTEGERS,
    "/": z3.UDiv,
    "%": z3.URem,
    ">>": lambda value, count: z3.LShR(value, _count(count, value.size())),
    "<": z3.ULT,
    "<=": z3.ULE,
    ">": z3.UGT,
    ">=": z3.UGE,
    "abs": lambda value: value,
}


def _absolute(value: z3.ArithRef) -> z3.ArithRef:
    return z3.If(value < 0, -value, value)


def _quotient(dividend: z3.ArithRef, divisor: z3.ArithRef) -> z3.ArithRef:
    """The quotient of Ints, rounded toward zero."""
    size = _absolute(dividend) / _absolute(divisor)
    return z3.If((dividend < 0) == (divisor < 0), size, -size)


_UNBOUNDED: dict[str, Formula] = {
    **{op: _SIGNED[op] for op in ("+", "-", "*", "neg", "abs", "==", "!=", "<", "<=", ">", ">=")},
    "/": _quotient,
    "%": lambda dividend, divisor: dividend - divisor * _quotient(dividend, divisor),
}

_BOOLS: dict[str, Formula] = {
    "&": z3.And,
    "|": z3.Or,
    "^": z3.Xor,
    "==": operator.eq,
    "!=": operator.ne,
    "<": lambda left, right: z3.And(z3.Not(left), right),
    "<=": lambda left, right: z3.Or(z3.Not(left), right),
    ">": lambda left, right: z3.And(left, z3.Not(right)),
    ">=": lambda left, right: z3.Or(left, z3.Not(right)),
    "!": z3.Not,
}

_FLOATS: dict[str, Formula] = {
    "+": _rounded(z3.fpAdd),
    "-": _rounded(z3.fpSub),
    "*": _rounded(z3.fpMul),
    "/": _rounded(z3.fpDiv),
    "==": z3.fpEQ,
    "!=": z3.fpNEQ,
    "<": z3.fpLT,
    "<=": z3.fpLEQ,
    ">": z3.fpGT,
    ">=": z3.fpGEQ,
    "neg": z3.fpNeg,
    "abs": z3.fpAbs,
}

# ---------------------------------------------------------------------------------------------------- conversions


def _bool_to_number(value: z3.BoolRef, source: Scalar, target: Scalar) -> z3.ExprRef:
    return z3.If(value, z3_value(target, 1), z3_value(target, 0))


def _integer_to_float(value: z3.BitVecRef, source: Scalar, target: Scalar) -> z3.FPRef:
    return (z3.fpSignedToFP if source.signed else z3.fpUnsignedToFP)(z3.RNE(), value, sort(target))


def _float_to_integer(value: z3.FPRef, source: Scalar, target: Scalar) -> z3.BitVecRef:
    """As in `cpsconv.core.operations.semantics`: in 64 bits for a target of 64 bits or unsigned 32; else in 32."""
    value = z3.fpFPToFP(z3.RNE(), value, z3.Float64())
    if target.bits == 128:
        magnitude = _unsigned_int128(z3.fpAbs(value) if target.signed else value)
        return z3.If(z3.And(target.signed, z3.fpLT(value, z3.FPVal(0.0, z3.Float64()))), -magnitude, magnitude)
    unsigned = not target.signed
    if unsigned and target.bits == 64:
        return _unsigned_long(value)
    bits = 64 if target.bits == 64 or (unsigned and target.bits == 32) else 32
    return _resized(_truncated(value, bits), target.bits, signed=True)


def _unsigned_int128(value: z3.FPRef) -> z3.BitVecRef:
    """The upper half of the number, and the rest."""
    unit = z3.FPVal(2.0**64, z3.Float64())
    high = _unsigned_long(z3.fpDiv(z3.RNE(), value, unit))
    whole = z3.fpMul(z3.RNE(), z3.fpUnsignedToFP(z3.RNE(), high, z3.Float64()), unit)
    return z3.Concat(high, _unsigned_long(z3.fpSub(z3.RNE(), value, whole)))


def _unsigned_long(value: z3.FPRef) -> z3.BitVecRef:
    high = z3.FPVal(2.0**63, z3.Float64())
    rest = _truncated(z3.fpSub(z3.RNE(), value, high), 64) + (1 << 63)
    return z3.If(z3.fpGEQ(value, high), rest, _truncated(value, 64))


def _truncated(value: z3.FPRef, bits: int) -> z3.BitVecRef:
    """The whole number toward zero, or the smallest integer where that has too many bits."""
    limit = z3.FPVal(2.0 ** (bits - 1), z3.Float64())
    whole = z3.fpRoundToIntegral(z3.RTZ(), value)
    fits = z3.And(z3.fpGEQ(whole, z3.fpNeg(limit)), z3.fpLT(whole, limit))
    return z3.If(fits, z3.fpToSBV(z3.RTZ(), whole, z3.BitVecSort(bits)), z3.BitVecVal(1 << (bits - 1), bits))


_CONVERSIONS: dict[tuple[str, str], Formula] = {
    ("bool", "bool"): lambda value, source, target: value,
    ("bool", "integer"): _bool_to_number,
    ("bool", "float"): _bool_to_number,
    **dict.fromkeys([("integer", "bool"), ("unbounded", "bool")], lambda value, source, target: value != 0),
    ("bool", "unbounded"): _bool_to_number,
    ("integer", "unbounded"): lambda value, source, target: z3.BV2Int(value, source.signed),
    ("unbounded", "integer"): lambda value, source, target: z3.Int2BV(value, target.bits),
    ("unbounded", "unbounded"): lambda value, source, target: value,
    ("integer", "integer"): lambda value, source, target: _resized(value, target.bits, source.signed),
    ("integer", "float"): _integer_to_float,
    ("float", "bool"): lambda value, source, target: z3.Not(z3.fpIsZero(value)),
    ("float", "integer"): _float_to_integer,
    ("float", "float"): lambda value, source, target: z3.fpFPToFP(z3.RNE(), value, sort(target)),
}
