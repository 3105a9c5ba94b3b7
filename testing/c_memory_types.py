"""Generated C types with objects of static storage: the types and global objects of one program.

The fields of a union have no padding, so that each may be read after another one was written. Pointers in records and
arrays are never null and point to global objects, so that records may be copied to any place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from testing.c_expressions import FLOATS, INT, INTEGERS, CType
from testing.choices import Choices


@dataclass(frozen=True)
class Array:
    """An array type."""

    element: Type
    length: int


@dataclass(frozen=True)
class Pointer:
    """A pointer to at least `count` objects."""

    target: Type
    count: int


@dataclass(frozen=True)
class Callee:
    """A pointer to a function that takes two numbers of type `int` and returns one, without effects."""


@dataclass(frozen=True)
class Field:
    """A field; `bits` is the width of a bit-field."""

    name: str
    type: Type
    bits: int = 0


@dataclass(frozen=True)
class Record:
    """A struct or union, by its name in C, ``struct s0`` or the name of a typedef. `fields` may be reached directly.

    `initials` are the initial values of a union.
    """

    name: str
    fields: tuple[Field, ...]
    definition: str = ""
    initials: tuple[str, ...] = ()


Type = Union[CType, Array, Pointer, Callee, Record]


@dataclass(frozen=True)
class Object:
    """An object or a part of it: the lvalue, and its type."""

    text: str
    type: Type
    is_constant: bool = False
    is_bits: bool = False


_BYTE = next(type for type in INTEGERS if type.name == "unsigned char")
_SHORT = next(type for type in INTEGERS if type.name == "short")
_UNSIGNED = next(type for type in INTEGERS if type.name == "unsigned")
_UNSIGNED_LONG = next(type for type in INTEGERS if type.name == "unsigned long")
_BIT_TYPES = [type for type in INTEGERS if type.name in ("int", "unsigned", "unsigned char", "long", "bool")]

_PUNNED = Record(
    "union punned",
    (Field("i", INT), Field("u", _UNSIGNED), Field("bytes", Array(_BYTE, 4)), Field("halves", Array(_SHORT, 2))),
    "union punned { int i; unsigned u; unsigned char bytes[4]; short halves[2]; };",
    ("{5}", "{.bytes = {1, 2, 3, 4}}", "{.u = 4000000000u}"),
)
_HALVES = Record(
    "struct halves", (Field("low", _UNSIGNED), Field("high", INT)), "struct halves { unsigned low; int high; };"
)
_PARTS = Record(
    "struct parts",
    (Field("a", _UNSIGNED, 5), Field("b", INT, 11), Field("c", _UNSIGNED, 16), Field("d", INT)),
    "struct parts { unsigned a : 5; int b : 11; unsigned c : 16; int d; };",
)
_WIDE = Record(
    "union wide",
    (Field("whole", _UNSIGNED_LONG), Field("half", _HALVES), Field("part", _PARTS), Field("bytes", Array(_BYTE, 8))),
    "union wide { unsigned long whole; struct halves half; struct parts part; unsigned char bytes[8]; };",
    ("{123456789012ul}", "{.half = {7, -1}}", "{.half.high = 3}", "{.bytes = {[3] = 1, [4 ... 6] = 9}}"),
)

WORDS = ["", "a", "be", "sea", "deep", "e\\tf", "gamma!", "h%i"]

NUMBERS = Object("numbers", Array(INT, 8))
"""An array that all programs have."""


def declaration(type: Type, name: str) -> str:
    """The declaration of a name."""
    while True:
        if isinstance(type, Array):
            name = f"{name}[{type.length}]"
            type = type.element
        elif isinstance(type, Pointer):
            name = f"(*{name})" if isinstance(type.target, Array) else f"*{name}"
            type = type.target
        elif isinstance(type, Callee):
            return f"int (*{name})(int, int)"
        else:
            return f"{type.name} {name}"


def holds_pointers(type: Type) -> bool:
    """Whether objects of the type contain pointers, so that zeros are no good initial values."""
    if isinstance(type, Array):
        return holds_pointers(type.element)
    if isinstance(type, Record):
        return any(holds_pointers(field.type) for field in type.fields)
    return isinstance(type, (Pointer, Callee))


def parts(whole: Object) -> list[Object]:
    """All numbers, pointers and functions in an object."""
    found, pending = list[Object](), [whole]
    while pending:
        part = pending.pop()
        if isinstance(part.type, Array):
            pending += [
                Object(f"{part.text}[{index}]", part.type.element, part.is_constant)
                for index in reversed(range(part.type.length))
            ]
        elif isinstance(part.type, Record):
            pending += [
                Object(f"{part.text}.{field.name}", field.type, part.is_constant, bool(field.bits))
                for field in reversed(part.type.fields)
            ]
        else:
            found.append(part)
    return found


def scalars(whole: Object) -> list[Object]:
    """All numbers in an object."""
    return [part for part in parts(whole) if isinstance(part.type, CType)]


class Types:
    """The types, functions and global objects of one program."""

    def __init__(self, choose: Choices) -> None:
        self.choose = choose
        self.records: list[Record] = [_PUNNED]
        self._fixed = [_PUNNED]
        if choose.number(0, 2) == 0:
            self.records.append(_WIDE)
            self._fixed += [_HALVES, _PARTS, _WIDE]
        self.globals: list[Object] = []
        self.structs = [self._record(number) for number in range(choose.number(1, 3))]
        self.operations = choose.number(2, 4)

    def _record(self, number: int) -> Record:
        choose = self.choose
        fields: list[Field] = []
        for index in range(choose.number(1, 5)):
            kind = choose.number(0, 7)
            if kind <= 1:
                bit_type = choose.pick(_BIT_TYPES)
                size = {"bool": 1, "unsigned char": 8, "long": 40}.get(bit_type.name, 31)
                fields.append(Field(f"b{index}", bit_type, choose.number(1, size)))
            elif kind == 2:
                kinds: tuple[Type, ...] = (Callee(), Pointer(INT, choose.number(1, 3)))
                fields.append(Field(f"f{index}", choose.pick(kinds)))
            else:
                fields.append(Field(f"f{index}", self.type(2)))
        inner = "".join(
            f" {declaration(field.type, field.name)}{f' : {field.bits}' if field.bits else ''};" for field in fields
        )
        if choose.number(0, 4) == 0:
            fields += [Field("low", INT), Field("high", INT)]
            inner += " struct { int low, high; };"
        style = choose.number(0, 2)
        name = f"s{number}_t" if style == 0 else f"struct s{number}"
        definition = f"typedef struct {{{inner} }} {name};" if style == 0 else f"{name} {{{inner} }};"
        self.records.append(Record(name, tuple(fields), definition))
        return self.records[-1]

    def scalar(self) -> CType:
        """A type of numbers."""
        return self.choose.pick((INT, INT, *INTEGERS, *FLOATS))

    def type(self, depth: int = 2) -> Type:
        """A type of objects, other than pointers."""
        kind = self.choose.number(0, 6) if depth else 0
        if kind == 5 and self.records:
            return self.choose.pick(self.records)
        if kind >= 4:
            return Array(self.type(depth - 1), self.choose.number(1, 4))
        return self.scalar()

    # --------------------------------------------------------------------------------------------- initial values

    def initialiser(self, type: Type, value: str | None = None) -> str:
        """An initial value, of constants. `value` may be one of the numbers, where one is needed."""
        if isinstance(type, CType):
            return value or self.choose.pick(("0", "1", "-1", "7", "42", "100", "-3", "2"))
        if isinstance(type, Array):
            return self._array_initialiser(type)
        if isinstance(type, Callee):
            return self.choose.pick(("op{}", "&op{}")).format(self.choose.number(0, self.operations - 1))
        if isinstance(type, Pointer):
            at = self.choose.number(0, 8 - type.count)
            return self.choose.pick((f"&numbers[{at}]", f"numbers + {at}"))
        if type.initials:
            return self.choose.pick(type.initials)
        return self._struct_initialiser(type)

    def _array_initialiser(self, type: Array) -> str:
        choose = self.choose
        if isinstance(type.element, CType) and type.element.name == "char" and choose.number(0, 1):
            return f'"{"abc"[: type.length - 1]}"'
        count = type.length if holds_pointers(type) else choose.number(1, type.length)
        inner = [self.initialiser(type.element) for _ in range(count)]
        if choose.number(0, 3) == 0:
            last = choose.number(0, type.length - 1)
            first = choose.number(0, last)
            at = choose.pick((f"{last}", f"{first} ... {last}"))
            inner.append(f"[{at}] = {self.initialiser(type.element)}")
        return f"{{{', '.join(inner)}}}"

    def _struct_initialiser(self, type: Record) -> str:
        choose = self.choose
        if choose.number(0, 2) == 0 and not holds_pointers(type):
            return f"{{{self._designated(type)}}}"
        named = [field for field in type.fields if field.name not in ("low", "high")]
        inner = [self.initialiser(field.type) for field in named] or ["0"]
        if choose.number(0, 5) == 0:
            inner.append(self._designated(type))
        return f"{{{', '.join(inner)}}}"

    def _designated(self, type: Record) -> str:
        """The initial value of a part of a struct."""
        field = self.choose.pick(type.fields)
        designator, part = f".{field.name}", field.type
        while self.choose.number(0, 1) and not holds_pointers(part):
            if isinstance(part, Array):
                designator, part = f"{designator}[{self.choose.number(0, part.length - 1)}]", part.element
            elif isinstance(part, Record):
                field = self.choose.pick(part.fields)
                designator, part = f"{designator}.{field.name}", field.type
        return f"{designator} = {self.initialiser(part)}"

    # ------------------------------------------------------------------------------------------------------ lines

    def definitions(self) -> list[str]:
        """The types, globals and functions of the program."""
        choose = self.choose
        lines = ["enum color { RED, GREEN = 5, BLUE };"]
        lines += [record.definition for record in [*self._fixed, *self.structs]]
        lines.append("static int numbers[8] = {3, 1, 4, 1, 5, 9, 2, 6};")
        for number in range(self.operations):
            body = choose.pick(("a + b", "a * 3 - b", "(a ^ b) & 255", "a < b ? a : b", "a == b", "a - (b | 1)"))
            lines.append(f"static int op{number}(int a, int b) {{ return {body}; }}")
        lines += [self._global(number) for number in range(choose.number(2, 5))]
        self.globals.append(NUMBERS)
        lines.append("static int *cursor = &numbers[2];")
        words = ", ".join(f'"{word}"' for word in WORDS)
        lines.append(f"static const char *const words[{len(WORDS)}] = {{{words}}};")
        table = ", ".join(f"op{number}" for number in range(self.operations))
        lines.append(f"static int (*const operations[])(int, int) = {{{table}}};")
        for number, record in enumerate(self.structs):
            lines += self._functions(number, record)
        return lines

    def _global(self, number: int) -> str:
        type = self.type(2)
        words = self.choose.pick(("static ", "", "static const "))
        if words == "static const " and isinstance(type, CType):
            words = "static volatile "
        name = f"g{number}"
        self.globals.append(Object(name, type, is_constant="const" in words))
        has_value = holds_pointers(type) or self.choose.number(0, 3)
        initial = f" = {self.initialiser(type)}" if has_value else ""
        return f"{words}{declaration(type, name)}{initial};"

    def _functions(self, number: int, record: Record) -> list[str]:
        """Functions that take and return the struct."""
        leaves = [leaf for leaf in scalars(Object("s", record)) if _is_integer(leaf.type)]
        total = " + ".join(f"(unsigned long){leaf.text}" for leaf in leaves[:6]) or "0"
        change = f" {leaves[0].text} = n;" if leaves else ""
        through = "".join(f" {leaf.text.replace('s.', 'p->', 1)} += 1;" for leaf in leaves[:1])
        return [
            f"static unsigned long sum{number}({record.name} s) {{ return {total}; }}",
            f"static {record.name} changed{number}({record.name} s, int n) {{{change} return s; }}",
            f"static {record.name} *touched{number}({record.name} *p) {{{through} return p; }}",
        ]

    def shown_globals(self) -> list[str]:
        """Lines that print all numbers of the global objects, and those to which their pointers point."""
        return [_shown(_pointed(part)) for each in self.globals for part in parts(each)]


def _is_integer(type: Type) -> bool:
    return isinstance(type, CType) and type.kind == "integer"


def _pointed(part: Object) -> Object:
    """The number, or one to which the pointer points, or that the function returns."""
    if isinstance(part.type, Pointer):
        return Object(f"{part.text}[{part.type.count - 1}]", part.type.target)
    return Object(f"{part.text}(7, 2)", INT) if isinstance(part.type, Callee) else part


def _shown(number: Object) -> str:
    """A line that prints a number. The sign of a NaN is not defined."""
    if _is_integer(number.type):
        return f'printf("%ld ", (long){number.text});'
    return f'printf("%g ", ({number.text} == {number.text} ? (double){number.text} : 0));'
