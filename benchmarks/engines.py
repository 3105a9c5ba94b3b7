"""Measures the engines against each other and against others: the same algorithms, side by side in one run.

    python benchmarks/engines.py
    python benchmarks/engines.py --rounds 9 --programs gcd,collatz

The algorithms are in benchmarks/engines/, in C and, written by hand, in Python. The table has for each the time per
round of the Python written by hand, and how much that of the evaluator `machine`, and of what the engine `python` makes
of the C program, is of it; then the time of what `gcc -O1` makes of it, and how much that of `llvm` is of it, for more
rounds. Of several runs, one after the other in turn, the fastest counts. All give the same answer, or this fails.
"""

from __future__ import annotations

import argparse
import io
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from cpsconv import Program, convert, read_source
from cpsconv.engines import EngineName, prepare
from cpsconv.evaluate import Returned

FOLDER = ROOT / "benchmarks" / "engines"
SIZES = {
    "gcd": (300, 7_000),
    "collatz": (6_000, 3_000_000),
    "primes": (30_000, 5_000_000),
    "fibonacci": (24, 42),
    "mandelbrot": (60, 2_000),
    "random": (800_000, 900_000_000),
}
"""Of each algorithm what it is called with: in Python, and natively."""

_MAIN = '#include <stdio.h>\nint work(int n);\nint main(void) { printf("%d\\n", work(SIZE)); return 0; }\n'


@dataclass(frozen=True)
class Way:
    """One way to run an algorithm: gives the answer."""

    name: str
    run: Callable[[], int]


def by_engine(program: Program, engine: EngineName, size: int) -> Way:
    """As we run it."""
    entry = program.function("work")
    assert entry
    ready = prepare(program, entry, engine)

    def run() -> int:
        outcome = ready([size], output=io.BytesIO(), errors=io.BytesIO())
        assert isinstance(outcome, Returned)
        return int(outcome.value or 0)

    return Way(engine, run)


def by_hand(name: str, size: int) -> Way:
    """As Python that was written by hand."""
    names: dict[str, Any] = {}
    exec((FOLDER / f"{name}.py").read_text(), names)
    return Way("by hand", lambda: int(names["work"](size)))


def by_gcc(name: str, size: int, folder: Path) -> Way:
    """As gcc compiles it."""
    main, binary = folder / "main.c", folder / name
    main.write_text(_MAIN.replace("SIZE", str(size)))
    subprocess.run(["gcc", "-O1", "-fwrapv", "-o", binary, FOLDER / f"{name}.c", main], check=True)
    return Way("gcc -O1", lambda: int(subprocess.run([binary], capture_output=True, check=True).stdout))


def fastest(ways: list[Way], rounds: int) -> dict[str, float]:
    """The seconds of the fastest run of each, when all have been run in turn."""
    best: dict[str, float] = {}
    answers = set()
    for _ in range(rounds):
        for way in ways:
            start = time.perf_counter()
            answers.add(way.run())
            spent = time.perf_counter() - start
            best[way.name] = min(spent, best.get(way.name, spent))
    assert len(answers) == 1, answers
    return best


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", default=",".join(SIZES), help="which of them, with commas between")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is run (5)")
    given = parser.parse_args()
    print("| algorithm | Python by hand | `machine` | `python` | `gcc -O1` | `llvm` |\n|---|---|---|---|---|---|")
    ratios: dict[str, list[float]] = {"machine": [], "python": [], "llvm": []}
    for name in given.programs.split(","):
        program = convert(read_source(str(FOLDER / f"{name}.c")))
        small, large = SIZES[name]
        slow = [by_hand(name, small), by_engine(program, "python", small), by_engine(program, "machine", small)]
        interpreted = fastest(slow, given.rounds)
        with tempfile.TemporaryDirectory() as folder:
            native = fastest([by_gcc(name, large, Path(folder)), by_engine(program, "llvm", large)], given.rounds)
        cells = [f"{interpreted['by hand']:.3f} s"]
        for engine, times, base in [("machine", interpreted, "by hand"), ("python", interpreted, "by hand")]:
            ratios[engine].append(times[engine] / times[base])
            cells.append(f"{ratios[engine][-1]:.2f} ×")
        ratios["llvm"].append(native["llvm"] / native["gcc -O1"])
        cells += [f"{native['gcc -O1']:.3f} s", f"{ratios['llvm'][-1]:.2f} ×"]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    means = {engine: f"{statistics.geometric_mean(found):.2f} ×" for engine, found in ratios.items()}
    print(f"| geometric mean | | {means['machine']} | {means['python']} | | {means['llvm']} |")


if __name__ == "__main__":
    main()
