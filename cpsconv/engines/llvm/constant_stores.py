"""Stores of constants to adjacent bytes of a lasting variable, which become one store of a wider constant.

Such stores initialise arrays of characters and small members. They cannot fail: the variable exists and may be written
(`lasting_variables`), and the bytes are inside it. Between them, a block only computes addresses, so that the order of
the stores cannot be observed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from cpsconv.core import ir
from cpsconv.core.operations.table import ELEMENT, FIELD, STORE

_WIDTHS = (8, 4, 2, 1)
"""The sizes of the wider stores in bytes."""


def constant_stores(
    program: ir.Program,
    lasting: Mapping[ir.Value, int],
    offset: Callable[[ir.Value], int | None],
    root: Callable[[ir.Value], ir.Value],
) -> dict[ir.Statement, bytes]:
    """The bytes that stores write instead of their own values: none for a store that is part of the one before it.

    `lasting` has the lasting variables with their sizes; `offset` returns the constant offset of a pointer, if it has
    one, and `root` the pointer from which an address was computed.
    """
    found: dict[ir.Statement, bytes] = {}
    if lasting:
        for member in program.members():
            for run in _runs(member, lasting, offset, root):
                found |= _merged(run)
    return found


_Run = list[tuple[ir.Statement, bytes]]
"""Stores to adjacent bytes, in order, with the bytes."""


def _runs(
    member: ir.Continuation,
    lasting: Mapping[ir.Value, int],
    offset: Callable[[ir.Value], int | None],
    root: Callable[[ir.Value], ir.Value],
) -> Iterator[_Run]:
    run: _Run = []
    end: tuple[ir.Value, int] | None = None
    for statement in member.body:
        if statement.op in (ELEMENT, FIELD):
            continue
        stored = _bytes(statement) if statement.op == STORE else b""
        place = None
        if stored:
            variable, start = root(statement.operands[1]), offset(statement.operands[1])
            if start is not None and 0 <= start <= lasting.get(variable, 0) - len(stored):
                place = variable, start
        if run and (place is None or place != end):
            yield run
            run = []
        if place is not None:
            run.append((statement, stored))
            end = place[0], place[1] + len(stored)
    if run:
        yield run


def _bytes(store: ir.Statement) -> bytes:
    """The bytes that the store of a constant integer writes; none for other stores."""
    value = store.operands[0]
    if not isinstance(value, ir.Constant) or not isinstance(value.type, ir.Scalar) or value.type.kind != "integer":
        return b""
    bits = value.type.bits
    return (int(value.value) % (1 << bits)).to_bytes(bits // 8, "little") if bits in (8, 16, 32, 64) else b""


def _merged(run: Sequence[tuple[ir.Statement, bytes]]) -> dict[ir.Statement, bytes]:
    """The stores of the run that others include, and the wider ones, which are as wide as possible."""
    found: dict[ir.Statement, bytes] = {}
    index = 0
    while index < len(run):
        count, stored = 1, run[index][1]
        taken = stored
        for number in range(index + 1, min(len(run), index + max(_WIDTHS))):
            taken += run[number][1]
            if len(taken) in _WIDTHS:
                count, stored = number - index + 1, taken
        if count > 1:
            found.update({statement: b"" for statement, _ in run[index + 1 : index + count]})
            found[run[index][0]] = stored
        index += count
    return found
