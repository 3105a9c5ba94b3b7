"""The syntax tree of the C subset, which `parse` creates and `lower` reads.

The types in the tree are those of `cpsconv.frontends.c.types`.
"""

from __future__ import annotations

from typing import Any

from cpsconv.frontends.c.nodes import NodeType
from cpsconv.frontends.c.types import CType
from cpsconv.source import Diagnostic, Source, Span


class Node(metaclass=NodeType):
    """A node of the tree, and its span in the source."""

    span: Span


# ---------------------------------------------------------------------------------------------------- expressions


class Expression(Node):
    """An expression."""


class Literal(Expression):
    """A number or character with its type in C (a character constant is an `int`)."""

    type: CType
    value: int | bool | float


class StringLiteral(Expression):
    """Joined adjacent string literals: one character (U+0000 to U+00FF) for each byte, without the final zero.

    `prefix` is that of one of them: nothing, ``u8``, ``L``, ``u`` or ``U``. The bytes of wide strings are those of the
    wide characters.
    """

    value: str
    prefix: str = ""


class Name(Expression):
    """A use of a variable."""

    name: str


class Unary(Expression):
    """`op` is one of ``+ - ~ !``."""

    op: str
    operand: Expression


class Increment(Expression):
    """``++`` or ``--``; `prefix` is False for the postfix operators."""

    op: str
    operand: Expression
    prefix: bool


class Binary(Expression):
    """`op` is one of ``* / % + - << >> < > <= >= == != & ^ |``."""

    op: str
    left: Expression
    right: Expression


class Logical(Expression):
    """``&&`` or ``||``."""

    op: str
    left: Expression
    right: Expression


class Conditional(Expression):
    """``condition ? then : otherwise``; `then` is None for ``condition ?: otherwise`` of GNU C."""

    condition: Expression
    then: Any
    otherwise: Expression


class Assign(Expression):
    """``target = value``; `op` is None, or the operator of a compound assignment (``+`` for ``+=``)."""

    op: str | None
    target: Expression
    value: Expression


class Comma(Expression):
    """``left, right``."""

    left: Expression
    right: Expression


class Cast(Expression):
    """``(type) operand``; the type may be `VOID`."""

    type: CType
    operand: Expression


class SizeOf(Expression):
    """``sizeof (type)`` or ``sizeof operand``; the operand is not evaluated."""

    operand: CType | Expression


class CallExpression(Expression):
    """``callee(arguments)``."""

    callee: Expression
    arguments: list[Expression]


class AddressOf(Expression):
    """``&operand``."""

    operand: Expression


class Dereference(Expression):
    """``*operand``."""

    operand: Expression


class Subscript(Expression):
    """``array[index]``."""

    array: Expression
    index: Expression


class Member(Expression):
    """``operand.name``, or ``operand->name`` if it is `through_pointer`."""

    operand: Expression
    name: str
    name_span: Span
    through_pointer: bool


class CompoundLiteral(Expression):
    """``(type_name) { … }``."""

    type_name: Any
    initialiser: InitialiserList


class StatementExpression(Expression):
    """``({ … })`` of GNU C."""

    body: Compound


class AlignOf(Expression):
    """``_Alignof (type_name)``, or the alignment of an operand in GNU C."""

    operand: Any


class Generic(Expression):
    """``_Generic(controlling, type_name: expression, …)``. The type name of ``default`` is None."""

    controlling: Expression
    associations: list[tuple[Any, Expression]]


class LabelAddress(Expression):
    """``&&name`` of GNU C."""

    name: str


class VaArg(Expression):
    """``va_arg(list, type_name)``."""

    list: Expression
    type_name: Any


class OffsetOf(Expression):
    """``offsetof(type_name, a.b[1])``: the designators are ``.a``, ``.b`` and ``[1]``."""

    type_name: Any
    designators: list[FieldDesignator | IndexDesignator]


class TypesCompatible(Expression):
    """``__builtin_types_compatible_p(first, second)`` of GNU C."""

    first: Any
    second: Any


class Erroneous(Expression):
    """An expression with an error, or with an unsupported feature, that has been reported. `parts` are correct."""

    parts: list[Expression]


# --------------------------------------------------------------------------------------------------- initialisers


class IndexDesignator(Node):
    """``[index]``, or the range ``[index ... last]`` of GNU C."""

    index: Expression
    last: Expression | None = None


class FieldDesignator(Node):
    """``.name``; the span is that of the name."""

    name: str


class InitialiserList(Node):
    """``{ designators = initialiser, … }``: each item has its designators, mostly none, and its initialiser."""

    items: list[tuple[list[FieldDesignator | IndexDesignator], Expression | InitialiserList]]


# ----------------------------------------------------------------------------------------------------- statements


class Statement(Node):
    """A statement, or a declaration in a block."""


class Declarator(Node):
    """One declared variable; `span` is the span of its name."""

    name: str
    type: CType
    constant: bool
    initialiser: Expression | None


class Declaration(Statement):
    """``int a, b = 1;``: one type, and at least one declarator."""

    declarators: list[Declarator]


class ExpressionStatement(Statement):
    """An expression evaluated for its effects; None for a null statement ``;``."""

    expression: Expression | None


class Compound(Statement):
    """``{ … }``, a scope. `end` is the span of the closing brace."""

    items: list[Statement]
    end: Span


class If(Statement):
    """``if (condition) then else otherwise``."""

    condition: Expression
    then: Statement
    otherwise: Statement | None


class While(Statement):
    """``while (condition) body``."""

    condition: Expression
    body: Statement


class Do(Statement):
    """``do body while (condition);``."""

    body: Statement
    condition: Expression


class For(Statement):
    """A scope, since `first` may be a declaration."""

    first: Declaration | ExpressionStatement
    condition: Expression | None
    step: Expression | None
    body: Statement


class Switch(Statement):
    """``switch (value) body``; the body contains its `Case`s at any depth."""

    value: Expression
    body: Statement


class Case(Statement):
    """``case value: body``; `value` is None for ``default``. `span` ends before the colon.

    In a block, the body is a null statement; the statement after the colon is the next item of the block, as in C23.
    """

    value: Expression | None
    body: Statement


class Label(Statement):
    """``name: body``; in a block, the body is a null statement, as for `Case`. `span` is the span of the name."""

    name: str
    body: Statement


class Goto(Statement):
    """``goto name;``; `name_span` is the span of the label's name."""

    name: str
    name_span: Span


class Break(Statement):
    """``break;``."""


class Continue(Statement):
    """``continue;``."""


class Return(Statement):
    """``return value;``; `value` is None for ``return;``."""

    value: Expression | None


# ------------------------------------------------------------------------------------------------------ functions


class ParameterDeclaration(Node):
    """A parameter. In a prototype, the name may be missing; `span` is then the span of the type."""

    name: str | None
    type: CType
    constant: bool


class FunctionDeclaration(Node):
    """A definition, or a declaration without a definition if `body` is None. `span` is the span of the name.

    `prototyped` is False for empty parentheses, which in C leave the parameters unspecified. `returns` is False for a
    function that is declared ``_Noreturn``. `damaged` is True if there are syntax errors in the function.
    """

    name: str
    result: CType
    parameters: list[ParameterDeclaration]
    prototyped: bool
    body: Compound | None
    returns: bool = True
    static: bool = False
    inline: bool = False
    damaged: bool = False


class TranslationUnit(metaclass=NodeType):
    """A source file. `headers` holds the names of the included standard headers, without brackets.

    `warnings` has the warnings found while reading.

    If the source has errors, the declarations of names in `unknown` are erroneous or not supported yet, and further
    declarations may be missing unless `is_complete`.
    """

    source: Source
    functions: list[FunctionDeclaration]
    headers: list[str]
    warnings: list[Diagnostic]
    unknown: set[str]
    is_complete: bool
