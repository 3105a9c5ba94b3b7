"""Instructions that compute: a row for each, with the operations of the program that express it.

LLVM's integers have no sign. Those of the program have one: they are signed, and an unsigned operation converts its
operands. ``nsw``, ``nuw`` and ``exact`` exclude operands, as do shifts by too many bits and quotients that are too
large; the program computes there what its operations compute, or reports an error.
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
from cpsconv.languages.llvm.ours.object_types import Inexpressible

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


def _shift(op: str, is_unsigned: bool = False) -> Compute:
    return lambda make, x, y: make.convert(x.type, make(op, make.unsigned(x) if is_unsigned else x, y))


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
    "shl": _shift("<<"),
    "ashr": _shift(">>"),
    "lshr": _shift(">>", is_unsigned=True),
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


INTEGER_COMPARISONS = {
    name: _integers(name) for name in ["eq", "ne", "ult", "ule", "ugt", "uge", "slt", "sle", "sgt", "sge"]
}
"""The predicates of ``icmp``."""

FLOATING_COMPARISONS: dict[str, Compute] = {
    **{f"o{name}": _plain(_SYMBOLS[name]) for name in ("eq", "lt", "le", "gt", "ge")},
    "one": _different,
    "ord": _ordered,
    "uno": _negated(_ordered),
    "ueq": _negated(_different),
    "une": _plain("!="),
    **{f"u{name}": _negated(_plain(op)) for name, op in (("lt", ">="), ("le", ">"), ("gt", "<="), ("ge", "<"))},
    "true": lambda make, x, y: Constant(BOOL, True),
    "false": lambda make, x, y: Constant(BOOL, False),
}
"""The predicates of ``fcmp``: with ``o``, no operand is NaN; with ``u``, the result is true if one is."""

COMPARISONS = {
    **{f"icmp {predicate}": compute for predicate, compute in INTEGER_COMPARISONS.items()},
    **{f"fcmp {predicate}": compute for predicate, compute in FLOATING_COMPARISONS.items()},
}
"""The comparisons: instructions with their predicates."""


def _truncated(make: Maker, target: Scalar, x: Value) -> Value:
    if target is not BOOL:
        return make.convert(target, x)
    one = Constant(scalar_type(x), 1)
    return make("!=", make("&", x, one), zero(scalar_type(x)))


def _extended_by_zeros(make: Maker, target: Scalar, x: Value) -> Value:
    wide = integer_type(target.bits, signed=False)
    return make.convert(target, make.convert(wide, make.unsigned(x)))


def _extended_by_sign(make: Maker, target: Scalar, x: Value) -> Value:
    """The number with a sign: the true of one bit is -1."""
    converted = make.convert(target, x)
    return make("neg", converted) if x.type is BOOL else converted


def _to_unsigned(make: Maker, target: Scalar, x: Value) -> Value:
    if target is BOOL:
        raise Inexpressible("the conversion of a floating number to one bit")
    return make.convert(target, make.convert(integer_type(target.bits, signed=False), x))


def _plainly(make: Maker, target: Scalar, x: Value) -> Value:
    return make.convert(target, x)


CASTS: dict[str, Callable[[Maker, Scalar, Value], Value]] = {
    "trunc": _truncated,
    "zext": _extended_by_zeros,
    "sext": _extended_by_sign,
    "fptrunc": _plainly,
    "fpext": _plainly,
    "fptosi": _plainly,
    "fptoui": _to_unsigned,
    "sitofp": _extended_by_sign,
    "uitofp": lambda make, target, x: make.convert(target, make.unsigned(x)),
    "ptrtoint": _plainly,
    "ptrtoaddr": _plainly,
    "inttoptr": lambda make, target, x: make.convert(target, make.unsigned(x)),
}
"""The instructions that convert."""

RELAXED_FLAGS = {"fast", "nnan", "ninf", "nsz", "arcp", "contract", "afn", "reassoc"}
"""The flags of a floating-point instruction that allow other results."""
