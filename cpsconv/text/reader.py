"""From the characters of the CPS text to its syntax tree."""

from __future__ import annotations

from functools import cache
from typing import Any

from lark import Lark, Token
from lark.exceptions import UnexpectedInput

from cpsconv.grammar import read_grammar
from cpsconv.ir import DEEPEST_TYPE, SCALARS, ContinuationType
from cpsconv.primitives import CONVERT
from cpsconv.source import DiagnosticError, Source, Span, error
from cpsconv.text.syntax import (
    Abstraction,
    Application,
    Binding,
    Body,
    BranchNode,
    Conversion,
    Expression,
    FunctionNode,
    Literal,
    Name,
    Operation,
    ParameterNode,
    SwitchNode,
    TypeNode,
    Undefined,
)
from cpsconv.text.words import PRECEDENCE


class _TooDeep(Exception):
    """A type is nested too deeply; the arguments are where it starts and ends."""


def read_syntax(source: Source) -> list[FunctionNode]:
    """The functions of a text. Raises `DiagnosticError` if it does not keep to the grammar."""
    try:
        functions: list[FunctionNode] = parser().parse(source.text)  # type: ignore[assignment]
    except UnexpectedInput:
        from cpsconv.text.recovery import syntax_errors

        raise DiagnosticError(syntax_errors(source)) from None
    except _TooDeep as fault:
        raise DiagnosticError([error("this type is nested too deeply", Span(source, *fault.args))]) from None
    return functions


@cache
def parser() -> Lark:
    """The parser of the CPS text, which calls a method of `_Nodes` as soon as it has read what a rule describes."""
    return Lark(read_grammar("cps"), parser="lalr", lexer="basic", transformer=_Nodes())


class _Nodes:
    """A method for each rule of the grammar; `parts` is what the rule's parts were made into, keywords left out."""

    def start(self, parts: list[Any]) -> list[FunctionNode]:
        return parts

    def function(self, parts: list[Any]) -> FunctionNode:
        name, parameters, _, _, body, closing = parts
        return FunctionNode(name.start_pos, name.end_pos, str(name), parameters or [], body, closing.start_pos)

    def parameters(self, parts: list[Any]) -> list[ParameterNode]:
        return parts

    def parameter(self, parts: list[Any]) -> ParameterNode:
        name, type = parts
        return ParameterNode(name.start_pos, name.end_pos, str(name), type)

    def type(self, parts: list[Any]) -> TypeNode:
        first, last = parts[0], parts[-1]
        if first is None or isinstance(first, list):
            return _continuation_type(first or [], last.start_pos, last.end_pos)
        scalar = TypeNode(first.start_pos, first.end_pos, SCALARS[" ".join(first.split())], 0)
        return scalar if len(parts) == 1 else _continuation_type([scalar], first.start_pos, last.end_pos)

    def types(self, parts: list[Any]) -> list[TypeNode]:
        return parts

    def body(self, parts: list[Any]) -> Body:
        *statements, group, transfer = parts
        return Body(statements, group or [], transfer)

    def group(self, parts: list[Any]) -> list[Abstraction]:
        return parts

    def binding(self, parts: list[Any]) -> Binding:
        name, _, expression = parts
        return Binding(name.start_pos, expression.end, str(name), name.end_pos, expression)

    def effect(self, parts: list[Any]) -> Binding:
        application = parts[0]
        return Binding(application.start, application.end, "", application.start, application)

    def continuation(self, parts: list[Any]) -> Abstraction:
        name, _, parameters, _, _, body = parts
        return Abstraction(name.start_pos, name.end_pos, str(name), parameters or [], body)

    def abstraction(self, parts: list[Any]) -> Abstraction:
        symbol, parameters, body = parts
        return Abstraction(symbol.start_pos, symbol.end_pos, "", parameters or [], body)

    def branch(self, parts: list[Any]) -> BranchNode:
        word, condition, then, otherwise, close = parts
        return BranchNode(word.start_pos, close.end_pos, condition, [then, otherwise])

    def switch(self, parts: list[Any]) -> SwitchNode:
        word, value, cases, close = parts
        literals, slots = zip(*cases, strict=True)
        return SwitchNode(word.start_pos, close.end_pos, value, list(literals[:-1]), list(slots))

    def cases(self, parts: list[Any]) -> list[tuple[Literal | None, Expression]]:
        *cases, _, slot = parts
        return [*cases, (None, slot)]

    def case(self, parts: list[Any]) -> tuple[Literal, Expression]:
        literal, _, slot = parts
        return literal, slot

    def application(self, parts: list[Any]) -> Application:
        name, arguments, close = parts
        return Application(name.start, close.end_pos, name, arguments or [])

    def arguments(self, parts: list[Any]) -> list[Expression]:
        return parts

    def expression(self, parts: list[Any]) -> Expression:
        return parts[0] if len(parts) == 1 else _combined(parts)

    def conversion(self, parts: list[Any]) -> Conversion:
        type, operand, close = parts
        return Conversion(type.start_pos, close.end_pos, CONVERT, [operand], SCALARS[" ".join(type.split())])

    def undef(self, parts: list[Any]) -> Undefined:
        word, name, type, close = parts
        return Undefined(word.start_pos, close.end_pos, str(name), SCALARS[" ".join(type.split())])

    def prefixed(self, parts: list[Any]) -> Operation:
        op, operand = parts
        return Operation(op.start_pos, operand.end, "neg" if op == "-" else str(op), [operand])

    def literal(self, parts: list[Token]) -> Literal:
        first, last = parts[0], parts[-1]
        assert first.start_pos is not None and last.end_pos is not None
        return Literal(first.start_pos, last.end_pos, str(last), negative=len(parts) == 2)

    def name(self, parts: list[Any]) -> Name:
        token = parts[0]
        return Name(token.start_pos, token.end_pos, str(token))


def _continuation_type(parameters: list[TypeNode], start: int, end: int) -> TypeNode:
    depth = 1 + max((parameter.depth for parameter in parameters), default=0)
    if depth > DEEPEST_TYPE:
        raise _TooDeep(start, end)
    types = tuple(parameter.type for parameter in parameters)
    return TypeNode(parameters[0].start if parameters else start, end, ContinuationType(types), depth)


def _combined(parts: list[Any]) -> Expression:
    """The operation tree of ``operand operator operand …``, by the operators' precedence."""
    operands: list[Expression] = [parts[0]]
    operators: list[str] = []
    for operator, operand in zip(parts[1::2], parts[2::2], strict=True):
        while operators and PRECEDENCE[operators[-1]] >= PRECEDENCE[operator]:
            _reduce(operands, operators)
        operators.append(str(operator))
        operands.append(operand)
    while operators:
        _reduce(operands, operators)
    return operands[0]


def _reduce(operands: list[Expression], operators: list[str]) -> None:
    right, left = operands.pop(), operands.pop()
    operands.append(Operation(left.start, right.end, operators.pop(), [left, right]))
