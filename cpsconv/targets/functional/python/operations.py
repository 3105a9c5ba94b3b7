"""The operations of a program in emitted Python: operators, and functions of the prelude.

A result that may leave its type is wrapped, ``to_int(a + b)``. Its operands need not be wrapped as well:
``to_int(a + b - c)`` is correct, since ``a + b`` is congruent to ``to_int(a + b)`` modulo 2**32.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cpsconv.core.ir import INTEGER, SCALARS, Constant, Effect, Scalar, Statement
from cpsconv.core.operations.mathematics import platform_name
from cpsconv.core.operations.python_text import UNSPELLED, PythonText, integer_literal
from cpsconv.core.operations.table import CONVERT, PRIMITIVES, wraps
from cpsconv.core.text.layout import Group, on_one_line, wrapped
from cpsconv.core.transform.expansion import faults
from cpsconv.targets.functional import terms
from cpsconv.targets.functional.faults import Expressions, Function, checked
from cpsconv.targets.functional.identifiers import type_name
from cpsconv.targets.functional.printing import CallPrinting
from cpsconv.targets.functional.terms import (
    OPEN,
    Term,
    atom,
    call,
    congruent,
    converted_types,
    infix,
    operand_type,
    prefix,
    signed,
    wrapped_to,
)


def computed(statement: Statement, operands: Sequence[Term]) -> Term:
    """``to_int(a + b)``, ``putchar(a)``: the statement with these operands."""
    op, type = statement.op, operand_type(statement)
    if isinstance(statement, Effect):
        return call(op, operands)
    row = PRIMITIVES[op]
    if op == CONVERT:
        return _TEXT.converted(*converted_types(statement), operands[0])
    if type is INTEGER and op == "*":
        return call("product_of_integers", operands)
    if row.kind == "division" and type.kind == "float":
        return _TEXT.rounded(type, call("divided", operands))
    if row.kind == "division":
        return call(_name_of_division(statement) if faults(statement) else _UNCHECKED[op], operands)
    if type.kind != "integer" or row.kind == "comparison":
        return _TEXT.exact(op, type, operands)
    if not wraps(op, type):
        return _TEXT.exact(op, type, operands)
    if row.modular:
        operands = [congruent(operand, type) for operand in operands]
    return _wrapped(_TEXT.exact(op, type, operands), type)


_UNCHECKED = {"/": "truncated_quotient", "%": "truncated_remainder"}


def _name_of_division(statement: Statement) -> str:
    return f"{type_name(statement.type)}_{'quotient' if statement.op == '/' else 'remainder'}"


def _wrapped(exact: Term, type: Scalar) -> Term:
    return wrapped_to(type, exact, call(f"to_{type_name(type)}", [exact]))


class _Text(PythonText[Term]):
    """Operations as terms, with parentheses wherever the precedence is not obvious."""

    def infix(self, op: str, left: Term, right: Term) -> Term:
        return infix(op, [left, right])

    def prefix(self, op: str, symbol: str, operand: Term) -> Term:
        is_word = symbol.endswith(" ")
        return Term(wrapped(symbol, atom(operand).piece), OPEN) if is_word else prefix(symbol, operand)

    def function(self, function: Callable[..., Any], *operands: Term) -> Term:
        return call(function.__name__, operands)

    def mathematical(self, op: str, type: Scalar, operands: Sequence[Term]) -> Term:
        return call(f"c_{platform_name(op, type)}", operands)

    def number(self, value: int) -> Term:
        return Term(str(value))

    def wrapped(self, term: Term, type: Scalar) -> Term:
        return _wrapped(congruent(term, type), type)


_TEXT = _Text()


_WORDS = {"nan": "math.nan", "-nan": "-math.nan", "inf": "math.inf", "-inf": "-math.inf"}


def literal(constant: Constant) -> Term:
    """``5``, ``-0.5``, ``True``, ``"text"``"""
    if constant.type is INTEGER:
        return signed(integer_literal(int(constant.value)))
    text = terms.literal(constant, _WORDS, r"\x{:02x}")
    if '\\"' in text and "'" not in text:  # in single quotes, as `ruff format` writes it
        text = "'" + text[1:-1].replace('\\"', '"') + "'"
    return signed(text)


CHECKED = checked(
    dict.fromkeys(SCALARS.values()),
    Expressions(computed, literal, Term, lambda term: on_one_line(term.piece), UNSPELLED),
    Function(
        "def {name}(a, b):",
        '    if {condition}:\n        runtime_error("{message}")',
        "    return {result}",
        " and ".join,
    ),
    _name_of_division,
    lambda division, operands: call(_UNCHECKED[division.op], operands),
)
"""The functions that divide integers, by their names."""


def _called(words: Sequence[str], operands: Sequence[Term]) -> Term:
    if words == ("shown", "pointer"):
        operands = operands[1:]  # there is one conversion only
    return call(_NAMES.get(tuple(words)) or "_".join(words), operands)


_NAMES = {("character",): "chr", ("c", "string"): "before_zero"}


def _selected(format: Term, printed: Sequence[tuple[Term, Term]]) -> Term:
    """``select_format(format, {"%d": lambda: printf(a)})``"""
    cases = [wrapped(f"{each.piece}: lambda: ", code.piece) for each, code in printed]
    return call("select_format", [format, Term(Group("{", cases, "}"))])


PRINTING = CallPrinting(
    call=_called,
    literal=literal,
    undefined=lambda _: Term("None"),
    converted=computed,
    decimal=lambda type, term: call("decimal_text", [term]) if type is INTEGER else term,
    selected=_selected,
    absent="None",
)
