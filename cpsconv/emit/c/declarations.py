"""Declarations of variables: in the innermost block with all references, before the first reference.

If the first reference is an assignment, its value becomes the initialiser. A declaration that control reaches
repeatedly, or jumps over, is harmless: a dominating statement precedes the dominated one in the text, so each use of a
variable follows an assignment, which follows the declaration.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from cpsconv.emit.c.tree import Block, Line, blocks_of
from cpsconv.ir import Scalar
from cpsconv.structuring.variables import Variable


@dataclass(frozen=True, eq=False, slots=True)
class _Location:
    """A statement, by its index in a block; `around` is the location of the statement that contains the block."""

    block: Block
    index: int
    around: _Location | None
    depth: int


def declare(body: Block, parameters: Collection[Variable], type_name: Callable[[Scalar], str]) -> None:
    """Add declarations to the body of a function, for all referenced variables except its `parameters`."""
    wanted: dict[int, dict[int, list[Variable]]] = {}
    blocks: dict[int, Block] = {}
    for variable, (first, last) in _references(body).items():
        if variable not in parameters:
            location = _common(first, last)
            blocks[id(location.block)] = location.block
            wanted.setdefault(id(location.block), {}).setdefault(location.index, []).append(variable)
    for key, block in blocks.items():
        block[:] = _declared(block, wanted[key], type_name)


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


def _declared(block: Block, wanted: dict[int, list[Variable]], type_name: Callable[[Scalar], str]) -> Block:
    declared: Block = []
    for index, statement in enumerate(block):
        variables = wanted.get(index, [])
        initialised = statement.assigned if isinstance(statement, Line) else None
        by_type: dict[str, list[str]] = {}
        for variable in variables:
            if variable is not initialised or variable in statement.referenced[1:]:  # what the assignment reads
                by_type.setdefault(type_name(variable.type), []).append(variable.name)
            else:
                assert isinstance(statement, Line)
                statement.text = f"{type_name(variable.type)} {statement.text}"
                statement.declares = True
        declared += [Line(f"{type} {', '.join(names)}", declares=True) for type, names in by_type.items()]
        declared.append(statement)
    return declared
