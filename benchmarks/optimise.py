"""Measures the cost and the gain of optimisation during construction: the paper's Table 3, for our programs.

    python benchmarks/optimise.py
    python benchmarks/optimise.py --programs 200 --repeat 9

Each program (the examples, the corpus, and generated ones) is parsed once, then constructed with each setting in turn,
for several rounds; the median time counts. The table, printed at the end, shows sums: the time from the syntax tree to
the finished program, statements and transfers, parameters, continuations. Percentages are of the first row.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Collection
from dataclasses import astuple, dataclass
from pathlib import Path
from statistics import median
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cpsconv import Builder, Program, Source
from cpsconv.core.simplify import SIMPLIFICATIONS
from cpsconv.languages import Lowering, read
from cpsconv.pipeline import OPTIMISATIONS, construct
from testing.c_programs import random_program
from testing.expectations import CORPUS, EXAMPLES

SETTINGS: dict[str, Collection[str]] = {
    "none": [],
    **{name: [name] for name in OPTIMISATIONS},
    "the first four": [*SIMPLIFICATIONS],
    "-O": [*OPTIMISATIONS],
}


@dataclass
class Figures:
    """The cost and the size of a program, or of all programs, with one setting."""

    seconds: float = 0
    instructions: int = 0
    parameters: int = 0
    continuations: int = 0

    def __add__(self, other: Figures) -> Figures:
        return Figures(*(one + another for one, another in zip(astuple(self), astuple(other), strict=True)))


def figures(program: Program, seconds: float) -> Figures:
    """The size of a program."""
    members = [member for function in program.functions for member in function.members()]
    continuations = [each for function in program.functions for each in function.continuations]
    return Figures(
        seconds,
        sum(len(member.body) + 1 for member in members),
        sum(len(continuation.parameters) for continuation in continuations),
        len(continuations),
    )


def measure(lowering: Lowering, repeat: int) -> dict[str, Figures]:
    """The figures of a parsed program for each setting."""
    programs: dict[str, Program] = {}
    times: dict[str, list[float]] = {name: [] for name in SETTINGS}
    for _ in range(repeat):
        for name, switches in SETTINGS.items():
            start = process_time()
            builder = Builder("scc", SIMPLIFICATIONS.keys() & switches)
            programs[name] = construct(lowering, builder, [], optimise=switches)
            times[name].append(process_time() - start)
    return {name: figures(programs[name], median(times[name])) for name in SETTINGS}


def main() -> None:
    """Run the command."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=int, default=100, help="number of generated programs (100)")
    parser.add_argument("--repeat", type=int, default=5, help="number of rounds (5)")
    options = parser.parse_args()
    texts = [path.read_text(encoding="utf-8") for path in (*EXAMPLES, *CORPUS)]
    texts += map(random_program, range(options.programs))
    sums = {name: Figures() for name in SETTINGS}
    gc.disable()
    for text in texts:
        for name, each in measure(read("c", Source("program.c", text)), options.repeat).items():
            sums[name] += each
        gc.collect()
    print("| optimisations | time | instructions | parameters | continuations |\n|---|--:|--:|--:|--:|")
    for name, total in sums.items():
        cells = [f"{total.seconds:.2f} s", *(f"{count:,}" for count in astuple(total)[1:])]
        shares = [100 * one / whole for one, whole in zip(astuple(total), astuple(sums["none"]), strict=True)]
        print(
            f"| {name} | {' | '.join(f'{cell} ({share:.1f} %)' for cell, share in zip(cells, shares, strict=True))} |"
        )


if __name__ == "__main__":
    main()
