"""Expressions of Python for the values of a function.

Python's operators are C's, except for overflow and division. A result is wrapped into the range of its type unless the
ranges of its operands show that it fits (`cpsconv.core.analysis.ranges`). For an unsigned type, a mask is enough. A
signed result is first compared with the bounds of its type, which takes a statement; so such a value is not written in
place. Most numbers are small: the first comparison is with bounds that CPython compares fastest.
"""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from cpsconv.abi.library import enters_library
from cpsconv.core import ir
from cpsconv.core.floating import Floating
from cpsconv.core.operations.completeness import for_every_operation
from cpsconv.core.operations.computation import mathematical
from cpsconv.core.operations.intervals import has_interval
from cpsconv.core.operations.mathematics import MATHEMATICS
from cpsconv.core.operations.python_arithmetic import divided
from cpsconv.core.operations.python_text import PythonText, integer_literal
from cpsconv.core.operations.queries import opposite
from cpsconv.core.operations.runtime_errors import Undefined
from cpsconv.core.operations.semantics import normalised, operation
from cpsconv.core.operations.table import CONVERT, OUTPUTS, PRIMITIVES, constant_key
from cpsconv.core.operations.types import is_integer, is_whole, range_of
from cpsconv.core.source import Span
from cpsconv.engines.python.call_sites import CallSites
from cpsconv.engines.python.overflow import Overflow
from cpsconv.engines.python.rotated_pointers import rotated
from cpsconv.engines.python.runtime import Run, located
from cpsconv.targets.structuring.decisions import Condition, Test
from cpsconv.targets.structuring.variables import Variables

_CONDITIONAL, _OR, _AND, _NOT, _COMPARISON, _BITS_OR, _BITS_XOR, _BITS_AND, _SHIFT, _SUM, _PRODUCT, _SIGN, _ATOM = (
    range(13)
)
"""The precedence levels of Python."""

_LEVELS = for_every_operation(
    "cpsconv.engines.python",
    {
        **dict.fromkeys(["==", "!=", "<", "<=", ">", ">="], _COMPARISON),
        **dict.fromkeys(["<<", ">>"], _SHIFT),
        **dict.fromkeys(["+", "-"], _SUM),
        **dict.fromkeys(["*", "/", "%"], _PRODUCT),
        **dict.fromkeys(["neg", "~"], _SIGN),
        **dict.fromkeys(["abs", *MATHEMATICS, CONVERT], _ATOM),
        **dict(zip("|^&!", (_BITS_OR, _BITS_XOR, _BITS_AND, _NOT), strict=True)),
    },
    PRIMITIVES,
    expanded=True,
)

_DIGIT = (1 << 30) - 1
"""The largest number of one digit in CPython, which compares such numbers twice as fast as larger ones."""

_NAMES = "calls deep ended lists moved chosen target use last write exit abort"

RESERVED = frozenset([*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *_NAMES.split(), *OUTPUTS])
"""Names that no function or variable of a program gets. (The names that `Environment` creates start with ``_``.)"""


def identifier(hint: str) -> str:
    """An identifier similar to `hint`."""
    name = re.sub(r"[^0-9A-Za-z_]", "_", hint)
    return name if re.match(r"[A-Za-z]", name) else f"v{name}"


@dataclass(frozen=True, slots=True)
class Term:
    """The text of an expression, and its precedence."""

    text: str
    level: int = _ATOM

    def within(self, level: int) -> str:
        """The text as an operand where this level is required, in parentheses if necessary."""
        return self.text if self.level >= level else f"({self.text})"


@dataclass(slots=True)
class Environment:
    """The objects that the text refers to, by name.

    `names` has those of all runs, `of_run` the functions that create those of one run. `pointers` has the pointers to
    data and functions, rotated (`rotated_pointers`). `calls` has the numbers of the calls,
    and `sites` their places in the text.
    """

    pointers: Mapping[ir.Data | ir.Function, int] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=dict)
    of_run: dict[str, Callable[[Run], Any]] = field(default_factory=dict)
    calls: dict[ir.Call, int] = field(default_factory=dict)
    sites: CallSites = field(default_factory=dict)
    _known: dict[object, str] = field(default_factory=dict)

    def named(self, key: object, hint: str, meaning: Any) -> str:
        """The name of the object with that key; at its first use, the object gets a new name similar to `hint`."""
        if key not in self._known:
            name = self._known[key] = f"_{hint}_{len(self._known)}"
            self.names[name] = meaning
        return self._known[key]

    def created(self, hint: str, create: Callable[[Run], Any], key: object = None) -> str:
        """The name, similar to `hint`, of the object with that key that `create` returns for a run."""
        name = self.named((hint, key or create), hint, None)
        self.of_run[name] = create
        return name

    def helper(self, function: Callable[..., Any]) -> str:
        """The name of a function."""
        if function.__module__ == "builtins":
            return function.__name__
        self.names[f"_{function.__name__}"] = function
        return f"_{function.__name__}"

    def mark(self, call: ir.Call) -> str:
        """The mark of a call in the text, which `without_marks` removes."""
        return f"\0{self.calls.setdefault(call, len(self.calls))}\0"

    def location(self, span: Span | None) -> str:
        """The name of a location where a runtime error may occur."""
        return self.named(("location", span), "location", span)


def _outside(name: str, lowest: int | None, highest: int | None) -> str:
    """The condition that a number is outside of the bounds, of which one may be None."""
    if lowest is None:
        return f"{name} > {highest}"
    return f"{name} < {lowest}" if highest is None else f"not {lowest} <= {name} <= {highest}"


@dataclass(frozen=True)
class Expressions(PythonText[Term]):
    """The expressions of one function. `functions` has the Python names of all functions."""

    variables: Variables
    functions: Mapping[str, str]
    overflow: Overflow
    environment: Environment

    def value(self, value: ir.Value) -> str:
        """The text of a value."""
        return self._term(value).text

    def condition(self, condition: Condition) -> str:
        """The text of a condition, with ``and`` and ``or``. Recursive, since the depth of conditions is limited."""
        return self._condition(condition).text

    def call(self, call: ir.Call) -> str:
        """The call of a function, after the mark with its number."""
        return f"{self.environment.mark(call)}{self._called(call)}"

    def _called(self, call: ir.Call) -> str:
        arguments = ", ".join(self.value(argument) for argument in call.arguments)
        if call.pointer is not None:
            called = self.environment.created("called", lambda run: run.called(call.callee.type, call.span))
            return f"{called}({self.value(call.pointer)})({arguments})"
        if call.callee.transfer is None:
            external = self.environment.created("external", lambda run: run.external(call.callee, call.span))
            return f"{external}({arguments})"
        if enters_library(call):
            entered = self.environment.created("entered", lambda run: run.entered(call.callee, call.span))
            return f"{entered}({arguments})"
        return f"{self.functions[call.callee.name]}({arguments})"

    def overflow_check(self, name: str, primitive: ir.Primitive) -> tuple[str, str] | None:
        """The condition that the variable of that name must be wrapped after the computation, and the statement for it.

        None if the result needs no check.
        """
        if not self.overflow.needs_check(primitive):
            return None
        (low, high), (lowest, highest) = self.overflow.exact(primitive), range_of(primitive.type)
        size = highest + 1 - lowest
        is_below, is_above = low < lowest, high > highest
        quick = _outside(name, -_DIGIT if is_below else None, _DIGIT if is_above else None)
        condition = f"{quick} and {_outside(name, lowest if is_below else None, highest if is_above else None)}"
        if not is_below and high <= highest + size:
            return condition, f"{name} -= {size}"
        if not is_above and low >= lowest - size:
            return condition, f"{name} += {size}"
        return condition, f"{name} = ({name} & {size - 1} ^ {-lowest}) - {-lowest}"

    def assignment(self, name: str, value: ir.Value) -> str:
        """``name = …`` or ``name += …``, for a value that is in a variable or in place."""
        if isinstance(value, ir.Primitive) and value in self.variables.in_place:
            return self.computation(name, value)
        return f"{name} = {self.value(value)}"

    def computation(self, name: str, primitive: ir.Primitive) -> str:
        """``name = …`` or ``name += …``, for a primitive that is computed here."""
        term, row = self.operation(primitive), PRIMITIVES[primitive.op]
        is_augmented = row.form == "infix" and row.kind in ("arithmetic", "bitwise") and term.level == _LEVELS[row.name]
        if is_augmented and term.text.startswith(f"{name} ") and self.value(primitive.operands[0]) == name:
            return f"{name} {row.symbol}= {self.value(primitive.operands[1])}"
        return f"{name} = {term.text}"

    # ----------------------------------------------------------------------------------------------------- conditions

    def _condition(self, condition: Condition) -> Term:
        if isinstance(condition, Test):
            return self._negated(condition.value) if condition.negated else self._term(condition.value)
        word, level = (" and ", _AND) if condition.op == "&&" else (" or ", _OR)
        return Term(word.join(self._condition(part).within(level + 1) for part in condition.parts), level)

    def _negated(self, value: ir.Value) -> Term:
        """The negation of a `bool`. With a NaN, ``not a < b`` is not ``a >= b``."""
        if isinstance(value, ir.Primitive) and value in self.variables.in_place:
            if value.op == "!":
                return self._term(value.operands[0])
            if op := opposite(value.op, value.operands[0].type):
                return self.exact(op, _type(value.operands[0]), [*map(self._term, value.operands)])
        return Term(f"not {self._term(value).within(_NOT)}", _NOT)

    # --------------------------------------------------------------------------------------------------------- values

    def _term(self, value: ir.Value) -> Term:
        if isinstance(value, ir.Constant):
            return self._constant(value)
        if isinstance(value, ir.Undef):
            return Term(self.environment.named(value, "undefined", Undefined(value)))
        if isinstance(value, ir.Primitive) and value in self.variables.in_place:
            return self.operation(value)
        if isinstance(value, ir.Data):
            return Term(str(self.environment.pointers[value]))
        if value in self.variables.calls:
            return Term(self.call(self.variables.calls[value]))
        return Term(self.variables.of(value).name)

    def _constant(self, constant: ir.Constant) -> Term:
        value = normalised(constant.type, constant.value)
        if isinstance(value, Floating) or (isinstance(value, float) and not isfinite(value)):
            return Term(self.environment.named(constant_key(constant), "number", value))
        text = integer_literal(value) if isinstance(value, int) else repr(value)
        return Term(text, _SIGN if text.startswith("-") else _ATOM)

    def operation(self, primitive: ir.Primitive) -> Term:
        """The expression for a primitive, without the wrapping that `overflow_check` adds."""
        op, operands = primitive.op, primitive.operands
        if isinstance(operands[0], ir.Function):
            return Term(str(self.environment.pointers[operands[0]]))
        type, kind = _type(operands[0]), PRIMITIVES[op].kind
        if kind == "address":
            return self._address(primitive)
        if kind == "conversion":
            return self._conversion(primitive)
        if kind == "logic":
            return self._negated(operands[0])
        if kind == "division":
            return self._integer_division(primitive) if is_whole(type) else self._float_division(primitive)
        if self.overflow.may_trap(primitive):
            return Term(self.checked_operation(primitive))
        term = self._shift(primitive) if kind == "shift" else self.exact(op, type, self._operands(op, operands))
        return self._wrapped_if_needed(term, primitive)

    def _operands(self, op: str, operands: Sequence[ir.Value]) -> list[Term]:
        """The operands. Beside a floating number, Python converts an integer by itself (except in a comparison)."""
        if len(operands) == 2 and _LEVELS[op] in (_SUM, _PRODUCT):
            left, right = operands
            unconverted = self._unconverted(left)
            operands = (left, self._unconverted(right)) if unconverted is left else (unconverted, right)
        return [*map(self._term, operands)]

    def _unconverted(self, value: ir.Value) -> ir.Value:
        """The integer that is converted to a `double` in place; other values unchanged."""
        if not isinstance(value, ir.Primitive) or value not in self.variables.in_place:
            return value
        is_converted = value.op == CONVERT and value.type is ir.DOUBLE and has_interval(value.operands[0].type)
        return value.operands[0] if is_converted else value

    def _wrapped_if_needed(self, term: Term, primitive: ir.Primitive) -> Term:
        if self.overflow.needs_check(primitive) or not self.overflow.must_wrap(primitive):
            return term
        return self.wrapped(term, primitive.type)

    def _address(self, primitive: ir.Primitive) -> Term:
        """The address of a field or an element."""
        pointer, *index = map(self._term, primitive.operands)
        if isinstance(primitive.of, ir.Field):
            return Term(f"moved({pointer.text}, {primitive.of.offset})") if primitive.of.offset else pointer
        size = self.number(ir.object_type_of(primitive).size)
        return Term(f"moved({pointer.text}, {self.infix('*', index[0], size).text})")

    def _shift(self, primitive: ir.Primitive) -> Term:
        value, count = map(self._term, primitive.operands)
        _, (low, high) = self.overflow.operands(primitive)
        bits = primitive.type.bits
        if low < 0 or high >= bits:
            count = self.infix("%", count, self.number(bits))
        return self.infix(primitive.op, value, count)

    # ------------------------------------------------------------------------------------------------ terms of Python

    def infix(self, op: str, left: Term, right: Term) -> Term:
        level = _LEVELS[op]
        least = level + (level == _COMPARISON)  # Python chains comparisons: a < b == c
        return Term(f"{left.within(least)} {op} {right.within(level + 1)}", level)

    def exact(self, op: str, type: ir.Scalar, operands: Sequence[Term]) -> Term:
        if type is ir.PTR and op not in ("==", "!="):
            operands = [self.function(rotated, operand) for operand in operands]
        return super().exact(op, type, operands)

    def prefix(self, op: str, symbol: str, operand: Term) -> Term:
        return Term(symbol + operand.within(_LEVELS[op]), _LEVELS[op])

    def mathematical(self, op: str, type: ir.Scalar, operands: Sequence[Term]) -> Term:
        name = self.environment.named((op, type), op, mathematical(op, type))
        return Term(f"{name}({', '.join(operand.text for operand in operands)})")

    def function(self, function: Callable[..., Any], *operands: Term) -> Term:
        return Term(f"{self.environment.helper(function)}({', '.join(operand.text for operand in operands)})")

    def number(self, value: int) -> Term:
        return Term(str(value))

    def wrapped(self, term: Term, type: ir.Scalar) -> Term:
        """The term brought into the range of an integer type, by a mask."""
        mask, half = (1 << type.bits) - 1, 1 << type.bits - 1
        if type.signed:
            return Term(f"({term.within(_BITS_AND)} & {mask} ^ {half}) - {half}", _SUM)
        return Term(f"{term.within(_BITS_AND)} & {mask}", _BITS_AND)

    def truth_value(self, operand: Term) -> Term:
        """The integer 0 or 1 for a `bool`."""
        return Term(f"1 if {operand.within(_OR)} else 0", _CONDITIONAL)

    # ------------------------------------------------------------------------------------------------------- division

    def _integer_division(self, primitive: ir.Primitive) -> Term:
        """C rounds toward zero, Python down: equal where no operand is negative. A function reports errors."""
        left, right = (self._term(operand) for operand in primitive.operands)
        op = "//" if primitive.op == "/" else "%"
        native = f"{left.within(_PRODUCT)} {op} {right.within(_PRODUCT + 1)}"
        if self.overflow.is_native_division(primitive):
            return Term(native, _PRODUCT)
        (least, most), (low, _) = self.overflow.operands(primitive)
        if low > 0 and least < 0:
            mirrored = f"-(-{left.within(_SIGN)} {op} {right.within(_PRODUCT + 1)})"
            if most <= 0:
                return Term(mirrored, _SIGN)
            return Term(f"{native} if {left.within(_BITS_OR)} >= 0 else {mirrored}", _CONDITIONAL)
        tests = [f"{left.within(_BITS_OR)} >= 0"] * (least < 0) + [f"{right.within(_BITS_OR)} > 0"]
        return Term(f"{native} if {' and '.join(tests)} else {self.checked_operation(primitive)}", _CONDITIONAL)

    def checked_operation(self, primitive: ir.Primitive) -> str:
        """The call of a function that divides or multiplies any two integers, or raises a runtime error."""
        left, right = map(self.value, primitive.operands)
        hint = {"/": "divide", "%": "remainder", "*": "multiply"}[primitive.op]
        name = self.environment.named(primitive, hint, located(operation(primitive), primitive.span))
        return f"{name}({left}, {right})"

    def _float_division(self, primitive: ir.Primitive) -> Term:
        left, right = map(self._term, primitive.operands)
        native = self.infix("/", *self._operands("/", primitive.operands))
        if self.overflow.is_native_division(primitive) or primitive.type is ir.LONG_DOUBLE:
            return self.rounded(primitive.type, native)
        quotient = self.function(divided, left, right)
        if primitive.type is ir.DOUBLE:
            return Term(f"{native.text} if {right.text} else {quotient.text}", _CONDITIONAL)
        return self.rounded(primitive.type, quotient)

    # ---------------------------------------------------------------------------------------------------- conversions

    def _conversion(self, primitive: ir.Primitive) -> Term:
        source, target, operand = _type(primitive.operands[0]), primitive.type, self._term(primitive.operands[0])
        if is_integer(source) and is_integer(target):
            return self._wrapped_if_needed(operand, primitive)  # also between equal types: the operand may be unwrapped
        if source is ir.PTR and target is not ir.PTR:
            operand = self.function(rotated, operand)
        converted = self.converted(source, target, operand)
        return self.function(rotated, converted) if target is ir.PTR and source is not ir.PTR else converted


def _type(value: ir.Value) -> ir.Scalar:
    assert isinstance(value.type, ir.Scalar)
    return value.type
