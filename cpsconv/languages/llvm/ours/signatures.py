"""Signatures: how functions are called, with the types of the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from cpsconv.core.ir import PTR, Function, ObjectType, Scalar, Struct, integer_type
from cpsconv.core.operations.types import is_integer


class Signature(NamedTuple):
    """How a function is called: the types of its parameters and of its result, and the function, if it is known.

    A parameter of a struct type points to a complex number. A result that is an aggregate is returned in `place`, the
    type of an object to which an additional first parameter points.
    """

    types: Sequence[Scalar | Struct]
    result: Scalar
    place: ObjectType | None
    is_variadic: bool
    function: Function | None = None
    is_external: bool = False

    @property
    def number(self) -> int:
        """The number of parameters of the function, those for a place and for variable arguments included."""
        return len(self.types) + (self.place is not None) + (self.is_variadic and not self.is_external)

    @property
    def is_signed(self) -> bool:
        """Whether the function takes and returns values as LLVM has them."""
        return all(signed(each) is each for each in (*self.types, self.result))


def passed(type: Scalar | Struct) -> Scalar:
    """The type of the parameter for a value."""
    return PTR if isinstance(type, Struct) else type


def signed(type: Scalar | Struct) -> Scalar:
    """The type of LLVM's values: its integers are signed here."""
    return integer_type(type.bits, signed=True) if isinstance(type, Scalar) and is_integer(type) else passed(type)
