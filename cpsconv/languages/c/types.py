"""C's types: sizes, promotions and conversions on x86-64 Linux (C17 6.2.5, 6.3.1 and 6.7.2).

They are not the types of the program, which has neither qualifiers nor different types for C's `int` and truth values.
`CType.program` is the type that the values of a C type have in the program. Equal types are identical: compare them
with ``is``. `pointer_to`, `array_of`, `function_of` and `qualified` return the type that exists, if there is one.

A type with qualifiers is an object of its own, as in C; values have the type `unqualified`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from cpsconv.core import ir
from cpsconv.core.floating import LongDouble, Real
from cpsconv.core.operations.table import OPERATIONS
from cpsconv.core.operations.types import is_float, range_of, wrap

if TYPE_CHECKING:
    from typing_extensions import Self

NO_QUALIFIERS: frozenset[str] = frozenset()


class CType:
    """A type of C. `size` is the number of bytes of an object; `void`, functions and `UNKNOWN` have no objects.

    `program` is the type of its values in the program; `kind`, `bits` and `signed` are those of `program`. `derived`
    has the types that are derived from this one, by the way in which they are. `depth` is the nesting depth of arrays
    and records.
    """

    __slots__ = (
        "alignment", "bits", "depth", "derived", "kind", "own_name", "program", "qualifiers", "signed", "size",
        "unqualified",
    )  # fmt: skip

    def __init__(self, name: str, program: ir.Scalar, size: int = 0, alignment: int = 0) -> None:
        self.own_name = name
        self.program = program
        self.size = size
        self.alignment = alignment or size or 1
        self.depth = 0
        self.kind = program.kind
        self.bits = program.bits
        self.signed = program.signed
        self.qualifiers = NO_QUALIFIERS
        self.unqualified: Any = self  # of the class of `self`
        self.derived: dict[Hashable, Any] = {}

    def __str__(self) -> str:
        """The type in C's spelling: ``int (*)[5]``."""
        return spelled(self)

    def with_qualifiers(self, qualifiers: frozenset[str]) -> Self:
        """A new type that differs in its qualifiers only."""
        copy = object.__new__(type(self))
        for base in type(self).__mro__:
            for slot in getattr(base, "__slots__", ()):
                setattr(copy, slot, getattr(self, slot))
        copy.qualifiers, copy.derived = qualifiers, {}
        return copy


class Arithmetic(CType):
    """`_Bool`, an integer type or a floating type."""

    __slots__ = ()


class Enum(Arithmetic):
    """An enumerated type: its values are those of the `underlying` type, `unsigned`, or `int` if one is negative.

    It is incomplete until `complete` is called. `span` is its first declaration, `names` the names of its values.
    """

    __slots__ = ("is_complete", "names", "span", "tag", "underlying")

    def __init__(self, tag: str | None, span: Any = None) -> None:
        super().__init__(f"enum {tag or '<unnamed>'}", ir.UNSIGNED, 4)
        self.tag = tag
        self.span = span
        self.underlying = UNSIGNED
        self.is_complete = False
        self.names: Mapping[int, str] = {}

    def complete(self, names: Mapping[int, str], is_packed: bool = False) -> None:
        """Complete the type, whose enumerators have these values and names. They determine the underlying type."""
        lowest, highest = min([0, *names]), max([0, *names])
        smaller = (SIGNED_CHAR, SHORT) if lowest < 0 else (UNSIGNED_CHAR, UNSIGNED_SHORT)
        candidates = [*(smaller if is_packed else ()), *((INT, LONG) if lowest < 0 else (UNSIGNED, UNSIGNED_LONG))]
        ranges = ((each, limits(each)) for each in candidates)
        fitting = [each for each, (low, high) in ranges if low <= lowest and highest <= high]
        underlying = fitting[0] if fitting else candidates[-1]
        for each in variants(self):
            each.underlying, each.is_complete, each.names = underlying, True, names
            each.program, each.bits, each.signed = underlying.program, underlying.bits, underlying.signed
            each.size = each.alignment = underlying.size


class Pointer(CType):
    """A pointer to an object or function of type `target`."""

    __slots__ = ("target",)

    def __init__(self, target: CType) -> None:
        super().__init__("", ir.PTR, 8)
        self.target = target


class Array(CType):
    """An array. `length` is None if it is not known, as in ``extern int a[];``.

    The length of a `VariableArray` is computed at run time.
    """

    __slots__ = ("element", "length")

    def __init__(self, element: CType, length: int | None) -> None:
        super().__init__("", ir.VOID, element.size * (length or 0), element.alignment)
        self.depth = 1 + element.depth
        self.element = element
        self.length = length


class VariableArray(Array):
    """An array of variable length. `count` is the variable that has the number of its elements, or None for ``[*]``.

    Two such types are never identical. An array of such arrays is one, too.
    """

    __slots__ = ("count",)

    def __init__(self, element: CType, count: Any) -> None:
        super().__init__(element, None)
        self.count = count


def is_variably_modified(type: CType) -> bool:
    """Whether the type is derived from an array of variable length."""
    while isinstance(type, (Array, Pointer)) and not isinstance(type, VariableArray):
        type = type.element if isinstance(type, Array) else type.target
    return isinstance(type, VariableArray)


class FunctionType(CType):
    """The type of a function. `prototyped` is False if a declaration leaves its parameters unspecified: ``f()``."""

    __slots__ = ("parameters", "prototyped", "result", "variadic")

    def __init__(
        self, result: CType, parameters: Sequence[CType], prototyped: bool = True, variadic: bool = False
    ) -> None:
        super().__init__("", ir.VOID)
        self.result = result
        self.parameters = parameters
        self.prototyped = prototyped
        self.variadic = variadic


class OpaqueType(CType):
    """An arithmetic type that is not supported yet.

    There are functions, fields and pointers that are declared with it, but no values: their uses are reported.
    """

    __slots__ = ()

    def __init__(self, name: str, size: int, alignment: int) -> None:
        super().__init__(name, ir.VOID, size, alignment)


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
LONG_LONG = Arithmetic("long long", ir.LONG, 8)
UNSIGNED_LONG_LONG = Arithmetic("unsigned long long", ir.UNSIGNED_LONG, 8)
INT128 = Arithmetic("__int128", ir.INT128, 16)
UNSIGNED_INT128 = Arithmetic("unsigned __int128", ir.UNSIGNED_INT128, 16)
FLOAT = Arithmetic("float", ir.FLOAT, 4)
DOUBLE = Arithmetic("double", ir.DOUBLE, 8)
LONG_DOUBLE = Arithmetic("long double", ir.LONG_DOUBLE, 16)
VOID = CType("void", ir.VOID)
QUAD = OpaqueType("_Float128", 16, 16)

INTEGER_TYPES = (
    *(CHAR, SIGNED_CHAR, UNSIGNED_CHAR, SHORT, UNSIGNED_SHORT, INT, UNSIGNED, LONG, UNSIGNED_LONG),
    *(LONG_LONG, UNSIGNED_LONG_LONG, INT128, UNSIGNED_INT128),
)
"""The integer types of C and gcc."""

INTEGERS = {(each.size, each.signed): each for each in reversed(INTEGER_TYPES) if each not in (CHAR, LONG_LONG)}
"""The integer types by their sizes, and whether they are signed."""

WCHAR, SIZE = INT, UNSIGNED_LONG
"""The types `wchar_t` and `size_t`."""

TRUTH = Arithmetic("int", ir.BOOL, 4)
"""The type of comparisons, ``!``, ``&&`` and ``||``: an `int` in C, a `bool` in the program until it is promoted."""

UNKNOWN = CType("unknown", ir.Scalar("unknown", "void"))
"""The type of an erroneous expression, or of a declaration that is erroneous or not supported yet."""

# --------------------------------------------------------------------------------------------------- derived types

_T = TypeVar("_T", bound=CType)


def pointer_to(target: CType) -> Pointer:
    """The type of pointers to `target`."""
    found = target.derived.get("pointer")
    if found is None:
        found = target.derived["pointer"] = Pointer(target)
    return found


def array_of(element: CType, length: int | None) -> Array:
    """The type of arrays of that many elements; of unknown length if it is None."""
    found = element.derived.get(("array", length))
    if found is None:
        created = VariableArray(element, length) if isinstance(element, VariableArray) else Array(element, length)
        found = element.derived["array", length] = created
    return found


def function_of(
    result: CType, parameters: Iterable[CType], prototyped: bool = True, variadic: bool = False
) -> FunctionType:
    """The type of functions. The types of the parameters are adjusted and without qualifiers."""
    types = tuple(parameters)
    key = "function", types, prototyped, variadic
    found = result.derived.get(key)
    if found is None:
        found = result.derived[key] = FunctionType(result, types, prototyped, variadic)
    return found


def qualified(type: _T, qualifiers: Iterable[str]) -> _T:
    """The type with these qualifiers in addition to its own. Those of an array are those of its elements."""
    if isinstance(type, Array):
        return _qualified_array(type, qualifiers)  # type: ignore[no-any-return]
    wanted = type.qualifiers.union(qualifiers)
    if wanted == type.qualifiers or isinstance(type, FunctionType) or type is UNKNOWN:
        return type
    base = type.unqualified
    if type.alignment != base.alignment:
        return aligned(base.with_qualifiers(wanted), type.alignment)  # type: ignore[no-any-return]
    found: _T | None = base.derived.get(wanted)
    if found is None:
        found = base.derived[wanted] = base.with_qualifiers(wanted)
    return found


def _qualified_array(type: Array, qualifiers: Iterable[str]) -> Any:
    arrays: list[Array] = []
    element: CType = type
    while isinstance(element, Array):
        arrays.append(element)
        element = element.element
    result = qualified(element, qualifiers)
    if result is element:
        return type
    for array in reversed(arrays):
        if isinstance(array, VariableArray):
            result = VariableArray(result, array.count)
        else:
            result = array_of(result, array.length)
    return result


def aligned(type: CType, alignment: int) -> Any:
    """The type with another alignment. Values have the type without it."""
    base = type.unqualified
    key = "aligned", alignment, type.qualifiers
    found = base.derived.get(key)
    if found is None:
        found = base.derived[key] = base.with_qualifiers(type.qualifiers)
        found.alignment = alignment
    return found


def variants(type: _T) -> list[_T]:
    """The type `type.unqualified` with each set of qualifiers that exists."""
    base = type.unqualified
    return [base, *(found for key, found in base.derived.items() if isinstance(key, frozenset))]


def element_of(type: CType) -> CType:
    """The type of the elements of an array, of their elements and so on, which is no array; of others, the type."""
    while isinstance(type, Array):
        type = type.element
    return type


def decayed(type: CType) -> CType:
    """The type after the conversion of arrays and functions to pointers, without qualifiers."""
    if isinstance(type, Array):
        return pointer_to(type.element)
    return pointer_to(type) if isinstance(type, FunctionType) else type.unqualified


STRING = pointer_to(qualified(CHAR, ["const"]))
"""The type ``const char *``."""
# ------------------------------------------------------------------------------------------------------- spelling

_MAX_DEPTH = 20  # of types of parameters in types of parameters


def spelled(type: CType, name: str = "", depth: int = 0) -> str:
    """The type, or the declaration of `name` with this type, in C's spelling: ``int (*)[5]``."""
    while True:
        if isinstance(type, Pointer):
            qualifiers = _qualifiers(type)
            name = f"*{qualifiers}{' ' * bool(qualifiers and name)}{name}"
            type = type.target
            if isinstance(type, (Array, FunctionType)):
                name = f"({name})"
        elif isinstance(type, Array):
            length = "*" if isinstance(type, VariableArray) and not isinstance(type.count, int) else type.length
            name += "[]" if length is None else f"[{length}]"
            type = type.element
        elif isinstance(type, FunctionType):
            name += f"({_parameters(type, depth)})"
            type = type.result
        else:
            break
    qualifiers = _qualifiers(type)
    return f"{qualifiers}{' ' * bool(qualifiers)}{type.own_name}{' ' * (name[:1] not in ('', '['))}{name}"


def _qualifiers(type: CType) -> str:
    return " ".join(sorted(type.qualifiers))


def _parameters(type: FunctionType, depth: int) -> str:
    if depth > _MAX_DEPTH:
        return "…"
    shown = [spelled(each, depth=depth + 1) for each in type.parameters]
    return ", ".join([*shown, *["..."] * type.variadic]) or ("void" if type.prototyped else "")


# ------------------------------------------------------------------------------------------------------ properties


def is_integer_type(type: CType) -> bool:
    """Whether the type is an integer type. (`BOOL` and `TRUTH` are not.)"""
    return type.kind == "integer"


def is_floating_type(type: CType) -> bool:
    """Whether the type is `float`, `double` or `long double`."""
    return type.kind == "float"


def is_truth_value(type: CType) -> bool:
    """Whether the values of the type are truth values."""
    return type.program is ir.BOOL


def limits(type: CType) -> tuple[int, int]:
    """The smallest and the largest integer of an integer type."""
    return range_of(type.program)


# ------------------------------------------------------------------------------------------------------ conversions

_PROMOTED = INT, UNSIGNED, LONG, UNSIGNED_LONG, LONG_LONG, UNSIGNED_LONG_LONG, INT128, UNSIGNED_INT128

_RANKS: dict[CType, int] = {type: rank for rank, type in enumerate([*_PROMOTED, FLOAT, DOUBLE, LONG_DOUBLE])}
"""The promoted types in the order of the usual arithmetic conversions: the operand of lower rank is converted."""

_SIGNIFICANT_BITS = {ir.FLOAT: 24, ir.DOUBLE: 53}


def promoted(type: CType) -> CType:
    """The type after C's integer promotions, which widen integers narrower than `int` to `int`."""
    if type.bits < ir.INT.bits:
        return INT if type.bits else type
    return type.underlying if isinstance(type, Enum) else type


def argument_promoted(type: CType) -> CType:
    """The type after C's default argument promotions."""
    return DOUBLE if type is FLOAT else promoted(type)


def common_type(left: CType, right: CType) -> CType:
    """The common type of two operands under C's usual arithmetic conversions."""
    if left is right:
        return promoted(left)
    lower, higher = sorted((promoted(left), promoted(right)), key=_RANKS.__getitem__)
    return UNSIGNED_LONG_LONG if lower is UNSIGNED_LONG and higher is LONG_LONG else higher


@cache
def operation_types(op: str, left: CType, right: CType) -> tuple[CType, CType, CType] | None:
    """The types to which C converts the operands of a binary operator, and the type of the result.

    None if an operand is no number, or has a floating type and the operator takes integers only.
    """
    if not isinstance(left, Arithmetic) or not isinstance(right, Arithmetic):
        return None
    row = OPERATIONS[op]
    if (is_floating_type(left) or is_floating_type(right)) and not row.typing((ir.DOUBLE, ir.DOUBLE)):
        return None
    if row.kind == "shift":
        return promoted(left), promoted(right), promoted(left)
    common = common_type(left, right)
    return common, common, TRUTH if row.kind == "comparison" else common


def is_comparison(op: str) -> bool:
    """Whether the operator compares its operands."""
    return OPERATIONS[op].kind == "comparison"


def exact_result(op: str, *operands: int) -> int:
    """The result of an operation on integers of any size."""
    compute = OPERATIONS[op].compute
    assert compute
    return int(compute(ir.INTEGER)(*operands))


def wrapped(type: CType, value: int) -> int:
    """The integer of the integer type that is congruent to `value`."""
    return wrap(type.program, value)


def converted_number(type: ir.Scalar, value: Real) -> Real | None:
    """The number or truth value converted to a type of the program as in C; None if that is inexact or undefined."""
    if type is ir.BOOL:
        return value != 0
    if type is ir.LONG_DOUBLE:
        return LongDouble.of(value)
    if isinstance(value, (float, LongDouble)):
        if type is ir.DOUBLE and isinstance(value, float):
            return value
        fits = type.kind == "integer" and -(1 << 128) < value < 1 << 128 and wrap(type, int(value)) == int(value)
        return int(value) if fits else None
    if type.kind == "integer":
        return wrap(type, int(value))
    limit = 1 << _SIGNIFICANT_BITS.get(type, 0)
    return float(value) if is_float(type) and abs(value) <= limit else None
