"""Complex types (C17 6.2.5, paragraph 11), as structs of a real and an imaginary part.

A struct has the layout of C's complex types, becomes variables where the struct does (`lowering.promotion`), and C
passes both in the same registers; only a result `long double _Complex` differs. `cpsconv.abi.complex_types`
recognises the structs of floating complex types by their names. The structs of the complex integers of GNU C are
ordinary structs of the program.
"""

from __future__ import annotations

from typing import Any

from cpsconv.abi.complex_types import COMPLEX, PARTS
from cpsconv.languages.c.records import Field, Record
from cpsconv.languages.c.types import DOUBLE, FLOAT, INTEGER_TYPES, LONG_DOUBLE, Array, CType, common_type


class Complex(Record):
    """A complex type, whose parts have the type `part`. It has no fields that a program can name."""

    __slots__ = ("part",)

    def __init__(self, part: CType) -> None:
        super().__init__("struct", (COMPLEX if part.kind == "float" else "complex_") + part.own_name.replace(" ", "_"))
        self.complete([Field(name, part) for name in PARTS])
        self.own_name = f"{part.own_name} _Complex"
        self.part = part
        self.paths = {}

    @property
    def parts(self) -> tuple[Field, Field]:
        """The fields of the real and of the imaginary part."""
        real, imaginary = self.named_fields
        return real, imaginary


COMPLEX_TYPES: dict[Any, Complex] = {part: Complex(part) for part in (FLOAT, DOUBLE, LONG_DOUBLE, *INTEGER_TYPES)}
"""The complex types, by the types of their parts."""


def part_of(type: CType) -> CType:
    """The type of the parts of a complex type; of others, the type."""
    return type.part if isinstance(type, Complex) else type


def common_part(left: CType, right: CType) -> CType:
    """The type of the parts to which the usual arithmetic conversions convert a complex operand, and another one."""
    one, other = part_of(left), part_of(right)
    return one if one is other else common_type(one, other)


def is_aggregate(type: CType) -> bool:
    """Whether the type is an array, struct or union, whose parts an initialiser initialises one by one."""
    return isinstance(type, (Array, Record)) and not isinstance(type, Complex)
