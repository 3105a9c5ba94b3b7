"""The table of operations: everything that is general about each primitive and effect, in one row.

Evaluator, analyses, simplifier, checker, text, engines, emitters and the page query this table. A back end declares
only how it writes each operation, and passes that table to `for_every_operation`, which fails when an operation is
missing. To add an operation is to add a row here; docs/operations.md shows how.

Operators have the spelling of C, so that `Primitive.op` is the operator in the text. There are no implicit conversions:
both operands of an arithmetic operator or comparison have the same type. (A front end for C writes the conversions.)
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar

from cpsconv.ir import BOOL, INT, SCALARS, STRING, VOID, Constant, Scalar, Type
from cpsconv.operations import intervals
from cpsconv.operations.python_arithmetic import divided, truncated_quotient, truncated_remainder
from cpsconv.operations.types import is_arithmetic, is_bits, is_bool, is_data, is_float, is_integer, range_of

Entry = TypeVar("Entry")

Typing = Callable[[Sequence[Type]], "Scalar | None"]
"""From the operands' types to the result's; `None` if the operation does not take such operands."""

Kind = Literal["arithmetic", "division", "bitwise", "shift", "comparison", "logic", "conversion", "output"]
"""The class of an operation. Operations of one class are computed, analysed and written alike."""

Form = Literal["infix", "prefix", "call", "conversion"]
"""How the text writes an operation: ``a + b``, ``-a``, ``abs(a)``, ``long(a)``."""


@dataclass(frozen=True, kw_only=True)
class Operation:
    """One row of the table.

    - `symbol` and `form` are the spelling in the CPS text, `precedence` how tightly an infix operator binds (C's order;
      all associate to the left).
    - `commutative`: the operands can be exchanged. (For two NaNs, the first one decides the sign of a sum.)
    - `modular`: the lowest n bits of the result depend on the lowest n bits of the operands only. (For ``<<``, of the
      first operand.)
    - `traps`: on integers, it may end in a runtime error though its operands are defined.
    - `negation` is the comparison that holds where this one does not, `mirror` the one that holds for the exchanged
      operands, `narrow` gives the left operand's interval where this comparison holds.
    - `on_integers`, `on_floats`, `on_bools` compute it: on unbounded integers, with the shift count below the width;
      on 64-bit floats; on truth values. None where it has no such operands. (`semantics` adds wrapping, rounding and
      traps.)
    - `interval` bounds the exact integer result; None if nothing is known but its type.
    """

    name: str
    kind: Kind
    typing: Typing
    symbol: str
    form: Form = "infix"
    precedence: int = 0
    commutative: bool = False
    modular: bool = False
    traps: bool = False
    negation: str | None = None
    mirror: str | None = None
    narrow: Callable[[intervals.Interval, intervals.Interval], intervals.Interval] | None = None
    on_integers: Callable[..., Any] | None = None
    on_floats: Callable[..., Any] | None = None
    on_bools: Callable[..., Any] | None = None
    interval: intervals.Rule | None = None

    @property
    def is_effect(self) -> bool:
        """Whether the operation happens, in order; otherwise it is pure."""
        return self.kind == "output"


# --------------------------------------------------------------------------------------------------------- typing


def _unary(accepts: Callable[[Type], bool]) -> Typing:
    """One operand, whose type the result has."""

    def typing(types: Sequence[Type]) -> Scalar | None:
        return types[0] if len(types) == 1 and isinstance(types[0], Scalar) and accepts(types[0]) else None

    return typing


def _binary(accepts: Callable[[Type], bool], result: Scalar | None = None) -> Typing:
    """Two operands of one type, which the result has, too, unless `result` is given."""

    def typing(types: Sequence[Type]) -> Scalar | None:
        if len(types) == 2 and types[0] is types[1] and isinstance(types[0], Scalar) and accepts(types[0]):
            return result or types[0]
        return None

    return typing


def _shift(types: Sequence[Type]) -> Scalar | None:
    """The result has the type of the shifted value; the count may have another integer type."""
    if len(types) == 2 and is_integer(types[0]) and is_integer(types[1]) and isinstance(types[0], Scalar):
        return types[0]
    return None


def _exactly(operands: Sequence[Scalar], result: Scalar) -> Typing:
    return lambda types: result if [*types] == [*operands] else None


def _printf(types: Sequence[Type]) -> Scalar | None:
    return INT if types and types[0] is STRING else None


# ---------------------------------------------------------------------------------------------------------- table


def _arithmetic(name: str, compute: Callable[..., Any], interval: intervals.Rule, **given: Any) -> Operation:
    defaults: dict[str, Any] = {"kind": "arithmetic", "typing": _binary(is_arithmetic), "symbol": name, "modular": True}
    defaults |= {"on_integers": compute, "on_floats": compute, "interval": interval}
    return Operation(name=name, **defaults | given)


def _bitwise(name: str, precedence: int, compute: Callable[..., Any], interval: intervals.Rule) -> Operation:
    return Operation(
        name=name,
        kind="bitwise",
        typing=_binary(is_bits),
        symbol=name,
        precedence=precedence,
        commutative=True,
        modular=True,
        on_integers=compute,
        on_bools=compute,
        interval=interval,
    )


def _comparison(name: str, precedence: int, negation: str, mirror: str, compute: Any, narrow: Any) -> Operation:
    return Operation(
        name=name,
        kind="comparison",
        typing=_binary(is_data, BOOL),
        symbol=name,
        precedence=precedence,
        commutative=name == mirror,
        negation=negation,
        mirror=mirror,
        narrow=narrow,
        on_integers=compute,
        on_floats=compute,
        on_bools=compute,
    )


def _output(name: str, typing: Typing) -> Operation:
    return Operation(name=name, kind="output", typing=typing, symbol=name, form="call")


CONVERT = "convert"
"""The conversion to the type of the `Primitive`; the text shows that type's name, applied to the operand."""

OPERATIONS: dict[str, Operation] = {
    row.name: row
    for row in (
        _arithmetic("+", operator.add, intervals.total, precedence=9, commutative=True),
        _arithmetic("-", operator.sub, intervals.difference, precedence=9),
        _arithmetic("*", operator.mul, intervals.product, precedence=10, commutative=True),
        Operation(
            name="/",
            kind="division",
            typing=_binary(is_arithmetic),
            symbol="/",
            precedence=10,
            traps=True,
            on_integers=truncated_quotient,
            on_floats=divided,
            interval=intervals.quotient,
        ),
        Operation(
            name="%",
            kind="division",
            typing=_binary(is_integer),
            symbol="%",
            precedence=10,
            traps=True,
            on_integers=truncated_remainder,
            interval=intervals.remainder,
        ),
        _bitwise("&", 5, operator.and_, intervals.conjunction),
        _bitwise("|", 3, operator.or_, intervals.disjunction),
        _bitwise("^", 4, operator.xor, intervals.disjunction),
        Operation(
            name="<<",
            kind="shift",
            typing=_shift,
            symbol="<<",
            precedence=8,
            modular=True,
            on_integers=operator.lshift,
            interval=intervals.left_shift,
        ),
        Operation(
            name=">>",
            kind="shift",
            typing=_shift,
            symbol=">>",
            precedence=8,
            on_integers=operator.rshift,
            interval=intervals.right_shift,
        ),
        _comparison("==", 6, "!=", "==", operator.eq, intervals.equal),
        _comparison("!=", 6, "==", "!=", operator.ne, intervals.unequal),
        _comparison("<", 7, ">=", ">", operator.lt, intervals.below),
        _comparison("<=", 7, ">", ">=", operator.le, intervals.at_most),
        _comparison(">", 7, "<=", "<", operator.gt, intervals.above),
        _comparison(">=", 7, "<", "<=", operator.ge, intervals.at_least),
        _arithmetic("neg", operator.neg, intervals.negation, typing=_unary(is_arithmetic), symbol="-", form="prefix"),
        Operation(
            name="~",
            kind="bitwise",
            typing=_unary(is_integer),
            symbol="~",
            form="prefix",
            modular=True,
            on_integers=operator.invert,
            interval=intervals.complement,
        ),
        Operation(name="!", kind="logic", typing=_unary(is_bool), symbol="!", form="prefix", on_bools=operator.not_),
        _arithmetic("abs", operator.abs, intervals.magnitude, typing=_unary(is_arithmetic), form="call", modular=False),
        Operation(
            name=CONVERT,
            kind="conversion",
            typing=lambda _: None,  # the operand does not determine the result
            symbol="",
            form="conversion",
            modular=True,
            interval=intervals.same,
        ),
        _output("printf", _printf),
        _output("puts", _exactly([STRING], INT)),
        _output("putchar", _exactly([INT], INT)),
        _output("eprint", _exactly([STRING], VOID)),
    )
}
"""Every operation by its name. `printf`, `puts` and `putchar` are C's; `eprint` writes to standard error."""

PRIMITIVES = {name: row for name, row in OPERATIONS.items() if not row.is_effect}
"""The pure operations, conversion included."""

EFFECTS = {name: row for name, row in OPERATIONS.items() if row.is_effect}
"""The ordered operations."""

PRECEDENCE = {name: row.precedence for name, row in OPERATIONS.items() if row.form == "infix"}
"""How tightly each infix operator binds."""

PREFIXES = {name: row.symbol for name, row in OPERATIONS.items() if row.form == "prefix"}
"""The symbol of each prefix operator."""


# -------------------------------------------------------------------------------------------------------- queries


@cache
def result_type(op: str, operands: tuple[Type, ...], target: Scalar | None = None) -> Scalar | None:
    """The type of the result of `op`, a conversion being one to `target`; None if it does not take such operands."""
    row = OPERATIONS.get(op)
    if row is None:
        return None
    if row.kind == "conversion":
        return target if target and len(operands) == 1 and is_data(operands[0]) and is_data(target) else None
    return row.typing(operands)


def traps(op: str, result: Scalar) -> bool:
    """Whether the primitive `op` with that result type may end in a runtime error on defined operands."""
    return PRIMITIVES[op].traps and result.kind == "integer"


@cache
def wraps(op: str, type: Scalar) -> bool:
    """Whether the exact result of `op` on two integers of the type may leave the range of the type, to be wrapped."""
    row = PRIMITIVES[op]
    if row.traps or row.interval is None or row.kind == "conversion":
        return False
    everything = range_of(type)
    low, high = row.interval(type, *[everything] * (1 if row.form != "infix" else 2))
    return not everything[0] <= low <= high <= everything[1]


def opposite(op: str, type: Type) -> str | None:
    """The comparison that holds of values of the type where `op` does not; None if `op` is not a comparison.

    For numbers there is none but between ``==`` and ``!=``: neither ``<`` nor ``>=`` holds of a NaN.
    """
    row = OPERATIONS[op]
    return None if is_float(type) and not row.commutative else row.negation


def in_order_of_use(op: str, operands: Sequence[Entry]) -> Sequence[Entry]:
    """The operands in the order in which the operation examines them: the first undefined one is reported.

    A divisor is found to be 0 before the dividend is examined; a format is examined after its arguments.
    """
    if OPERATIONS[op].kind in ("division", "shift"):
        return operands[::-1]
    return [*operands[1:], operands[0]] if op == "printf" else operands


def constant_key(constant: Constant) -> tuple[object, ...]:
    """A key that two constants share if and only if they are the same."""
    sign = math.copysign(1, constant.value) if isinstance(constant.value, float) else None  # of a zero, or a NaN
    return constant.type, repr(constant.value), sign


# ---------------------------------------------------------------------------------------------------- completeness


class IncompleteTable(Exception):
    """A table of a back end lacks an operation or a type, or has one that does not exist."""


def for_every_operation(
    owner: str, entries: Mapping[str, Entry], operations: Iterable[str] | None = None
) -> Mapping[str, Entry]:
    """`entries` itself, the table of `owner` with an entry for each operation (or each of `operations`), by name.

    To be called when the module of `owner` is loaded. Raises `IncompleteTable`, which names what is missing.
    """
    return _complete(owner, "operation", entries, OPERATIONS if operations is None else operations)


def for_every_type(owner: str, entries: Mapping[Scalar, Entry]) -> Mapping[Scalar, Entry]:
    """The same for a table with an entry for each scalar type."""
    return _complete(owner, "type", entries, SCALARS.values())


def _complete(owner: str, what: str, entries: Mapping[Any, Entry], wanted: Iterable[Any]) -> Mapping[Any, Entry]:
    expected = dict.fromkeys(wanted)
    for fault, keys in ("missing", expected.keys() - entries.keys()), ("unknown", entries.keys() - expected.keys()):
        if keys:
            raise IncompleteTable(f"{owner}: {fault} {what} {', '.join(sorted(f'`{key}`' for key in keys))}")
    return entries
