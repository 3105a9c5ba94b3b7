"""Compares the output of `mlir-opt --lift-cf-to-scf` for irreducible loops with our structuring.

    python benchmarks/mlir.py tests/corpus/irreducible_*.c

For each function with an irreducible loop: the parameters of its continuations; the ``goto``s in the emitted C, which
has no further variables; the dispatch blocks of the engine `python`, each with a variable that selects the target; and
in the dialect `scf`, the switches, the loops, and the values that the loops carry.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cpsconv import Program, Source, convert
from cpsconv.core.analysis.dominance import DominatorTree
from cpsconv.core.analysis.graph import successors
from cpsconv.core.analysis.loops import LoopNest
from cpsconv.core.ir import Function
from cpsconv.targets.c import c
from cpsconv.targets.mlir import mlir
from cpsconv.targets.structuring.decisions import DecisionGraph
from cpsconv.targets.structuring.irreducible import without_irreducible_loops
from testing.mlir import SEPARATOR, mlir_opt


def is_irreducible(function: Function) -> bool:
    """Whether the function has a loop with several entries."""
    nest = LoopNest(DominatorTree(function), successors)
    loops = {loop for loop in nest.innermost.values() if loop}
    return any(loop.irreducible for loop in loops)


def definition(text: str, start: str, end: str) -> str:
    """The part of a text from the line with the `start` of a function to its end."""
    found = re.search(rf"^[^\n]*{re.escape(start)}[^\n]*\{{\n.*?^{end}$", text, re.MULTILINE | re.DOTALL)
    assert found, start
    return found[0]


def rows(program: Program, lifted: str) -> Iterator[list[object]]:
    """The cells for each function with an irreducible loop of a program; `lifted` is its module in `scf`."""
    emitted = c(program)
    for function in filter(is_irreducible, program.functions):
        in_c = definition(emitted, f" {function.name}(", "}")
        in_scf = definition(lifted, f"@{function.name}(", "  }")
        graph = without_irreducible_loops(function, DecisionGraph(function, (), {}))
        carried = [len(types.split(",")) for types in re.findall(r"scf\.while .*? : \(([^)]*)\) ->", in_scf)]
        yield [
            function.name,
            sum(len(each.parameters) for each in function.continuations),
            len(re.findall(r"\bgoto\b", in_c)),
            sum(each not in (function, *function.continuations) for each in graph.members),
            in_scf.count("scf.index_switch"),
            len(carried),
            sum(carried),
        ]


def table(paths: Sequence[Path]) -> Iterator[str]:
    """The rows of the table in docs/mlir.md for these programs."""
    programs = [convert(Source(str(path), path.read_text(encoding="utf-8"))) for path in paths]
    lifted = mlir_opt(SEPARATOR.join(map(mlir, programs)), "--split-input-file", "--lift-cf-to-scf").split(SEPARATOR)
    for path, program, text in zip(paths, programs, lifted, strict=True):
        for row in rows(program, text):
            yield f"| `{path.name}` | {' | '.join(map(str, row))} |"


def main() -> None:
    """Print the table."""
    print(
        "| program | function | parameters | `goto`s in C | dispatches in Python | switches in `scf` | loops | values |"
    )
    print("|---|---|---|---|---|---|---|---|")
    print(*table([*map(Path, sys.argv[1:])]), sep="\n")


if __name__ == "__main__":
    main()
