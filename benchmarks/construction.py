"""Measures the time of construction against baselines, and its growth.

    python benchmarks/construction.py
    python benchmarks/construction.py --subjects "ladder 10000" --others "" --shapes "" --repeat 15
    python benchmarks/construction.py --subjects "" --shapes ladder --sizes 31250,125000,500000
    python benchmarks/construction.py --subjects "ladder 300,ifs 100" --shapes "" --bril bril

A construction leads from the syntax tree, parsed beforehand, to the finished functions. The first table has a row for
each subject (see `benchmarks/subjects.py`): the time per block of LLVM's own pass, in process, without anything around
it; and as multiples of it, our constructions (from `cytron` on, the baselines, including dominators and liveness) and
the passes of others (see `benchmarks/outsiders.py`; numba, ppci and Bril only if no block has more than two
successors). All take turns; the median of the rounds counts. The second table has a row for each shape and strategy:
the time divided by `n`, for each size, and the exponent of growth from the first to the last (1 is linear). Times are
processor times, with Python's garbage collector disabled.
"""

from __future__ import annotations

import argparse
import gc
import math
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.arguments import names, numbers
from benchmarks.outsiders import OUTSIDERS, Slots, Work, is_installed, slots_of, takes
from benchmarks.subjects import GROWING, Subject, subject, subjects
from cpsconv import Builder
from cpsconv.core.construction import STRATEGIES
from cpsconv.core.transform import minimise, prune
from cpsconv.lab.baselines import CONSTRUCTIONS

SUBJECTS = "ladder 1000,ifs 300,corpus,random 50"
PACE = "LLVM"
OTHERS = [name for name in OUTSIDERS if name != PACE]
OWN = [name for name, strategy in CONSTRUCTIONS.items() if strategy.counts_lookups]

Preparation = Callable[[], Sequence[Work]]
"""Prepares one round, and returns the tasks to be timed."""


def ours(trees: Subject, strategy: str, minimal: bool = False) -> Preparation:
    """Construction by one of our strategies; if `minimal`, without unused and redundant parameters."""

    def construct() -> object:
        programs = [unit(Builder(strategy), []) for unit in trees.units]
        for program in programs if minimal else ():
            prune(program)
            minimise(program)
        return programs

    return lambda: [construct]


def theirs(functions: Sequence[Slots], name: str) -> Preparation | None:
    """A pass of another project; None if it is missing or cannot process these functions."""
    prepare = OUTSIDERS[name][1]
    if not all(takes(name, function) for function in functions):
        return None
    return lambda: [prepare(function) for function in functions]


def times(preparations: Mapping[str, Preparation], repeat: int) -> dict[str, float]:
    """The median of the seconds of each, over `repeat` rounds in which all take turns.

    An additional first round fills caches.
    """
    rounds: dict[str, list[float]] = {name: [] for name in preparations}
    for _ in range(repeat + 1):
        for name, prepare in preparations.items():
            works = prepare()
            gc.collect()
            start = process_time()
            results = [work() for work in works]
            rounds[name].append(process_time() - start)
            del works, results
    return {name: median(seconds[1:]) for name, seconds in rounds.items()}


def print_subjects(names: Sequence[str], others: Sequence[str], repeat: int) -> None:
    """The first table."""
    columns = [*OWN, "scc, minimal", *others]
    print(f"| program | blocks | {PACE} | {' | '.join(columns)} |\n|---|{'--:|' * (len(columns) + 2)}")
    for name in names:
        trees = subject(name)
        functions = [function for unit in trees.units for function in slots_of(unit)]
        preparations: dict[str, Preparation | None] = {strategy: ours(trees, strategy) for strategy in OWN}
        preparations["scc, minimal"] = ours(trees, "scc", minimal=True)
        for outsider in (PACE, *others):
            preparations[outsider] = theirs(functions, outsider) if is_installed(outsider) else None
        taken = times({key: each for key, each in preparations.items() if each}, repeat)
        pace, blocks = taken[PACE], trees.blocks()
        cells = [f"{pace / blocks * 1e6:.2f} µs"]
        for column in columns:
            missing = "not there" if column in others and not is_installed(column) else "—"
            cells.append(f"{taken[column] / pace:.1f}" if column in taken else missing)
        print(f"| {trees.name} | {blocks:,} | {' | '.join(cells)} |", flush=True)


def print_growth(shapes: Sequence[str], sizes: Sequence[int], repeat: int) -> None:
    """The second table."""
    print(f"| shape | strategy | {' | '.join(f'n = {size:,}' for size in sizes)} | growth |")
    print(f"|---|---|{'--:|' * (len(sizes) + 1)}")
    for shape in shapes:
        by_size = [times({each: ours(trees, each) for each in STRATEGIES}, repeat) for trees in _of_sizes(shape, sizes)]
        for strategy in STRATEGIES:
            taken = [seconds[strategy] for seconds in by_size]
            growth = math.log(taken[-1] / taken[0]) / math.log(sizes[-1] / sizes[0])
            cells = [f"{seconds / size * 1e6:.1f} µs" for seconds, size in zip(taken, sizes, strict=True)]
            print(f"| {shape} | {strategy} | {' | '.join(cells)} | {growth:.2f} |", flush=True)


def _of_sizes(shape: str, sizes: Sequence[int]) -> Sequence[Subject]:
    return [subject(f"{shape} {size}") for size in sizes]


def main() -> None:
    """Run the command."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--subjects", type=subjects, default=SUBJECTS, help=f"of the first table ({SUBJECTS})")
    parser.add_argument(
        "--others",
        type=names(OTHERS),
        default=",".join(OTHERS),
        help="in Python; on 10,000 blocks they take minutes (all)",
    )
    parser.add_argument("--bril", metavar="FOLDER", help="a checkout of https://github.com/sampsyo/bril")
    parser.add_argument("--shapes", type=names(GROWING), default=",".join(GROWING), help="of the second table (all)")
    parser.add_argument("--sizes", type=numbers, default="250,1000,4000", help="the sizes n (250,1000,4000)")
    parser.add_argument("--repeat", type=int, default=7, help="how many rounds (7)")
    options = parser.parse_args()
    if options.bril:
        sys.path.append(str(Path(options.bril) / "examples"))
        if not is_installed("Bril"):
            parser.error(f"not a checkout of Bril: {options.bril}")
    if not is_installed(PACE):
        parser.error("llvmlite, which sets the pace, is not installed")
    gc.disable()
    if options.subjects:
        print_subjects(options.subjects, [name for name in OTHERS if name in options.others], options.repeat)
    if options.subjects and options.shapes:
        print()
    if options.shapes:
        print_growth(options.shapes, options.sizes, options.repeat)


if __name__ == "__main__":
    sys.setrecursionlimit(1_000_000)  # some of the others recurse over the graph, and would end at its first thousand
    threading.stack_size(512 << 20)
    thread = threading.Thread(target=main)
    thread.start()
    thread.join()
