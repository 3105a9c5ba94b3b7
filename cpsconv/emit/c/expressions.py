"""Values as C: what the operations are called there, conversions that C does by itself, parentheses, literals.

C promotes what is narrower than `int` before it computes. The CPS program does not, so the result is converted back. A
shift count, which the CPS program takes modulo the width, is masked.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from cpsconv.ir import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    STRING,
    UNSIGNED,
    UNSIGNED_LONG,
    Call,
    Constant,
    Effect,
    Primitive,
    Scalar,
    Value,
)
from cpsconv.operations.formats import Slot, slots
from cpsconv.operations.table import CONVERT, PRECEDENCE, opposite
from cpsconv.structuring.decisions import Condition, Test
from cpsconv.structuring.variables import Variables
from cpsconv.text.spelling import literal_text, needs_no_parentheses

_PREFIXES = {"neg": "-", "~": "~", "!": "!"}
_COMPOUND = frozenset({*"+-*/%", "&", "|", "^", "<<", ">>"})
_LOGICAL = {"&&": 2, "||": 1}
_IN_PARENTHESES = {*_LOGICAL, "&", "|", "^"}
_UNARY, _PRIMARY = 12, 13
_SUFFIXES = {UNSIGNED: "u", LONG: "L", UNSIGNED_LONG: "UL"}
_RANKS = {INT: 0, UNSIGNED: 1, LONG: 2, UNSIGNED_LONG: 3, FLOAT: 4, DOUBLE: 5}
_ABSOLUTE = {LONG: ("labs", "stdlib.h"), FLOAT: ("fabsf", "math.h"), DOUBLE: ("fabs", "math.h")}
_FUNCTIONS = {"printf": "stdio.h", "puts": "stdio.h", "putchar": "stdio.h"}


@dataclass(frozen=True, slots=True)
class Term:
    """The text of an expression; `op` is its outermost operator, ``""`` if it has none that is binary."""

    text: str
    level: int = _PRIMARY
    op: str = ""


class Expressions:
    """The expressions of one function. `functions` are the C names of all. What they need is added to `headers`."""

    def __init__(self, variables: Variables, functions: Mapping[str, str], headers: set[str]) -> None:
        self._functions = functions
        self._variables = variables
        self._in_place = variables.in_place
        self._headers = headers

    def assigned(self, value: Value, type: Scalar) -> str:
        """The value where C converts it to `type` by itself."""
        return self._term(self._widening(value, type)).text

    def value(self, value: Value) -> str:
        """The value by itself."""
        return self._term(value).text

    def condition(self, condition: Condition) -> str:
        """A condition, with ``&&`` and ``||``. (Its depth is bounded.)"""
        return self._condition(condition).text

    def assignment(self, name: str, value: Value, type: Scalar) -> str:
        """``name = value``, for a value as it is or in place."""
        if isinstance(value, Primitive) and value in self._in_place:
            return self.computation(name, value)
        return f"{name} = {self.assigned(value, type)}"

    def computation(self, name: str, primitive: Primitive) -> str:
        """``name = …``, or what is short for that: ``n++``, ``sum += n``."""
        op, type = primitive.op, primitive.type
        left, right = primitive.operands[0], primitive.operands[-1]
        if op in _COMPOUND and type in _RANKS and self._is_called(left, name):
            if op in ("+", "-") and isinstance(right, Constant) and right.value == 1 and type.kind == "integer":
                return f"{name}{op}{op}"
            operand = self._count(right, type) if op in ("<<", ">>") else self._term(self._widening(right, type))
            return f"{name} {op}= {operand.text}"
        source = self._widened(primitive)
        return f"{name} = {(self.operation(primitive) if source is primitive else self._term(source)).text}"

    def _is_called(self, value: Value, name: str) -> bool:
        return not isinstance(value, Constant) and value not in self._in_place and self._term(value).text == name

    def effect(self, effect: Effect) -> str:
        """The call of a function of the library."""
        self._headers.add(_FUNCTIONS[effect.op])
        shown = [self._term(effect.operands[0])]
        if effect.op == "printf":
            format = effect.operands[0]
            assert isinstance(format, Constant)
            taken = slots(str(format.value))
            shown += [self._printed(*each) for each in zip(taken, effect.operands[1:], strict=False)]
        return f"{effect.op}({', '.join(term.text for term in shown)})"

    def _printed(self, slot: Slot, value: Value) -> Term:
        """An argument of `printf`, which takes each `float` as a `double`, but integers by their size."""
        assert isinstance(value.type, Scalar)
        if value.type.kind == "integer" and max(value.type.bits, INT.bits) != slot.type.bits:
            return self._cast(slot.type, self._term(value))
        narrower = self._widening(value, DOUBLE)
        return self._term(narrower if narrower.type is FLOAT else value)

    def call(self, call: Call) -> str:
        """The call of a function of the program."""
        arguments = [
            self.assigned(argument, parameter.type)
            for argument, parameter in zip(call.arguments, call.callee.parameters, strict=False)
            if isinstance(parameter.type, Scalar)
        ]
        return f"{self._functions[call.callee.name]}({', '.join(arguments)})"

    def type(self, type: Scalar) -> str:
        """The name of a type."""
        if type is BOOL:
            self._headers.add("stdbool.h")
        return str(type)

    # ----------------------------------------------------------------------------------------------------- conditions

    def _condition(self, condition: Condition) -> Term:
        if isinstance(condition, Test):
            return self._negated(condition.value) if condition.negated else self._term(condition.value)
        parts = [self._condition(part) for part in condition.parts]
        texts = [f"({part.text})" if part.op in _IN_PARENTHESES else part.text for part in parts]
        return Term(f" {condition.op} ".join(texts), _LOGICAL[condition.op], condition.op)

    def _negated(self, value: Value) -> Term:
        """What is true where the value is false. With a NaN, ``!(a < b)`` is not ``a >= b``."""
        if isinstance(value, Primitive) and value in self._in_place:
            if value.op == "!":
                return self._term(value.operands[0])
            if op := opposite(value.op, value.operands[0].type):
                return self._binary(op, value)
        return self._prefixed("!", self._term(value))

    # --------------------------------------------------------------------------------------------------------- values

    def _term(self, value: Value) -> Term:
        if isinstance(value, Constant):
            return self._constant(value)
        if isinstance(value, Primitive) and value in self._in_place:
            return self.operation(value)
        if value in self._variables.calls:
            return Term(self.call(self._variables.calls[value]))
        return Term(self._variables.of(value).name)

    def operation(self, primitive: Primitive) -> Term:
        """What computes a primitive."""
        op, type = primitive.op, primitive.type
        if op == CONVERT:
            return self._converted(primitive.operands[0], type)
        if op == "abs":
            return self._absolute(primitive.operands[0], type)
        if op in _PREFIXES:
            term = self._prefixed(_PREFIXES[op], self._term(primitive.operands[0]))
        elif op in ("<<", ">>"):
            term = self._shift(primitive)
        else:
            term = self._binary(op, primitive)
        return self._cast(type, term) if type.kind == "integer" and type.bits < INT.bits else term

    def _prefixed(self, prefix: str, operand: Term) -> Term:
        clear = operand.level > _UNARY and operand.text[0] != "-"
        return Term(prefix + (operand.text if clear else f"({operand.text})"), _UNARY)

    def _binary(self, op: str, primitive: Primitive) -> Term:
        left, right = primitive.operands
        type = left.type
        assert isinstance(type, Scalar)
        narrower = self._widening(right, type)
        if narrower is right:
            left = self._widening(left, type)
        right = narrower
        texts = self._operand(op, self._term(left), 0), self._operand(op, self._term(right), 1)
        return Term(f" {op} ".join(texts), PRECEDENCE[op], op)

    def _shift(self, primitive: Primitive) -> Term:
        op, (left, right) = primitive.op, primitive.operands
        count = self._count(right, primitive.type)
        shown = f"({count.text})" if count.op else count.text
        return Term(f"{self._operand(op, self._term(left), 0)} {op} {shown}", PRECEDENCE[op], op)

    def _count(self, count: Value, type: Scalar) -> Term:
        """A shift count, modulo the width."""
        most = type.bits - 1
        if isinstance(count, Constant):
            return Term(str(int(count.value) & most))
        if self._is_masked(count, most):
            return self._term(count)
        return Term(f"{self._operand('&', self._term(count), 0)} & {most}", PRECEDENCE["&"], "&")

    def _is_masked(self, count: Value, most: int) -> bool:
        if not isinstance(count, Primitive) or count not in self._in_place or count.op != "&":
            return False
        return any(isinstance(each, Constant) and 0 <= int(each.value) <= most for each in count.operands)

    def _absolute(self, operand: Value, type: Scalar) -> Term:
        if type.kind == "integer" and not type.signed:
            return self._term(operand)
        name, header = _ABSOLUTE.get(type, ("abs", "stdlib.h"))
        self._headers.add(header)
        term = Term(f"{name}({self.assigned(operand, type)})")
        return self._cast(type, term) if type.kind == "integer" and type.bits < INT.bits else term

    def _operand(self, op: str, term: Term, side: int) -> str:
        return term.text if not term.op or needs_no_parentheses(op, term.op, side) else f"({term.text})"

    # ---------------------------------------------------------------------------------------------------- conversions

    def _converted(self, operand: Value, type: Scalar) -> Term:
        assert isinstance(operand.type, Scalar)
        if type is BOOL:
            return Term(f"{self._operand('!=', self._term(operand), 0)} != 0", PRECEDENCE["!="], "!=")
        if operand.type is type or (type is INT and operand.type.bits < INT.bits):
            return self._term(operand)  # C promotes it wherever that matters
        return self._cast(type, self._term(operand))

    def _cast(self, type: Scalar, term: Term) -> Term:
        clear = term.level >= _UNARY and term.text[0] != "-"
        return Term(f"({self.type(type)}){term.text if clear else f'({term.text})'}", _UNARY)

    def _widening(self, value: Value, type: Scalar) -> Value:
        """What is converted in place, if C converts it to `type` as well, without loss."""
        if isinstance(value, Primitive) and value in self._in_place and value.type is type:
            return self._widened(value)
        return value

    def _widened(self, primitive: Primitive) -> Value:
        """What the primitive converts without loss; itself if it does nothing of the kind."""
        operand = primitive.operands[0]
        assert isinstance(operand.type, Scalar)
        is_widening = primitive.op == CONVERT and _is_widening(operand.type, primitive.type)
        return operand if is_widening else primitive

    def _constant(self, constant: Constant) -> Term:
        value, type = constant.value, constant.type
        if type is STRING:
            return Term(_string(str(value)))
        if type is BOOL:
            self._headers.add("stdbool.h")
            return Term("true" if value else "false")
        if isinstance(value, float):
            return self._float(value, constant)
        if type is CHAR:
            return Term(literal_text(constant))
        number = int(value)
        if type.signed and type.bits >= INT.bits and number == -(1 << type.bits - 1):
            self._headers.add("limits.h")  # a literal would be the magnitude, which is too large, and a sign
            return Term("INT_MIN" if type is INT else "LONG_MIN")
        return Term(f"{number}{_SUFFIXES.get(type, '')}", _PRIMARY)

    def _float(self, value: float, constant: Constant) -> Term:
        """Infinity and NaN have no literal; the division that gives them has that very sign on x86-64."""
        suffix = "f" if constant.type is FLOAT else ""
        sign = math.copysign(1, value)
        if math.isnan(value):
            return Term(f"({'-' if sign > 0 else ''}(0.0{suffix} / 0.0{suffix}))")
        if math.isinf(value):
            return Term(f"({'-' if sign < 0 else ''}1.0{suffix} / 0.0{suffix})")
        text = literal_text(constant)
        if suffix and not set(text) & set(".e"):
            text = f"{text[:-1]}.0f"
        return Term(text)


def _is_widening(source: Scalar, target: Scalar) -> bool:
    """Whether each value of `source` is one of `target`, as a matter of course."""
    if target not in _RANKS or source is target:
        return False
    if source not in _RANKS:  # narrower than an `int`, which it is promoted to
        return target in (INT, LONG, FLOAT, DOUBLE)
    return _RANKS[source] < _RANKS[target] and (source, target) in _WIDENING


_WIDENING = {
    (INT, LONG),
    (UNSIGNED, LONG),
    (UNSIGNED, UNSIGNED_LONG),
    (INT, DOUBLE),
    (UNSIGNED, DOUBLE),
    (FLOAT, DOUBLE),
}


def _string(text: str) -> str:
    """A literal for the bytes; what is UTF-8 is shown as such."""
    try:
        decoded = text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        decoded = text
    if decoded == text or not decoded.isprintable():
        return literal_text(Constant(STRING, text))
    escaped = [literal_text(Constant(STRING, char))[1:-1] if char.isascii() else char for char in decoded]
    return f'"{"".join(escaped)}"'
