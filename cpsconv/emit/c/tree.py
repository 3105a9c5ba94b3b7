"""Statements of C, as they are laid out: lines, and statements with blocks of others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Union

from cpsconv.structuring.decisions import Condition
from cpsconv.structuring.variables import Variable


@dataclass(eq=False, slots=True)
class Line:
    """One statement on a line; where it is empty, just a place where variables are mentioned.

    `assigned` is the variable that an assignment is to, `needs` a header. With `declares`, it declares variables.
    """

    text: str
    mentioned: tuple[Variable, ...] = ()
    assigned: Variable | None = None
    needs: str = ""
    declares: bool = False


@dataclass(eq=False, slots=True)
class If:
    """``if (condition) { then } else { otherwise }``"""

    condition: Condition
    mentioned: tuple[Variable, ...]
    then: Block = field(default_factory=list)
    otherwise: Block = field(default_factory=list)

    @property
    def blocks(self) -> list[Block]:
        """The blocks within, in order."""
        return [self.then, self.otherwise]


@dataclass(eq=False, slots=True)
class Loop:
    """``while (1) { body }``; with a condition ``while (condition) { body }``, or ``do { body } while (condition);``"""

    body: Block = field(default_factory=list)
    condition: Condition | None = None
    at_end: bool = False
    mentioned: tuple[Variable, ...] = ()

    @property
    def blocks(self) -> list[Block]:
        """The blocks within, in order."""
        return [self.body]


@dataclass(eq=False, slots=True)
class Switch:
    """``switch (value) { case 1: … default: … }``: each arm has its cases, none for the default."""

    value: str
    mentioned: tuple[Variable, ...]
    arms: list[tuple[list[str], Block]]

    @property
    def blocks(self) -> list[Block]:
        """The blocks within, in order."""
        return [body for _, body in self.arms]


Statement = Union[Line, If, Loop, Switch]
Block = list[Statement]


def blocks_of(statement: Statement) -> list[Block]:
    """The blocks within a statement, in order."""
    return [] if isinstance(statement, Line) else statement.blocks


def inside_out(body: Block) -> Iterator[Block]:
    """Every block, those within its statements first."""
    found = [body]
    for block in found:
        for statement in block:
            found += blocks_of(statement)
    return reversed(found)
