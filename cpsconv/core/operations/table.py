"""The table of operations: one row with all general properties of each primitive and effect.

Text, checker, analyses, simplifier, evaluator and back ends query this table. A back end declares only how it writes
each operation, in a table of its own (`cpsconv.core.operations.completeness`). docs/operations.md shows how to add an
operation.

Operators have their usual spelling. There are no implicit conversions: both operands of an arithmetic operator or
comparison have the same type. (Front ends insert conversions.)
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from typing import Any, Literal, NamedTuple, TypeVar

from cpsconv.core.ir import (
    BOOL,
    INT,
    INTEGER,
    MEMORY,
    PTR,
    STRING,
    UNSIGNED_LONG,
    VOID,
    Constant,
    Function,
    Scalar,
    Statement,
    Type,
    Value,
)
from cpsconv.core.operations import intervals
from cpsconv.core.operations.computation import Function as Computed
from cpsconv.core.operations.computation import mathematical, on_every_type, product, quotient, remainder, shifted
from cpsconv.core.operations.definitions import division_faults, inverted, magnitude, unequal
from cpsconv.core.operations.mathematics import MATHEMATICS
from cpsconv.core.operations.names import CREATE, CREATE_ZEROED, PRINT, PRINT_CHARACTER, PRINT_LINE, RELEASE, RESIZE
from cpsconv.core.operations.types import (
    is_arithmetic,
    is_bits,
    is_bool,
    is_comparable,
    is_convertible,
    is_index,
    is_integer,
    is_mathematical,
    is_storable,
    is_whole,
    range_of,
)

Entry = TypeVar("Entry")

Typing = Callable[[Sequence[Type]], "Scalar | None"]
"""The function from the types of the operands to the type of the result, or `None` if the operation does not apply."""

Expansion = Callable[..., Value]
"""The function from `make` and the operands of an operation to its value: ``lambda make, x: make("-", zero, x)``.

``make(op, *operands)`` gives the value of another operation, ``make(type, operand)`` that of a conversion.
"""

Faults = Callable[..., Iterator[tuple[str, list[Value]]]]
"""The function from `make` and the operands of an operation to the messages of its runtime errors on integers.

With each message are the conditions that hold together if and only if the error occurs, and no earlier one.
"""

Accepts = Callable[[Type], bool]
"""Whether the operation takes operands of a type."""

Kind = Literal[
    "arithmetic",
    "division",
    "bitwise",
    "shift",
    "comparison",
    "logic",
    "mathematics",
    "conversion",
    "address",
    "memory",
    "output",
    "foreign",
    "foreign value",
]
"""The class of an operation. "memory", "output" and "foreign" operations are effects, all others are primitives.

No back end has entries for foreign operations: it refuses programs with them (`cpsconv.core.operations.foreign`)."""

INTEGER_KINDS = frozenset({"arithmetic", "division", "bitwise", "shift", "conversion"})
"""The kinds of operations that compute integers, which may leave the range of their type."""

Form = Literal["infix", "prefix", "call", "conversion", "address", "access", "allocation", "foreign"]
"""The notation of an operation in the text.

``a + b``, ``-a``, ``abs(a)``, ``long(a)``, ``point.x(p)``, ``int[p] := v``, ``allocate char[80]``.
"""


class Operation(NamedTuple):
    """One row of the table.

    - `name` is the key of the row, and the `op` of a `Primitive` or `Effect`.
    - `arity` is the number of operands; `None` if it varies. `typing` gives the type of the result.
    - `symbol` and `form` are the notation in CPS text. `precedence` orders infix operators: a higher number
      binds more tightly. All infix operators associate to the left.
    - `commutative`: exchanging the operands does not change the result. (Exception: the sign of a NaN.)
    - `modular`: the lowest n bits of the result depend only on the lowest n bits of the operands. (Exception: ``<<``
      depends on the whole count.)
    - `faults`: the runtime errors that the operation raises for some defined integers. (A product of `integer`s may
      raise one, too, if it is too large: see `traps` below.)
    - `negation`: the comparison with the opposite result; `mirror`: the comparison with the same result on exchanged
      operands; `narrow`: the interval of the left operand if the comparison is true.
    - `compute` gives, for a type of the first operand that the operation takes, the Python function that computes the
      operation. `semantics` wraps the results to the type, or rounds them. (It has the conversions itself.)
    - `interval`: the bounds of the exact integer result, before wrapping. The kinds in `INTEGER_KINDS` must have it;
      `None` for others, whose results are no integers, or are in the range of their type.
    - `expansion` expresses the operation by others, for back ends that have no spelling for it.
    - `creates`: the result points to a new object; `ends`: the operation ends the lifetime of an object.
    """

    name: str
    kind: Kind
    typing: Typing
    symbol: str
    arity: int | None = 2
    form: Form = "infix"
    precedence: int = 0
    commutative: bool = False
    modular: bool = False
    faults: Faults | None = None
    negation: str | None = None
    mirror: str | None = None
    narrow: Callable[[intervals.Interval, intervals.Interval], intervals.Interval] | None = None
    compute: Callable[[Scalar], Computed] | None = None
    interval: intervals.Rule | None = None
    expansion: Expansion | None = None
    creates: bool = False
    ends: bool = False

    @property
    def is_effect(self) -> bool:
        """Whether the operation is an `Effect`; otherwise it is a `Primitive`."""
        return self.kind in ("output", "memory", "foreign")

    @property
    def is_on_memory(self) -> bool:
        """Whether only programs with objects in memory have the operation."""
        return self.kind in ("address", "memory")


# --------------------------------------------------------------------------------------------------------- typing


def unary(accepts: Accepts) -> Typing:
    """The typing of an operation on one operand, whose result has the same type."""

    def typing(types: Sequence[Type]) -> Scalar | None:
        return types[0] if len(types) == 1 and isinstance(types[0], Scalar) and accepts(types[0]) else None

    return typing


def binary(accepts: Accepts, result: Scalar | None = None) -> Typing:
    """The typing of an operation on two operands of one type, whose result has type `result`, or else the same type."""

    def typing(types: Sequence[Type]) -> Scalar | None:
        if len(types) == 2 and types[0] is types[1] and isinstance(types[0], Scalar) and accepts(types[0]):
            return result or types[0]
        return None

    return typing


def _fma(types: Sequence[Type]) -> Scalar | None:
    return binary(is_mathematical)(types[:2]) if len(types) == 3 and types[1] is types[2] else None


def _shift(types: Sequence[Type]) -> Scalar | None:
    """The result has the type of the first operand; the count may have another integer type."""
    if len(types) == 2 and is_integer(types[0]) and is_integer(types[1]) and isinstance(types[0], Scalar):
        return types[0]
    return None


def _fixed(operands: Sequence[Scalar], result: Scalar) -> Typing:
    return lambda types: result if [*types] == [*operands] else None


def _element(types: Sequence[Type]) -> Scalar | None:
    return PTR if len(types) == 2 and types[0] is PTR and is_index(types[1]) else None


def _store(types: Sequence[Type]) -> Scalar | None:
    """The value, then the address: the text evaluates the right side of ``int[p] := v`` first."""
    return VOID if len(types) == 2 and is_storable(types[0]) and types[1] is PTR else None


def _load_or(types: Sequence[Type]) -> Scalar | None:
    return types[1] if len(types) == 2 and types[0] is PTR and is_storable(types[1]) else None


def _allocate(types: Sequence[Type]) -> Scalar | None:
    return PTR if not types or (len(types) == 1 and is_index(types[0])) else None


def _extend(types: Sequence[Type]) -> Scalar | None:
    return MEMORY if [*types] in ([PTR], [PTR, MEMORY]) else None


def _print_line(types: Sequence[Type]) -> Scalar | None:
    return INT if len(types) == 1 and types[0] in (STRING, PTR) else None


def _print(types: Sequence[Type]) -> Scalar | None:
    return INT if types and types[0] is STRING else None


# ---------------------------------------------------------------------------------------------------------- table


def _infix(
    name: str, kind: Kind, precedence: int, typing: Typing, compute: Any, interval: Any = None, **given: Any
) -> Operation:
    common: dict[str, Any] = {"name": name, "kind": kind, "typing": typing, "symbol": name, "precedence": precedence}
    return Operation(**common, compute=compute, interval=interval, **given)


def _unary(
    name: str, kind: Kind, symbol: str, accepts: Accepts, compute: Any, interval: Any, **given: Any
) -> Operation:
    common: dict[str, Any] = {"name": name, "kind": kind, "typing": unary(accepts), "symbol": symbol, "arity": 1}
    return Operation(compute=on_every_type(compute), interval=interval, **common | {"form": "prefix"} | given)


def _arithmetic(name: str, precedence: int, compute: Any, interval: Any, commutative: bool = True) -> Operation:
    given = {"commutative": commutative, "modular": True}
    return _infix(name, "arithmetic", precedence, binary(is_arithmetic), compute, interval, **given)


def _division(name: str, accepts: Accepts, compute: Any, interval: Any) -> Operation:
    return _infix(name, "division", 10, binary(accepts), compute, interval, faults=partial(division_faults, name))


def _bitwise(name: str, precedence: int, compute: Any, interval: Any) -> Operation:
    given = {"commutative": True, "modular": True}
    return _infix(name, "bitwise", precedence, binary(is_bits), on_every_type(compute), interval, **given)


def _comparison(name: str, precedence: int, negation: str, mirror: str, compute: Any, narrow: Any) -> Operation:
    given = {"commutative": name == mirror, "negation": negation, "mirror": mirror, "narrow": narrow}
    return _infix(name, "comparison", precedence, binary(is_comparable, BOOL), on_every_type(compute), **given)


def _function(name: str, arity: int) -> Operation:
    typing = {1: unary(is_mathematical), 2: binary(is_mathematical), 3: _fma}[arity]
    compute = partial(mathematical, name)
    return Operation(name, "mathematics", typing, symbol=name, arity=arity, form="call", compute=compute)


def _output(name: str, typing: Typing, arity: int | None = 1) -> Operation:
    return Operation(name=name, kind="output", typing=typing, symbol=name, arity=arity, form="call")


def _memory(name: str, typing: Typing, arity: int | None, form: Form = "call", **given: Any) -> Operation:
    return Operation(name=name, kind="memory", typing=typing, symbol=name, arity=arity, form=form, **given)


def _address(name: str, typing: Typing, arity: int) -> Operation:
    return Operation(name=name, kind="address", typing=typing, symbol=name, arity=arity, form="address")


def _by_target(_: Sequence[Type]) -> Scalar | None:
    return None  # it depends on the target type: see `result_type`


CONVERT = "convert"
"""The name of the conversion to the type of the `Primitive`. The text writes it as the type's name: ``long(a)``."""

ELEMENT, FIELD, LOAD, STORE, COPY, ALLOCATE = "element", "field", "load", "store", "copy", "allocate"
"""The names of the operations on memory with notations of their own, in docs/memory.md."""

LOAD_OR = "load_or"
"""A load with a default value, the second operand: its bytes replace those that were never written."""

LOADS = (LOAD, LOAD_OR)

DEALLOCATE = "deallocate"
"""The end of an object that `ALLOCATE` created."""

MAKE_CONSTANT = "make_constant"
"""From now on, a change of the variable that starts at the pointer is an error. Other objects are not affected."""

MAKE_BYTES_CONSTANT = "make_bytes_constant"
"""Likewise, a change of so many bytes of a variable, from the pointer on."""

PROTECTING = (MAKE_CONSTANT, MAKE_BYTES_CONSTANT)

HEAP = frozenset({CREATE, CREATE_ZEROED, RESIZE, RELEASE})
"""The operations that manage objects on the heap."""

EXTEND = "extend"
"""The memory with one more object, which was allocated; or the memory of that object alone. (Explicit memory only.)"""


def _with_interval(row: Operation) -> Operation:
    """The row. Raises `ValueError` if an operation on integers does not state the interval of its result."""
    if row.kind in INTEGER_KINDS and row.interval is None:
        raise ValueError(f"the operation `{row.name}` of the kind {row.kind} lacks the interval of its result")
    return row


FOREIGN, FOREIGN_VALUE = FOREIGN_OPERATIONS = "foreign", "foreign_value"
"""The operations of foreign statements: effects, and pure ones. Their static operand is a `Foreign`, any types fit."""

DIALECTS: dict[str, str | Callable[..., Any]] = {}
"""The dialects that execute foreign operations (`cpsconv.core.operations.dialects`): classes, or ``module:class``, by
the word before the point in the texts of operations and types."""

OPERATIONS: dict[str, Operation] = {
    row.name: _with_interval(row)
    for row in (
        _arithmetic("+", 9, on_every_type(operator.add), intervals.total),
        _arithmetic("-", 9, on_every_type(operator.sub), intervals.difference, commutative=False),
        _arithmetic("*", 10, product, intervals.product),
        _division("/", is_arithmetic, quotient, intervals.quotient),
        _division("%", is_whole, remainder, intervals.remainder),
        _bitwise("&", 5, operator.and_, intervals.conjunction),
        _bitwise("|", 3, operator.or_, intervals.disjunction),
        _bitwise("^", 4, operator.xor, intervals.disjunction),
        _infix("<<", "shift", 8, _shift, shifted(operator.lshift), intervals.left_shift, modular=True),
        _infix(">>", "shift", 8, _shift, shifted(operator.rshift), intervals.right_shift),
        _comparison("==", 6, "!=", "==", operator.eq, intervals.equal),
        _comparison("!=", 6, "==", "!=", operator.ne, intervals.unequal)._replace(expansion=unequal),
        _comparison("<", 7, ">=", ">", operator.lt, intervals.below),
        _comparison("<=", 7, ">", ">=", operator.le, intervals.at_most),
        _comparison(">", 7, "<=", "<", operator.gt, intervals.above),
        _comparison(">=", 7, "<", "<=", operator.ge, intervals.at_least),
        _unary("neg", "arithmetic", "-", is_arithmetic, operator.neg, intervals.negation, modular=True),
        _unary(
            "~", "bitwise", "~", is_integer, operator.invert, intervals.complement, modular=True, expansion=inverted
        ),
        _unary("!", "logic", "!", is_bool, operator.not_, None),
        _unary("abs", "arithmetic", "abs", is_arithmetic, abs, intervals.magnitude, form="call", expansion=magnitude),
        *[_function(name, arity) for name, arity in MATHEMATICS.items()],
        Operation(
            name=CONVERT,
            kind="conversion",
            typing=_by_target,
            symbol="",
            arity=1,
            form="conversion",
            modular=True,
            interval=intervals.same,
        ),
        _address(ELEMENT, _element, 2),
        _address(FIELD, _fixed([PTR], PTR), 1),
        _memory(LOAD, _by_target, 1, "access"),
        _memory(LOAD_OR, _load_or, 2),
        _memory(STORE, _store, 2, "access"),
        _memory(COPY, _fixed([PTR, PTR], VOID), 2, "access"),
        _memory(ALLOCATE, _allocate, None, "allocation", creates=True),
        _memory(DEALLOCATE, _fixed([PTR], VOID), 1, ends=True),
        _memory(MAKE_CONSTANT, _fixed([PTR], VOID), 1),
        _memory(MAKE_BYTES_CONSTANT, _fixed([PTR, UNSIGNED_LONG], VOID), 2),
        _memory(CREATE, _fixed([UNSIGNED_LONG], PTR), 1, creates=True),
        _memory(CREATE_ZEROED, _fixed([UNSIGNED_LONG, UNSIGNED_LONG], PTR), 2, creates=True),
        _memory(RESIZE, _fixed([PTR, UNSIGNED_LONG], PTR), 2, creates=True, ends=True),
        _memory(RELEASE, _fixed([PTR], VOID), 1, ends=True),
        _memory(EXTEND, _extend, None, "access")._replace(symbol="memory"),
        _output(PRINT, _print, arity=None),
        _output(PRINT_LINE, _print_line),
        _output(PRINT_CHARACTER, _fixed([INT], INT)),
        _output("eprint", _fixed([STRING], VOID)),
        Operation(FOREIGN, "foreign", lambda operands: VOID, "", None, "foreign"),
        Operation(FOREIGN_VALUE, "foreign value", lambda operands: None, "", None, "foreign"),
    )
}
"""All operations by name.

`PRINT` and `PRINT_LINE` take each string as a `string`, or as a `ptr` to its characters in memory; `eprint` writes to
standard error.
"""

PRIMITIVES = {name: row for name, row in OPERATIONS.items() if not row.is_effect}
"""The pure operations, including conversion."""

EFFECTS = {name: row for name, row in OPERATIONS.items() if row.is_effect}
"""The ordered operations."""

OUTPUTS = {name: row for name, row in EFFECTS.items() if row.kind == "output"}
"""The effects that do not concern memory."""

ENDING = frozenset(name for name, row in OPERATIONS.items() if row.ends)
"""The operations that end the lifetime of an object."""

CREATING = frozenset(name for name, row in OPERATIONS.items() if row.creates)
"""The operations whose results point to new objects."""

ALLOCATING = CREATING - ENDING
"""The operations that create an object and change no other."""

RELEASING = ENDING - CREATING
"""The operations that end the lifetime of an object and create none."""

PRECEDENCE = {name: row.precedence for name, row in OPERATIONS.items() if row.form == "infix"}
"""The precedence of each infix operator."""

PREFIXES = {name: row.symbol for name, row in OPERATIONS.items() if row.form == "prefix"}
"""The symbol of each prefix operator."""


def add_operation(row: Operation) -> None:
    """Add a row to the table. An operation without an expansion is added before the back ends are loaded.

    Raises `ValueError` if the table has an operation of that name, or if the row lacks a necessary interval.
    """
    if row.name in OPERATIONS:
        raise ValueError(f"there already is an operation `{row.name}`")
    OPERATIONS[row.name] = (EFFECTS if row.is_effect else PRIMITIVES)[row.name] = _with_interval(row)
    result_type.cache_clear()  # it had no result
    if row.is_effect and not row.is_on_memory:
        OUTPUTS[row.name] = row
    if row.form == "infix":
        PRECEDENCE[row.name] = row.precedence
    if row.form == "prefix":
        PREFIXES[row.name] = row.symbol


# -------------------------------------------------------------------------------------------------------- queries


@cache
def result_type(op: str, operands: tuple[Type, ...], target: Scalar | None = None) -> Scalar | None:
    """The type of the result of `op` (for a conversion or load, `target`), or None if it takes no such operands."""
    row = OPERATIONS.get(op)
    if row is None:
        return None
    if operands and operands[-1] is MEMORY and (row.is_on_memory or PTR in operands) and op != EXTEND:
        result = result_type(op, operands[:-1], target)
        return MEMORY if result is VOID and row.is_on_memory else result
    if row.kind == "conversion":
        return target if target and len(operands) == 1 and is_convertible(operands[0], target) else None
    if row.form == "foreign":
        return target or (VOID if row.is_effect else None)
    if op == LOAD:
        return target if target and operands == (PTR,) and is_storable(target) else None
    return row.typing(operands)


def takes_address(op: str, operands: Sequence[Value], target: Scalar | None) -> bool:
    """Whether the operation is the conversion of a function to a pointer, ``ptr(f)``."""
    return op == CONVERT and target is PTR and len(operands) == 1 and isinstance(operands[0], Function)


def memory_of(statement: Statement) -> Value | None:
    """The memory in which the statement takes place, if that is explicit: its last operand."""
    last = statement.operands[-1:]
    return last[0] if last and last[0].type is MEMORY else None


def traps(op: str, result: Scalar) -> bool:
    """Whether the primitive `op` with that result type may raise a `ProgramError` on defined operands."""
    return (PRIMITIVES[op].faults is not None and is_whole(result)) or (op == "*" and result is INTEGER)


@cache
def wraps(op: str, type: Scalar) -> bool:
    """Whether the exact result of `op` on integers of the type may be out of the type's range, so that it wraps."""
    row = PRIMITIVES[op]
    if row.interval is None or row.faults or row.kind == "conversion" or type.kind != "integer":
        return False
    if row.arity is None:
        return True
    full = range_of(type)
    low, high = row.interval(type, *[full] * row.arity)
    return not full[0] <= low <= high <= full[1]


def constant_key(constant: Constant) -> tuple[object, ...]:
    """A key that is equal for two constants of the same type and value (and, for zeros and NaNs, sign) only."""
    if constant.type.kind == "float":  # the sign of a NaN is not a part of its text
        return constant.type, repr(constant.value), math.copysign(1, float(constant.value))
    return constant.type, type(constant.value), constant.value
