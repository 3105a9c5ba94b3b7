"""The objects of which every byte was written, and stays written: their accesses need no marks.

Data are written completely, and so is memory of `calloc`. Two kinds of operations can make a byte unwritten again: a
store of an undefined value, and a copy of an unwritten byte. If the program has none, the objects stay whole. Otherwise
data stay whole that are constant, or that no operation of these kinds can reach, since their address is no value.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Container, Iterator

from cpsconv.core import ir
from cpsconv.core.analysis.undefined import Place
from cpsconv.core.operations.table import COPY, STORE

_COPYING = ("memcpy", "memmove")


def whole_objects(
    program: ir.Program,
    externals: Collection[ir.Function],
    uncertain: Container[Place],
    pointers: Collection[ir.Value],
    root: Callable[[ir.Value], ir.Value],
) -> set[ir.Value]:
    """The data and effects whose objects stay written.

    `externals` are the external functions that the program uses, `uncertain` the places that undefined values may
    reach, and `pointers` the addresses that are used as values; `root` returns the pointer from which an address was
    computed.
    """
    unwriting = [*_unwriting(program, uncertain)]
    if not unwriting and not any(each.name in _COPYING for each in externals):
        return {*program.data, *(each for each in program.statements() if each.op == "calloc")}
    reached = {root(each) for each in (*pointers, *unwriting)}
    reached.update(
        target for data in program.data for target, _ in data.addresses.values() if isinstance(target, ir.Data)
    )
    return {data for data in program.data if data.is_constant or data not in reached}


def _unwriting(program: ir.Program, uncertain: Container[Place]) -> Iterator[ir.Value]:
    """The pointers to the places that an operation of the program itself may make unwritten."""
    for statement in program.statements():
        if statement.op == COPY:
            yield statement.operands[1]
        elif statement.op == STORE and isinstance(statement, ir.Effect):
            value, pointer = statement.operands
            if isinstance(value, ir.Undef) or value in uncertain:
                yield pointer
