"""The construction of syntax trees of CPS text: a method for each rule of the grammar."""

from __future__ import annotations

from typing import Any

from cpsconv.core.grammar import Parser, tables_of
from cpsconv.core.grammar.parser import Action
from cpsconv.core.ir import MAX_TYPE_DEPTH, MEMORY, ContinuationType
from cpsconv.core.operations.table import CONVERT, EXTEND, FOREIGN, FOREIGN_VALUE, PRECEDENCE, PREFIXES
from cpsconv.core.progress import report
from cpsconv.core.text.syntax import (
    Abstraction,
    Application,
    Binding,
    Body,
    BranchNode,
    Conversion,
    Declaration,
    Expression,
    ForeignNode,
    ForeignOperation,
    FunctionNode,
    Literal,
    Name,
    Operation,
    ParameterNode,
    PointerCall,
    SwitchNode,
    Token,
    TypeNode,
    Undefined,
    scalar_of,
)


class TypeTooDeep(Exception):
    """A type is nested more deeply than `MAX_TYPE_DEPTH`. The arguments are the type's start and end offsets."""


def new_parser(length: int = 0) -> Parser:
    """A parser that builds the syntax tree of a CPS text of `length` characters (for progress reports).

    Its `read` raises `Rejected` at a token that does not fit, and `TypeTooDeep`.
    """
    return Parser(tables_of("cps"), TreeBuilder(length))


class TreeBuilder:
    """A method for each rule of the grammar, called by the parser with the values of the rule's parts.

    The value of a token is the token itself. Lists grow in place, in constant time per element.
    """

    def __init__(self, length: int) -> None:
        self._length = length  # of the text, for progress reports
        self._functions: list[FunctionNode] = []  # those that may be inside the next one

    def nothing(self, parts: list[Any]) -> list[Any]:
        return []

    def first(self, parts: list[Any]) -> list[Any]:
        return parts

    def append(self, parts: list[Any]) -> Any:
        parts[0].append(parts[-1])
        return parts[0]

    def second(self, parts: list[Any]) -> Any:
        return parts[1]

    def function(self, parts: list[Any]) -> FunctionNode:
        *words, name, declaration, _, body, closing = parts
        report("reading", closing.end, self._length)
        node = FunctionNode(name.start, name.end, name.text, declaration, body, closing.start)
        node.words = words[0] if words else ()
        while self._functions and self._functions[-1].start > node.start:
            node.inner.append(self._functions.pop())
            node.inner[-1].enclosing = node
        node.inner.reverse()
        self._functions.append(node)
        return node

    def declaration(self, parts: list[Any]) -> Declaration:
        listed: list[Any] = parts[1] if len(parts) == 5 else []
        ellipses = [each for each in listed if isinstance(each, Token)]
        parameters = [each for each in listed if not isinstance(each, Token)]
        return Declaration(parameters, ellipses, listed.index(ellipses[0]) if ellipses else len(listed))

    def parameter(self, parts: list[Any]) -> ParameterNode:
        name, _, type = parts
        return ParameterNode(name.start, name.end, name.text, type)

    def scalar_type(self, parts: list[Any]) -> TypeNode:
        scalar = parts[0]
        return TypeNode(scalar.start, scalar.end, scalar_of(scalar), 0)

    def continuation_type(self, parts: list[Any]) -> TypeNode:
        types: list[TypeNode] = parts[1] if len(parts) == 5 else []
        if len(parts) == 3:  # a scalar type, without parentheses
            types = [self.scalar_type(parts)]
        start, end = (types or parts)[0].start, parts[-1].end
        depth = 1 + max((type.depth for type in types), default=0)
        if depth > MAX_TYPE_DEPTH:
            raise TypeTooDeep(start, end)
        return TypeNode(start, end, ContinuationType(tuple(type.type for type in types)), depth)

    def body(self, parts: list[Any]) -> Body:
        group = parts[2] if len(parts) > 2 else []
        members = [each for each in group if isinstance(each, Abstraction)]
        return Body(parts[0], members, parts[-1], [each for each in group if isinstance(each, FunctionNode)])

    def binding(self, parts: list[Any]) -> Binding:
        name, _, expression, _ = parts
        return Binding(name.start, expression.end, name.text, name.end, expression)

    def foreign_call(self, parts: list[Any]) -> ForeignNode:
        text = self.literal(parts[:1])
        return ForeignNode(text.start, parts[-1].end, text, parts[2] if len(parts) > 3 else [], [])

    def foreign(self, parts: list[Any]) -> ForeignOperation:
        *word, call = parts[: -2 if len(parts) > 1 else 1]
        type = parts[-1].type if len(parts) > 1 else None
        op, start = (FOREIGN_VALUE, word[0].start) if word else (FOREIGN, call.start)
        return ForeignOperation(start, parts[-1].end, op, call.arguments, call.text, type, word[0] if word else None)

    def foreign_transfer(self, parts: list[Any]) -> ForeignNode:
        node: ForeignNode = parts[0]
        node.slots, node.end = (parts[2], parts[3].end) if len(parts) > 1 else ([], node.end)
        return node

    def effect(self, parts: list[Any]) -> Binding:
        application = parts[0]
        return Binding(application.start, application.end, "", application.start, application)

    def continuation(self, parts: list[Any]) -> Abstraction:
        name, _, parameters, body = parts
        return Abstraction(name.start, name.end, name.text, parameters, body)

    def abstraction(self, parts: list[Any]) -> Abstraction:
        symbol, body = parts[0], parts[-1]
        return Abstraction(symbol.start, symbol.end, "", parts[2] if len(parts) > 5 else [], body)

    def branch(self, parts: list[Any]) -> BranchNode:
        word, _, condition, _, then, _, otherwise, close = parts
        return BranchNode(word.start, close.end, condition, [then, otherwise])

    def switch(self, parts: list[Any]) -> SwitchNode:
        word, _, value, _, cases, _, _, default, close = parts
        slots = [*(slot for _, _, slot, _ in cases), default]
        return SwitchNode(word.start, close.end, value, slots, [literal for literal, *_ in cases])

    def application(self, parts: list[Any]) -> Application:
        name, close = parts[0], parts[-1]
        return Application(name.start, close.end, name, parts[2] if len(parts) > 3 else [])

    def pointer_call(self, parts: list[Any]) -> PointerCall:
        word, _, arguments, close = parts
        return PointerCall(word.start, close.end, arguments)

    def extended(self, parts: list[Any]) -> Any:
        parts[0] += parts[1:]
        return parts[0]

    def combined(self, parts: list[list[Any]]) -> Expression:
        """The tree of ``operand operator operand …``, by operator-precedence parsing."""
        first, *others = parts[0]
        operands: list[Expression] = [first]
        operators: list[str] = []
        for operator, operand in zip(others[::2], others[1::2], strict=True):
            while operators and PRECEDENCE[operators[-1]] >= PRECEDENCE[operator.text]:
                _reduce(operands, operators)
            operators.append(operator.text)
            operands.append(operand)
        while operators:
            _reduce(operands, operators)
        return operands[0]

    def conversion(self, parts: list[Any]) -> Operation:
        """``long(x)``; ``memory(p)`` is the memory of an object."""
        type, _, operand, close = parts
        if scalar_of(type) is MEMORY:
            return Operation(type.start, close.end, EXTEND, [operand])
        return Conversion(type.start, close.end, CONVERT, [operand], scalar_of(type))

    def undef(self, parts: list[Any]) -> Undefined:
        word, _, name, _, type, close = parts
        return Undefined(word.start, close.end, name.text, scalar_of(type))

    def prefixed(self, parts: list[Any]) -> Operation:
        op, operand = parts
        return Operation(op.start, operand.end, _PREFIXES[op.text], [operand])

    def literal(self, parts: list[Token]) -> Literal:
        first, last = parts[0], parts[-1]
        return Literal(first.start, last.end, last.text, negative=len(parts) == 2)

    def name(self, parts: list[Any]) -> Name:
        token = parts[0]
        return Name(token.start, token.end, token.text)


def _late(rule: str) -> Action:
    """The method of a rule in `item_syntax`, which is loaded at the first call: many texts need none of its rules."""
    method: Action | None = None

    def call(builder: TreeBuilder, parts: list[Any]) -> Any:
        nonlocal method
        if method is None:
            from cpsconv.core.text.item_syntax import ItemRules

            method = getattr(ItemRules, rule)
        return method(builder, parts)

    return call


_LATE_RULES = """
    attribute first_attributed append_attributed first_program append_program struct member object_type append_length
    data declared_data declared_array external marked_parameter aggregate braces
    address access store allocation reading writing stored extended_memory
"""

for _rule in _LATE_RULES.split():
    setattr(TreeBuilder, _rule, _late(_rule))


_PREFIXES = {symbol: name for name, symbol in PREFIXES.items()}


def _reduce(operands: list[Expression], operators: list[str]) -> None:
    right, left = operands.pop(), operands.pop()
    operands.append(Operation(left.start, right.end, operators.pop(), [left, right]))
