"""Operations on complex numbers that are known: literals, and operations on literals."""

from __future__ import annotations

from cpsconv.core.floating import is_finite
from cpsconv.core.source import Span
from cpsconv.languages.c.complex_types import Complex
from cpsconv.languages.c.meaning.constants import ComplexNumber, NotConstantError, constant_value
from cpsconv.languages.c.meaning.context import Typing
from cpsconv.languages.c.syntax import tree as c
from cpsconv.languages.c.types import CType


def folded(typing: Typing, value: c.Expression) -> c.Expression:
    """The value of an operation on literals; other operations stay. As in gcc, it is rounded once."""
    typing.function.note_objects()
    operands = [value.left, value.right] if isinstance(value, c.Binary) else [value.operand]  # type: ignore[attr-defined]
    if not all(map(is_literal, operands)):
        return value
    try:
        number = constant_value(value)
    except NotConstantError:
        return value
    if isinstance(number, ComplexNumber):
        is_rounded = isinstance(value, c.Binary) and value.op in ("*", "/")
        if is_rounded and not all(map(is_finite, number.parts)):
            return value
        return complex_constant(value.type, number, value.span)
    assert not isinstance(number, tuple)
    return c.Constant(value.span, value.type, number)


def complex_constant(type: CType, number: ComplexNumber, span: Span) -> c.Expression:
    """A complex number whose parts are known."""
    assert isinstance(type, Complex)
    real, imaginary = (c.Constant(span, type.part, each) for each in number.parts)
    name = c.Name(span, "__builtin_complex")
    return c.CallExpression(span, name, [real, imaginary], operation="complex", type=type)


def is_literal(node: c.Expression) -> bool:
    """Whether the number is written in the source, perhaps as an operation on literals."""
    pending = [node]
    while pending:
        match pending.pop():
            case c.Constant():
                pass
            case c.Unary(type=Complex()) | c.Binary(type=Complex()):
                return False
            case c.Convert(operand=inner) | c.Unary(operand=inner):
                pending.append(inner)
            case c.CallExpression(operation="complex", arguments=[one, other]) | c.Binary(left=one, right=other):
                pending += [one, other]
            case _:
                return False
    return True
