"""How the literals and operations of a program are written in OCaml.

Integers of up to 32 bits are `int`, which has 63: what may leave the range of its type goes through a function that
wraps it around, named as the type. Those of 64 bits are `int64`, signed or not. Both floating types are `float`, and
results of type `float` are rounded.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from cpsconv.emit.functional.terms import PREFIX, Term, application, bracketed, infix, prefix, quoted
from cpsconv.ir import BOOL, DOUBLE, FLOAT, INT, UNSIGNED, Constant, Primitive, Scalar, Type, Value
from cpsconv.operations.semantics import normalised
from cpsconv.operations.table import CONVERT
from cpsconv.operations.types import contains

USED = frozenset({"not", "lnot", "abs", "float_of_int", "nan", "infinity", "neg_infinity", "print_string"})
"""What terms take from OCaml's standard library without saying so."""

_COMPARISONS = {"==": "=", "!=": "<>", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
_ON_INTS = {"&": "land", "|": "lor", "^": "lxor", "<<": "lsl", ">>": "asr", "%": "mod"}
_ALONE = {"neg": "-", "~": "lnot", "abs": "abs"}
_ON_LONGS = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "&": "logand",
    "|": "logor",
    "^": "logxor",
    "<<": "shift_left",
    ">>": "shift_right",
    "neg": "neg",
    "~": "lognot",
    "abs": "abs",
}
_DIVISIONS = {"/": "div", "%": "rem"}
_MODULAR = frozenset({"+", "-", "*", "<<", "neg"})


def type_name(type: Type) -> str:
    """The name of a type as one word."""
    return str(type).replace(" ", "_")


def is_long(type: Type) -> bool:
    """Whether the type is one of those kept as `int64`."""
    return isinstance(type, Scalar) and type.kind == "integer" and type.bits == 64


@dataclass(frozen=True, slots=True)
class _WrappedAround(Term):
    """``int (a + b)``, where `exact` is what is wrapped around: the lower `bits` are kept.

    Where that is a part of a sum that is wrapped around to no more bits, once is enough.
    """

    exact: Term = field(kw_only=True)
    bits: int = field(kw_only=True)


def _wrapped_around(type: Scalar, exact: Term) -> Term:
    whole = application(type_name(type), [exact])
    return _WrappedAround(whole.piece, whole.op, exact=exact, bits=type.bits)


# ----------------------------------------------------------------------------------------------------- operations


def computed(primitive: Primitive, operands: Sequence[Term]) -> Term:
    """``int (a + b)``, ``Int64.add a b``, ``a < b``"""
    op, type = primitive.op, primitive.operands[0].type
    assert isinstance(type, Scalar)
    if op == CONVERT:
        return converted(type, primitive.type, operands[0])
    if op in _COMPARISONS:
        return _compared(op, type, operands)
    if type is BOOL:
        return _on_bools(op, operands)
    if type.kind == "float":
        return _on_floats(op, type, operands)
    if op in _DIVISIONS:
        return _divided(op, type, operands, primitive.operands[1])
    if op in ("<<", ">>"):
        operands = [operands[0], _shift_count(type, operands[1], primitive.operands[1])]
    return _on_longs(op, type, operands) if is_long(type) else _on_ints(op, type, operands)


def _on_ints(op: str, type: Scalar, operands: Sequence[Term]) -> Term:
    if op in _MODULAR:
        return _wrapped_around(type, _exact_on_ints(op, [_unwrapped(term, type) for term in operands]))
    exact = _exact_on_ints(op, operands)
    return _wrapped_around(type, exact) if op == "abs" or (op == "~" and not type.signed) else exact


def _unwrapped(term: Term, type: Scalar) -> Term:
    """A term of which only the lower bits matter, as many as the type has."""
    return term.exact if isinstance(term, _WrappedAround) and term.bits >= type.bits else term


def _exact_on_ints(op: str, operands: Sequence[Term]) -> Term:
    if op == "neg":
        return prefix("-", operands[0])
    if op in _ALONE:
        return application(_ALONE[op], operands)
    left, right = operands
    is_shift = left.op in ("<<", ">>")  # these associate to the right
    return infix(op, [bracketed(left) if is_shift else left, right], _ON_INTS.get(op))


def _on_longs(op: str, type: Scalar, operands: Sequence[Term]) -> Term:
    if op == "abs" and not type.signed:
        return operands[0]
    logical = "_logical" if op == ">>" and not type.signed else ""
    return application(f"Int64.{_ON_LONGS[op]}{logical}", operands)


def _divided(op: str, type: Scalar, operands: Sequence[Term], divisor: Value) -> Term:
    """Division traps, unless the divisor is known."""
    if not isinstance(divisor, Constant) or divisor.value in (0, -1):
        return application(f"{type_name(type)}_{_DIVISIONS[op]}", operands)
    if is_long(type):
        return application(f"Int64.{'' if type.signed else 'unsigned_'}{_DIVISIONS[op]}", operands)
    return infix(op, operands, _ON_INTS.get(op))


def _shift_count(type: Scalar, term: Term, count: Value) -> Term:
    if isinstance(count, Constant):
        return Term(str(int(count.value) % type.bits))
    return infix("&", [_as_int(count.type, term), Term(str(type.bits - 1))], "land")


def _compared(op: str, type: Scalar, operands: Sequence[Term]) -> Term:
    if is_long(type) and not type.signed and op not in ("==", "!="):
        operands = [application("Int64.unsigned_compare", operands), Term("0")]
    return infix(op, operands, _COMPARISONS[op])


def _on_bools(op: str, operands: Sequence[Term]) -> Term:
    if op == "^":
        return infix("!=", operands, "<>")
    return application({"!": "not", "&": "both", "|": "either"}[op], operands)


def _on_floats(op: str, type: Scalar, operands: Sequence[Term]) -> Term:
    if op == "neg":
        return prefix("-.", operands[0])
    if op == "abs":
        return application("Float.abs", operands)
    exact = infix(op, operands, f"{op}.")
    return exact if type is DOUBLE else application("single", [exact])


# ---------------------------------------------------------------------------------------------------- conversions


def converted(source: Scalar, target: Scalar, term: Term) -> Term:
    """``Int64.of_int a``, ``short a``, ``float_of_int a``"""
    if source is target:
        return term
    if target is BOOL:
        return infix("!=", [term, literal(Constant(source, 0))], "<>")
    if source is BOOL:
        source, term = INT, application("Bool.to_int", [term])
    if target.kind == "float":
        return _as_float(source, target, term)
    if source.kind == "float":
        return _truncated(target, term)
    if is_long(target):
        return term if is_long(source) else application("Int64.of_int", [term])
    if is_long(source):
        return _wrapped_around(target, _as_int(source, term))
    if contains(target, source):
        return term
    return _wrapped_around(target, _unwrapped(term, target))


def _as_int(type: Type, term: Term) -> Term:
    return application("Int64.to_int", [term]) if is_long(type) else term


def _as_float(source: Scalar, target: Scalar, term: Term) -> Term:
    rounded = target is FLOAT and source is not FLOAT
    if is_long(source):
        if not rounded and source.signed:
            return application("Int64.to_float", [term])
        return application(f"{'single' if rounded else 'double'}_of_{type_name(source)}", [term])
    exact = term if source.kind == "float" else application("float_of_int", [term])
    return application("single", [exact]) if rounded else exact


def _truncated(target: Scalar, term: Term) -> Term:
    if target in (INT, UNSIGNED) or is_long(target):
        return application(f"{type_name(target)}_of_double", [term])
    return _wrapped_around(target, application("int_of_double", [term]))


# ------------------------------------------------------------------------------------------------------- literals

_LARGEST_LONG = 2**63 - 1


def literal(constant: Constant) -> Term:
    """``5``, ``-5L``, ``0.5``, ``true``, ``"text"``"""
    value = normalised(constant.type, constant.value)
    if isinstance(value, str):
        return Term(quoted(value, r"\x{:02x}"))
    if isinstance(value, float) and math.isnan(value):
        return Term("nan") if math.copysign(1, value) > 0 else prefix("-.", Term("nan"))
    text = _digits(constant.type, value)
    return Term(text, PREFIX if text.startswith("-") else "")


def _digits(type: Scalar, value: bool | int | float) -> str:
    if type is BOOL:
        return str(value).lower()
    if type.kind == "float":
        return {math.inf: "infinity", -math.inf: "neg_infinity"}.get(value, repr(float(value)))
    if is_long(type):
        return f"{value if value <= _LARGEST_LONG else hex(int(value))}L"
    return str(value)
