"""The typed tree of C functions, which `meaning` creates and `lowering` reads.

Invariants:

1. Each expression has the C type of its value, and names denote their declarations, the `Local`s and `Function`s.
2. Nothing is converted implicitly: `Convert`, `Decay` and `Read` are the conversions that C inserts. The operands of an
   operation have the types that it computes with, arguments those of the parameters, and the value of an `Assign` or a
   `Return` that of the place or function.
3. A condition is an expression of type `TRUTH` or `BOOL`. In a condition, ``!``, ``&&``, ``||``, ``?:`` and ``,`` have
   conditions as operands, down to the comparisons and other values that decide.
4. An erroneous part of the source, which is reported, is an `Erroneous` expression. Its type is `UNKNOWN`.

The classes are written out, not generated: they are created in time when the front end is loaded.
"""

from __future__ import annotations

from cpsconv.frontends.c.diagnostics import Errors
from cpsconv.frontends.c.types import INT, UNKNOWN, VOID, Array, CType, Pointer
from cpsconv.source import Diagnostic, Source, Span

# --------------------------------------------------------------------------------------------------- declarations


class Local:
    """A variable or parameter of a function.

    It is *used* if it is read or changed, *assigned* if it is a target of ``=``. `depth` is the nesting depth of its
    scope; `hides` is the variable of the same name that it hides until the end of the scope.
    """

    __slots__ = ("depth", "hides", "is_assigned", "is_constant", "is_parameter", "is_used", "name", "span", "type")

    def __init__(self, name: str, type: CType, span: Span, is_constant: bool, is_parameter: bool = False) -> None:
        self.name = name
        self.type = type
        self.span = span
        self.is_constant = is_constant
        self.is_parameter = is_parameter
        self.is_used = False
        self.is_assigned = False
        self.depth = 0
        self.hides: Local | None = None


class Function:
    """A function that the program defines. `span` is the span of its name, `end` the span of its closing brace.

    `returns` is False if a declaration before or at its definition is ``_Noreturn``. `assignments` has the ascending
    offsets of the assignments to each variable, `labels` those of the labels.
    """

    __slots__ = ("assignments", "body", "end", "labels", "name", "parameters", "result", "returns", "span")

    def __init__(self, span: Span, name: str, result: CType, parameters: list[Local], end: Span) -> None:
        self.span = span
        self.name = name
        self.result = result
        self.parameters = parameters
        self.end = end
        self.returns = True
        self.body: list[Statement] = []
        self.assignments: dict[Local, list[int]] = {}
        self.labels: list[int] = []


class Unit:
    """A translation unit: the functions that it defines, without those that have syntax errors.

    `errors` and `warnings` have the diagnostics so far; some warnings depend on the reachable code, and follow.
    `may_recurse` is True if a function calls itself or one after it.
    """

    __slots__ = ("errors", "functions", "may_recurse", "source", "warnings")

    def __init__(self, source: Source, functions: list[Function], errors: Errors, may_recurse: bool) -> None:
        self.source = source
        self.functions = functions
        self.errors = errors.found
        self.warnings = errors.warnings
        self.may_recurse = may_recurse


# ---------------------------------------------------------------------------------------------------- expressions


class Expression:
    """An expression, its span in the source, and the type of its value."""

    __slots__ = ("span", "type")

    def __init__(self, span: Span, type: CType) -> None:
        self.span = span
        self.type = type


class Erroneous(Expression):
    """An expression with an error. Its `parts` are evaluated, for the warnings about them."""

    __slots__ = ("parts",)

    def __init__(self, span: Span, *parts: Expression) -> None:
        self.span = span
        self.type = UNKNOWN
        self.parts = parts


class Constant(Expression):
    """A number or truth value that is computed from the source: a `sizeof`, a negative literal."""

    __slots__ = ("value",)

    def __init__(self, span: Span, type: CType, value: float) -> None:
        self.span = span
        self.type = type
        self.value = value


class Literal(Constant):
    """A number or character of the source."""

    __slots__ = ()


class String(Expression):
    """A string literal: an array, with the final zero. `text` has one character for each byte before it."""

    __slots__ = ("text",)

    def __init__(self, span: Span, type: Array, text: str) -> None:
        self.span = span
        self.type = type
        self.text = text


class Decay(Expression):
    """The conversion of an array to a pointer to its first element."""

    __slots__ = ("operand",)

    def __init__(self, span: Span, type: Pointer, operand: String) -> None:
        self.span = span
        self.type = type
        self.operand = operand


class Read(Expression):
    """The value of a variable: the conversion of an lvalue to its value."""

    __slots__ = ("place",)

    def __init__(self, span: Span, type: CType, place: Local) -> None:
        self.span = span
        self.type = type
        self.place = place


class Convert(Expression):
    """An implicit conversion. If it is that of an operand, it is computed after all operands, next to the operation."""

    __slots__ = ("operand",)

    def __init__(self, type: CType, operand: Expression) -> None:
        self.span = operand.span
        self.type = type
        self.operand = operand


class Cast(Convert):
    """A conversion that is computed together with its operand: a cast, also to `void`."""

    __slots__ = ()

    def __init__(self, span: Span, type: CType, operand: Expression) -> None:
        self.span = span
        self.type = type
        self.operand = operand


class Unary(Expression):
    """`op` is one of ``+ - ~ !``. The operand of ``!`` is a number or truth value."""

    __slots__ = ("op", "operand")

    def __init__(self, span: Span, type: CType, op: str, operand: Expression) -> None:
        self.span = span
        self.type = type
        self.op = op
        self.operand = operand


class Binary(Expression):
    """`op` is one of ``* / % + - << >> < > <= >= == != & ^ |``."""

    __slots__ = ("left", "op", "right")

    def __init__(self, span: Span, type: CType, op: str, left: Expression, right: Expression) -> None:
        self.span = span
        self.type = type
        self.op = op
        self.left = left
        self.right = right


class Logical(Binary):
    """``&&`` or ``||``. The left operand is a condition; the right one is a value if the operation is one."""

    __slots__ = ()


class Conditional(Expression):
    """``condition ? then : otherwise``. Unless both have values of the type, the expression has no value."""

    __slots__ = ("condition", "otherwise", "then")

    def __init__(self, span: Span, type: CType, condition: Expression, then: Expression, otherwise: Expression) -> None:
        self.span = span
        self.type = type
        self.condition = condition
        self.then = then
        self.otherwise = otherwise


class Comma(Expression):
    """``left, right``. The value of `left` is not used."""

    __slots__ = ("left", "right")

    def __init__(self, span: Span, type: CType, left: Expression, right: Expression) -> None:
        self.span = span
        self.type = type
        self.left = left
        self.right = right


class Assign(Expression):
    """``place = value``."""

    __slots__ = ("place", "value")

    def __init__(self, span: Span, type: CType, place: Local, value: Expression) -> None:
        self.span = span
        self.type = type
        self.place = place
        self.value = value


class Update(Expression):
    """A compound assignment, ``++`` or ``--``: `old` is read once, then `new`, which contains it, is assigned.

    The value is `old` for the postfix operators, and `new` otherwise.
    """

    __slots__ = ("is_postfix", "new", "old")

    def __init__(self, span: Span, type: CType, old: Old, new: Expression, is_postfix: bool) -> None:
        self.span = span
        self.type = type
        self.old = old
        self.new = new
        self.is_postfix = is_postfix


class Old(Read):
    """The value that a place has before its `Update`."""

    __slots__ = ()


class Call(Expression):
    """A call of a function of the program. `returns` is False if the function is known never to return."""

    __slots__ = ("arguments", "function", "returns")

    def __init__(self, span: Span, type: CType, function: Function, arguments: list[Expression], returns: bool) -> None:
        self.span = span
        self.type = type
        self.function = function
        self.arguments = arguments
        self.returns = returns


class LibraryCall(Expression):
    """A call of a library function. `operation` names the primitive, effect or external continuation behind it."""

    __slots__ = ("arguments", "operation")

    def __init__(self, span: Span, type: CType, operation: str, arguments: list[Expression]) -> None:
        self.span = span
        self.type = type
        self.operation = operation
        self.arguments = arguments


class Print(Expression):
    """A call of `printf`, with an argument for each slot of the format. The `unused` ones are evaluated after them."""

    __slots__ = ("arguments", "format", "unused")

    def __init__(self, span: Span, format: Decay, arguments: list[Expression], unused: list[Expression]) -> None:
        self.span = span
        self.type = INT
        self.format = format
        self.arguments = arguments
        self.unused = unused


class Assert(Expression):
    """``assert(condition)``: prints `message` and aborts unless the condition holds."""

    __slots__ = ("condition", "message")

    def __init__(self, span: Span, condition: Expression, message: str) -> None:
        self.span = span
        self.type = VOID
        self.condition = condition
        self.message = message


class Warned(Expression):
    """An expression with warnings that are given only if control can reach the end of its evaluation."""

    __slots__ = ("operand", "warnings")

    def __init__(self, operand: Expression, warnings: list[Diagnostic]) -> None:
        self.span = operand.span
        self.type = operand.type
        self.operand = operand
        self.warnings = warnings


# ----------------------------------------------------------------------------------------------------- statements


class Statement:
    """A statement, or a declaration in a block."""

    __slots__ = ("span",)

    def __init__(self, span: Span) -> None:
        self.span = span


class Declare:
    """One declared variable, with its initial value if it has one."""

    __slots__ = ("initial", "variable")

    def __init__(self, variable: Local, initial: Expression | None) -> None:
        self.variable = variable
        self.initial = initial


class Declaration(Statement):
    """The variables of a declaration, and the initial values of erroneous ones."""

    __slots__ = ("parts",)

    def __init__(self, span: Span, parts: list[Declare | Expression]) -> None:
        self.span = span
        self.parts = parts


class Evaluate(Statement):
    """An expression evaluated for its effects; None for a null statement ``;``."""

    __slots__ = ("expression",)

    def __init__(self, span: Span, expression: Expression | None) -> None:
        self.span = span
        self.expression = expression


class Compound(Statement):
    """``{ … }``."""

    __slots__ = ("items",)

    def __init__(self, span: Span, items: list[Statement]) -> None:
        self.span = span
        self.items = items


class If(Statement):
    """``if (condition) then else otherwise``."""

    __slots__ = ("condition", "otherwise", "then")

    def __init__(self, span: Span, condition: Expression, then: Statement, otherwise: Statement | None) -> None:
        self.span = span
        self.condition = condition
        self.then = then
        self.otherwise = otherwise


class While(Statement):
    """``while (condition) body``."""

    __slots__ = ("body", "condition")

    def __init__(self, span: Span, condition: Expression, body: Statement) -> None:
        self.span = span
        self.condition = condition
        self.body = body


class Do(While):
    """``do body while (condition);``."""

    __slots__ = ()


class For(Statement):
    """``for (first; condition; step) body``."""

    __slots__ = ("body", "condition", "first", "step")

    def __init__(
        self, span: Span, first: Statement, condition: Expression | None, step: Expression | None, body: Statement
    ) -> None:
        self.span = span
        self.first = first
        self.condition = condition
        self.step = step
        self.body = body


class Switch(Statement):
    """``switch (value) body``. `cases` lists its cases in source order, at any depth of the body."""

    __slots__ = ("body", "cases", "value")

    def __init__(self, span: Span, value: Expression, body: Statement, cases: list[Case]) -> None:
        self.span = span
        self.value = value
        self.body = body
        self.cases = cases


class Case(Statement):
    """``case number: body``, or ``default: body`` if `number` is None. In a block, the body is a null statement.

    A case is chosen unless it is erroneous. `follows` is the case before it, if no statement separates them; `before`
    and `after` are the statements around it in its block.
    """

    __slots__ = ("after", "before", "body", "follows", "is_default", "number")

    def __init__(self, span: Span, number: int | None, is_default: bool) -> None:
        self.span = span
        self.number = number
        self.is_default = is_default
        self.body: Statement = Evaluate(span, None)
        self.follows: Case | None = None
        self.before: Statement | None = None
        self.after: Statement | None = None


class Label(Statement):
    """``name: body``; in a block, the body is a null statement. `gotos` is the number of the jumps to the label.

    A second label of the same name has none. `is_defined` is False if the label is missing, which is reported.
    """

    __slots__ = ("body", "gotos", "is_defined", "name")

    def __init__(self, span: Span, name: str) -> None:
        self.span = span
        self.name = name
        self.body: Statement = Evaluate(span, None)
        self.gotos = 0
        self.is_defined = False


class Goto(Statement):
    """``goto label;``."""

    __slots__ = ("label",)

    def __init__(self, span: Span, label: Label) -> None:
        self.span = span
        self.label = label


class Break(Statement):
    """``break;``, which is erroneous outside of a loop or `switch`."""

    __slots__ = ()


class Continue(Statement):
    """``continue;``, which is erroneous outside of a loop."""

    __slots__ = ()


class Return(Statement):
    """``return value;``. A value in a `void` function is evaluated, and not used."""

    __slots__ = ("value",)

    def __init__(self, span: Span, value: Expression | None) -> None:
        self.span = span
        self.value = value


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
