"""The syntax tree of the CPS text, as `grammars/cps.lark` builds it: what is written, before names have a meaning.

Each node has the offsets of its first character and of the end of its last. A *definition* gives a name a meaning; its
`value` is the part of the program that it stands for, once there is one.
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
    """The use of a name, spelled as `word`."""

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
    """An operator and its operands; `op` is a key of `cpsconv.operations.table.PRIMITIVES`, or `CONVERT`."""

    op: str
    operands: list[Expression]


@dataclass(eq=False, slots=True)
class Conversion(Operation):
    """``long(x)``"""

    type: Scalar


@dataclass(eq=False, slots=True)
class Application(Node):
    """``name(arguments)``: a transfer, an effect, or an operation that is written like this."""

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
    """A type, and how deeply types are nested in it."""

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
    """``v := expression;``, or an effect alone if the name is empty. `name_end` is where the name ends."""

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
    """``switch(value, 1 ⇒ k1, …, _ ⇒ k)``: the slot of the default is the last one."""

    value: Expression
    cases: list[Literal]
    slots: list[Expression]


@dataclass(eq=False, slots=True)
class Body:
    """Statements, continuations, transfer."""

    statements: list[Binding]
    group: list[Abstraction]
    transfer: Application | BranchNode | SwitchNode


@dataclass(eq=False, slots=True)
class FunctionNode(Node):
    """``f(x : int, ret : int → ⊥) → ⊥ { body }``

    `closing` is where its closing brace is. `definitions` are those inside of it by name; `abstractions` those of them
    that are continuations, in order; `unused` those of these, outermost ones alone, that nothing comes to mention.
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
    """What is defined outside of the text."""

    value: External


Definition = Union[ParameterNode, Binding, Abstraction, FunctionNode, Provided]


def name_of(definition: ParameterNode | Binding | Abstraction | FunctionNode) -> str:
    """The name that a definition gives."""
    return unquote_name(definition.name)
