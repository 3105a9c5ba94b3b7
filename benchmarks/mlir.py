"""Compares what `mlir-opt --lift-cf-to-scf` makes of irreducible loops with our structuring.

    python benchmarks/mlir.py tests/corpus/irreducible_*.c

For each function with an irreducible loop: the parameters of its continuations; the ``goto``s in the emitted C, which
has no further variables; the dispatch blocks of the engine `python`, each with a variable that selects the target; and
in the dialect `scf`, the switches, the loops, and the values that the loops carry.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
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
from testing.mlir import mlir_opt


def is_irreducible(function: Function) -> bool:
    """Whether the function has a loop with several entries."""
    nest = LoopNest(DominatorTree(function), successors)
    loops = {loop for loop in nest.innermost.values() if loop}
    return any(loop.irreducible for loop in loops)


def definition(text: str, start: str, end: str) -> str:
    """The part of a text from the line with the `start` of a function to its end."""
    found = re.search(rf"^.*{re.escape(start)}.*?^{end}$", text, re.MULTILINE | re.DOTALL)
    assert found, start
    return found[0]


def rows(program: Program) -> Iterator[list[object]]:
    """A row of the table for each function with an irreducible loop."""
    emitted, lifted = c(program), mlir_opt(mlir(program), "--lift-cf-to-scf")
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


def main() -> None:
    """Print the table."""
    print(
        "| program | function | parameters | `goto`s in C | dispatches in Python | switches in `scf` | loops | values |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for path in map(Path, sys.argv[1:]):
        for row in rows(convert(Source(str(path), path.read_text(encoding="utf-8")))):
            print(f"| `{path.name}` | {' | '.join(map(str, row))} |")


if __name__ == "__main__":
    main()
