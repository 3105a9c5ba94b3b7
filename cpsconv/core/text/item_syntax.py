"""The syntax of items other than functions, of attributes, and of operations on objects in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Union

from cpsconv.core.ir import Data, ExternalData, Function, Program, Struct
from cpsconv.core.operations.table import ALLOCATE, COPY, ELEMENT, EXTEND, FIELD, LOAD, STORE
from cpsconv.core.text.spelling import unquote_name
from cpsconv.core.text.syntax import (
    Application,
    Binding,
    Declaration,
    DeclarationNode,
    DeclaredNode,
    Expression,
    Literal,
    MemoryOperation,
    Name,
    Node,
    ObjectTypeNode,
    Operation,
    ParameterNode,
    Token,
)


class AttributeNode(Node):
    """``@ml.hot``, or ``@ml.label("main")`` with a `value`: a literal, or a type."""

    name: str
    value: Literal | ObjectTypeNode | None


class ProgramNode(Node):
    """``@ml.level(3);``, the attributes of the program."""

    attributes: list[AttributeNode]
    value: Program | None = None


class StructNode(DeclarationNode):
    """``struct point { x : int, y : int }``, or with `union`."""

    alignment: list[Token]
    members: list[tuple[Token, ObjectTypeNode]]
    value: Struct | None = None
    attributes: Sequence[AttributeNode] = ()


class AggregateNode(Node):
    """``int[4] { 2, 3 }``, ``char[80] "hello"``; inside another one ``{ 2, 3 }``, without a type."""

    type: ObjectTypeNode | None
    parts: list[Datum] | Literal


Datum = Union[Literal, Name, MemoryOperation, AggregateNode]


class DataNode(DeclaredNode):
    """``data origin := point { 0, 0 }``, or with `const`."""

    alignment: list[Token]
    initial: Datum
    value: Data | None = None
    attributes: Sequence[AttributeNode] = ()

    @property
    def names(self) -> Iterator[Name]:
        """The names in the initial content, from left to right."""
        pending: list[Datum | Expression] = [self.initial]
        while pending:
            part = pending.pop()
            if isinstance(part, Name):
                yield part
            elif isinstance(part, MemoryOperation):
                pending += reversed(part.arguments)
            elif isinstance(part, AggregateNode) and isinstance(part.parts, list):
                pending += reversed(part.parts)


class ExternalDataNode(DeclaredNode):
    """``extern origin : point``."""

    type: ObjectTypeNode
    value: ExternalData | None = None
    attributes: Sequence[AttributeNode] = ()


class ExternalNode(DeclaredNode):
    """``extern length(s : ptr, ret : unsigned long → ⊥) → ⊥``"""

    noun = "function"

    declaration: Declaration
    value: Function | None = None
    attributes: Sequence[AttributeNode] = ()

    @property
    def parameters(self) -> list[ParameterNode]:
        """The parameters."""
        return self.declaration.parameters


class ItemRules:
    """The methods of the rules, which `cpsconv.core.text.tree` describes. The first argument is its tree builder."""

    def attribute(self, parts: list[Any]) -> AttributeNode:
        token, *rest = parts
        name = unquote_name(token.text[1:])
        return AttributeNode(token.start, parts[-1].end, name, rest[1] if rest else None)

    def first_attributed(self, parts: list[Any]) -> list[Any]:
        attributes, node = parts
        node.attributes = attributes
        return [node]

    def append_attributed(self, parts: list[Any]) -> Any:
        parts[0] += self.first_attributed(parts[-2:])
        return parts[0]

    def first_program(self, parts: list[Any]) -> list[Any]:
        attributes, end = parts
        return [ProgramNode(attributes[0].start, end.end, attributes)]

    def append_program(self, parts: list[Any]) -> Any:
        parts[0] += self.first_program(parts[1:])
        return parts[0]

    def struct(self, parts: list[Any]) -> StructNode:
        words, name, alignment = _aligned(parts[:-3])
        return StructNode(words[0].start, parts[-1].end, words, name.text, name.end, alignment, parts[-2])

    def data(self, parts: list[Any]) -> DataNode:
        words, name, alignment = _aligned(parts[:-2])
        initial = parts[-1]
        return DataNode(words[0].start, initial.end, words, name.text, name.end, alignment, initial)

    def declared_data(self, parts: list[Any]) -> ExternalDataNode:
        words, name, _, base = parts
        return ExternalDataNode(words[0].start, base.end, words, name.text, name.end, _object_type(base))

    def declared_array(self, parts: list[Any]) -> ExternalDataNode:
        node: ExternalDataNode = parts[0]
        node.type.lengths.append(parts[2])
        node.end = node.type.end = parts[3].end
        return node

    def external(self, parts: list[Any]) -> ExternalNode:
        words, name, declaration = parts
        return ExternalNode(words[0].start, name.end, words, name.text, name.end, declaration)

    def marked_parameter(self: Any, parts: list[Any]) -> ParameterNode:
        name, _, scalar, keyword, type = parts
        return ParameterNode(name.start, type.end, name.text, self.scalar_type([scalar]), (keyword, type))

    def aggregate(self, parts: list[Any]) -> AggregateNode:
        type, opening, *rest = parts
        if not rest:
            content = Literal(opening.start, opening.end, opening.text)
            return AggregateNode(type.start, opening.end, type, content)
        return AggregateNode(type.start, rest[-1].end, type, rest[0] if len(rest) > 1 else [])

    def braces(self, parts: list[Any]) -> AggregateNode:
        return AggregateNode(parts[0].start, parts[-1].end, None, parts[1] if len(parts) > 2 else [])

    def member(self, parts: list[Any]) -> tuple[Token, ObjectTypeNode]:
        name, _, type = parts
        return name, type

    def object_type(self, parts: list[Any]) -> ObjectTypeNode:
        base, lengths = parts
        end = lengths[-1].end if lengths else base.end
        return ObjectTypeNode(base.start, end, base, lengths)

    def append_length(self, parts: list[Any]) -> Any:
        lengths, _, number, _ = parts
        lengths.append(number)
        return lengths

    def reading(self, parts: list[Any]) -> Binding:
        """``x := int[p] in m;``"""
        name, _, expression, keyword, memory, _ = parts
        expression = _in_memory(expression, memory)
        return Binding(name.start, memory.end, name.text, name.end, expression, keyword=keyword)

    def writing(self, parts: list[Any]) -> Binding:
        """``m1 := m with int[p] := x;``"""
        name, _, memory, keyword, change, _ = parts
        expression = _in_memory(change, memory)
        return Binding(name.start, change.end, name.text, name.end, expression, keyword=keyword)

    def stored(self, parts: list[Any]) -> Expression:
        return self.store([*parts, None]).expression

    def extended_memory(self, parts: list[Any]) -> Operation:
        name = parts[0]
        return Operation(name.start, name.end, EXTEND, [name])

    def store(self, parts: list[Any]) -> Binding:
        """``int[p] := v``, or the copy ``point[p] := point[q]``. The right side is the first operand of both."""
        access, _, value, _ = parts
        op, arguments = STORE, [value, *access.arguments]
        if isinstance(value, MemoryOperation) and value.op == LOAD and value.of.names_struct(access.of.base.text):
            op, arguments = COPY, [*value.arguments, *access.arguments]
        store = MemoryOperation(access.start, value.end, op, arguments, access.of)
        return Binding(store.start, store.end, "", store.start, store)

    def address(self, parts: list[Any]) -> MemoryOperation:
        """``point.x(p)``, or ``point.at(p, i)``, which has two arguments."""
        base, _, name, _, *arguments, close = parts
        of = _object_type(base)
        if len(arguments) == 1:
            return MemoryOperation(base.start, close.end, FIELD, arguments, of, name)
        return MemoryOperation(base.start, close.end, ELEMENT, arguments[::2], of, name)

    def access(self, parts: list[Any]) -> MemoryOperation:
        base, _, address, *rest, close = parts
        of = _object_type(base)
        if rest:
            address = MemoryOperation(base.start, close.end, ELEMENT, [address, rest[-1]], of)
        return MemoryOperation(base.start, close.end, LOAD, [address], of)

    def allocation(self, parts: list[Any]) -> MemoryOperation:
        word, base, *count, placement = parts
        of, numbers = _object_type(base), []
        if count:
            _, number, close, lengths = count
            of, numbers = ObjectTypeNode(base.start, [close, *lengths][-1].end, base, lengths), [number]
        end = placement[-1].end if placement else of.end
        return MemoryOperation(word.start, end, ALLOCATE, numbers, of, None, placement)


def _aligned(parts: list[Any]) -> tuple[list[Token], Token, list[Token]]:
    """The words, the name and the alignment of an item. Before ``aligned 64``, the name is the last word."""
    words, name, *number = parts
    return (words[:-1] or words, words[-1], [name, *number]) if number else (words, name, [])


def _in_memory(expression: Expression, memory: Name) -> Expression:
    """The expression with the memory as its last operand."""
    if isinstance(expression, (Operation, Application)):
        expression.arguments.append(memory)
        return expression
    return Operation(expression.start, expression.end, "in", [expression, memory])


def _object_type(base: Token) -> ObjectTypeNode:
    return ObjectTypeNode(base.start, base.end, base, [])
