"""Instructions of LLVM and MLIR that compute: a row for each, with the operations of the program that express it.

Their integers have no sign. Those of the program have one: they are signed, and an unsigned operation converts its
operands. ``nsw``, ``nuw`` and ``exact`` exclude operands, as do shifts by too many bits and quotients that are too
large; the program computes there what its operations compute, or reports an error.

The rows have the names of LLVM. Their functions raise `BuildError` for operands of types that they do not take.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from cpsconv.core.construction import Builder, Variable
from cpsconv.core.construction.structured import choice
from cpsconv.core.ir import BOOL, Constant, Primitive, Scalar, Static, Value, integer_type
from cpsconv.core.operations.semantics import fold
from cpsconv.core.operations.table import CONVERT
from cpsconv.core.operations.types import is_integer, scalar_type, zero
from cpsconv.core.source import Span

Compute = Callable[..., Value]
"""The function from a `Maker` and operands to a value."""


class Maker:
    """Makes operations of the program, all at the location of the current instruction, `span`."""

    def __init__(self, builder: Builder, span: Span) -> None:
        self.builder, self.span = builder, span

    def __call__(self, op: str, *operands: Value, of: Static = None) -> Value:
        """The value of an operation."""
        return self.builder.primitive(op, *operands, of=of, span=self.span)

    def effect(self, op: str, *operands: Value, **more: Any) -> Value:
        """The value of an ordered operation."""
        return self.builder.effect(op, *operands, span=self.span, **more)

    def either(self, condition: Value, then: Value, otherwise: Value, name: str = "chosen") -> Value:
        """The first value if the condition is true, else the second one."""
        arms = {"then": lambda: then, "otherwise": lambda: otherwise}
        return choice(self.builder, Variable(name, scalar_type(then), self.span), condition, arms, self.span)

    def convert(self, type: Scalar, value: Value) -> Value:
        """The value converted to a type, unless it has the type."""
        if value.type is type:
            return value
        folded = fold(Primitive(CONVERT, (value,), type)) if isinstance(value, Constant) else None
        return folded or self.builder.convert(type, value, self.span)

    def unsigned(self, value: Value) -> Value:
        """The value as an unsigned integer; a truth value and a pointer stay as they are."""
        type = scalar_type(value)
        return self.convert(integer_type(type.bits, signed=False), value) if is_integer(type) else value


def _plain(op: str) -> Compute:
    return lambda make, x, y: make(op, x, y)


def _unsigned(op: str) -> Compute:
    """The operation on unsigned integers, with a result of the operands' type."""
    return lambda make, x, y: make.convert(x.type, make(op, make.unsigned(x), make.unsigned(y)))


def _modulo_2(op: str) -> Compute:
    """An operation on bits that, for numbers of one bit, is an operation on truth values."""
    table = {"+": "^", "-": "^", "*": "&"}
    return lambda make, x, y: make(table.get(op, op) if x.type is BOOL else op, x, y)


BINARY: dict[str, Compute] = {
    "add": _modulo_2("+"),
    "sub": _modulo_2("-"),
    "mul": _modulo_2("*"),
    "and": _plain("&"),
    "or": _plain("|"),
    "xor": _plain("^"),
    "sdiv": _plain("/"),
    "srem": _plain("%"),
    "udiv": _unsigned("/"),
    "urem": _unsigned("%"),
    "shl": _plain("<<"),
    "ashr": _plain(">>"),
    "lshr": lambda make, x, y: make.convert(x.type, make(">>", make.unsigned(x), y)),
    "fadd": _plain("+"),
    "fsub": _plain("-"),
    "fmul": _plain("*"),
    "fdiv": _plain("/"),
    "frem": _plain("fmod"),
}
"""The instructions of two operands of the type of the result."""

_SYMBOLS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def _integers(predicate: str) -> Compute:
    op = _SYMBOLS[predicate[-2:]]
    if predicate[0] == "u":
        return lambda make, x, y: make(op, make.unsigned(x), make.unsigned(y))
    if predicate[0] == "s":  # the true of one bit is -1
        return lambda make, x, y: make(op, y, x) if x.type is BOOL else make(op, x, y)
    return _plain(op)


def _ordered(make: Maker, x: Value, y: Value) -> Value:
    return make("&", make("==", x, x), make("==", y, y))


def _different(make: Maker, x: Value, y: Value) -> Value:
    return make("|", make("<", x, y), make(">", x, y))


def _negated(compute: Compute) -> Compute:
    return lambda make, x, y: make("!", compute(make, x, y))


COMPARISONS: dict[str, dict[str, Compute]] = {
    "icmp": {name: _integers(name) for name in ["eq", "ne", "slt", "sle", "sgt", "sge", "ult", "ule", "ugt", "uge"]},
    "fcmp": {
        "false": lambda make, x, y: Constant(BOOL, False),
        **{f"o{name}": _plain(_SYMBOLS[name]) for name in ("eq", "gt", "ge", "lt", "le")},
        "one": _different,
        "ord": _ordered,
        "ueq": _negated(_different),
        **{f"u{name}": _negated(_plain(op)) for name, op in (("gt", "<="), ("ge", "<"), ("lt", ">="), ("le", ">"))},
        "une": _plain("!="),
        "uno": _negated(_ordered),
        "true": lambda make, x, y: Constant(BOOL, True),
    },
}
"""The comparisons: instructions with their predicates, as MLIR numbers them.

With ``o``, no operand is NaN; with ``u``, the result is true if one is.
"""


def _chosen(predicate: str) -> Compute:
    compare = COMPARISONS["icmp"][predicate]
    return lambda make, x, y: make.either(compare(make, x, y), x, y)


EXTREMES = {"smax": _chosen("sgt"), "smin": _chosen("slt"), "umax": _chosen("ugt"), "umin": _chosen("ult")}
"""The larger or the smaller one of two integers."""


def _truncated(make: Maker, target: Scalar, x: Value) -> Value:
    """The lowest bits."""
    if target is not BOOL:
        return make.convert(target, x)
    one = Constant(scalar_type(x), 1)
    return make("!=", make("&", x, one), zero(scalar_type(x)))


def _with_sign(make: Maker, target: Scalar, x: Value) -> Value:
    """The number of an integer with a sign: the true of one bit is -1."""
    converted = make.convert(target, x)
    return make("neg", converted) if x.type is BOOL else converted


def _without_sign(make: Maker, target: Scalar, x: Value) -> Value:
    return make.convert(target, make.unsigned(x))


def _plainly(make: Maker, target: Scalar, x: Value) -> Value:
    return make.convert(target, x)


def _integral(*, signed: bool) -> Callable[[Maker, Scalar, Value], Value]:
    """The integral part of a floating number."""

    def convert(make: Maker, target: Scalar, x: Value) -> Value:
        number = make.convert(integer_type(target.bits, signed=signed), x)
        return _truncated(make, target, number)

    return convert


CASTS: dict[str, Callable[[Maker, Scalar, Value], Value]] = {
    "trunc": _truncated,
    "zext": _without_sign,
    "sext": _with_sign,
    "fptrunc": _plainly,
    "fpext": _plainly,
    "fptosi": _integral(signed=True),
    "fptoui": _integral(signed=False),
    "sitofp": _with_sign,
    "uitofp": _without_sign,
    "ptrtoint": _plainly,
    "ptrtoaddr": _plainly,
    "inttoptr": _without_sign,
}
"""The instructions that convert."""
