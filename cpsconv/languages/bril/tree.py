"""The syntax tree of Bril, the same for text and JSON.

A type is its text: ``int``, ``ptr<ptr<int>>``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

from cpsconv.core.source import Span

Type = str

Literal = Union[int, float, bool, str]
"""The value of a ``const``; a `str` is a character."""


@dataclass(eq=False, slots=True)
class Word:
    """A name with its location, without ``@`` or ``.``."""

    text: str
    span: Span


@dataclass(eq=False, slots=True)
class Label:
    """``.name:``"""

    name: str
    span: Span


REPORTED = ""
"""The operation of an instruction whose operands have errors that were reported."""


@dataclass(eq=False, slots=True)
class Instruction:
    """An instruction. `destination` and `type` are None for an effect. `value` is that of a ``const``.

    The value is None if it is wrong, which was reported.
    """

    op: str
    span: Span
    destination: Word | None = None
    type: Type | None = None
    arguments: list[Word] = field(default_factory=list)
    functions: list[Word] = field(default_factory=list)
    labels: list[Word] = field(default_factory=list)
    value: Literal | None = None


Line = Union[Label, Instruction]


@dataclass(eq=False, slots=True)
class Parameter:
    """A parameter of a function."""

    name: Word
    type: Type


@dataclass(eq=False, slots=True)
class Function:
    """A function. `scope` has the functions that it can call, by the names that it calls them."""

    name: Word
    parameters: list[Parameter]
    result: Type | None
    lines: list[Line]
    scope: dict[str, Function] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class Import:
    """``from "path" import @name as @alias;``: the path, and pairs of a name there and the name here."""

    path: Word
    names: list[tuple[Word, Word]]


@dataclass(eq=False, slots=True)
class Module:
    """The imports and functions of one file."""

    imports: list[Import]
    functions: list[Function]


def pointer_to(type: Type) -> Type:
    """The type of pointers to values of the type."""
    return f"ptr<{type}>"


def pointee(type: Type) -> Type | None:
    """The type of the values that a pointer of the type points to; None if it is no pointer type."""
    return type[4:-1] if type.startswith("ptr<") else None
