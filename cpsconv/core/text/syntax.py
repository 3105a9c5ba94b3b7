"""The syntax tree of CPS text, by the grammar `grammars/cps.lark`; the scanner; the construction of the tree.

Each node has the offsets of its first character and of the end of its last one. Name resolution (`scope`) links each
`Name` to its *definition*; elaboration (`parser`) sets the `value` of a definition to the corresponding part of the
program.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any, NamedTuple, Union

from cpsconv.core.grammar import END, Parser, tables_of, token_pattern
from cpsconv.core.ir import (
    MAX_TYPE_DEPTH,
    MEMORY,
    Continuation,
    ContinuationType,
    Data,
    External,
    ExternalData,
    Function,
    Parameter,
    Program,
    Scalar,
    Struct,
    Type,
    Value,
    foreign_type,
    scalar,
)
from cpsconv.core.nodes import NodeType
from cpsconv.core.operations.table import (
    ALLOCATE,
    CONVERT,
    COPY,
    ELEMENT,
    EXTEND,
    FIELD,
    FOREIGN,
    FOREIGN_VALUE,
    LOAD,
    PRECEDENCE,
    PREFIXES,
    STORE,
)
from cpsconv.core.progress import report
from cpsconv.core.text.spelling import unquote_name


class Node(metaclass=NodeType):
    """The characters ``start … end - 1`` of the text."""

    start: int
    end: int


class Token(Node):
    """A token; `type` is the name of its terminal."""

    type: str
    text: str


# ---------------------------------------------------------------------------------------------------- expressions


class Name(Node):
    """A use of a name; `word` is its text, with any back quotes."""

    word: str
    definition: Definition | None = None


class Literal(Node):
    """A number (that may be `negative`), character, string or truth value."""

    text: str
    negative: bool = False


class Undefined(Node):
    """``undef(x : int)``"""

    name: str
    type: Scalar


class Operation(Node):
    """An operator and its operands; `op` is a key of `cpsconv.core.operations.table.PRIMITIVES`."""

    op: str
    arguments: list[Expression]


class Conversion(Operation):
    """``long(x)``"""

    type: Scalar


class ObjectTypeNode(Node):
    """``int[3][4]``, ``point``: the name of a scalar type or struct, and the lengths of arrays."""

    base: Token
    lengths: list[Token]

    def names_struct(self, name: str) -> bool:
        """Whether the type is the struct `name`."""
        return self.base.type == "NAME" and self.base.text == name and not self.lengths


class MemoryOperation(Operation):
    """An operation of the table with a notation of its own, on objects of the type `of`; `field` is that of a `FIELD`.

    ``T[p, i]`` is the load of the element ``T.at(p, i)``. `placement` has the tokens of ``aligned 64 on stack``, of one
    part, or none.
    """

    of: ObjectTypeNode
    field: Token | None = None
    placement: Sequence[Token] = ()


class ForeignOperation(Operation):
    """``"ml.add"(x, y) : int``, a foreign operation; pure with the word `pure` before it. `word` is this token."""

    text: Literal
    type: Type | None = None
    word: Token | None = None


class Application(Node):
    """``name(arguments)``: a transfer, an effect, or a primitive in the form of a call."""

    name: Name
    arguments: list[Expression]


class PointerCall(Node):
    """``call(p, arguments, k)``"""

    arguments: list[Expression]


class Abstraction(Node):
    """``k := (a : int) → ⊥ body``, or ``λ(a : int). body`` if the name is empty."""

    name: str
    parameters: list[ParameterNode]
    body: Body
    value: Continuation | None = None


Expression = Union[Name, Literal, Undefined, Operation, Application, Abstraction]

# ----------------------------------------------------------------------------------------------------- attributes


class AttributeNode(Node):
    """``@ml.hot``, or ``@ml.label("main")`` with a `value`: a literal, or the name of a type."""

    name: str
    value: Literal | Token | None


class ProgramNode(Node):
    """``@c.standard(17);``, the attributes of the program."""

    attributes: list[AttributeNode]
    value: Program | None = None


# --------------------------------------------------------------------------------------------------------- bodies


class TypeNode(Node):
    """A type; `depth` is the nesting depth of its continuation types."""

    type: Type
    depth: int


class ParameterNode(Node):
    """``a : int``. After the type, the keyword of an attribute and its value may follow: the tokens of `mark`."""

    name: str
    type: TypeNode
    mark: tuple[Token, Token] | None = None
    value: Parameter | None = None
    attributes: Sequence[AttributeNode] = ()


class Binding(Node):
    """``v := expression;``, or ``expression;`` if the name is empty. `name_end` is the end of the name.

    In ``x := int[p] in m`` and ``m1 := m with int[p] := x``, the memory is the last operand of the expression, and
    `keyword` is the token of ``in`` or ``with``.
    """

    name: str
    name_end: int
    expression: Expression
    value: Value | None = None
    keyword: Token | None = None
    attributes: Sequence[AttributeNode] = ()


class BranchNode(Node):
    """``branch(value, k1, k2)``"""

    value: Expression
    slots: list[Expression]


class SwitchNode(BranchNode):
    """``switch(value, 1 ⇒ k1, …, _ ⇒ k)``; the last slot is the default."""

    cases: list[Literal]


class ForeignNode(Node):
    """``"ml.choose"(x)[k1, k2]``, a foreign transfer."""

    text: Literal
    arguments: list[Expression]
    slots: list[Expression]

    @property
    def parts(self) -> list[Expression]:
        """The operands and the slots."""
        return [*self.arguments, *self.slots]


TransferNode = Union[Application, PointerCall, BranchNode, ForeignNode]


class Body(metaclass=NodeType):
    """Statements, the continuations of a `let`, the transfer, and the functions of the `let`."""

    statements: list[Binding]
    group: list[Abstraction]
    transfer: TransferNode
    functions: list[FunctionNode]


class DeclarationNode(Node):
    """An item that begins with `words`, such as ``static data``. `name_end` is the end of its name."""

    words: list[Token]
    name: str
    name_end: int


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


class DataNode(DeclarationNode):
    """``data origin := point { 0, 0 }``, or with `const`."""

    alignment: list[Token]
    initial: Datum
    value: Data | None = None
    attributes: Sequence[AttributeNode] = ()


class ExternalDataNode(DeclarationNode):
    """``extern origin : point``."""

    type: ObjectTypeNode
    value: ExternalData | None = None
    attributes: Sequence[AttributeNode] = ()


class Declaration(NamedTuple):
    """The parameters of a function, and the tokens ``...`` for variable arguments, with the place of the first."""

    parameters: list[ParameterNode]
    ellipses: list[Token]
    after: int


class ExternalNode(DeclarationNode):
    """``extern length(s : ptr, ret : unsigned long → ⊥) → ⊥``"""

    declaration: Declaration
    value: Function | None = None
    attributes: Sequence[AttributeNode] = ()

    @property
    def parameters(self) -> list[ParameterNode]:
        """The parameters."""
        return self.declaration.parameters


class FunctionNode(Node):
    """``f(x : int, ret : int → ⊥) → ⊥ { body }``

    `closing` is the offset of the closing brace. `definitions` are the definitions inside the function, by name,
    `abstractions` its continuations in source order, `unused` the outermost continuations without references. `inner`
    are the functions directly inside the function, `enclosing` is the one around it.
    """

    name: str
    declaration: Declaration
    body: Body
    closing: int
    definitions: dict[str, list[Definition]] = field(default_factory=dict)
    abstractions: list[Abstraction] = field(default_factory=list)
    unused: list[Abstraction] = field(default_factory=list)
    inner: list[FunctionNode] = field(default_factory=list)
    enclosing: FunctionNode | None = None
    value: Function | None = None
    words: Sequence[Token] = ()
    attributes: Sequence[AttributeNode] = ()

    @property
    def parameters(self) -> list[ParameterNode]:
        """The parameters."""
        return self.declaration.parameters


class Provided(Node):
    """The definition of an external."""

    value: External


def functions_in(items: Iterable[ItemNode]) -> list[FunctionNode]:
    """The functions of the text, those inside of others included, in source order."""
    found: list[FunctionNode] = []
    pending = [item for item in items if isinstance(item, FunctionNode)][::-1]
    while pending:
        found.append(pending.pop())
        pending += reversed(found[-1].inner)
    return found


GlobalNode = Union[FunctionNode, DataNode, ExternalNode, ExternalDataNode]
"""An item that values can refer to."""

ItemNode = Union[StructNode, GlobalNode, ProgramNode]

Definition = Union[ParameterNode, Binding, Abstraction, GlobalNode, Provided]


def start_of(node: ItemNode | Binding) -> int:
    """The start of an item or statement, with its attributes and words."""
    words = () if isinstance(node, (ProgramNode, Binding)) else node.words
    return (*node.attributes, *words, node)[0].start


def parts_of(transfer: TransferNode) -> list[Expression]:
    """The arguments or slots of a transfer, in which abstractions may be written."""
    if isinstance(transfer, ForeignNode):
        return transfer.parts
    return transfer.slots if isinstance(transfer, BranchNode) else transfer.arguments


def name_of(definition: ParameterNode | Binding | Abstraction | GlobalNode) -> str:
    """The name that a definition introduces, without back quotes."""
    return unquote_name(definition.name)


def tokens(text: str, start: int = 0) -> Iterator[Token]:
    """The tokens of the text from the offset `start`, without white space and comments; the last one has type `END`."""
    spellings = tables_of("cps").spellings
    for match in token_pattern("cps").finditer(text, start):
        kind = match.lastgroup
        if kind == "SPACE" or kind == "COMMENT":
            continue
        word = match[0]
        if kind == "NAME" or kind == "PUNCTUATOR":
            kind = spellings.get(word, "NAME")
        yield Token(*match.span(), str(kind), word)
    yield Token(len(text), len(text), END, "")


class TypeTooDeep(Exception):
    """A type is nested more deeply than `MAX_TYPE_DEPTH`. The arguments are the type's start and end offsets."""


def new_parser(length: int = 0) -> Parser:
    """A parser that builds the syntax tree of a CPS text of `length` characters (for progress reports).

    Its `read` raises `Rejected` at a token that does not fit, and `TypeTooDeep`.
    """
    return Parser(tables_of("cps"), _TreeBuilder(length))


class _TreeBuilder:
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

    def declaration(self, parts: list[Any]) -> Declaration:
        listed: list[Any] = parts[1] if len(parts) == 5 else []
        ellipses = [each for each in listed if isinstance(each, Token)]
        parameters = [each for each in listed if not isinstance(each, Token)]
        return Declaration(parameters, ellipses, listed.index(ellipses[0]) if ellipses else len(listed))

    def marked_parameter(self, parts: list[Any]) -> ParameterNode:
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

    def prefixed(self, parts: list[Any]) -> Operation:
        op, operand = parts
        return Operation(op.start, operand.end, _PREFIXES[op.text], [operand])

    def literal(self, parts: list[Token]) -> Literal:
        first, last = parts[0], parts[-1]
        return Literal(first.start, last.end, last.text, negative=len(parts) == 2)

    def name(self, parts: list[Any]) -> Name:
        token = parts[0]
        return Name(token.start, token.end, token.text)


_PREFIXES = {symbol: name for name, symbol in PREFIXES.items()}


def scalar_of(token: Token) -> Scalar:
    """The scalar type that a token denotes."""
    if token.text.startswith("$"):
        return foreign_type(unquote_name(token.text[1:]))
    return scalar(" ".join(token.text.split()))


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


def _reduce(operands: list[Expression], operators: list[str]) -> None:
    right, left = operands.pop(), operands.pop()
    operands.append(Operation(left.start, right.end, operators.pop(), [left, right]))
