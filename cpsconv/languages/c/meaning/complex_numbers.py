"""The types and conversions of operations with complex numbers (C17 6.3.1.6 to 6.3.1.8, and Annex G)."""

from __future__ import annotations

from cpsconv.core.source import Span
from cpsconv.core.trampoline import Computation
from cpsconv.languages.c.complex_types import COMPLEX_TYPES, Complex, common_part
from cpsconv.languages.c.meaning import typed_tree as t
from cpsconv.languages.c.meaning.arguments import wrong_count
from cpsconv.languages.c.meaning.complex_folding import complex_constant, folded, is_literal
from cpsconv.languages.c.meaning.constants import ComplexNumber
from cpsconv.languages.c.meaning.context import Operand, Typing, denoted, rejected, typed
from cpsconv.languages.c.meaning.conversions import as_number, assigned, converted, is_number
from cpsconv.languages.c.meaning.places import is_place, value_of
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import (
    DOUBLE,
    FLOAT,
    INT,
    LONG_DOUBLE,
    TRUTH,
    UNKNOWN,
    CType,
    converted_number,
    qualified,
)

_REAL = "__real__"
PARTS = {_REAL: 0, "__imag__": 1}
"""The unary operators that denote a part of a complex number."""

_OPERATORS = frozenset(["+", "-", "*", "/", "==", "!="])
_COMPARISONS = frozenset(["==", "!="])
MACROS = {"CMPLX": DOUBLE, "CMPLXF": FLOAT, "CMPLXL": LONG_DOUBLE}
"""The macros of <complex.h> that make a complex number, and the types of its parts."""

_LETTERS = {FLOAT: "s", DOUBLE: "d", LONG_DOUBLE: "x"}
"""The letters in the names of libgcc's functions."""


def on_complex(typing: Typing, left: c.Expression, right: c.Expression, node: c.Binary) -> c.Expression:
    """The operation of `node` on two numbers, one of which is complex at least."""
    op, one, other = node.op, left.type, right.type
    part = common_part(one, other)
    type = COMPLEX_TYPES[part]
    is_supported = op != "/" or part in _LETTERS or not isinstance(other, Complex)
    if op not in _OPERATORS or not is_supported:
        rule, message = "type-mismatch", f"`{op}` needs real numbers, not `{one}` and `{other}`"
        if op in _OPERATORS:
            rule, message = "unsupported", "the division by a complex integer is not supported yet"
        return rejected(typing, rule, message, node, [left, right])
    keeps_real = op in ("+", "-", "*") or (op == "/" and isinstance(one, Complex))
    left = converted(typing, type if isinstance(one, Complex) or not keeps_real else part, left)
    right = converted(typing, type if isinstance(other, Complex) or not keeps_real else part, right)
    value = folded(typing, node.become(left, right, TRUTH if op in _COMPARISONS else type))
    if value is node and op in ("*", "/") and left.type is right.type and part in _LETTERS:
        name = f"__{'mul' if op == '*' else 'div'}{_LETTERS[part]}c3"
        known = typing.scopes.find(name)
        is_defined = isinstance(known, t.Function) and name in typing.declarations.definitions
        node.function = known if is_defined else typing.declarations.external(name, node.span)
    return value


def complex_unary(typing: Typing, op: str, operand: c.Expression, span: Span) -> c.Expression:
    """``+``, ``-`` or ``~`` of a complex number."""
    return folded(typing, c.Unary(span, op, operand, type=operand.type))


def complex_part(typing: Typing, node: c.Unary) -> Computation[Operand]:
    """``__real__ operand`` or ``__imag__ operand``: a place if the operand is one."""
    operand = yield denoted(typing, node.operand)
    type: CType = operand.type
    if isinstance(type, Complex):
        return part_of_number(typing, node.op, operand, node.span)
    value = as_number(typing, value_of(typing, operand, node.operand), node.operand)
    if value.type is UNKNOWN or node.op == _REAL:
        return value
    return c.Comma(node.span, value, converted(typing, value.type, c.Constant(node.span, INT, 0)), type=value.type)


def part_of_number(typing: Typing, op: str, operand: Operand, span: Span) -> Operand:
    """The real or imaginary part of a complex place or value."""
    type: Complex = operand.type
    field = type.parts[PARTS[op]]
    typing.function.note_objects()
    if not is_place(operand):
        if is_literal(operand) and isinstance(operand, c.CallExpression):
            return operand.arguments[PARTS[op]]
        operand = c.Temporary(operand.span, type, operand)
    return t.member(operand, field, span, qualified(field.type, type.qualifiers))


def make_complex(typing: Typing, node: c.CallExpression, part: CType | None = None) -> Computation[c.Expression]:
    """``__builtin_complex(real, imaginary)``, or a macro that converts its arguments to the type `part`."""
    if len(node.arguments) != len(PARTS):
        return (yield from wrong_count(typing, node, len(PARTS)))
    values = []
    for argument in node.arguments:
        values.append(as_number(typing, (yield typed(typing, argument)), argument))
    types = [each.type for each in values]
    part = part or types[0]
    if UNKNOWN in types or part not in _LETTERS or any(isinstance(each, Complex) for each in types):
        message = f"this needs two floating numbers, not `{types[0]}` and `{types[1]}`"
        return rejected(typing, "type-mismatch", message, node, values)
    typing.function.note_objects()
    node.operation, node.type = "complex", COMPLEX_TYPES[part]
    node.arguments = [converted(typing, part, each) for each in values]
    return node


def on_parts(typing: Typing, operation: str, node: c.CallExpression, type: CType) -> Computation[c.Expression]:
    """The call of `creal`, `cimag` or `conj` with an argument that is converted to the type."""
    [argument] = node.arguments
    value = assigned(typing, type, (yield typed(typing, argument)), argument)
    if value.type is UNKNOWN or not isinstance(value.type, Complex):
        return c.Erroneous(node.span, [value])
    if operation == "~":
        return complex_unary(typing, "~", value, node.span)
    return value_of(typing, part_of_number(typing, operation, value, node.span), node)


def imaginary(typing: Typing, node: c.Literal) -> c.Expression:
    """The value of ``I`` or of an imaginary literal of GNU C."""
    assert isinstance(node.type, Complex)
    typing.function.note_objects()
    zero = converted_number(node.type.part.program, 0)
    assert zero is not None
    return complex_constant(node.type, ComplexNumber([zero, node.value]), node.span)


def is_complex_operation(one: CType, other: CType) -> bool:
    """Whether both types are those of numbers, and one is complex."""
    return (isinstance(one, Complex) or isinstance(other, Complex)) and is_number(one) and is_number(other)
