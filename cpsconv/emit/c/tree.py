"""The statements of a function as a tree, and the format of the tree as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Union

from cpsconv.emit.c.expressions import Expressions
from cpsconv.structuring.decisions import Condition
from cpsconv.structuring.variables import Variable


@dataclass(eq=False, slots=True)
class Line:
    """A statement on one line, or a label. An empty `text` writes nothing, but counts as a reference to variables.

    `assigned` is the variable of an assignment, `needs` the required header, and `declares` marks a declaration.
    """

    text: str
    referenced: tuple[Variable, ...] = ()
    assigned: Variable | None = None
    needs: str = ""
    declares: bool = False


@dataclass(eq=False, slots=True)
class If:
    """``if (condition) { then } else { otherwise }``"""

    condition: Condition
    referenced: tuple[Variable, ...]
    then: Block = field(default_factory=list)
    otherwise: Block = field(default_factory=list)


@dataclass(eq=False, slots=True)
class Loop:
    """``while (1) { body }``; with a condition ``while (condition) { body }``, or ``do { body } while (condition);``"""

    body: Block = field(default_factory=list)
    condition: Condition | None = None
    at_end: bool = False
    referenced: tuple[Variable, ...] = ()


@dataclass(eq=False, slots=True)
class Switch:
    """``switch (value) { case 1: … default: … }``. Each arm has its cases (none for the default) and its body."""

    value: str
    referenced: tuple[Variable, ...]
    arms: list[tuple[list[str], Block]]


Statement = Union[Line, If, Loop, Switch]
Block = list[Statement]


def blocks_of(statement: Statement) -> list[Block]:
    """The blocks of a statement, in order."""
    if isinstance(statement, If):
        return [statement.then, statement.otherwise]
    if isinstance(statement, Switch):
        return [body for _, body in statement.arms]
    return [statement.body] if isinstance(statement, Loop) else []


def inside_out(body: Block) -> Iterator[Block]:
    """All blocks, inner ones first."""
    found = [body]
    for block in found:
        for statement in block:
            found += blocks_of(statement)
    return reversed(found)


_MARGIN = "    "
_MAX_INDENTATION = 20  # deeper statements are not indented further

Part = Union[str, "tuple[Statement, int]"]
"""A line, or a statement and its depth."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Formats the statements of one function, and adds the headers that they require to `_headers`."""

    _expressions: Expressions
    _headers: set[str]

    def lines(self, body: Block) -> Iterator[str]:
        """The lines of a function's body."""
        pending = self._inside(body, 1)[::-1]
        while pending:
            item = pending.pop()
            if isinstance(item, str):
                yield item
            else:
                pending += reversed(self._parts(*item))

    def _inside(self, block: Block, depth: int) -> list[Part]:
        return [(statement, depth) for statement in block]

    def _parts(self, statement: Statement, depth: int) -> list[Part]:
        """The lines of a statement, and its inner statements between them."""
        margin = _MARGIN * min(depth, _MAX_INDENTATION)
        if isinstance(statement, If):
            return self._if(statement, margin, depth)
        if isinstance(statement, Loop):
            return self._loop(statement, margin, depth)
        if isinstance(statement, Switch):
            return self._switch(statement, margin, depth)
        if statement.needs:
            self._headers.add(statement.needs)
        is_label = statement.text.endswith(":")
        return [f"{margin[len(_MARGIN) * is_label :]}{statement.text};"] if statement.text else []

    def _if(self, statement: If, margin: str, depth: int) -> list[Part]:
        """An `if`. A chain of `else if` is formatted by a loop, with one margin."""
        parts: list[Part] = []
        opening = margin
        while True:
            parts.append(f"{opening}if ({self._expressions.condition(statement.condition)}) {{")
            parts += self._inside(statement.then, depth + 1)
            otherwise = [each for each in statement.otherwise if not isinstance(each, Line) or each.text]
            if len(otherwise) == 1 and isinstance(otherwise[0], If):
                statement = otherwise[0]
                opening = f"{margin}}} else "
                continue
            if otherwise:
                parts += [f"{margin}}} else {{", *self._inside(otherwise, depth + 1)]
            return [*parts, f"{margin}}}"]

    def _loop(self, loop: Loop, margin: str, depth: int) -> list[Part]:
        body = self._inside(loop.body, depth + 1)
        condition = self._expressions.condition(loop.condition) if loop.condition else "1"
        if loop.at_end:
            return [f"{margin}do {{", *body, f"{margin}}} while ({condition});"]
        return [f"{margin}while ({condition}) {{", *body, f"{margin}}}"]

    def _switch(self, switch: Switch, margin: str, depth: int) -> list[Part]:
        parts: list[Part] = [f"{margin}switch ({switch.value}) {{"]
        for cases, body in switch.arms:
            labels = [f"{margin}case {case}:" for case in cases] or [f"{margin}default:"]
            declares = any(isinstance(each, Line) and each.declares for each in body)
            labels[-1] += " {" * declares
            parts += [*labels, *self._inside(body, depth + 1), *[f"{margin}}}"] * declares]
        return [*parts, f"{margin}}}"]
