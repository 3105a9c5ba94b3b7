"""The types of tinylang. A type equals itself only; procedure types are equal if their parts are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Union

from cpsconv.core.ir import BOOL, LONG, PTR, Scalar
from cpsconv.core.source import Span


@dataclass(eq=False, slots=True)
class Basic:
    """A type of the language, with its type in the program. `UNKNOWN` is the type of an erroneous expression."""

    name: str
    scalar: Scalar
    size: int = 8
    depth: int = 0


INTEGER = Basic("INTEGER", LONG)
BOOLEAN = Basic("BOOLEAN", BOOL, 1)
NIL = Basic("NIL", PTR)
STRING = Basic("a string", PTR)
UNKNOWN = Basic("an unknown type", LONG)


@dataclass(eq=False, slots=True)
class Pointer:
    """``POINTER TO target``. The target of a type under declaration follows."""

    name: str
    target: Type = UNKNOWN
    scalar: Scalar = PTR
    size: int = 8
    depth: int = 0


@dataclass(eq=False, slots=True)
class Array:
    """``ARRAY [length] OF element``, with the indices 0 to ``length - 1``."""

    name: str
    length: int
    element: Type
    size: int = field(init=False)
    depth: int = field(init=False)

    def __post_init__(self) -> None:
        self.size = self.length * self.element.size
        self.depth = self.element.depth + 1


@dataclass(eq=False, slots=True)
class Record:
    """A record. `size` is at least that of its layout in memory; `has_arrays` if a part of it is an array."""

    name: str
    span: Span
    fields: dict[str, Type] = field(default_factory=dict)
    size: int = 0
    depth: int = 1
    has_arrays: bool = False

    def add(self, name: str, type: Type) -> None:
        """Add a field."""
        self.fields[name] = type
        self.size += type.size + 7 & ~7
        self.depth = max(self.depth, type.depth + 1)
        self.has_arrays = self.has_arrays or isinstance(type, Array) or (isinstance(type, Record) and type.has_arrays)


class Formal(NamedTuple):
    """A parameter of a procedure type."""

    is_reference: bool
    type: Type


@dataclass(frozen=True)
class Procedure:
    """The type of procedures with these parameters. `result` is None for a procedure that returns no value."""

    name: str = field(compare=False)
    parameters: tuple[Formal, ...]
    result: Type | None
    scalar: Scalar = PTR
    size: int = 8
    depth: int = 0


Type = Union[Basic, Pointer, Array, Record, Procedure]


def is_scalar(type: Type) -> bool:
    """Whether values of the type fit into a variable of the program."""
    return not isinstance(type, (Array, Record))


def scalar(type: Type) -> Scalar:
    """The type of such values in the program."""
    assert not isinstance(type, (Array, Record))
    return type.scalar


def same(one: Type, other: Type) -> bool:
    """Whether the types are equal; an unknown one equals all."""
    return UNKNOWN in (one, other) or one == other


def is_assignable(target: Type, value: Type) -> bool:
    """Whether a value of the type `value` can be assigned to a variable of the type `target`."""
    return same(target, value) or (value is NIL and isinstance(target, (Pointer, Procedure)))


def named(type: Type) -> str:
    """The type in a message."""
    return type.name if type in (UNKNOWN, STRING) else f"`{type.name}`"


def procedure_type(formals: Sequence[Formal], result: Type | None, name: str = "") -> Procedure:
    """The type of procedures with these parameters and result; without a name, its name shows them."""
    shown = ", ".join(f"VAR {each.type.name}" if each.is_reference else each.type.name for each in formals)
    returned = f": {result.name}" if result else ""
    return Procedure(
        name or (f"PROCEDURE ({shown}){returned}" if shown or result else "PROCEDURE"), tuple(formals), result
    )
