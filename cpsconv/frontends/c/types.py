"""C's types: sizes, promotions and conversions on x86-64 Linux (C17 6.2.5, 6.3.1 and 6.7.2).

They are not the types of the program, which has neither qualifiers nor different types for C's `int` and truth values.
`CType.program` is the type that the values of a C type have in the program. Equal types are identical: compare them
with ``is``.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from cpsconv import ir
from cpsconv.operations.table import OPERATIONS
from cpsconv.operations.types import is_float, range_of, wrap


class CType:
    """A type of C. `size` is the number of bytes of an object; `void` and `UNKNOWN` have no objects.

    `program` is the type of its values in the program; `kind`, `bits` and `signed` are those of `program`.
    """

    __slots__ = ("bits", "kind", "name", "program", "signed", "size")

    def __init__(self, name: str, program: ir.Scalar, size: int = 0) -> None:
        self.name = name
        self.program = program
        self.size = size
        self.kind = program.kind
        self.bits = program.bits
        self.signed = program.signed

    def __str__(self) -> str:
        return self.name


class Arithmetic(CType):
    """`_Bool`, an integer type or a floating type."""

    __slots__ = ()


class Pointer(CType):
    """A pointer to an object of type `target`; `is_constant` if that object is `const`.

    Only pointers to characters are supported yet: they are strings in the program.
    """

    __slots__ = ("is_constant", "target")

    def __init__(self, target: CType, is_constant: bool) -> None:
        super().__init__(f"{'const ' if is_constant else ''}{target} *", ir.STRING, 8)
        self.target = target
        self.is_constant = is_constant


class Array(CType):
    """An array of `length` elements."""

    __slots__ = ("element", "length")

    def __init__(self, element: CType, length: int) -> None:
        super().__init__(f"{element}[{length}]", ir.VOID, element.size * length)
        self.element = element
        self.length = length


class FunctionType:
    """The type of a function. `prototyped` is False if a declaration leaves its parameters unspecified: ``f()``."""

    __slots__ = ("parameters", "prototyped", "result", "variadic")

    def __init__(
        self, result: CType, parameters: Sequence[CType], prototyped: bool = True, variadic: bool = False
    ) -> None:
        self.result = result
        self.parameters = parameters
        self.prototyped = prototyped
        self.variadic = variadic

    def declared(self, name: str) -> str:
        """The prototype of a function of this type, without names of parameters."""
        parameters = ", ".join([*map(str, self.parameters), *(["..."] if self.variadic else [])])
        return f"{self.result} {name}({parameters or ('void' if self.prototyped else '')})"

    def agrees_with(self, other: FunctionType) -> bool:
        """Whether two declarations of one function may have these types (C17 6.7.6.3, paragraph 15)."""
        if self.result is not other.result or self.variadic or other.variadic:
            return False
        if self.prototyped and other.prototyped:
            return [*self.parameters] == [*other.parameters]
        return all(type is argument_promoted(type) for type in (*self.parameters, *other.parameters))


BOOL = Arithmetic("bool", ir.BOOL, 1)
CHAR = Arithmetic("char", ir.CHAR, 1)
SIGNED_CHAR = Arithmetic("signed char", ir.SIGNED_CHAR, 1)
UNSIGNED_CHAR = Arithmetic("unsigned char", ir.UNSIGNED_CHAR, 1)
SHORT = Arithmetic("short", ir.SHORT, 2)
UNSIGNED_SHORT = Arithmetic("unsigned short", ir.UNSIGNED_SHORT, 2)
INT = Arithmetic("int", ir.INT, 4)
UNSIGNED = Arithmetic("unsigned", ir.UNSIGNED, 4)
LONG = Arithmetic("long", ir.LONG, 8)
UNSIGNED_LONG = Arithmetic("unsigned long", ir.UNSIGNED_LONG, 8)
FLOAT = Arithmetic("float", ir.FLOAT, 4)
DOUBLE = Arithmetic("double", ir.DOUBLE, 8)
VOID = CType("void", ir.VOID)

TRUTH = Arithmetic("int", ir.BOOL, 4)
"""The type of comparisons, ``!``, ``&&`` and ``||``: an `int` in C, a `bool` in the program until it is promoted."""

UNKNOWN = CType("unknown", ir.Scalar("unknown", "void"))
"""The type of an erroneous expression, or of a declaration that is erroneous or not supported yet."""


@cache
def array_of(element: CType, length: int) -> Array:
    """The type of arrays of that many elements."""
    return Array(element, length)


STRING = Pointer(CHAR, is_constant=True)
"""The type of strings as arguments of library functions."""

# ------------------------------------------------------------------------------------------------------ specifiers

_SPELLINGS: dict[CType, str] = {
    VOID: "void",
    BOOL: "_Bool",
    CHAR: "char",
    SIGNED_CHAR: "signed char",
    UNSIGNED_CHAR: "unsigned char",
    SHORT: "short, short int, signed short, signed short int",
    UNSIGNED_SHORT: "unsigned short, unsigned short int",
    INT: "int, signed, signed int",
    UNSIGNED: "unsigned, unsigned int",
    LONG: "long, long int, signed long, signed long int, long long, long long int, signed long long, "
    "signed long long int",
    UNSIGNED_LONG: "unsigned long, unsigned long int, unsigned long long, unsigned long long int",
    FLOAT: "float",
    DOUBLE: "double",
}  # C17 6.7.2, paragraph 2; `long long` is `LONG`, since both have 64 bits

SPECIFIED_TYPES = {
    tuple(sorted(spelling.split())): type
    for type, spellings in _SPELLINGS.items()
    for spelling in spellings.split(", ")
}
"""The type that a list of type specifiers denotes, by the sorted specifiers: their order is free in C."""

TYPE_SPECIFIERS = frozenset(word for words in SPECIFIED_TYPES for word in words)
"""The keywords that are type specifiers."""

# ------------------------------------------------------------------------------------------------------ properties


def is_integer_type(type: CType) -> bool:
    """Whether the type is an integer type. (`BOOL` and `TRUTH` are not.)"""
    return type.kind == "integer"


def is_floating_type(type: CType) -> bool:
    """Whether the type is `float` or `double`."""
    return type.kind == "float"


def is_truth_value(type: CType) -> bool:
    """Whether the values of the type are truth values."""
    return type.program is ir.BOOL


def limits(type: CType) -> tuple[int, int]:
    """The smallest and the largest integer of an integer type."""
    return range_of(type.program)


# ------------------------------------------------------------------------------------------------------ conversions

_RANKS: dict[CType, int] = {type: rank for rank, type in enumerate([INT, UNSIGNED, LONG, UNSIGNED_LONG, FLOAT, DOUBLE])}
"""The promoted types in the order of the usual arithmetic conversions: the operand of lower rank is converted."""

_SIGNIFICANT_BITS = {ir.FLOAT: 24, ir.DOUBLE: 53}


def promoted(type: CType) -> CType:
    """The type after C's integer promotions, which widen integers narrower than `int` to `int`."""
    return INT if type.bits < ir.INT.bits else type


def argument_promoted(type: CType) -> CType:
    """The type after C's default argument promotions."""
    return DOUBLE if type is FLOAT else promoted(type)


def common_type(left: CType, right: CType) -> CType:
    """The common type of two operands under C's usual arithmetic conversions."""
    if left is right:
        return promoted(left)
    return max(promoted(left), promoted(right), key=_RANKS.__getitem__)


@cache
def operation_types(op: str, left: CType, right: CType) -> tuple[CType, CType, CType] | None:
    """The types to which C converts the operands of a binary operator, and the type of the result.

    None if an operand has a floating type and the operator takes integers only.
    """
    row = OPERATIONS[op]
    if row.on_floats is None and (is_floating_type(left) or is_floating_type(right)):
        return None
    if row.kind == "shift":
        return promoted(left), promoted(right), promoted(left)
    common = common_type(left, right)
    return common, common, TRUTH if row.kind == "comparison" else common


def wrapped(type: CType, value: int) -> int:
    """The integer of the integer type that is congruent to `value`."""
    return wrap(type.program, value)


def converted_number(type: ir.Scalar, value: float) -> float | None:
    """The number or truth value converted to a type of the program as in C; None if that is inexact or undefined."""
    if type is ir.BOOL:
        return value != 0
    if isinstance(value, float):
        if type is ir.DOUBLE:
            return value
        fits = type.kind == "integer" and abs(value) < 1 << 64 and wrap(type, int(value)) == int(value)
        return int(value) if fits else None
    if type.kind == "integer":
        return wrap(type, int(value))
    return float(value) if is_float(type) and abs(value) <= 1 << _SIGNIFICANT_BITS[type] else None
