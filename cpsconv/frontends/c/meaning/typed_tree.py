"""The typed tree of C functions, which `meaning` creates and `lowering` reads.

Invariants:

1. Each expression has the C type of its value, and names denote their declarations, the `Local`s and `Function`s.
2. Nothing is converted implicitly: `Convert`, `Decay` and `Read` are the conversions that C inserts. The operands of an
   operation have the types that it computes with, arguments those of the parameters, and the value of an `Assign` or a
   `Return` that of the place or function.
3. A condition is an expression of type `TRUTH` or `BOOL`. In a condition, ``!``, ``&&``, ``||``, ``?:`` and ``,`` have
   conditions as operands, down to the comparisons and other values that decide.
4. An erroneous part of the source, which is reported, is an `Erroneous` expression. Its type is `UNKNOWN`.
"""

from __future__ import annotations

from cpsconv.frontends.c.nodes import NodeType
from cpsconv.frontends.c.types import UNKNOWN, Array, CType
from cpsconv.source import Diagnostic, Source, Span

# --------------------------------------------------------------------------------------------------- declarations


class Local(metaclass=NodeType):
    """A variable or parameter of a function.

    It is *used* if it is read or changed, *assigned* if it is a target of ``=``. `depth` is the nesting depth of its
    scope; `hides` is the variable of the same name that it hides until the end of the scope.
    """

    name: str
    type: CType
    span: Span
    is_constant: bool
    is_parameter: bool = False
    is_used: bool = False
    is_assigned: bool = False
    depth: int = 0
    hides: Local | None = None


class Function(metaclass=NodeType):
    """A function that the program defines. `span` is the span of its name, `end` the span of its closing brace.

    `returns` is False if a declaration before or at its definition is ``_Noreturn``. `assignments` has the ascending
    offsets of the assignments to each variable, `labels` those of the labels.
    """

    span: Span
    name: str
    result: CType
    parameters: list[Local]
    end: Span
    body: list[Statement]
    assignments: dict[Local, list[int]]
    labels: list[int]
    returns: bool = True


class Unit(metaclass=NodeType):
    """A translation unit: the functions that it defines, without those that have syntax errors.

    `errors` and `warnings` have the diagnostics so far; some warnings depend on the reachable code, and follow.
    `may_recurse` is True if a function calls itself or one after it.
    """

    source: Source
    functions: list[Function]
    errors: list[Diagnostic]
    warnings: list[Diagnostic]
    may_recurse: bool


# ---------------------------------------------------------------------------------------------------- expressions


class Expression(metaclass=NodeType):
    """An expression, its span in the source, and the type of its value."""

    span: Span
    type: CType


class Erroneous(Expression):
    """An expression with an error. Its `parts` are evaluated, for the warnings about them."""

    parts: tuple[Expression, ...]

    def __init__(self, span: Span, *parts: Expression) -> None:
        self.span = span
        self.type = UNKNOWN
        self.parts = parts


class Constant(Expression):
    """A number or truth value that is computed from the source: a `sizeof`, a negative literal."""

    value: float


class Literal(Constant):
    """A number or character of the source."""


class String(Expression):
    """A string literal: an array, with the final zero. `text` has one character for each byte before it."""

    type: Array
    text: str


class Decay(Expression):
    """The conversion of an array to a pointer to its first element."""

    operand: String


class Read(Expression):
    """The value of a variable: the conversion of an lvalue to its value."""

    place: Local


class Convert(Expression):
    """An implicit conversion. If it is that of an operand, it is computed after all operands, next to the operation."""

    operand: Expression


class Cast(Convert):
    """A conversion that is computed together with its operand: a cast, also to `void`."""

    span: Span
    type: CType
    operand: Expression


class Unary(Expression):
    """`op` is one of ``+ - ~ !``. The operand of ``!`` is a number or truth value."""

    op: str
    operand: Expression


class Binary(Expression):
    """`op` is one of ``* / % + - << >> < > <= >= == != & ^ |``."""

    op: str
    left: Expression
    right: Expression


class Logical(Binary):
    """``&&`` or ``||``. The left operand is a condition; the right one is a value if the operation is one."""


class Conditional(Expression):
    """``condition ? then : otherwise``. Unless both have values of the type, the expression has no value."""

    span: Span
    type: CType
    condition: Expression
    then: Expression
    otherwise: Expression


class Comma(Expression):
    """``left, right``. The value of `left` is not used."""

    left: Expression
    right: Expression


class Assign(Expression):
    """``place = value``."""

    place: Local
    value: Expression


class Update(Expression):
    """A compound assignment, ``++`` or ``--``: `old` is read once, then `new`, which contains it, is assigned.

    The value is `old` for the postfix operators, and `new` otherwise.
    """

    old: Old
    new: Expression
    is_postfix: bool


class Old(Read):
    """The value that a place has before its `Update`."""


class Call(Expression):
    """A call of a function of the program. `returns` is False if the function is known never to return."""

    span: Span
    type: CType
    function: Function
    arguments: list[Expression]
    returns: bool


class LibraryCall(Expression):
    """A call of a library function. `operation` names the primitive, effect or external continuation behind it."""

    operation: str
    arguments: list[Expression]


class Print(Expression):
    """A call of `printf`, with an argument for each slot of the format. The `unused` ones are evaluated after them."""

    format: Decay
    arguments: list[Expression]
    unused: list[Expression]


class Assert(Expression):
    """``assert(condition)``: prints `message` and aborts unless the condition holds."""

    condition: Expression
    message: str


class Warned(Expression):
    """An expression with warnings that are given only if control can reach the end of its evaluation."""

    operand: Expression
    warnings: list[Diagnostic]


# ----------------------------------------------------------------------------------------------------- statements


class Statement(metaclass=NodeType):
    """A statement, or a declaration in a block."""

    span: Span


class Declare(metaclass=NodeType):
    """One declared variable, with its initial value if it has one."""

    variable: Local
    initial: Expression | None


class Declaration(Statement):
    """The variables of a declaration, and the initial values of erroneous ones."""

    parts: list[Declare | Expression]


class Evaluate(Statement):
    """An expression evaluated for its effects; None for a null statement ``;``."""

    expression: Expression | None


class Compound(Statement):
    """``{ … }``."""

    items: list[Statement]


class If(Statement):
    """``if (condition) then else otherwise``."""

    condition: Expression
    then: Statement
    otherwise: Statement | None


class While(Statement):
    """``while (condition) body``."""

    condition: Expression
    body: Statement


class Do(While):
    """``do body while (condition);``."""


class For(Statement):
    """``for (first; condition; step) body``."""

    first: Statement
    condition: Expression | None
    step: Expression | None
    body: Statement


class Switch(Statement):
    """``switch (value) body``. `cases` lists its cases in source order, at any depth of the body."""

    value: Expression
    body: Statement
    cases: list[Case]


class Case(Statement):
    """``case number: body``, or ``default: body`` if `number` is None. In a block, the body is a null statement.

    A case is chosen unless it is erroneous. `follows` is the case before it, if no statement separates them; `before`
    and `after` are the statements around it in its block.
    """

    number: int | None
    is_default: bool
    body: Statement
    follows: Case | None = None
    before: Statement | None = None
    after: Statement | None = None


class Label(Statement):
    """``name: body``; in a block, the body is a null statement. `gotos` is the number of the jumps to the label.

    A second label of the same name has none. `is_defined` is False if the label is missing, which is reported.
    """

    name: str
    body: Statement
    gotos: int = 0
    is_defined: bool = False


class Goto(Statement):
    """``goto label;``."""

    label: Label


class Break(Statement):
    """``break;``, which is erroneous outside of a loop or `switch`."""


class Continue(Statement):
    """``continue;``, which is erroneous outside of a loop."""


class Return(Statement):
    """``return value;``. A value in a `void` function is evaluated, and not used."""

    value: Expression | None


# ----------------------------------------------------------------------------------------------------- properties


def origin(node: Expression) -> Expression:
    """The subexpression that computes the value: the right operand of assignments and commas, without conversions."""
    while True:
        match node:
            case Comma(right=inner) | Assign(value=inner) | Warned(operand=inner):
                node = inner
            case Convert(operand=inner) if type(node) is Convert:
                node = inner
            case _:
                return node


def is_empty(node: Statement) -> bool:
    """Whether the statement is a null statement, ``;``."""
    return type(node) is Evaluate and node.expression is None


def declares_only(node: Statement) -> bool:
    """Whether the statement is a declaration that computes nothing."""
    return type(node) is Declaration and all(type(part) is Declare and not part.initial for part in node.parts)
