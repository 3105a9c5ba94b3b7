"""The φ functions of the React compiler beside the parameters of our constructions, function by function.

There are two comparisons. The graph of the compiler, before its pass `EnterSSA`, is constructed by our strategies: the
same graph, so the results must be equal. And our front end reads the same source: its graph has other blocks where it
lowers JavaScript in another way.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from shutil import which
from typing import Any, NamedTuple

from cpsconv.abi.javascript import VALUE
from cpsconv.core.analysis.graph import reverse_postorder_from
from cpsconv.core.construction import Builder, Variable
from cpsconv.core.construction.block import Block, Placed, successors
from cpsconv.core.construction.scc import Scc
from cpsconv.core.ir import Continuation, Parameter, Value
from cpsconv.core.source import Source
from cpsconv.lab.baselines.countdown import Countdown
from cpsconv.languages import read
from testing.expectations import ROOT
from testing.placements import Parameters, Placements

PACKAGES = ("babel-plugin-react-compiler@1.0.0", "@babel/core@7.28.5")
"""The packages from npm that have the compiler."""

_PASSES = ROOT / "benchmarks" / "react" / "passes.cjs"

Joins = Counter[tuple[str, int]]
"""Parameters or φ functions, by the name of the variable and the line of the statement to which the join belongs."""

Positions = set[tuple[int, int]]
"""φ functions, by the numbers of the variable and of the block in the graph of the compiler."""


class Phi(NamedTuple):
    """A φ function or parameter for a variable of the source, which may be a context variable of the compiler.

    `place` is the statement and its part to which the join belongs; of ours, the name of the continuation, or
    ``function`` for a declared function. `position` is that in the graph of the compiler.
    """

    variable: str
    line: int
    place: str
    is_context: bool
    position: tuple[int, int] | None = None


class Compiled(NamedTuple):
    """A function that the React compiler compiled: its first line and column, and what ``passes.cjs`` prints of it."""

    start: tuple[int, int]
    data: dict[str, Any]

    @property
    def context(self) -> set[str]:
        """The names of the context variables, of which the compiler constructs no SSA form."""
        return {self.data["names"][str(number)] for number in self.data["contextual"]}

    def positions(self, which: str) -> Positions:
        """The φ functions ``placed`` by `EnterSSA`, or ``kept`` by `EliminateRedundantPhi`."""
        return {(variable, block) for variable, block in self.data[which]}

    def phis(self, which: str) -> list[Phi]:
        """Those of variables of the source."""
        roles = {block["id"]: block["role"] for block in self.data["blocks"]}
        context, found = self.context, []
        for variable, block in self.data[which]:
            (kind, part, line), name = roles[block], self.data["names"][str(variable)]
            if name:
                found.append(Phi(name, line, f"{kind} {part}".strip(), name in context, (variable, block)))
        return found

    def ours(self, placed: Iterable[Placed]) -> list[Phi]:
        """Our parameters for variables of the source."""
        context, found = self.context, []
        for each in filter(_is_named, placed):
            member = each.block.continuation
            place = "function" if _is_function(each) else member.name
            found.append(
                Phi(each.variable.name, member.span.line if member.span else 0, place, each.variable.name in context)
            )
        return found


class Result(NamedTuple):
    """The result of the React compiler for a text: the functions that it compiles, and errors with their lines."""

    functions: list[Compiled]
    errors: list[tuple[int, str]]


def compiled(texts: Sequence[str], folder: Path) -> list[Result]:
    """The results of the compiler that is installed in `folder` for the texts, in one process of Node."""
    done = subprocess.run(
        [which("node") or "node", str(_PASSES)],
        input=json.dumps(texts),
        check=True,
        capture_output=True,
        text=True,
        env={**os.environ, "NODE_PATH": str(folder / "node_modules")},
        timeout=1200,
    )
    return [
        Result(
            [Compiled((line, column + 1), each) for each in found["functions"] for line, column in [each["start"]]],
            [(line, reason) for line, reason in found["errors"]],
        )
        for found in json.loads(done.stdout)
    ]


def ours(source: Source, strategy: str) -> dict[tuple[int, int], Parameters]:
    """The parameters of each function, by its position, in a construction by our front end for JavaScript.

    Raises `DiagnosticError` if the source has errors.
    """
    placements = Placements()
    read("javascript", source)(Builder(strategy, observer=placements), [])
    functions = placements.functions.items()
    return {source.position(function.span.start): found for function, found in functions if function.span}


def joins(phis: Iterable[Phi]) -> Joins:
    """The multiset of variables and lines."""
    return Counter((each.variable, each.line) for each in phis)


def _is_named(parameter: Placed) -> bool:
    """Whether the parameter is for a variable of the source, not for the value of an operator."""
    span = parameter.variable.span
    return span is not None and span.source.text[span.start : span.end] == parameter.variable.name


def _is_function(parameter: Placed) -> bool:
    """Whether the parameter is for a declared function."""
    span = parameter.variable.span
    return span is not None and span.source.text[: span.start].endswith("function ")


def kinds() -> Iterator[tuple[str, str, str, str]]:
    """The table of functions: title, text, and the φ functions of the compiler and of `countdown`, as ``3→2``."""
    text = (ROOT / "tests" / "tables" / "react.js").read_text(encoding="utf-8")
    _, *parts = re.split(r"^// ---- (.*): (\d+→\d+)(?:, here (.*))?\n", text, flags=re.MULTILINE)
    for title, theirs, here, program in zip(*(parts[start::4] for start in range(4)), strict=True):
        yield title, program, theirs, here or theirs


# -------------------------------------------------------------------------------------------- the compiler's own graph


def counted_down(
    function: Compiled, *, with_copies: bool = False, with_exceptions: bool = True
) -> tuple[Positions, Positions]:
    """What `countdown` places and keeps in the graph of the compiler.

    With copies, ``x = y`` gives `x` the value of `y`, as here; for the compiler, it is a new value. Without exceptions,
    the graph has no edges to handlers.
    """
    graph = _Graph(function, with_copies, with_exceptions)
    Countdown().settle(graph.reached)
    placed = [parameter for block in graph.reached for parameter in block.placed]
    return graph.positions(placed), graph.positions(each for each in placed if each.forward is None)


def placed_by_scc(function: Compiled) -> Positions:
    """What `scc` places in the graph of the compiler, whose blocks are all sealed.

    Reads precede writes in a block of their own, so that a look-up begins at the start of the block.
    """
    graph, placement = _Graph(function), Scc()
    starts = {block: Block(block.continuation, sealed=True, filled=True) for block in graph.reached}
    for block, start in starts.items():
        start.predecessors, block.predecessors, block.sealed = block.predecessors, [start], True
    for block, start in starts.items():
        for variable in block.proxies:
            placement.read(variable, start)
    return graph.positions(parameter for start in starts.values() for parameter in start.placed)


class _Graph:
    """The blocks of a function, with their writes, and their exposed reads as proxies (see `Deferred`)."""

    def __init__(self, function: Compiled, with_copies: bool = False, with_exceptions: bool = True) -> None:
        data = function.data
        handlers = {each["id"] for each in data["blocks"] if each["role"][1] == "handler" and not with_exceptions}
        self.variables = {int(number): Variable(name or "value", VALUE) for number, name in data["names"].items()}
        self.numbers = {variable: number for number, variable in self.variables.items()}
        blocks = {each["id"]: Block(Continuation(str(each["id"]))) for each in data["blocks"]}
        for each in data["blocks"]:
            for uses, definitions, is_copy in [*each["steps"], (each["uses"], (), False)]:
                values = self._read(blocks[each["id"]], uses)
                self._write(blocks[each["id"]], definitions, values if is_copy and with_copies else ())
            for target in [target for target in each["successors"] if target not in handlers]:
                blocks[target].predecessors.append(blocks[each["id"]])
        entry, following = blocks[data["blocks"][0]["id"]], successors(blocks.values())
        self.reached = reverse_postorder_from(entry, following.__getitem__)
        unreached = {*blocks.values()}.difference(self.reached)
        for block in self.reached:
            block.predecessors = [each for each in block.predecessors if each not in unreached]
        for number in (*data["parameters"], *data["context"]):
            variable = self.variables[number]
            value = Parameter(VALUE, variable.name)
            if variable in entry.proxies:
                entry.proxies.pop(variable).forward = value
            entry.definitions.setdefault(variable, value)

    def positions(self, placed: Iterable[Placed]) -> Positions:
        """The numbers of the variables and blocks of parameters."""
        return {(self.numbers[each.variable], int(each.block.continuation.name)) for each in placed}

    def _read(self, block: Block, numbers: Sequence[int]) -> list[Value]:
        for variable in [self.variables[number] for number in numbers]:
            if variable not in block.definitions:
                block.proxies.setdefault(variable, Placed(variable, block))
        variables = (self.variables[number] for number in numbers)
        return [block.definitions.get(variable) or block.proxies[variable] for variable in variables]

    def _write(self, block: Block, numbers: Sequence[int], copied: Sequence[Value]) -> None:
        for variable in [self.variables[number] for number in numbers]:
            block.definitions[variable] = copied[0] if copied else Parameter(VALUE, variable.name)
