"""CPS text and φ form line by line, each line with the continuations to which it belongs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from cpsconv.emit.ssa import ssa
from cpsconv.ir import Continuation, Function, Program
from cpsconv.text import names, pretty_lines
from cpsconv.text.comments import Comment, Item
from cpsconv.text.spelling import quote_name

_WIDTH = 60  # columns
_MARK = "//@"

Line = list[Any]
"""The names of the continuations to which a line belongs, and its text."""


def cps_lines(program: Program) -> dict[Function, list[Line]]:
    """The lines of CPS text of each function.

    Every item is printed with a comment that names its continuation; `_owned` then removes these comments.
    """
    marks: dict[Item, list[Comment]] = {}
    for function in program.functions:
        for member, name in _member_names(program, function).items():
            assert member.transfer
            for item in (member, *member.body, member.transfer):
                marks[item] = [Comment(_MARK + name)]
    lines = pretty_lines(program, width=_WIDTH, comments=marks)
    return dict(zip(program.functions, _split(_owned(lines)), strict=True))


def _owned(lines: Iterator[str]) -> Iterator[Line]:
    """The lines without the comments; a line that belongs to no item has no owner."""
    owners: list[str] = []
    marked = False
    for line in lines:
        text = line.lstrip()
        if text.startswith(_MARK):
            owners = [*(owners if marked else ()), text[len(_MARK) :]]
            marked = True
            continue
        marked = False
        yield [[] if text in ("", "let", "in", "}") else [*dict.fromkeys(owners)], line]


def phi_lines(program: Program) -> dict[Function, list[Line]]:
    """The lines of the φ form of each function."""
    lines = ([[], line] for line in ssa(program, width=_WIDTH).splitlines())
    return {
        function: [*_in_blocks(own, {*_member_names(program, function).values()}, quote_name(function.name))]
        for function, own in zip(program.functions, _split(lines), strict=True)
    }


def _in_blocks(lines: list[Line], members: set[str], entry: str) -> Iterator[Line]:
    """The lines, each with its block; a block begins with a label at the start of a line."""
    block = entry
    for _, text in lines:
        label = text.partition("(")[0].partition(":")[0]
        block = label if label in members else block
        yield [[] if text == "}" else [block], text]


def _split(lines: Iterator[Line]) -> list[list[Line]]:
    """The lines of each function; a function ends with a brace on its own line."""
    found: list[list[Line]] = [[]]
    for line in lines:
        if line[1]:
            found[-1].append(line)
        if line[1] == "}":
            found.append([])
    return found[:-1]


def _member_names(program: Program, function: Function) -> dict[Continuation, str]:
    """The names of the function and its continuations."""
    shown = names(function, {each.name for each in program.functions})
    return {function: quote_name(function.name), **{each: shown[each] for each in function.continuations}}
