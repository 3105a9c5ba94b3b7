"""Functions in Bril as graphs of basic blocks with parameters, before the choice of a form (`forms`)."""

from __future__ import annotations

import re
from dataclasses import field
from typing import NamedTuple, Union

from cpsconv.core.nodes import NodeType
from cpsconv.core.text.plan import UniqueNames


class Names(UniqueNames):
    """Names that Bril's text permits, each for one thing."""

    def unique(self, hint: str) -> str:
        """The hint with underscores for characters that are not permitted, and a number if it is taken."""
        return super().unique(re.sub(r"[^A-Za-z0-9_%.]|^(?=[0-9.]|$)", "_", hint))

    def numbered(self, hint: str, number: int) -> str:
        """The hint and a number, after a point."""
        return f"{hint}.{number}"


class Variable(NamedTuple):
    """A variable and its type in Bril: ``int``, ``ptr<float>``."""

    name: str
    type: str


class Literal(NamedTuple):
    """A constant of a type. A float is neither infinite nor a NaN; None is ``undef``."""

    type: str
    value: int | bool | float | str | None

    @property
    def key(self) -> tuple[str, str]:
        """A key that differs for 1 and 1.0 and True, and for 0.0 and -0.0."""
        return self.type, repr(self.value)


Operand = Union[Variable, Literal]


class Line(metaclass=NodeType):
    """An instruction that does not transfer control, except a call."""

    op: str
    arguments: list[Operand]
    destination: Variable | None = None
    function: str | None = None


class Edge(metaclass=NodeType):
    """A target, and the arguments for its parameters."""

    target: Block
    arguments: list[Operand] = field(default_factory=list)


class Block(metaclass=NodeType):
    """A basic block. It ends with a branch on `condition`, a jump, or, without `edges`, a return of `result`."""

    label: str
    parameters: list[Variable] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    condition: Operand | None = None
    result: Operand | None = None

    @property
    def successors(self) -> list[Block]:
        """The targets of the edges."""
        return [edge.target for edge in self.edges]

    @property
    def used_at_end(self) -> list[Operand]:
        """The operands of the transfer, without the arguments of the edges."""
        return [each for each in (self.condition, self.result) if each is not None]


class BlockFunction(metaclass=NodeType):
    """A function: its name, parameters, result type if any, and blocks. No edge leads to the first one, the entry.

    `names` are the names of variables and labels.
    """

    name: str
    parameters: list[Variable]
    result: str | None
    blocks: list[Block]
    names: Names


def predecessors(blocks: list[Block]) -> dict[Block, list[tuple[Block, Edge]]]:
    """The incoming edges of each block, with their sources."""
    found: dict[Block, list[tuple[Block, Edge]]] = {block: [] for block in blocks}
    for block in blocks:
        for edge in block.edges:
            found[edge.target].append((block, edge))
    return found
