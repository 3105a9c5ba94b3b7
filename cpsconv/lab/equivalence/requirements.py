"""Requirements of the form of a program, and the places that violate them.

A requirement concerns functions together with their continuations. Its violations are diagnostics of the rule
`requirement`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.graph import successors
from cpsconv.core.analysis.loops import LoopNest
from cpsconv.core.entry import function_named
from cpsconv.core.ir import Continuation, Function, Program
from cpsconv.core.source import Diagnostic, Span, counted, error
from cpsconv.core.text.syntax import tokens
from cpsconv.lab.equivalence.report import superfluous_parameters
from cpsconv.languages import CPS

RULES = {"requirement": "a requirement of the form of an answer (`check --require`)"}
"""The rules that violations name, with the violation that each of them denotes."""

_Found = Iterator[tuple[str, "Span | None"]]
Requirement = Callable[[Program, Sequence[Function]], _Found]
"""Gives the messages and locations of the violations in functions of a program."""


def requirement(name: str) -> Requirement | None:
    """The requirement of that name, one of `NAMES` with a number in place of N; None if there is none."""
    limit = re.fullmatch(r"max-parameters=(\d{1,9})", name, re.ASCII)
    return partial(_too_many, int(limit[1])) if limit else _REQUIREMENTS.get(name)


def violations(
    program: Program, language: str, required: Iterable[str], entry: str | None = None
) -> dict[str, list[Diagnostic]]:
    """The violations of each of the requirements by all functions of a program in a language, or by `entry`.

    Raises `DiagnosticError` if there is no such function.
    """
    functions = program.functions if entry is None else [function_named(program, entry)]
    found: dict[str, list[Diagnostic]] = {}
    for name in required:
        check = requirement(name) if language == CPS or name != "no-let" else _no_text
        assert check
        cure = f"this violates `--require {name}`"
        messages = check(program, functions)
        found[name] = [error(message, span, help=cure, rule="requirement") for message, span in messages]
    return found


def _not_minimal(program: Program, functions: Sequence[Function]) -> _Found:
    """The parameters that are unused or redundant."""
    for function in functions:
        for each in superfluous_parameters(function):
            yield f"`{each.parameter}` of `{each.continuation}` {each.reason}", each.span


def _lets(program: Program, functions: Sequence[Function]) -> _Found:
    """The keywords `let` in the text of the functions."""
    source = program.source
    if not source:
        return
    starts = {function.span.start: function for function in program.functions if function.span}
    function = None
    for token in tokens(source.text):
        function = starts.get(token.start, function)
        if token.type == "LET" and function and function in functions:
            yield f"`{function.name}` has a `let`", Span(source, token.start, token.end)


def _no_text(program: Program, functions: Sequence[Function]) -> _Found:
    """A statement that the program, which is not CPS text, cannot meet a requirement of the text."""
    yield "only CPS text can be without `let`", functions[0].span if functions else None


def _reducible(program: Program, functions: Sequence[Function]) -> _Found:
    """A statement about the loops, if none of them is irreducible."""
    headers: list[Continuation] = []
    for function in functions:
        nest = LoopNest(DominatorTree(function), successors).innermost.values()
        loops = {*nest} | {loop.around for loop in nest if loop.around}
        if any(loop.irreducible for loop in loops):
            return
        entered = {loop.entries[0] for loop in loops}
        headers += [member for member in function.members() if member in entered]
    names = ", ".join(f"`{header.name}`" for header in headers)
    reason = f"each loop has one entry: {names}" if headers else "there is no loop"
    first = next(iter([*headers, *functions]), None)
    yield f"no loop is irreducible: {reason}", first.span if first else None


def _too_many(limit: int, program: Program, functions: Sequence[Function]) -> _Found:
    """The first parameter above the limit in each function."""
    for function in functions:
        members = [member for member in function.continuations if member.parameters]
        parameters = [parameter for member in members for parameter in member.parameters]
        if len(parameters) > limit:
            counts = ", ".join(f"{len(member.parameters)} of `{member.name}`" for member in members)
            placed = f"the continuations of `{function.name}` have {counted(len(parameters), 'parameter')}"
            yield f"{placed}, more than {limit}: {counts}", parameters[limit].span


_REQUIREMENTS: dict[str, Requirement] = {"minimal": _not_minimal, "no-let": _lets, "irreducible": _reducible}

NAMES = (*_REQUIREMENTS, "max-parameters=N")
"""The names of the requirements."""
