"""The syntax tree of tinylang."""

from __future__ import annotations

from typing import NamedTuple, Union

from cpsconv.core.source import Source, Span
from cpsconv.languages.reading import Token

Word = Token
"""A name at its location."""


class Literal(NamedTuple):
    """A number, or a string in quotes."""

    value: int | str
    span: Span


class Index(NamedTuple):
    """The selector ``[subscript]``; `span` ends with the bracket."""

    subscript: Expression
    span: Span


class Dereference(NamedTuple):
    """The selector ``^``."""

    span: Span


Selector = Union[Word, Index, Dereference]
"""A selector. A word is ``.name``: a field, or a declaration of a module."""


class Designator(NamedTuple):
    """A name with selectors: ``list^.items[3]``."""

    name: Word
    selectors: list[Selector]

    @property
    def span(self) -> Span:
        return self.name.span.to(self.selectors[-1].span) if self.selectors else self.name.span


class Call(NamedTuple):
    callee: Designator
    arguments: list[Expression]
    span: Span


class Operation(NamedTuple):
    """An operator with one or two operands."""

    operator: str
    operands: list[Expression]
    span: Span


Expression = Union[Literal, Designator, Call, Operation]


class Assignment(NamedTuple):
    target: Designator
    value: Expression
    span: Span


class Conditional(NamedTuple):
    """``IF``, ``ELSIF`` …: the arms with their conditions, and the statements of ``ELSE``."""

    arms: list[tuple[Expression, list[Statement]]]
    otherwise: list[Statement]
    span: Span


class Loop(NamedTuple):
    condition: Expression
    body: list[Statement]
    span: Span


class Return(NamedTuple):
    value: Expression | None
    span: Span


Statement = Union[Assignment, Call, Conditional, Loop, Return, None]
"""A statement. None is the empty one."""


class Pointer(NamedTuple):
    target: TypeNode
    span: Span


class Array(NamedTuple):
    length: Expression
    element: TypeNode
    span: Span


class Record(NamedTuple):
    fields: list[Variables]
    span: Span


class ProcedureType(NamedTuple):
    """The parameters: whether each is a reference, and its type."""

    parameters: list[tuple[bool, TypeNode]]
    result: TypeNode | None
    span: Span


TypeNode = Union[Designator, Pointer, Array, Record, ProcedureType]
"""A type. A designator is the name of a type, after the names of modules."""


class Constant(NamedTuple):
    name: Word
    value: Expression


class NamedType(NamedTuple):
    name: Word
    type: TypeNode


class Variables(NamedTuple):
    """Variables, fields or parameters of one type."""

    names: list[Word]
    type: TypeNode
    is_reference: bool = False


class Block(NamedTuple):
    """Declarations, and statements; None without ``BEGIN``. `end` is the location of ``END``."""

    declarations: list[Declaration]
    statements: list[Statement] | None
    end: Span


class Procedure(NamedTuple):
    name: Word
    parameters: list[Variables]
    result: TypeNode | None
    block: Block
    end_name: Word


Declaration = Union[Constant, NamedType, Variables, Procedure]


class Import(NamedTuple):
    """``IMPORT names``, or ``FROM module IMPORT names``."""

    module: Word | None
    names: list[Word]


class Module(NamedTuple):
    source: Source
    name: Word
    imports: list[Import]
    block: Block
    end_name: Word
