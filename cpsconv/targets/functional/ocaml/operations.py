"""The literals and primitives of a program in OCaml.

Integers of up to 32 bits are `int`, which has 63 bits: a result that may leave the range of its type is wrapped by a
function with the name of the type. Integers of 64 bits are `int64`, signed or not. Both floating types are `float`;
results of type `float` are rounded.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cpsconv.core import ir
from cpsconv.core.operations.completeness import Unspelled, for_every_operation, for_every_type
from cpsconv.core.operations.expansions import narrowed
from cpsconv.core.operations.mathematics import MATHEMATICS
from cpsconv.core.operations.semantics import normalised
from cpsconv.core.operations.table import CONVERT, OPERATIONS, PRIMITIVES, wraps
from cpsconv.core.operations.types import contains
from cpsconv.core.text.layout import on_one_line
from cpsconv.core.transform.expansion import faults
from cpsconv.targets.functional import terms
from cpsconv.targets.functional.faults import Expressions, Function, checked
from cpsconv.targets.functional.identifiers import type_name
from cpsconv.targets.functional.terms import (
    Term,
    application,
    bracketed,
    congruent,
    infix,
    operand_type,
    prefix,
    signed,
    wrapped_to,
)


class _Spelling(NamedTuple):
    """The operator or function of OCaml for each class of operands; of `Int64` for `long`."""

    int: str = ""
    long: str = ""
    float: str = ""
    bool: str = ""


_RENAMED = {"copysign": "copy_sign", "fmod": "rem"}

LACKING = frozenset(["tgamma", "lgamma"])
"""The functions of <math.h> that OCaml lacks."""

_SPELLINGS = for_every_operation(
    "cpsconv.targets.functional.ocaml",
    {
        "+": _Spelling("+", "add", "+."),
        "-": _Spelling("-", "sub", "-."),
        "*": _Spelling("*", "mul", "*."),
        "/": _Spelling("/", "div", "/."),
        "%": _Spelling("mod", "rem"),
        "&": _Spelling("land", "logand", bool="both"),
        "|": _Spelling("lor", "logor", bool="either"),
        "^": _Spelling("lxor", "logxor"),
        "<<": _Spelling("lsl", "shift_left"),
        ">>": _Spelling("asr", "shift_right"),
        "==": _Spelling("="),
        "!=": _Spelling("<>"),
        **{op: _Spelling(op) for op in ("<", "<=", ">", ">=")},
        "neg": _Spelling("-", "neg", "-."),
        "~": _Spelling("lnot", "lognot"),
        "!": _Spelling(bool="not"),
        "abs": _Spelling(float="Float.abs"),
        **{name: _Spelling(float=f"Float.{_RENAMED.get(name, name)}") for name in MATHEMATICS},
        CONVERT: _Spelling(),  # see `converted`
    },
    PRIMITIVES,
    expanded=True,
)

UNSPELLED = Unspelled(_SPELLINGS, {CONVERT: narrowed})

USED = frozenset({"not", "lnot", "abs", "float_of_int", "nan", "infinity", "neg_infinity", "print_string"})
"""The names of OCaml's standard library that terms use without a qualifier."""


_TYPES = for_every_type(
    "cpsconv.targets.functional.ocaml",
    {
        ir.BOOL: "bool",
        **dict.fromkeys(
            [ir.CHAR, ir.SIGNED_CHAR, ir.UNSIGNED_CHAR, ir.SHORT, ir.UNSIGNED_SHORT, ir.INT, ir.UNSIGNED], "int"
        ),
        **dict.fromkeys([ir.LONG, ir.UNSIGNED_LONG, ir.PTR], "int64"),
        **dict.fromkeys([ir.FLOAT, ir.DOUBLE], "float"),
        ir.STRING: "string",
    },
    memory=True,
)
"""The OCaml type of the values of each type."""


def is_long(type: ir.Type) -> bool:
    """Whether values of the type are `int64`."""
    return isinstance(type, ir.Scalar) and _TYPES.get(type) == "int64"


def _wrapped(type: ir.Scalar, exact: Term) -> Term:
    return wrapped_to(type, exact, application(type_name(type), [exact]))


# ----------------------------------------------------------------------------------------------------- primitives


def computed(primitive: ir.Primitive, operands: Sequence[Term]) -> Term:
    """``int (a + b)``, ``Int64.add a b``, ``a < b``"""
    op, type, row = primitive.op, operand_type(primitive), OPERATIONS[primitive.op]
    if row.kind == "conversion":
        return converted(type, primitive.type, operands[0])
    if row.kind == "comparison":
        return _compared(op, type, operands)
    if type is ir.BOOL:
        return application(_SPELLINGS[op].bool, operands)
    if type.kind == "float":
        exact = _written(op, _SPELLINGS[op].float, operands)
        is_exact = type is not ir.FLOAT or row.form == "prefix" or op == "abs"
        return exact if is_exact else application("single", [exact])
    if row.kind == "division":
        return (
            application(_name_of_division(primitive), operands) if faults(primitive) else _divided(primitive, operands)
        )
    if row.kind == "shift":
        count = primitive.operands[1]
        constant = Term(str(count.value)) if isinstance(count, ir.Constant) else None
        operands = [operands[0], constant or _as_int(count.type, operands[1])]
    return _on_longs(op, type, operands) if is_long(type) else _on_ints(op, type, operands)


def _written(op: str, symbol: str, operands: Sequence[Term]) -> Term:
    """The operation by an operator or function of OCaml."""
    if op == "neg":
        return prefix(symbol, operands[0])
    if OPERATIONS[op].form != "infix":
        return application(symbol, operands)
    left, right = operands
    is_shift = left.op in _SHIFTS  # OCaml's shifts associate to the right
    return infix(op, [bracketed(left) if is_shift else left, right], symbol)


_SHIFTS = [name for name, row in OPERATIONS.items() if row.kind == "shift"]


def _on_ints(op: str, type: ir.Scalar, operands: Sequence[Term]) -> Term:
    row = OPERATIONS[op]
    if row.modular and row.kind != "bitwise":
        operands = [congruent(term, type) for term in operands]
    exact = _written(op, _SPELLINGS[op].int, operands)
    return _wrapped(type, exact) if wraps(op, type) else exact


def _on_longs(op: str, type: ir.Scalar, operands: Sequence[Term]) -> Term:
    logical = "_logical" if op == ">>" and not type.signed else ""
    return application(f"Int64.{_SPELLINGS[op].long}{logical}", operands)


def _name_of_division(division: ir.Primitive) -> str:
    return f"{type_name(division.type)}_{_SPELLINGS[division.op].long}"


def _divided(division: ir.Primitive, operands: Sequence[Term]) -> Term:
    """Division by OCaml's own operation, which does not trap."""
    spelling, type = _SPELLINGS[division.op], division.type
    if is_long(type):
        return application(f"Int64.{'' if type.signed else 'unsigned_'}{spelling.long}", operands)
    return infix(division.op, operands, spelling.int)


def _compared(op: str, type: ir.Scalar, operands: Sequence[Term]) -> Term:
    if is_long(type) and not type.signed and not OPERATIONS[op].commutative:
        operands = [application("Int64.unsigned_compare", operands), Term("0")]
    return infix(op, operands, _SPELLINGS[op].int)


# ---------------------------------------------------------------------------------------------------- conversions


def converted(source: ir.Scalar, target: ir.Scalar, term: Term) -> Term:
    """``Int64.of_int a``, ``short a``, ``float_of_int a``"""
    if source is target:
        return term
    if source is ir.BOOL:
        source, term = ir.INT, application("Bool.to_int", [term])
    if target.kind == "float":
        return _as_float(source, target, term)
    if source.kind == "float":
        return application(f"{type_name(target)}_of_double", [term])
    if is_long(target):
        return term if is_long(source) else application("Int64.of_int", [term])
    if is_long(source):
        return _wrapped(target, _as_int(source, term))
    if contains(target, source):
        return term
    return _wrapped(target, congruent(term, target))


def _as_int(type: ir.Type, term: Term) -> Term:
    return application("Int64.to_int", [term]) if is_long(type) else term


def _as_float(source: ir.Scalar, target: ir.Scalar, term: Term) -> Term:
    rounded = target is ir.FLOAT and source is not ir.FLOAT
    if is_long(source):
        if not rounded and source.signed:
            return application("Int64.to_float", [term])
        return application(f"{'single' if rounded else 'double'}_of_{type_name(source)}", [term])
    exact = term if source.kind == "float" else application("float_of_int", [term])
    return application("single", [exact]) if rounded else exact


# ------------------------------------------------------------------------------------------------------- literals

_WORDS = {"True": "true", "False": "false", "-nan": "-.nan", "inf": "infinity", "-inf": "neg_infinity"}


def literal(constant: ir.Constant) -> Term:
    """``5``, ``-5L``, ``0.5``, ``true``, ``"text"``"""
    if not is_long(constant.type):
        return signed(terms.literal(constant, _WORDS, r"\x{:02x}"))
    value = int(normalised(constant.type, constant.value))
    return signed(f"{value if value < 2**63 else hex(value)}L")


CHECKED = checked(
    _TYPES,
    Expressions(computed, literal, Term, lambda term: on_one_line(term.piece), UNSPELLED),
    Function("let {name} a b =", '  if {condition} then runtime_error "{message}" else', "  {result}"),
    _name_of_division,
    _divided,
)
"""The functions that divide integers, by their names."""
