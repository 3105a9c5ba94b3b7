"""The syntax tree of CPS text, by the grammar `grammars/cps.lark`; the scanner.

Each node has the offsets of its first character and of the end of its last one. Name resolution (`scope`) links each
`Name` to its *definition*; elaboration (`parser`) sets the `value` of a definition to the corresponding part of the
program. `item_syntax` has the items other than functions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import TYPE_CHECKING, NamedTuple, Union

from cpsconv.core.grammar import END, STRAY, tables_of, token_pattern
from cpsconv.core.ir import FURTHER_FLOATS, Continuation, External, Function, Parameter, Scalar, Type, Value, scalar
from cpsconv.core.nodes import NodeType
from cpsconv.core.text.spelling import unquote_name

if TYPE_CHECKING:
    from cpsconv.core.text.item_syntax import (
        AttributeNode,
        DataNode,
        ExternalDataNode,
        ExternalNode,
        ProgramNode,
        StructNode,
    )

    GlobalNode = Union["FunctionNode", DataNode, ExternalNode, ExternalDataNode]
    """An item that values can refer to."""

    ItemNode = Union[StructNode, GlobalNode, ProgramNode]

    Definition = Union["ParameterNode", "Binding", "Abstraction", GlobalNode, "Provided"]


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

    noun = "continuation"

    name: str
    parameters: list[ParameterNode]
    body: Body
    value: Continuation | None = None


Expression = Union[Name, Literal, Undefined, Operation, Application, Abstraction]

# --------------------------------------------------------------------------------------------------------- bodies


class TypeNode(Node):
    """A type; `depth` is the nesting depth of its continuation types."""

    type: Type
    depth: int


class ParameterNode(Node):
    """``a : int``. After the type, the keyword of an attribute and its value may follow: the tokens of `mark`."""

    noun = "parameter"

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

    noun = "value"

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


class Declaration(NamedTuple):
    """The parameters of a function, and the tokens ``...``, with the place of the first."""

    parameters: list[ParameterNode]
    ellipses: list[Token]
    after: int


class FunctionNode(Node):
    """``f(x : int, ret : int → ⊥) → ⊥ { body }``

    `closing` is the offset of the closing brace. `definitions` are the definitions inside the function, by name,
    `abstractions` its continuations in source order, `unused` the outermost continuations without references. `inner`
    are the functions directly inside the function, `enclosing` is the one around it.
    """

    noun = "function"

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


class DeclarationNode(Node):
    """An item that begins with `words`, such as ``static data``. `name_end` is the end of its name."""

    words: list[Token]
    name: str
    name_end: int


class DeclaredNode(DeclarationNode):
    """A declaration, or data, that values can refer to by its name."""

    noun = "item"

    @property
    def names(self) -> Iterable[Name]:
        """The names in the initial content."""
        return ()


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
        elif kind == "SCALAR" and word.startswith("float<") and word not in FURTHER_FLOATS:
            kind = STRAY
        yield Token(*match.span(), str(kind), word)
    yield Token(len(text), len(text), END, "")


def scalar_of(token: Token) -> Scalar:
    """The scalar type that a token denotes."""
    return scalar(token.text if token.text.startswith("$") else " ".join(token.text.split()))
