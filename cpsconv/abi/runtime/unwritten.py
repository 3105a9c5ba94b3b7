"""Loads of memory that the program never wrote.

A load whose value is only stored in the same continuation is a copy, which copies the marks of the bytes, too: C
programs copy parts of structs that they never wrote (``s->previous = s->match;``), without using the values. As for
copies of structs, the target is unwritten then, and a use of its value is the error. The load of a value that is not
used is no error, either, as in C (``int x = *p; x = 1;``).

Some programs even compute with values that they never wrote, and ignore the results. Within `reading_unwritten`, they
run without errors, and such bytes are zeros.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from cpsconv.core import ir
from cpsconv.core.analysis.graph import count_uses
from cpsconv.core.erasure import copied
from cpsconv.core.operations.table import LOAD, LOAD_OR, STORE

_reads_unwritten: ContextVar[bool] = ContextVar("reads_unwritten", default=False)


@contextmanager
def reading_unwritten() -> Iterator[None]:
    """Let the programs that are made ready within the block read bytes that they never wrote, as zeros."""
    token = _reads_unwritten.set(True)
    try:
        yield
    finally:
        _reads_unwritten.reset(token)


def with_unwritten(program: ir.Program, *, may_change: bool = False) -> ir.Program:
    """A copy of the ordinary program with the loads that allow unwritten bytes; the program itself if it has none, or
    if it `may_change`.
    """
    select = _all_loads if _reads_unwritten.get() else _copying_loads
    loads = [*select(program)]
    if loads and not may_change:
        program = copied(program)
        loads = [*select(program)]
    for load in loads:
        assert isinstance(load.type, ir.Scalar)
        default: ir.Value = ir.Undef(load.type, load.name or "the value", load.span)
        if _reads_unwritten.get():
            default = ir.Constant(load.type, 0.0 if load.type.kind == "float" else 0)
        load.op, load.operands = LOAD_OR, (*load.operands[:1], default)
    return program


def _all_loads(program: ir.Program) -> Iterable[ir.Effect]:
    found = (each for each in program.statements() if isinstance(each, ir.Effect))
    return (
        each for each in found if each.op == LOAD or (each.op == LOAD_OR and isinstance(each.operands[1], ir.Undef))
    )


def _copying_loads(program: ir.Program) -> Iterable[ir.Effect]:
    """The loads whose values are only stored, once, or not used at all."""
    for function in program.functions:
        uses = None
        for member in function.members():
            loads = [each for each in member.body if isinstance(each, ir.Effect) and each.op == LOAD]
            stored = {each.operands[0] for each in member.body if each.op == STORE} if loads else ()
            for load in loads:
                uses = uses or count_uses(function)
                if uses[load] == (load in stored):
                    yield load
