"""The statements of a function as a tree, the declarations of its variables, and its format as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import field
from typing import Union

from cpsconv.core.nodes import NodeType
from cpsconv.core.trampoline import Walk, flattened
from cpsconv.targets.c.expressions import Expressions
from cpsconv.targets.structuring.decisions import Condition
from cpsconv.targets.structuring.variables import Variable


class Line(metaclass=NodeType):
    """A statement on one line, or a label. An empty `text` writes nothing, but counts as a reference to variables.

    `assigned` is the variable of an assignment, `needs` the required header, and `declares` marks a declaration.
    """

    text: str
    referenced: tuple[Variable, ...] = ()
    assigned: Variable | None = None
    needs: str = ""
    declares: bool = False


class If(metaclass=NodeType):
    """``if (condition) { then } else { otherwise }``"""

    condition: Condition
    referenced: tuple[Variable, ...]
    then: Block = field(default_factory=list)
    otherwise: Block = field(default_factory=list)


class Loop(metaclass=NodeType):
    """``while (1) { body }``; with a condition ``while (condition) { body }``, or ``do { body } while (condition);``"""

    body: Block = field(default_factory=list)
    condition: Condition | None = None
    at_end: bool = False
    referenced: tuple[Variable, ...] = ()


class Switch(metaclass=NodeType):
    """``switch (value) { case 1: … default: … }``. Each arm has its cases (none for the default) and its body."""

    value: str
    referenced: tuple[Variable, ...]
    arms: list[tuple[list[str], Block]]


Statement = Union[Line, If, Loop, Switch]
Block = list[Statement]


def is_silent(statement: Statement) -> bool:
    """Whether the statement writes nothing."""
    return isinstance(statement, Line) and not statement.text


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
    for block in found:  # appended to during iteration
        for statement in block:
            found += blocks_of(statement)
    return reversed(found)


_MARGIN = "    "
_MAX_INDENTATION = 20  # deeper statements are not indented further


class Layout(metaclass=NodeType):
    """Formats the statements of one function, and adds the headers that they require to `_headers`."""

    _expressions: Expressions
    _headers: set[str]

    def lines(self, body: Block) -> Iterator[str]:
        """The lines of a function's body."""
        return flattened(self._block(body, 1))

    def _block(self, block: Block, depth: int) -> Walk[str]:
        margin = _MARGIN * min(depth, _MAX_INDENTATION)
        for statement in block:
            if isinstance(statement, If):
                yield self._if(statement, margin, depth)
            elif isinstance(statement, Loop):
                condition = self._expressions.condition(statement.condition) if statement.condition else "1"
                yield f"{margin}do {{" if statement.at_end else f"{margin}while ({condition}) {{"
                yield self._block(statement.body, depth + 1)
                yield f"{margin}}} while ({condition});" if statement.at_end else f"{margin}}}"
            elif isinstance(statement, Switch):
                yield self._switch(statement, margin, depth)
            elif statement.text:
                if statement.needs:
                    self._headers.add(statement.needs)
                is_label = statement.text.endswith(":")
                yield f"{margin[len(_MARGIN) * is_label :]}{statement.text};"

    def _if(self, statement: If, margin: str, depth: int) -> Walk[str]:
        """An `if`. A chain of `else if` has one margin, and is formatted by a loop."""
        opening = margin
        while True:
            yield f"{opening}if ({self._expressions.condition(statement.condition)}) {{"
            yield self._block(statement.then, depth + 1)
            otherwise = [each for each in statement.otherwise if not isinstance(each, Line) or each.text]
            if len(otherwise) != 1 or not isinstance(otherwise[0], If):
                break
            statement, opening = otherwise[0], f"{margin}}} else "
        if otherwise:
            yield f"{margin}}} else {{"
            yield self._block(otherwise, depth + 1)
        yield f"{margin}}}"

    def _switch(self, switch: Switch, margin: str, depth: int) -> Walk[str]:
        yield f"{margin}switch ({switch.value}) {{"
        for cases, body in switch.arms:
            *labels, last = [f"{margin}case {case}:" for case in cases] or [f"{margin}default:"]
            declares = any(isinstance(each, Line) and each.declares for each in body)
            yield from (*labels, f"{last} {{" if declares else last)
            yield self._block(body, depth + 1)
            if declares:
                yield f"{margin}}}"
        yield f"{margin}}}"


class _Location(metaclass=NodeType):
    """A statement, by its index in a block; `around` is the location of the statement that contains the block."""

    block: Block
    index: int
    around: _Location | None
    depth: int


Declaration = Callable[[Variable], tuple[str, str]]
"""The specifier and the declarator of a variable: ``int`` and ``*p``."""


def declare(
    body: Block, parameters: Collection[Variable], declaration: Declaration, outermost: Collection[Variable] = ()
) -> None:
    """Add declarations to the body of a function, for all referenced variables except its `parameters`.

    Each variable is declared in the innermost block that contains its references, or in the outermost block.
    """
    wanted: dict[int, dict[int, list[Variable]]] = {}
    blocks: dict[int, Block] = {}
    for variable, (first, last) in _references(body).items():
        if variable not in parameters:
            location = _common(first, last)
            while location.around and variable in outermost:
                location = location.around
            blocks[id(location.block)] = location.block
            index = _initialised(variable, location)
            wanted.setdefault(id(location.block), {}).setdefault(index, []).append(variable)
    for key, block in blocks.items():
        block[:] = _declared(block, wanted[key], declaration)


_NEAR = 8  # statements, so that the time is linear


def _initialised(variable: Variable, location: _Location) -> int:
    """The index of the statement at the location, or of the next one with text if that is near and assigns to it."""
    following = range(location.index, min(location.index + _NEAR, len(location.block)))
    index = next((each for each in following if not is_silent(location.block[each])), location.index)
    statement = location.block[index]
    return index if isinstance(statement, Line) and statement.assigned is variable else location.index


def _references(body: Block) -> dict[Variable, tuple[_Location, _Location]]:
    """The first and the last reference to each variable, in the order of the text."""
    found: dict[Variable, tuple[_Location, _Location]] = {}
    pending: list[tuple[Block, int, _Location | None]] = [(body, 0, None)]
    while pending:
        block, index, around = pending.pop()
        if index == len(block):
            continue
        location = _Location(block, index, around, around.depth + 1 if around else 0)
        for variable in block[index].referenced:
            found[variable] = (found.get(variable, (location,))[0], location)
        pending.append((block, index + 1, around))
        pending += [(inner, 0, location) for inner in reversed(blocks_of(block[index]))]
    return found


def _common(first: _Location, last: _Location) -> _Location:
    """The location of the first reference in the innermost block that contains both."""
    while first.block is not last.block:
        if first.depth >= last.depth:
            assert first.around
            first = first.around
        else:
            assert last.around
            last = last.around
    return first


def _declared(block: Block, wanted: dict[int, list[Variable]], declaration: Declaration) -> Block:
    declared: Block = []
    for index, statement in enumerate(block):
        variables = wanted.get(index, [])
        initialised = statement.assigned if isinstance(statement, Line) else None
        by_type: dict[str, list[str]] = {}
        for variable in variables:
            specifier, declarator = declaration(variable)
            if variable is not initialised or variable in statement.referenced[1:]:  # what the assignment reads
                by_type.setdefault(specifier, []).append(declarator)
            else:
                assert isinstance(statement, Line)
                statement.text = f"{specifier} {declarator}{statement.text[len(variable.name) :]}"
                statement.declares = True
        declared += [Line(f"{type} {', '.join(names)}", declares=True) for type, names in by_type.items()]
        declared.append(statement)
    return declared
