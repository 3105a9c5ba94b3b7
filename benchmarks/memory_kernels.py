"""Measures the engines on programs with memory: sieve, matrix product, quicksort, string search, hash table, n-body
with structs, binary trees; and with arrays of two dimensions, matrix product, shortest paths, edit distance and a
stencil, and Shell's sort.

    python benchmarks/memory_kernels.py
    python benchmarks/memory_kernels.py --rounds 9 --programs sieve,trees --machine

The algorithms are in benchmarks/memory/: in C, and in Python written by hand, with lists and bytearrays.
The table has for each the time of the Python written by hand, and how many times as long the engine `python` takes,
with every access checked. Time is that of the processor; the ways are run in turn, and the fastest run of each counts.
All must have the same result. With --machine, there is a column for the engine `machine`, and a last one for the
millions of loads and stores that it makes a second.
"""

from __future__ import annotations

import argparse
import io
import itertools
import statistics
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.arguments import names
from benchmarks.engines import Way, fastest  # type: ignore[attr-defined]  # mypy finds the folder
from cpsconv import Program, Source, convert
from cpsconv.core.entry import entry_of
from cpsconv.core.ir import Scalar
from cpsconv.engines import EngineName, prepare
from cpsconv.engines.machine.memory import Memory

FOLDER = Path(__file__).resolve().parent / "memory"

SIZES = {
    "sieve": (200_000, 20_000_000),
    "matrix": (60, 500),
    "quicksort": (30_000, 3_000_000),
    "search": (100_000, 30_000_000),
    "hash": (50_000, 3_000_000),
    "nbody": (3_000, 1_000_000),
    "trees": (13, 19),
    "product": (100, 400),
    "paths": (100, 400),
    "alignment": (150, 1_000),
    "stencil": (90, 500),
    "shellsort": (20_000, 1_000_000),
}
"""Of each algorithm the argument of `work`: in Python, and natively."""


def program_of(name: str) -> Program:
    """The program, from C."""
    return convert(Source(f"{name}.c", (FOLDER / f"{name}.c").read_text()))


def by_engine(name: str, engine: EngineName, size: int) -> Way:
    """The run by an engine, compiled beforehand."""
    program = program_of(name)
    ready = prepare(program, entry_of(program, "work"), engine)

    def run() -> int:
        stream = io.BytesIO()
        return int(getattr(ready([size], output=stream, errors=stream), "value", -1))

    return Way(engine, run)


def accesses_of(name: str, size: int) -> int:
    """The loads and stores of the program, counted in a run of their own."""
    count = itertools.count()
    with mock.patch.multiple(Memory, loader=_counted(Memory.loader, count), storer=_counted(Memory.storer, count)):
        by_engine(name, "machine", size).run()
    return next(count)


def _counted(create: Callable[..., Callable[..., Any]], count: Iterator[int]) -> Callable[..., Callable[..., Any]]:
    """A function that creates loads or stores, of which each call advances the count."""

    def create_counted(memory: Memory, type: Scalar) -> Callable[..., Any]:
        access = create(memory, type)

        def counted(*operands: Any) -> Any:
            next(count)
            return access(*operands)

        return counted

    return create_counted


def by_hand(name: str, size: int) -> Way:
    """The Python that was written by hand."""
    defined: dict[str, Any] = {}
    exec((FOLDER / f"{name}.py").read_text(), defined)
    return Way("by hand", lambda: int(defined["work"](size)))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=names(SIZES), default=",".join(SIZES), help="some of the algorithms")
    parser.add_argument("--rounds", type=int, default=5, help="the number of runs (5)")
    parser.add_argument("--machine", action="store_true", help="measure the engine machine, too")
    given = parser.parse_args()
    engines = ["python", *["machine"] * given.machine]
    titles = ["Python by hand", *(f"`{each}`" for each in engines), *["M accesses a second"] * given.machine]
    print(f"| algorithm | {' | '.join(titles)} |\n|---{'|---' * len(titles)}|")
    ratios: dict[str, list[float]] = {engine: [] for engine in engines}
    speeds: list[float] = []
    for name in given.programs:
        size, _ = SIZES[name]
        times = fastest([by_hand(name, size), *(by_engine(name, engine, size) for engine in engines)], given.rounds)
        for engine in engines:
            ratios[engine].append(times[engine] / times["by hand"])
        cells = [f"{times['by hand']:.3f} s", *(f"{ratios[engine][-1]:.2f} ×" for engine in engines)]
        if given.machine:
            speeds.append(accesses_of(name, size) / times["machine"] / 1e6)
            cells.append(f"{speeds[-1]:.2f}")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    means = [f"{statistics.geometric_mean(found):.2f} ×" for found in ratios.values()]
    if given.machine:
        means.append(f"{statistics.geometric_mean(speeds):.2f}")
    print(f"| geometric mean | | {' | '.join(means)} |")


if __name__ == "__main__":
    main()
