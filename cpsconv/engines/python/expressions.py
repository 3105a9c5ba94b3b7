"""Values as Python: its operators are those of C, apart from what overflows and from how it divides.

What wraps around is brought back into the range of its type, unless the ranges of the operands show that this is not
needed (`cpsconv.analysis.ranges`). Of an unsigned type, the lower bits are enough. For a signed one, whether it is
needed is looked at first: that takes a statement, so such a value is not written in place. Most numbers are small,
and found to be so by a comparison with a small one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import isfinite
from typing import Any

from cpsconv.engines.python.overflow import Care
from cpsconv.ir import BOOL, DOUBLE, FLOAT, Call, Constant, Primitive, Scalar, Undef, Value
from cpsconv.operations.intervals import has_interval
from cpsconv.operations.runtime_errors import ProgramError, Undefined
from cpsconv.operations.semantics import conversion, int_to_float, normalised, operation, round_to_float
from cpsconv.operations.table import CONVERT, constant_key, opposite
from cpsconv.operations.types import range_of
from cpsconv.source import Span
from cpsconv.structuring.decisions import Condition, Test
from cpsconv.structuring.variables import Variables

_CHOICE, _OR, _AND, _NOT, _COMPARISON, _BITS_OR, _BITS_XOR, _BITS_AND, _SHIFT, _SUM, _PRODUCT, _SIGN, _ATOM = range(13)

_LEVELS = {
    **dict.fromkeys(["==", "!=", "<", "<=", ">", ">="], _COMPARISON),
    "|": _BITS_OR,
    "^": _BITS_XOR,
    "&": _BITS_AND,
    "<<": _SHIFT,
    ">>": _SHIFT,
    "+": _SUM,
    "-": _SUM,
    "*": _PRODUCT,
    "/": _PRODUCT,
    "//": _PRODUCT,
    "%": _PRODUCT,
}
_DIGIT = (1 << 30) - 1  # CPython compares numbers of one digit twice as fast as larger ones
_AUGMENTED = frozenset("+-*&|^")


@dataclass(frozen=True, slots=True)
class Term:
    """The text of an expression, and how strongly it holds together."""

    text: str
    level: int = _ATOM

    def within(self, level: int) -> str:
        """The text as an operand of what holds together so strongly."""
        return self.text if self.level >= level else f"({self.text})"


@dataclass(slots=True)
class Outside:
    """What the text refers to: `names` with their meanings."""

    names: dict[str, Any] = field(default_factory=dict)
    _known: dict[object, str] = field(default_factory=dict)

    def named(self, key: object, hint: str, meaning: Any) -> str:
        """The name of what has that key; one is made from `hint` when it is first asked for."""
        if key not in self._known:
            name = self._known[key] = f"_{hint}_{len(self._known)}"
            self.names[name] = meaning
        return self._known[key]

    def function(self, name: str, meaning: Callable[..., Any]) -> str:
        """A function by its own name, with an underscore, as all that no variable of a program is called."""
        self.names[f"_{name}"] = meaning
        return f"_{name}"

    def place(self, span: Span | None) -> str:
        """The name of a place where a fault may happen."""
        return self.named(("place", span), "place", span)


def located(function: Callable[..., Any], span: Span | None) -> Callable[..., Any]:
    """A function whose faults are found there."""

    def there(*operands: Any) -> Any:
        try:
            return function(*operands)
        except ProgramError as fault:
            fault.diagnostic.span = span
            raise

    return there


def _beyond(name: str, lowest: int | None, highest: int | None) -> str:
    """That a number is beyond a bound, of those that there are."""
    if lowest is None:
        return f"{name} > {highest}"
    return f"{name} < {lowest}" if highest is None else f"not {lowest} <= {name} <= {highest}"


class Expressions:
    """The expressions of one function. `functions` are the Python names of all."""

    def __init__(self, variables: Variables, functions: Mapping[str, str], care: Care, outside: Outside) -> None:
        self._variables = variables
        self.functions = functions
        self._care = care
        self._outside = outside

    def value(self, value: Value) -> str:
        """The value by itself."""
        return self._term(value).text

    def condition(self, condition: Condition) -> str:
        """A condition, with ``and`` and ``or``. (Its depth is bounded.)"""
        return self._condition(condition).text

    def call(self, call: Call) -> str:
        """The call of a function of the program."""
        arguments = ", ".join(self.value(argument) for argument in call.arguments)
        return f"{self.functions[call.callee.name]}({arguments})"

    def look(self, name: str, primitive: Primitive) -> tuple[str, str] | None:
        """What to look at when the variable of that name has got what was computed, and how it is wrapped then."""
        if not self._care.needs_look(primitive):
            return None
        (low, high), (lowest, highest) = self._care.exact(primitive), range_of(primitive.type)
        size = highest + 1 - lowest
        is_below, is_above = low < lowest, high > highest
        quick = _beyond(name, -_DIGIT if is_below else None, _DIGIT if is_above else None)
        condition = f"{quick} and {_beyond(name, lowest if is_below else None, highest if is_above else None)}"
        if not is_below and high <= highest + size:
            return condition, f"{name} -= {size}"
        if not is_above and low >= lowest - size:
            return condition, f"{name} += {size}"
        return condition, f"{name} = ({name} & {size - 1} ^ {-lowest}) - {-lowest}"

    def assignment(self, name: str, value: Value) -> str:
        """``name = …``, or ``name += …`` if it is that, for a value as it is or in place."""
        if isinstance(value, Primitive) and value in self._variables.in_place:
            return self.computation(name, value)
        return f"{name} = {self.value(value)}"

    def computation(self, name: str, primitive: Primitive) -> str:
        """The same for a primitive that is computed here."""
        term, op = self.operation(primitive), primitive.op
        if op in _AUGMENTED and term.level == _LEVELS[op] and self.value(primitive.operands[0]) == name:
            return f"{name} {op}= {self.value(primitive.operands[1])}"
        return f"{name} = {term.text}"

    # ----------------------------------------------------------------------------------------------------- conditions

    def _condition(self, condition: Condition) -> Term:
        if isinstance(condition, Test):
            return self._negated(condition.value) if condition.negated else self._term(condition.value)
        word, level = (" and ", _AND) if condition.op == "&&" else (" or ", _OR)
        return Term(word.join(self._condition(part).within(level + 1) for part in condition.parts), level)

    def _negated(self, value: Value) -> Term:
        """What is true where the value is false. With a NaN, ``not a < b`` is not ``a >= b``."""
        if isinstance(value, Primitive) and value in self._variables.in_place:
            if value.op == "!":
                return self._term(value.operands[0])
            if op := opposite(value.op, value.operands[0].type):
                return self._binary(op, value.operands[0], value.operands[1])
        return Term(f"not {self._term(value).within(_NOT)}", _NOT)

    # --------------------------------------------------------------------------------------------------------- values

    def _term(self, value: Value) -> Term:
        if isinstance(value, Constant):
            return self._constant(value)
        if isinstance(value, Undef):
            return Term(self._outside.named(value, "undefined", Undefined(value)))
        if isinstance(value, Primitive) and value in self._variables.in_place:
            return self.operation(value)
        if value in self._variables.calls:
            return Term(self.call(self._variables.calls[value]))
        return Term(self._variables.of(value).name)

    def _constant(self, constant: Constant) -> Term:
        value = normalised(constant.type, constant.value)
        if isinstance(value, float) and not isfinite(value):
            return Term(self._outside.named(constant_key(constant), "number", value))
        text = repr(value)
        return Term(text, _SIGN if text.startswith("-") else _ATOM)

    def operation(self, primitive: Primitive) -> Term:
        """What computes a primitive; without what is to be done after a `look`."""
        op, type = primitive.op, primitive.type
        first, last = primitive.operands[0], primitive.operands[-1]
        if op == CONVERT:
            return self._converted(primitive)
        if op == "!":
            return self._negated(first)
        if op in ("/", "%"):
            divide = self._divided if type.kind == "integer" else self._divided_floats
            return divide(primitive)
        if op in ("<<", ">>"):
            term = self._shift(primitive)
        elif op == "abs":
            term = Term(f"abs({self.value(first)})")
        elif op in ("neg", "~"):
            term = Term(("-" if op == "neg" else "~") + self._term(first).within(_SIGN), _SIGN)
        else:
            term = self._binary(op, first, last)
        if type is FLOAT and len(primitive.operands) > 1:
            return Term(f"{self._outside.function('to_float', round_to_float)}({term.text})")
        return self._wrapped(term, primitive)

    def _binary(self, op: str, left: Value, right: Value) -> Term:
        level = _LEVELS[op]
        least = level + (level == _COMPARISON)  # in Python, a < b == c is something else
        if level in (_SUM, _PRODUCT):
            left, right = self._mixed(left, right)
        return Term(f"{self._term(left).within(least)} {op} {self._term(right).within(level + 1)}", level)

    def _mixed(self, left: Value, right: Value) -> tuple[Value, Value]:
        """Where one operand is a floating number, Python converts an integer by itself. (It compares it as it is.)"""
        plain_left, plain_right = self._integer(left), self._integer(right)
        return (left, plain_right) if plain_left is left else (plain_left, right)

    def _integer(self, value: Value) -> Value:
        """What is converted to a `double` in place; or the value itself."""
        is_converted = isinstance(value, Primitive) and value.op == CONVERT and value.type is DOUBLE
        if is_converted and value in self._variables.in_place and isinstance(value, Primitive):
            return value.operands[0] if has_interval(value.operands[0].type) else value
        return value

    def _wrapped(self, term: Term, primitive: Primitive) -> Term:
        """What is not looked at is wrapped here, if that is needed at all."""
        type = primitive.type
        if self._care.needs_look(primitive) or not self._care.overflows(primitive):
            return term
        mask, half = (1 << type.bits) - 1, 1 << type.bits - 1
        if type.signed:
            return Term(f"({term.within(_BITS_AND)} & {mask} ^ {half}) - {half}", _SUM)
        return Term(f"{term.within(_BITS_AND)} & {mask}", _BITS_AND)

    def _shift(self, primitive: Primitive) -> Term:
        """The count is taken modulo the width."""
        value, count = primitive.operands
        _, (low, high) = self._care.operands(primitive)
        most = primitive.type.bits - 1
        if isinstance(count, Constant):
            by = Term(str(int(count.value) & most))
        elif low < 0 or high > most:
            by = Term(f"{self._term(count).within(_BITS_AND)} & {most}", _BITS_AND)
        else:
            by = self._term(count)
        return Term(f"{self._term(value).within(_SHIFT)} {primitive.op} {by.within(_SHIFT + 1)}", _SHIFT)

    # ------------------------------------------------------------------------------------------------------- division

    def _divided(self, primitive: Primitive) -> Term:
        """C rounds to zero, Python down: the same where nothing is negative. Faults are found in a function."""
        left, right = (self._term(operand) for operand in primitive.operands)
        op = "//" if primitive.op == "/" else "%"
        plain = f"{left.within(_PRODUCT)} {op} {right.within(_PRODUCT + 1)}"
        if self._care.is_plain(primitive):
            return Term(plain, _PRODUCT)
        (least, most), (low, _) = self._care.operands(primitive)
        if low > 0 and least < 0:
            mirrored = f"-(-{left.within(_SIGN)} {op} {right.within(_PRODUCT + 1)})"
            if most <= 0:
                return Term(mirrored, _SIGN)
            return Term(f"{plain} if {left.within(_BITS_OR)} >= 0 else {mirrored}", _CHOICE)
        tests = [f"{left.within(_BITS_OR)} >= 0"] * (least < 0) + [f"{right.within(_BITS_OR)} > 0"]
        return Term(f"{plain} if {' and '.join(tests)} else {self.division(primitive)}", _CHOICE)

    def division(self, primitive: Primitive) -> str:
        """The call of a function that divides integers, whatever they are."""
        left, right = map(self.value, primitive.operands)
        hint = "divide" if primitive.op == "/" else "remainder"
        name = self._outside.named(primitive, hint, located(operation(primitive), primitive.span))
        return f"{name}({left}, {right})"

    def _divided_floats(self, primitive: Primitive) -> Term:
        left, right = (self._term(operand) for operand in primitive.operands)
        plain = self._binary("/", *primitive.operands).text
        if primitive.type is FLOAT:
            name = self._outside.named(("/", FLOAT), "divide", operation(primitive))
            return Term(f"{name}({left.text}, {right.text})")
        if self._care.is_plain(primitive):
            return Term(plain, _PRODUCT)
        name = self._outside.named(("/", DOUBLE), "divide", operation(primitive))
        return Term(f"{plain} if {right.text} else {name}({left.text}, {right.text})", _CHOICE)

    # ---------------------------------------------------------------------------------------------------- conversions

    def _converted(self, primitive: Primitive) -> Term:
        operand, target = primitive.operands[0], primitive.type
        source, term = operand.type, self._term(operand)
        assert isinstance(source, Scalar)
        if source is target:
            return self._wrapped(term, primitive)  # it may be loose
        if target is BOOL:
            return Term(f"{term.within(_BITS_OR)} != 0", _COMPARISON)
        if target.kind == "integer" and source.kind == "bool":
            return Term(f"1 if {term.within(_OR)} else 0", _CHOICE)
        if target.kind == "integer" and source.kind == "integer":
            return self._wrapped(term, primitive)
        if target is DOUBLE:
            return term if source is FLOAT else Term(f"float({term.text})")
        if target is FLOAT and source.kind != "float":
            return Term(f"{self._outside.function('int_to_float', int_to_float)}({term.text})")
        if target is FLOAT:
            return Term(f"{self._outside.function('to_float', round_to_float)}({term.text})")
        name = self._outside.named((source, target), f"to_{target.name.replace(' ', '_')}", conversion(source, target))
        return Term(f"{name}({term.text})")
