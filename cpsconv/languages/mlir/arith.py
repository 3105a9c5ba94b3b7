"""The dialect `arith` in terms of the operations of a program.

Integers without sign are signed ones of the program; an operation that takes unsigned ones is between two conversions,
which change no bit. What MLIR leaves undefined, as a shift by the width, is defined here as in the program, and flags
such as ``overflow<nsw>``, which permit more, are dropped. An operation is foreign if it has flags that permit other
results, such as those for fast floating arithmetic, attributes of other dialects, or other types than those of numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from cpsconv.core.construction import Builder, Variable
from cpsconv.core.construction.structured import choice
from cpsconv.core.ir import BOOL, Constant, Scalar, Value, integer_type
from cpsconv.core.operations.types import is_float, is_integer, is_mathematical, scalar_type
from cpsconv.core.source import Span
from cpsconv.languages.mlir.types import constant


@dataclass(frozen=True)
class Making:
    """What an operation of `arith` is made with: the Builder, its result type, its properties and its location."""

    b: Builder
    type: Scalar
    properties: Mapping[str, str]
    span: Span

    def make(self, op: str, *operands: Value) -> Value:
        """The result of an operation of the program."""
        return self.b.primitive(op, *operands, span=self.span)

    def convert(self, type: Scalar, value: Value) -> Value:
        """The value, converted."""
        return self.b.convert(type, value, self.span)

    def unsigned(self, value: Value) -> Value:
        """The unsigned integer with the same bits. A truth value is one."""
        type = scalar_type(value)
        if type is BOOL:
            return value
        natural = integer_type(type.bits, signed=False)
        if isinstance(value, Constant):
            return Constant(natural, int(value.value) % (1 << type.bits))
        return self.convert(natural, value)

    def signed(self, value: Value) -> Value:
        """The integer of the result's type with the same bits."""
        return value if value.type is self.type else self.convert(self.type, value)

    def select(self, condition: Value, first: Value, second: Value) -> Value:
        """The first value if the condition is true, else the second one."""
        arms = {"first": lambda: first, "second": lambda: second}
        return choice(self.b, Variable("selected", self.type, self.span), condition, arms, self.span)


Maker = Callable[[Making, Sequence[Value]], "Value | None"]
"""Makes the result of an operation from its operands; None if the program has no operation for it."""


def made(name: str, operands: Sequence[Value], making: Making) -> Value | None:
    """The result of an operation of `arith` by its name; None if it stays foreign."""
    maker = _MAKERS.get(name)
    types = [scalar_type(value) for value in operands]
    if maker is None or "foreign" in [type.kind for type in (making.type, *types)]:
        return None
    if not making.properties.get("fastmath", "<none>").endswith("<none>") or "roundingmode" in making.properties:
        return None
    arity, make = maker
    return make(making, operands) if len(operands) == arity else None


def _binary(
    op: str,
    on_bools: str = "",
    *,
    accepts: Callable[[Scalar], bool] = is_integer,
    unsigned: bool = False,
    selects: bool = False,
) -> tuple[int, Maker]:
    """An operation on two numbers of one type; and the one on truth values, if there is one.

    If it `selects`, the result is the first operand if the operation, a comparison, holds, else the second one.
    """

    def make(to: Making, operands: Sequence[Value]) -> Value | None:
        if {to.type, *map(scalar_type, operands)} == {BOOL} and on_bools:
            return to.make(on_bools, *operands)
        if {to.type, *map(scalar_type, operands)} != {to.type} or not accepts(to.type):
            return None
        value = to.make(op, *(map(to.unsigned, operands) if unsigned else operands))
        return to.select(value, *operands) if selects else to.signed(value)

    return 2, make


_ORDERS = ("<", "<=", ">", ">=")
_MIRRORED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _compared(to: Making, operands: Sequence[Value]) -> Value | None:
    """``cmpi``: equal, unequal, then the signed and the unsigned orders. The truth value true is -1 if signed."""
    number, types = _predicate(to), {*map(scalar_type, operands)}
    if len(types) != 1 or to.type is not BOOL or not 0 <= number < 10 or is_float(*types):
        return None
    op = ("==", "!=", *_ORDERS, *_ORDERS)[number]
    if types == {BOOL} and 2 <= number < 6:
        return to.make(_MIRRORED[op], *operands)
    return to.make(op, *(map(to.unsigned, operands) if number >= 6 else operands))


def _compared_floats(to: Making, operands: Sequence[Value]) -> Value | None:
    """``cmpf``: false, the ordered predicates, the unordered ones, which are negations of ordered ones, true."""
    number, (x, y), types = _predicate(to), operands, {*map(scalar_type, operands)}
    if len(types) != 1 or not is_float(*types) or to.type is not BOOL or not 0 <= number < 16:
        return None
    if number in (0, 15):
        return Constant(BOOL, number == 15)
    if number == 13:
        return to.make("!=", x, y)
    return _ordered(to, number, x, y) if number < 8 else to.make("!", _ordered(to, 14 - number or 7, x, y))


def _ordered(to: Making, number: int, x: Value, y: Value) -> Value:
    """``oeq``, ``ogt``, ``oge``, ``olt``, ``ole``, ``one``, ``ord``, by their numbers from 1."""
    if number == 6:
        return to.make("|", to.make("<", x, y), to.make(">", x, y))
    if number == 7:
        return to.make("&", to.make("==", x, x), to.make("==", y, y))
    return to.make(("==", ">", ">=", "<", "<=")[number - 1], x, y)


def _predicate(to: Making) -> int:
    """The number of the predicate of a comparison; -1 without."""
    text = to.properties.get("predicate", "").partition(":")[0].strip()
    return int(text) if text.isdecimal() and len(text) < 3 else -1


def _selected(to: Making, operands: Sequence[Value]) -> Value | None:
    condition, *chosen = operands
    if condition.type is not BOOL or {*map(scalar_type, chosen)} != {to.type}:
        return None
    return to.select(condition, *chosen)


def _negated(to: Making, operands: Sequence[Value]) -> Value | None:
    return to.make("neg", *operands) if is_float(to.type) and operands[0].type is to.type else None


Accepts = Callable[[Scalar], bool]


def _conversion(source: Accepts, target: Accepts, *, signed: bool = True) -> tuple[int, Maker]:
    """A conversion, of or to an integer with or without a sign. The truth value true is -1 if it has one, else 1."""

    def make(to: Making, operands: Sequence[Value]) -> Value | None:
        (value,) = operands
        type = scalar_type(value)
        if not source(type) or not target(to.type) or type is to.type:
            return None
        if is_float(type) and not signed:
            return to.signed(to.convert(integer_type(to.type.bits, signed=False), value))
        converted = to.convert(to.type, value if signed else to.unsigned(value))
        return to.make("neg", converted) if signed and type is BOOL else converted

    return 1, make


def _truncated(to: Making, operands: Sequence[Value]) -> Value | None:
    """``trunci``: the lowest bits; the lowest one is a truth value."""
    (value,) = operands
    type = scalar_type(value)
    if not is_integer(type) or to.type.kind not in ("integer", "bool"):
        return None
    return to.convert(to.type, value if to.type is not BOOL else to.make("&", value, Constant(type, 1)))


def _constant(to: Making, operands: Sequence[Value]) -> Value | None:
    return constant(to.type, to.properties.get("value", ""))


def _is_bits(type: Scalar) -> bool:
    return type is BOOL or is_integer(type)


_MAKERS: Mapping[str, tuple[int, Maker]] = {
    "addi": _binary("+", "^"),
    "subi": _binary("-", "^"),
    "muli": _binary("*", "&"),
    "divsi": _binary("/"),
    "remsi": _binary("%"),
    "divui": _binary("/", unsigned=True),
    "remui": _binary("%", unsigned=True),
    "andi": _binary("&", "&"),
    "ori": _binary("|", "|"),
    "xori": _binary("^", "^"),
    "shli": _binary("<<"),
    "shrsi": _binary(">>"),
    "shrui": _binary(">>", unsigned=True),
    "minsi": _binary("<", selects=True),
    "maxsi": _binary(">", selects=True),
    "minui": _binary("<", selects=True, unsigned=True),
    "maxui": _binary(">", selects=True, unsigned=True),
    "cmpi": (2, _compared),
    "cmpf": (2, _compared_floats),
    "select": (3, _selected),
    "addf": _binary("+", accepts=is_float),
    "subf": _binary("-", accepts=is_float),
    "mulf": _binary("*", accepts=is_float),
    "divf": _binary("/", accepts=is_float),
    "remf": _binary("fmod", accepts=is_mathematical),
    "negf": (1, _negated),
    "extsi": _conversion(_is_bits, is_integer),
    "extui": _conversion(_is_bits, is_integer, signed=False),
    "trunci": (1, _truncated),
    "sitofp": _conversion(_is_bits, is_float),
    "uitofp": _conversion(_is_bits, is_float, signed=False),
    "fptosi": _conversion(is_float, is_integer),
    "fptoui": _conversion(is_float, is_integer, signed=False),
    "extf": _conversion(is_float, is_float),
    "truncf": _conversion(is_float, is_float),
    "constant": (0, _constant),
}
"""For each operation, the number of its operands, and how it is made."""
