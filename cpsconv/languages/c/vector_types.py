"""The vectors of GNU C, as structs of one array: their operations are those on its elements.

A vector has the alignment of its size. A program has the struct ``vector4_int { values : int[4] }``; a variable becomes
variables where an array in a struct does (`lowering.promotion`).
"""

from __future__ import annotations

from cpsconv.languages.c.records import Field, Record
from cpsconv.languages.c.types import (
    DOUBLE,
    FLOAT,
    INTEGERS,
    Array,
    CType,
    Enum,
    FunctionType,
    Pointer,
    array_of,
    function_of,
    is_integer_type,
    pointer_to,
    qualified,
)

MAX_ELEMENTS = 64
"""The maximal number of elements of a vector."""


class Vector(Record):
    """A vector of `count` elements of the type `element`. It has no field that a program can name."""

    __slots__ = ("count", "element")

    def __init__(self, element: CType, count: int) -> None:
        super().__init__("struct", f"vector{count}_{element.own_name.replace(' ', '_')}")
        size = count * element.size
        self.complete([Field("values", array_of(element, count))], alignment=size)
        self.own_name = f"__vector({count}) {element.own_name}"
        self.element = element
        self.count = count
        self.paths = {}

    @property
    def values(self) -> Field:
        """The field of the elements."""
        [field] = self.named_fields
        return field


def vector_of(element: CType, count: int) -> Vector:
    """The type of vectors of `count` elements."""
    found: Vector | None = element.derived.get(("vector", count))
    if found is None:
        found = element.derived["vector", count] = Vector(element, count)
    return found


def truth_vector(type: Vector) -> Vector:
    """The type of comparisons of such vectors: their elements are 0 or -1."""
    return vector_of(INTEGERS[type.element.size, True], type.count)


def with_vector_size(type: CType, size: int) -> CType | None:
    """The type with the attribute ``vector_size``, which applies to the numbers that it is derived from; None if it
    cannot have it.

    (Recursive: a declarator is nested at most as deep as the parser allows.)
    """
    if isinstance(type, Pointer):
        target = with_vector_size(type.target, size)
        return target and qualified(pointer_to(target), type.qualifiers)
    if type.__class__ is Array:
        element = with_vector_size(type.element, size)
        return element and array_of(element, type.length)
    if isinstance(type, FunctionType):
        result = with_vector_size(type.result, size)
        return result and function_of(result, type.parameters, type.prototyped, type.variadic)
    element = type.unqualified
    is_element = element in (FLOAT, DOUBLE) or (is_integer_type(element) and not isinstance(element, Enum))
    count, rest = divmod(size, element.size or 1)
    if not is_element or rest or not 0 < count <= MAX_ELEMENTS or count & (count - 1):
        return None
    return qualified(vector_of(element, count), type.qualifiers)
