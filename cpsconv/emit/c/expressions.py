"""Expressions of C: operations, implicit conversions, parentheses and literals.

C promotes operands narrower than `int`. The CPS program does not, so the result is converted back. A shift count, which
the CPS program takes modulo the width, is masked.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from cpsconv import ir
from cpsconv.operations.formats import Slot, slots
from cpsconv.operations.table import (
    CONVERT,
    OPERATIONS,
    OUTPUTS,
    PRECEDENCE,
    PRIMITIVES,
    for_every_operation,
    for_every_type,
    opposite,
)
from cpsconv.structuring.decisions import Condition, Test
from cpsconv.structuring.variables import Variables
from cpsconv.text.spelling import literal_text, needs_no_parentheses

_LOGICAL = {"&&": 2, "||": 1}  # by precedence
_UNARY, _PRIMARY = 12, 13


class _Type(NamedTuple):
    """The suffix of the literals of a type, and the library function for its absolute value."""

    suffix: str = ""
    absolute: str = "abs"


_TYPES = for_every_type(
    "cpsconv.emit.c",
    {
        **dict.fromkeys((ir.BOOL, ir.CHAR, ir.SIGNED_CHAR, ir.UNSIGNED_CHAR, ir.STRING), _Type()),
        **dict.fromkeys((ir.SHORT, ir.UNSIGNED_SHORT, ir.INT), _Type()),
        ir.UNSIGNED: _Type("u"),
        ir.LONG: _Type("L", "labs"),
        ir.UNSIGNED_LONG: _Type("UL"),
        ir.FLOAT: _Type("f", "fabsf"),
        ir.DOUBLE: _Type("", "fabs"),
    },
)

_HEADERS = for_every_operation(
    "cpsconv.emit.c", {"printf": "stdio.h", "puts": "stdio.h", "putchar": "stdio.h", "eprint": "assert.h"}, OUTPUTS
)
"""The header of the library function that performs each effect. (`eprint` becomes a failing assertion.)"""

_ASSERTION = re.compile(r".*Assertion `(.*)' failed\.\n", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Term:
    """The text of an expression, its precedence `level`, and its outermost binary operator `op`, ``""`` if none."""

    text: str
    level: int = _PRIMARY
    op: str = ""


@dataclass(frozen=True, eq=False)
class Expressions:
    """Writes the expressions of one function, and adds the headers that they require to `_headers`.

    `_functions` has the C name of each function of the program.
    """

    _variables: Variables
    _functions: Mapping[str, str]
    _headers: set[str]

    def assigned(self, value: ir.Value, type: ir.Scalar) -> str:
        """The value in a context that implicitly converts it to `type`."""
        return self._term(self._widening(value, type)).text

    def value(self, value: ir.Value) -> str:
        """The value as an expression."""
        return self._term(value).text

    def condition(self, condition: Condition) -> str:
        """A condition, with ``&&`` and ``||``. (Its depth is bounded.)"""
        return self._condition(condition).text

    def assignment(self, name: str, value: ir.Value, type: ir.Scalar) -> str:
        """``name = value``"""
        if isinstance(value, ir.Primitive) and value in self._variables.in_place:
            return self.computation(name, value)
        return f"{name} = {self.assigned(value, type)}"

    def computation(self, name: str, primitive: ir.Primitive) -> str:
        """``name = …``, or a short form: ``n++``, ``sum += n``."""
        op, type, row = primitive.op, primitive.type, OPERATIONS[primitive.op]
        left, right = primitive.operands[0], primitive.operands[-1]
        is_compound = row.form == "infix" and row.kind != "comparison"
        is_stored = not isinstance(left, ir.Constant) and left not in self._variables.in_place
        if is_compound and not _is_narrow(type) and is_stored and self.value(left) == name:
            if op in ("+", "-") and isinstance(right, ir.Constant) and right.value == 1 and type.kind == "integer":
                return f"{name}{op}{op}"
            operand = self._count(right, type) if row.kind == "shift" else self._term(self._widening(right, type))
            return f"{name} {op}= {operand.text}"
        source = self._widened(primitive)
        return f"{name} = {(self.operation(primitive) if source is primitive else self._term(source)).text}"

    def effect(self, effect: ir.Effect) -> str:
        """The call of a library function; for `eprint`, a failing assertion with the text of the original one."""
        self._headers.add(_HEADERS[effect.op])
        first = effect.operands[0]
        if effect.op == "eprint":
            assert isinstance(first, ir.Constant)
            words = _ASSERTION.sub(r"\1", str(first.value)).strip()
            return f"assert(!{_string(words)})"
        shown = [self._term(first)]
        if effect.op == "printf":
            assert isinstance(first, ir.Constant)
            shown += map(self._printed, slots(str(first.value)), effect.operands[1:])
        return f"{effect.op}({', '.join(term.text for term in shown)})"

    def _printed(self, slot: Slot, value: ir.Value) -> Term:
        """An argument of `printf`, as a `double` or as an integer of the size that the directive takes."""
        assert isinstance(value.type, ir.Scalar)
        if value.type.kind == "integer" and max(value.type.bits, ir.INT.bits) != slot.type.bits:
            return self._cast(slot.type, self._term(value))
        narrower = self._widening(value, ir.DOUBLE)
        return self._term(narrower if narrower.type is ir.FLOAT else value)

    def call(self, call: ir.Call) -> str:
        """The call of a function of the program."""
        arguments = [
            self.assigned(argument, parameter.type)
            for argument, parameter in zip(call.arguments, call.callee.parameters, strict=False)
            if isinstance(parameter.type, ir.Scalar)
        ]
        return f"{self._functions[call.callee.name]}({', '.join(arguments)})"

    def type(self, type: ir.Scalar) -> str:
        """The name of a type."""
        if type is ir.BOOL:
            self._headers.add("stdbool.h")
        return str(type)

    # ----------------------------------------------------------------------------------------------------- conditions

    def _condition(self, condition: Condition) -> Term:
        if isinstance(condition, Test):
            return self._negated(condition.value) if condition.negated else self._term(condition.value)
        parts = [self._condition(part) for part in condition.parts]
        unclear = {*_LOGICAL, "&", "|", "^"}  # operators whose precedence readers may not know
        texts = [f"({part.text})" if part.op in unclear else part.text for part in parts]
        return Term(f" {condition.op} ".join(texts), _LOGICAL[condition.op], condition.op)

    def _negated(self, value: ir.Value) -> Term:
        """The negation of the value. With a NaN, ``!(a < b)`` is not ``a >= b``."""
        if isinstance(value, ir.Primitive) and value in self._variables.in_place:
            if value.op == "!":
                return self._term(value.operands[0])
            if op := opposite(value.op, value.operands[0].type):
                return self._binary(op, value)
        return self._with_prefix("!", self._term(value))

    # --------------------------------------------------------------------------------------------------------- values

    def _term(self, value: ir.Value) -> Term:
        if isinstance(value, ir.Constant):
            return self._constant(value)
        if isinstance(value, ir.Primitive) and value in self._variables.in_place:
            return self.operation(value)
        if value in self._variables.calls:
            return Term(self.call(self._variables.calls[value]))
        return Term(self._variables.of(value).name)

    def operation(self, primitive: ir.Primitive) -> Term:
        """The expression that computes a primitive."""
        return _OPERATIONS[primitive.op](self, primitive)

    def _prefixed(self, primitive: ir.Primitive) -> Term:
        term = self._with_prefix(OPERATIONS[primitive.op].symbol, self._term(primitive.operands[0]))
        return self._narrowed(primitive.type, term)

    def _with_prefix(self, prefix: str, operand: Term) -> Term:
        clear = operand.level > _UNARY and operand.text[0] != "-"
        return Term(prefix + (operand.text if clear else f"({operand.text})"), _UNARY)

    def _narrowed(self, type: ir.Scalar, term: Term) -> Term:
        """A result that C computes as an `int`, converted to its type."""
        return self._cast(type, term) if type.kind == "integer" and _is_narrow(type) else term

    def _infix(self, primitive: ir.Primitive) -> Term:
        return self._narrowed(primitive.type, self._binary(primitive.op, primitive))

    def _binary(self, op: str, primitive: ir.Primitive) -> Term:
        left, right = primitive.operands
        type = left.type
        assert isinstance(type, ir.Scalar)
        narrower = self._widening(right, type)
        if narrower is right:  # at most one operand is converted implicitly: C converts it to the type of the other
            left = self._widening(left, type)
        right = narrower
        texts = self._operand(op, self._term(left), 0), self._operand(op, self._term(right), 1)
        return Term(f" {op} ".join(texts), PRECEDENCE[op], op)

    def _shift(self, primitive: ir.Primitive) -> Term:
        op, (left, right) = primitive.op, primitive.operands
        count = self._count(right, primitive.type)
        shown = f"({count.text})" if count.op else count.text
        term = Term(f"{self._operand(op, self._term(left), 0)} {op} {shown}", PRECEDENCE[op], op)
        return self._narrowed(primitive.type, term)

    def _count(self, count: ir.Value, type: ir.Scalar) -> Term:
        """A shift count, modulo the width. (A count that the program masks itself is not masked again.)"""
        mask = type.bits - 1
        if isinstance(count, ir.Constant):
            return Term(str(int(count.value) & mask))
        term = self._term(count)
        if isinstance(count, ir.Primitive) and count in self._variables.in_place and count.op == "&":
            masks = [int(each.value) for each in count.operands if isinstance(each, ir.Constant)]
            if any(0 <= each <= mask for each in masks):
                return term
        return Term(f"{self._operand('&', term, 0)} & {mask}", PRECEDENCE["&"], "&")

    def _absolute(self, primitive: ir.Primitive) -> Term:
        (operand,), type = primitive.operands, primitive.type
        if type.kind == "integer" and not type.signed:
            return self._term(operand)
        self._headers.add("math.h" if type.kind == "float" else "stdlib.h")
        return self._narrowed(type, Term(f"{_TYPES[type].absolute}({self.assigned(operand, type)})"))

    def _operand(self, op: str, term: Term, side: int) -> str:
        return term.text if not term.op or needs_no_parentheses(op, term.op, side) else f"({term.text})"

    # ---------------------------------------------------------------------------------------------------- conversions

    def _converted(self, primitive: ir.Primitive) -> Term:
        (operand,), type = primitive.operands, primitive.type
        assert isinstance(operand.type, ir.Scalar)
        if type is ir.BOOL:
            return Term(f"{self._operand('!=', self._term(operand), 0)} != 0", PRECEDENCE["!="], "!=")
        if operand.type is type or (type is ir.INT and operand.type.bits < ir.INT.bits):
            return self._term(operand)  # C promotes the operand wherever it matters
        return self._cast(type, self._term(operand))

    def _cast(self, type: ir.Scalar, term: Term) -> Term:
        clear = term.level >= _UNARY and term.text[0] != "-"
        return Term(f"({self.type(type)}){term.text if clear else f'({term.text})'}", _UNARY)

    def _widening(self, value: ir.Value, type: ir.Scalar) -> ir.Value:
        """The operand of a lossless conversion in place that C does implicitly; otherwise the value itself."""
        if isinstance(value, ir.Primitive) and value in self._variables.in_place and value.type is type:
            return self._widened(value)
        return value

    def _widened(self, primitive: ir.Primitive) -> ir.Value:
        """The operand of a lossless conversion that C does implicitly; otherwise the primitive itself."""
        operand = primitive.operands[0]
        assert isinstance(operand.type, ir.Scalar)
        wider = _WIDENING_OF_NARROW if _is_narrow(operand.type) else _WIDENING.get(operand.type, ())
        return operand if primitive.op == CONVERT and primitive.type in wider else primitive

    def _constant(self, constant: ir.Constant) -> Term:
        value, type = constant.value, constant.type
        if type is ir.STRING:
            return Term(_string(str(value)))
        if type is ir.BOOL:
            self._headers.add("stdbool.h")
            return Term("true" if value else "false")
        if isinstance(value, float):
            return self._float(value, constant)
        if type is ir.CHAR:
            return Term(literal_text(constant))
        number = int(value)
        if type.signed and type.bits >= ir.INT.bits and number == -(1 << type.bits - 1):
            self._headers.add("limits.h")  # the literal of the magnitude would be out of range
            return Term("INT_MIN" if type is ir.INT else "LONG_MIN")
        return Term(f"{number}{_TYPES[type].suffix}", _PRIMARY)

    def _float(self, value: float, constant: ir.Constant) -> Term:
        """A literal; for infinity and NaN, which have none, a division whose result has the right sign on x86-64."""
        suffix, sign = _TYPES[constant.type].suffix, math.copysign(1, value)
        if math.isnan(value):
            return Term(f"({'-' if sign > 0 else ''}(0.0{suffix} / 0.0{suffix}))")
        if math.isinf(value):
            return Term(f"({'-' if sign < 0 else ''}1.0{suffix} / 0.0{suffix})")
        text = literal_text(constant)
        if suffix and not set(text) & set(".e"):
            text = f"{text[:-1]}.0f"
        return Term(text)


_OPERATIONS: Mapping[str, Callable[[Expressions, ir.Primitive], Term]] = for_every_operation(
    "cpsconv.emit.c",
    {
        **dict.fromkeys(["+", "-", "*", "/", "%", "&", "|", "^", "==", "!=", "<", "<=", ">", ">="], Expressions._infix),
        **dict.fromkeys(("<<", ">>"), Expressions._shift),
        **dict.fromkeys(("neg", "~", "!"), Expressions._prefixed),
        "abs": Expressions._absolute,
        CONVERT: Expressions._converted,
    },
    PRIMITIVES,
)


def _is_narrow(type: ir.Scalar) -> bool:
    """Whether C promotes the type to `int`."""
    return type.kind == "bool" or (type.kind == "integer" and type.bits < ir.INT.bits)


_WIDENING = {ir.INT: (ir.LONG, ir.DOUBLE), ir.UNSIGNED: (ir.LONG, ir.UNSIGNED_LONG, ir.DOUBLE), ir.FLOAT: (ir.DOUBLE,)}
_WIDENING_OF_NARROW = (ir.INT, ir.LONG, ir.FLOAT, ir.DOUBLE)
"""The types to which C's implicit conversion is lossless: by type, and for all types that C promotes to `int`."""


def _string(text: str) -> str:
    """A literal for the bytes, with non-ASCII characters if the bytes are UTF-8."""
    try:
        decoded = text.encode("latin-1").decode("utf-8")
    except UnicodeError:
        decoded = text
    if decoded == text or not decoded.isprintable():
        return literal_text(ir.Constant(ir.STRING, text))
    escaped = [literal_text(ir.Constant(ir.STRING, char))[1:-1] if char.isascii() else char for char in decoded]
    return f'"{"".join(escaped)}"'
