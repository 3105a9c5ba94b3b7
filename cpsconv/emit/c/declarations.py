"""Where variables are declared: in the innermost block that has all of what mentions them, right before that.

Where an assignment is the first mention, it becomes the initialiser. It does no harm that control may come to a
declaration again, or jump over it: what dominates stands before, so whatever needs a value is behind an assignment
that is behind the declaration, too.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from cpsconv.emit.c.tree import Block, Line, Statement, blocks_of
from cpsconv.ir import Scalar
from cpsconv.structuring.variables import Variable


@dataclass(frozen=True, eq=False, slots=True)
class _Place:
    """The statement with that index in a block; `around` is the place of the statement that has the block."""

    block: Block
    index: int
    around: _Place | None
    depth: int


def declare(body: Block, parameters: Collection[Variable], type_name: Callable[[Scalar], str]) -> None:
    """Add declarations to the body of a function, for all variables mentioned but for its `parameters`."""
    wanted: dict[int, dict[int, list[Variable]]] = {}
    blocks: dict[int, Block] = {}
    for variable, (first, last) in _mentions(body).items():
        if variable not in parameters:
            place = _common(first, last)
            blocks[id(place.block)] = place.block
            wanted.setdefault(id(place.block), {}).setdefault(place.index, []).append(variable)
    for key, block in blocks.items():
        block[:] = _declared(block, wanted[key], type_name)


def _mentions(body: Block) -> dict[Variable, tuple[_Place, _Place]]:
    """Of each variable the first and the last mention, in the order of the text."""
    found: dict[Variable, tuple[_Place, _Place]] = {}
    pending: list[tuple[Block, int, _Place | None]] = [(body, 0, None)]
    while pending:
        block, index, around = pending.pop()
        if index == len(block):
            continue
        place = _Place(block, index, around, around.depth + 1 if around else 0)
        for variable in block[index].mentioned:
            found[variable] = (found.get(variable, (place,))[0], place)
        pending.append((block, index + 1, around))
        pending += [(inner, 0, place) for inner in reversed(blocks_of(block[index]))]
    return found


def _common(first: _Place, last: _Place) -> _Place:
    """The place of the first mention, in the innermost block that has both."""
    while first.block is not last.block:
        if first.depth >= last.depth:
            assert first.around
            first = first.around
        else:
            assert last.around
            last = last.around
    return first


def _declared(block: Block, wanted: dict[int, list[Variable]], type_name: Callable[[Scalar], str]) -> Block:
    declared: Block = []
    for index, statement in enumerate(block):
        variables = wanted.get(index, [])
        initialised = statement.assigned if isinstance(statement, Line) else None
        by_type: dict[str, list[str]] = {}
        for variable in variables:
            if variable is not initialised or variable in _read(statement):
                by_type.setdefault(type_name(variable.type), []).append(variable.name)
            else:
                assert isinstance(statement, Line)
                statement.text = f"{type_name(variable.type)} {statement.text}"
                statement.declares = True
        declared += [Line(f"{type} {', '.join(names)}", declares=True) for type, names in by_type.items()]
        declared.append(statement)
    return declared


def _read(statement: Statement) -> tuple[Variable, ...]:
    """The variables that an assignment reads."""
    return statement.mentioned[1:]
