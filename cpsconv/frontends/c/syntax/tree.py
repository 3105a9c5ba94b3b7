"""The syntax tree of the C subset, which `parse` creates and `lower` reads.

The types in the tree are those of `cpsconv.frontends.c.types`. Every node has its span in the source.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

from cpsconv.ir import Scalar
from cpsconv.source import Source, Span

# ---------------------------------------------------------------------------------------------------- expressions


@dataclass(eq=False, repr=False, slots=True)
class Literal:
    """A number or character with its type in C (a character constant is an `int`)."""

    span: Span
    type: Scalar
    value: int | bool | float


@dataclass(eq=False, repr=False, slots=True)
class StringLiteral:
    """Joined adjacent string literals: one character (U+0000 to U+00FF) for each byte, without the final zero."""

    span: Span
    value: str


@dataclass(eq=False, repr=False, slots=True)
class Name:
    span: Span
    name: str


@dataclass(eq=False, repr=False, slots=True)
class Unary:
    """`op` is one of ``+ - ~ !``."""

    span: Span
    op: str
    operand: Expression


@dataclass(eq=False, repr=False, slots=True)
class Increment:
    """``++`` or ``--``; `prefix` is False for the postfix operators."""

    span: Span
    op: str
    operand: Expression
    prefix: bool


@dataclass(eq=False, repr=False, slots=True)
class Binary:
    """`op` is one of ``* / % + - << >> < > <= >= == != & ^ |``."""

    span: Span
    op: str
    left: Expression
    right: Expression


@dataclass(eq=False, repr=False, slots=True)
class Logical:
    """``&&`` or ``||``."""

    span: Span
    op: str
    left: Expression
    right: Expression


@dataclass(eq=False, repr=False, slots=True)
class Conditional:
    """``condition ? then : otherwise``."""

    span: Span
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(eq=False, repr=False, slots=True)
class Assign:
    """``target = value``; `op` is None, or the operator of a compound assignment (``+`` for ``+=``)."""

    span: Span
    op: str | None
    target: Expression
    value: Expression


@dataclass(eq=False, repr=False, slots=True)
class Comma:
    span: Span
    left: Expression
    right: Expression


@dataclass(eq=False, repr=False, slots=True)
class Cast:
    """``(type) operand``; the type may be `VOID`."""

    span: Span
    type: Scalar
    operand: Expression


@dataclass(eq=False, repr=False, slots=True)
class SizeOf:
    """``sizeof (type)`` or ``sizeof operand``; the operand is not evaluated."""

    span: Span
    operand: Scalar | Expression


@dataclass(eq=False, repr=False, slots=True)
class CallExpression:
    span: Span
    callee: Name
    arguments: list[Expression]


Expression = Union[
    Literal,
    StringLiteral,
    Name,
    Unary,
    Increment,
    Binary,
    Logical,
    Conditional,
    Assign,
    Comma,
    Cast,
    SizeOf,
    CallExpression,
]

# ----------------------------------------------------------------------------------------------------- statements


@dataclass(eq=False, repr=False, slots=True)
class Declarator:
    """One declared variable; `span` is the span of its name."""

    span: Span
    name: str
    type: Scalar
    constant: bool
    initialiser: Expression | None


@dataclass(eq=False, repr=False, slots=True)
class Declaration:
    span: Span
    declarators: list[Declarator]


@dataclass(eq=False, repr=False, slots=True)
class ExpressionStatement:
    """An expression evaluated for its effects; None for a null statement ``;``."""

    span: Span
    expression: Expression | None


@dataclass(eq=False, repr=False, slots=True)
class Compound:
    """``{ … }``, a scope. `end` is the span of the closing brace."""

    span: Span
    items: list[Statement]
    end: Span


@dataclass(eq=False, repr=False, slots=True)
class If:
    span: Span
    condition: Expression
    then: Statement
    otherwise: Statement | None


@dataclass(eq=False, repr=False, slots=True)
class While:
    span: Span
    condition: Expression
    body: Statement


@dataclass(eq=False, repr=False, slots=True)
class Do:
    span: Span
    body: Statement
    condition: Expression


@dataclass(eq=False, repr=False, slots=True)
class For:
    """A scope, since `first` may be a declaration."""

    span: Span
    first: Declaration | ExpressionStatement
    condition: Expression | None
    step: Expression | None
    body: Statement


@dataclass(eq=False, repr=False, slots=True)
class Switch:
    span: Span
    value: Expression
    body: Statement


@dataclass(eq=False, repr=False, slots=True)
class Case:
    """``case value: body``; `value` is None for ``default``. `span` ends before the colon.

    In a block, the body is a null statement; the statement after the colon is the next item of the block, as in C23.
    """

    span: Span
    value: Expression | None
    body: Statement


@dataclass(eq=False, repr=False, slots=True)
class Label:
    """``name: body``; in a block, the body is a null statement, as for `Case`. `span` is the span of the name."""

    span: Span
    name: str
    body: Statement


@dataclass(eq=False, repr=False, slots=True)
class Goto:
    """``goto name;``; `name_span` is the span of the label's name."""

    span: Span
    name: str
    name_span: Span


@dataclass(eq=False, repr=False, slots=True)
class Break:
    span: Span


@dataclass(eq=False, repr=False, slots=True)
class Continue:
    span: Span


@dataclass(eq=False, repr=False, slots=True)
class Return:
    span: Span
    value: Expression | None


Statement = Union[
    Declaration,
    ExpressionStatement,
    Compound,
    If,
    While,
    Do,
    For,
    Switch,
    Case,
    Label,
    Goto,
    Break,
    Continue,
    Return,
]

# ------------------------------------------------------------------------------------------------------ functions


@dataclass(eq=False, repr=False, slots=True)
class ParameterDeclaration:
    """A parameter. In a prototype, the name may be missing; `span` is then the span of the type."""

    span: Span
    name: str | None
    type: Scalar
    constant: bool


@dataclass(eq=False, repr=False, slots=True)
class FunctionDeclaration:
    """A definition, or a declaration without a definition if `body` is None. `span` is the span of the name.

    `prototyped` is False for empty parentheses, which in C leave the parameters unspecified. `returns` is False for a
    function that is declared ``_Noreturn``.
    """

    span: Span
    name: str
    result: Scalar
    parameters: list[ParameterDeclaration]
    prototyped: bool
    body: Compound | None
    returns: bool = True


@dataclass(eq=False, repr=False, slots=True)
class TranslationUnit:
    """A source file. `headers` holds the names of the included standard headers, without brackets."""

    source: Source
    functions: list[FunctionDeclaration]
    headers: list[str] = field(default_factory=list)
