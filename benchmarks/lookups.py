"""Counts the look-ups of each construction, and their growth with the size of a program.

    python benchmarks/lookups.py
    python benchmarks/lookups.py --shapes mesh --sizes 100,400,1600 --strategies scc,marker

For each shape of `benchmarks/shapes.py`, one of its own, and each strategy, prints a row of a Markdown table: how many
continuations look-ups came to in function `f`, and the exponent of growth from the smallest to the largest size (1 is
proportional). The number of variables does not depend on the size, so this is the growth for each variable. Nothing is
timed: the figures are the same on every machine.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.arguments import names, numbers
from benchmarks.shapes import SHAPES
from cpsconv.core.construction import Builder
from cpsconv.core.source import Source
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.languages import Lowering, read
from testing.counting import growth


def late_read(n: int) -> str:
    """`n` loops in each other, the innermost of which assigns a variable that is read after all of them only."""
    return f"int f(int x) {{ int a = 0; {'while (x < 5) {' * n} a = x; {'}' * n} return a; }}"


COUNTED = [name for name, strategy in CONSTRUCTIONS.items() if strategy.counts_lookups]
ALL = {**SHAPES, "late_read": late_read}


def lookups(lowering: Lowering, strategy: str) -> int:
    """How many continuations the look-ups of function `f` came to."""
    builder = Builder(strategy)
    lowering(builder, [])
    return next(counts.lookups for function, counts in builder.counts.items() if function.name == "f")


def main() -> None:
    """Run the command."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--shapes", type=names(ALL), default="ifs,nested_loops,late_read,cases,mesh", help="which, with commas between"
    )
    parser.add_argument("--strategies", type=names(COUNTED), default=",".join(COUNTED), help="which strategies (all)")
    parser.add_argument("--sizes", type=numbers, default="250,1000,4000", help="the sizes n (250,1000,4000)")
    options = parser.parse_args()
    sizes = options.sizes
    print(f"| shape | strategy | {' | '.join(f'n = {size:,}' for size in sizes)} | growth |")
    print("|---|---|" + "--:|" * (len(sizes) + 1))
    for shape in options.shapes:
        lowerings = [read("c", Source(f"{shape}.c", ALL[shape](size))) for size in sizes]
        for strategy in options.strategies:
            figures = [lookups(lowering, strategy) for lowering in lowerings]
            cells = [f"{figure:,}" for figure in figures]
            print(f"| {shape} | {strategy} | {' | '.join(cells)} | {growth(figures, sizes):.2f} |", flush=True)


if __name__ == "__main__":
    main()
