"""The syntax tree of the CPS text, by the grammar `grammars/cps.lark`.

Each node has the offsets of its first character and of the end of its last one. Name resolution (`scope`) links each
`Name` to its *definition*; elaboration sets the `value` of a definition to the corresponding part of the program.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Union

from cpsconv.ir import Continuation, External, Function, Parameter, Scalar, Type, Value
from cpsconv.text.spelling import unquote_name


@dataclass(eq=False, slots=True)
class Node:
    """A stretch of the text."""

    start: int
    end: int


# ---------------------------------------------------------------------------------------------------- expressions


@dataclass(eq=False, slots=True)
class Name(Node):
    """A use of a name; `word` is its text, with any back quotes."""

    word: str
    definition: Definition | None = None


@dataclass(eq=False, slots=True)
class Literal(Node):
    """A number (that may be `negative`), character, string or truth value."""

    text: str
    negative: bool = False


@dataclass(eq=False, slots=True)
class Undefined(Node):
    """``undef(x : int)``"""

    name: str
    type: Scalar


@dataclass(eq=False, slots=True)
class Operation(Node):
    """An operator and its operands; `op` is a key of `cpsconv.operations.table.PRIMITIVES`."""

    op: str
    operands: list[Expression]


@dataclass(eq=False, slots=True)
class Conversion(Operation):
    """``long(x)``"""

    type: Scalar


@dataclass(eq=False, slots=True)
class Application(Node):
    """``name(arguments)``: a transfer, an effect, or a primitive in the form of a call."""

    name: Name
    arguments: list[Expression]


@dataclass(eq=False, slots=True)
class Abstraction(Node):
    """``k := (a : int) → ⊥ body``, or ``λ(a : int). body`` if the name is empty."""

    name: str
    parameters: list[ParameterNode]
    body: Body
    value: Continuation | None = None


Expression = Union[Name, Literal, Undefined, Operation, Application, Abstraction]

# --------------------------------------------------------------------------------------------------------- bodies


@dataclass(eq=False, slots=True)
class TypeNode(Node):
    """A type; `depth` is the nesting depth of its continuation types."""

    type: Type
    depth: int


@dataclass(eq=False, slots=True)
class ParameterNode(Node):
    """``a : int``"""

    name: str
    type: TypeNode
    value: Parameter | None = None


@dataclass(eq=False, slots=True)
class Binding(Node):
    """``v := expression;``, or ``expression;`` if the name is empty. `name_end` is the end of the name."""

    name: str
    name_end: int
    expression: Expression
    value: Value | None = None


@dataclass(eq=False, slots=True)
class BranchNode(Node):
    """``branch(condition, k1, k2)``"""

    condition: Expression
    slots: list[Expression]


@dataclass(eq=False, slots=True)
class SwitchNode(Node):
    """``switch(value, 1 ⇒ k1, …, _ ⇒ k)``; the last slot is the default."""

    value: Expression
    cases: list[Literal]
    slots: list[Expression]


@dataclass(eq=False, slots=True)
class Body:
    """Statements, the continuations of a `let`, and the transfer."""

    statements: list[Binding]
    group: list[Abstraction]
    transfer: Application | BranchNode | SwitchNode


@dataclass(eq=False, slots=True)
class FunctionNode(Node):
    """``f(x : int, ret : int → ⊥) → ⊥ { body }``

    `closing` is the offset of the closing brace. `definitions` are the definitions inside the function, by name,
    `abstractions` its continuations in source order, `unused` the outermost continuations without references.
    """

    name: str
    parameters: list[ParameterNode]
    body: Body
    closing: int
    definitions: dict[str, list[Definition]] = field(default_factory=dict)
    abstractions: list[Abstraction] = field(default_factory=list)
    unused: list[Abstraction] = field(default_factory=list)
    value: Function | None = None


@dataclass(eq=False, slots=True)
class Provided(Node):
    """The definition of an external."""

    value: External


Definition = Union[ParameterNode, Binding, Abstraction, FunctionNode, Provided]


def name_of(definition: ParameterNode | Binding | Abstraction | FunctionNode) -> str:
    """The name that a definition introduces, without back quotes."""
    return unquote_name(definition.name)
