"""Tables of back ends: a check that they have an entry for each operation, or for each type.

A back end declares how it writes each operation, in a table of its own, and passes that table to `for_every_operation`,
which raises an exception if an operation is missing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import product as pairs
from types import MappingProxyType
from typing import Any

from cpsconv.core.ir import INTEGER, LONG_DOUBLE, MEMORY, PTR, SCALARS, WIDE_INTEGERS, Parameter, Primitive, Scalar
from cpsconv.core.operations.expansions import ON_SOME_OPERANDS, Choice
from cpsconv.core.operations.table import (
    CONVERT,
    EXTEND,
    FOREIGN_OPERATIONS,
    OPERATIONS,
    PRIMITIVES,
    Entry,
    result_type,
)
from cpsconv.core.operations.types import is_convertible

OPERANDS = "abc"


def primitives_on(types: Sequence[Scalar], counts: Sequence[Scalar]) -> Iterator[Primitive]:
    """Every primitive, except those on memory, on operands `a`, `b` and `c` of all these types that it takes.

    The counts of shifts have the types `counts`.
    """
    for source, target in pairs(types, repeat=2):
        if is_convertible(source, target):
            yield Primitive(CONVERT, (Parameter(source, OPERANDS[0]),), target)
    for op, row in PRIMITIVES.items():
        is_mixed = row.kind == "shift"
        for operands in pairs(types, counts) if is_mixed else ((type,) * (row.arity or 0) for type in types):
            if (result := result_type(op, operands)) and not row.is_on_memory:
                yield Primitive(op, tuple(map(Parameter, operands, OPERANDS)), result)


class IncompleteTable(Exception):
    """A table of a back end lacks an operation or type, or has an entry for an unknown one."""


def for_every_operation(
    owner: str,
    entries: Mapping[str, Entry],
    operations: Iterable[str] | None = None,
    *,
    memory: bool = False,
    expanded: bool = False,
) -> Mapping[str, Entry]:
    """`entries`, after checking that this table of `owner` has one entry for each operation (or each of `operations`).

    To be called when the module of `owner` is loaded. Without `memory`, operations on memory have no entries: `owner`
    refuses programs with such operations. No back end has programs with explicit memory (`cpsconv.core.erasure`).
    If `owner` writes programs that are `expanded`, an operation with an expansion needs no entry (see `Unspelled`).
    Raises `IncompleteTable`, which names the operations.
    """
    wanted = OPERATIONS if operations is None else operations
    omitted = {EXTEND} if memory else {op for op, row in OPERATIONS.items() if row.is_on_memory}
    omitted |= {*FOREIGN_OPERATIONS}
    if expanded:
        omitted |= {op for op, row in OPERATIONS.items() if row.expansion} - entries.keys()
    return _complete(owner, "operation", entries, [op for op in wanted if op not in omitted])


class Unspelled(Mapping[str, Choice]):
    """The operations that a back end does not always spell: the function gives the expansion, or None for its spelling.

    They are those without an entry in the table of the back end, and those with one on some operands
    (`ON_SOME_OPERANDS`), unless `partly` has another choice for them. A language may add operations later.
    """

    def __init__(self, entries: Collection[str], partly: Mapping[str, Choice] = MappingProxyType({})) -> None:
        self._entries = entries
        self._partly = partly

    def __getitem__(self, op: str) -> Choice:
        if op in self._partly:
            return self._partly[op]
        expansion = None if op in self._entries else PRIMITIVES[op].expansion
        return ON_SOME_OPERANDS[op] if expansion is None else lambda _: expansion

    def __iter__(self) -> Iterator[str]:
        return (op for op in PRIMITIVES if op in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)


def for_every_type(
    owner: str,
    entries: Mapping[Scalar, Entry],
    *,
    memory: bool = False,
    unbounded: bool = False,
    extended: bool = False,
    wide: bool = False,
) -> Mapping[Scalar, Entry]:
    """`entries`, after checking that this table of `owner` has one entry for each scalar type. Raises likewise.

    Without `unbounded`, the type `integer` has no entry, without `extended` the type `long double`, without `wide` the
    integers of 128 bits: `owner` refuses programs with them.
    """
    omitted = {MEMORY, *[PTR] * (not memory), *[INTEGER] * (not unbounded), *[LONG_DOUBLE] * (not extended)}
    omitted |= {*WIDE_INTEGERS * (not wide)}
    return _complete(owner, "type", entries, [type for type in SCALARS.values() if type not in omitted])


def _complete(owner: str, what: str, entries: Mapping[Any, Entry], wanted: Iterable[Any]) -> Mapping[Any, Entry]:
    expected = dict.fromkeys(wanted)
    for defect, keys in ("missing", expected.keys() - entries.keys()), ("unknown", entries.keys() - expected.keys()):
        if keys:
            raise IncompleteTable(f"{owner}: {defect} {what} {', '.join(sorted(f'`{key}`' for key in keys))}")
    return entries
