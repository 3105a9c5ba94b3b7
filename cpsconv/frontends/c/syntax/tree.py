"""The syntax tree of the C subset: what `parse` makes and `lower` reads.

Types in the tree are the scalars of `cpsconv.ir`, since the subset has no others: `long long` is `LONG`, `signed` is
`INT`. Every node has the span it was read from.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

from cpsconv.ir import Scalar
from cpsconv.source import Source, Span

# ---------------------------------------------------------------------------------------------------- expressions


@dataclass(eq=False, repr=False, slots=True)
class Literal:
    """A number or character with the type that C gives it (a character constant is an `int`)."""

    span: Span
    type: Scalar
    value: int | bool | float


@dataclass(eq=False, repr=False, slots=True)
class StringLiteral:
    """Adjacent string literals joined; one character (U+0000 to U+00FF) for each byte, without the final zero."""

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
class Step:
    """``++`` or ``--``; `prefix` says on which side."""

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
    Step,
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
    """One declared variable; `span` is that of its name."""

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
    """An expression for its effects; None for a lone ``;``."""

    span: Span
    expression: Expression | None


@dataclass(eq=False, repr=False, slots=True)
class Compound:
    """``{ … }``, a scope of its own. `end` is the closing brace."""

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
    """A scope of its own: `first` may declare."""

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

    In a block, the body is an empty statement: what follows the colon is the block's next item, as in C23.
    """

    span: Span
    value: Expression | None
    body: Statement


@dataclass(eq=False, repr=False, slots=True)
class Label:
    """``name: body``, in a block with an empty body as for `Case`; `span` is that of the name."""

    span: Span
    name: str
    body: Statement


@dataclass(eq=False, repr=False, slots=True)
class Goto:
    """`name_span` is that of the label's name."""

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
    """A parameter; a prototype may leave the name out, and `span` is then the type's."""

    span: Span
    name: str | None
    type: Scalar
    constant: bool


@dataclass(eq=False, repr=False, slots=True)
class FunctionDeclaration:
    """A definition, or a prototype where `body` is None. `span` is that of the name.

    `prototyped` is False for empty parentheses, which in C say nothing about the parameters. `returns` is False if the
    declaration says that the function does not (``_Noreturn``).
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
    """A source file. `headers` are the names of the standard headers that it includes, without brackets."""

    source: Source
    functions: list[FunctionDeclaration]
    headers: list[str] = field(default_factory=list)
