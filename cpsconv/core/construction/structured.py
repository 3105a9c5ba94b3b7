"""Structured statements in terms of the Builder: conditionals, loops, values that depend on a branch.

A front end passes in functions that lower the parts. A *branch* ends the open block: it jumps to one of two blocks, by
the value of a condition; short circuits jump from several blocks. Bodies are `Work` for
`cpsconv.core.trampoline.perform`, so that deep nesting does not recurse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Union

from cpsconv.core.construction.block import Block, Variable
from cpsconv.core.construction.builder import Builder
from cpsconv.core.ir import STRING, Constant, Value
from cpsconv.core.source import Span
from cpsconv.core.trampoline import Work

BranchTo = Callable[[Block, Block], object]
Body = Callable[[], Work]
Location = Union[Span, None]


def conditional(
    b: Builder, arms: Iterable[tuple[BranchTo, Body]], otherwise: Body, span: Location = None, end: Location = None
) -> Work:
    """The body of the first arm whose condition is true, else `otherwise`. `end` is the place of jumps after bodies."""
    join = None
    for branch, body in arms:
        then, rest = b.continuation("then", span=span), b.continuation("else", span=span)
        join = join or b.continuation("endif", span=span)
        branch(then, rest)
        b.open(then)
        yield body()
        b.jump(join, end or span)
        b.open(rest)
    yield otherwise()
    if join:
        b.jump(join, end or span)
        b.open(join)


def loop(b: Builder, branch: BranchTo, body: Body, span: Location = None, end: Location = None) -> Work:
    """The body as long as the condition is true. It jumps back at `end`."""
    header, inside, exit = (b.continuation(name, span=span) for name in ("while", "body", "exit"))
    b.jump(header, span)
    b.enter(header)  # sealed at the end of the loop, which is a predecessor, too
    branch(inside, exit)
    b.open(inside)
    yield body()
    b.jump(header, end or span)
    b.seal(header)
    b.open(exit)


def joined(b: Builder, variable: Variable, arms: Iterable[tuple[Block, Callable[[], Value]]], span: Location) -> Value:
    """The value that `variable` has where the arms meet: each block, which is opened here, computes one."""
    join = b.continuation(f"after_{variable.name}", span=span)
    for block, value in arms:
        b.open(block)
        b.write_variable(variable, value(), span)
        b.jump(join, span)
    b.open(join)
    return b.read_variable(variable, span)


def choice(
    b: Builder, variable: Variable, condition: Value, arms: Mapping[str, Callable[[], Value]], span: Location
) -> Value:
    """The value of the first arm if the condition is true, else of the second one. The arms have names of blocks."""
    blocks = [b.continuation(name, span=span) for name in arms]
    b.branch(condition, blocks[0], blocks[1], span)
    return joined(b, variable, zip(blocks, arms.values(), strict=True), span)


def encoded(text: str) -> Constant:
    """The text as a string of the program, which has a character for each byte of its encoding in UTF-8."""
    return Constant(STRING, text.encode("utf-8", "replace").decode("latin-1"))
