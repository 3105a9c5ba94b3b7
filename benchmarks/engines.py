"""Measures the engines and their baselines on the same algorithms, in one run.

    python benchmarks/engines.py
    python benchmarks/engines.py --rounds 9 --programs gcd,collatz
    python benchmarks/engines.py --brili "deno run bril/brili.ts"

The algorithms are in benchmarks/engines/, in C and, written by hand, in Python and Bril. The columns are the
time of the Python written by hand; the times of the engines `machine` and `python` on the C program, relative to it;
the time of the interpreter of Bril without its start-up, relative to the engine `python`; then, for more work, the time
of the C program compiled by `gcc -O1`, and that of the engine `llvm` relative to it. Each is the least processor time
of several runs in turn. All results must be equal.
"""

from __future__ import annotations

import argparse
import io
import resource
import shlex
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.arguments import names
from cpsconv import Source, convert
from cpsconv.core.entry import entry_of
from cpsconv.engines import EngineName, prepare
from testing.bril_text import in_json

FOLDER = Path(__file__).resolve().parent / "engines"
SIZES = {
    "gcd": (300, 7_000),
    "collatz": (6_000, 3_000_000),
    "primes": (30_000, 5_000_000),
    "fibonacci": (26, 42),
    "mandelbrot": (90, 2_000),
    "random": (800_000, 900_000_000),
}
"""Of each algorithm what it is called with: in Python, and natively."""

_MAIN = """
#include <stdio.h>
int main(void) {{
    printf("%d\\n", work({size}));
    return 0;
}}
"""


def in_c(name: str, size: int) -> str:
    """The whole program."""
    return (FOLDER / f"{name}.c").read_text() + _MAIN.format(size=size)


@dataclass(frozen=True)
class Way:
    """One way to run an algorithm: gives the answer."""

    name: str
    run: Callable[[], int]


def by_engine(name: str, engine: EngineName, size: int) -> Way:
    """As we run it, compiled beforehand."""
    program = convert(Source(f"{name}.c", in_c(name, size)))
    ready = prepare(program, entry_of(program), engine)

    def run() -> int:
        output = io.BytesIO()
        ready([], output=output, errors=output)
        return int(output.getvalue())

    return Way(engine, run)


def by_hand(name: str, size: int) -> Way:
    """As Python that was written by hand."""
    names: dict[str, Any] = {}
    exec((FOLDER / f"{name}.py").read_text(), names)
    return Way("by hand", lambda: int(names["work"](size)))


def by_brili(name: str, size: int, command: str) -> Way:
    """As Bril that was written by hand, run by its interpreter, as a process."""
    text = in_json((FOLDER / f"{name}.bril").read_text())
    words = [*shlex.split(command), str(size)]
    return Way(
        "brili", lambda: int(subprocess.run(words, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout)
    )


def by_gcc(name: str, size: int, folder: Path) -> Way:
    """As gcc compiles it, as a process."""
    text, binary = folder / f"{name}.c", folder / name
    text.write_text(in_c(name, size))
    subprocess.run(["gcc", "-O1", "-fwrapv", "-o", binary, text], check=True)
    return Way("gcc -O1", lambda: int(subprocess.run([binary], capture_output=True, check=True).stdout))


def fastest(ways: list[Way], rounds: int) -> dict[str, float]:
    """The seconds of processor of the fastest run of each, when all have been run in turn."""
    best: dict[str, float] = {}
    answers = set()
    for _ in range(rounds):
        for way in ways:
            before = spent()
            answers.add(way.run())
            seconds = spent() - before
            best[way.name] = min(seconds, best.get(way.name, seconds))
    assert len(answers) == 1, answers
    return best


def spent() -> float:
    """The seconds of processor that this process and its children have had."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def interpreted(name: str, size: int, rounds: int, brili: str | None) -> dict[str, float]:
    """The seconds of what is interpreted; those of brili without what it takes to start."""
    ways = [by_hand(name, size), by_engine(name, "python", size), by_engine(name, "machine", size)]
    if brili is None:
        return fastest(ways, rounds)
    start = fastest([by_brili(name, 1, brili)], rounds)
    times = fastest([*ways, by_brili(name, size, brili)], rounds)
    return {**times, "brili": times["brili"] - start["brili"]}


def native(name: str, size: int, rounds: int) -> dict[str, float]:
    """The seconds of native code."""
    with tempfile.TemporaryDirectory() as folder:
        return fastest([by_gcc(name, size, Path(folder)), by_engine(name, "llvm", size)], rounds)


COLUMNS = {
    "Python by hand": ("by hand", None),
    "`machine`": ("machine", "by hand"),
    "`python`": ("python", "by hand"),
    "brili / `python`": ("brili", "python"),
    "`gcc -O1`": ("gcc -O1", None),
    "`llvm`": ("llvm", "gcc -O1"),
}
"""What a column has the seconds of, or how many times as long it takes as something else."""


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--programs", type=names(SIZES), default=",".join(SIZES), help="which of them, with commas between"
    )
    parser.add_argument("--rounds", type=int, default=5, help="how often each is run (5)")
    parser.add_argument("--brili", metavar="COMMAND", help="what runs the interpreter of Bril")
    given = parser.parse_args()
    print(f"| algorithm | {' | '.join(COLUMNS)} |\n|---{'|---' * len(COLUMNS)}|")
    ratios: dict[str, list[float]] = {title: [] for title in COLUMNS}
    for name in given.programs:
        small, large = SIZES[name]
        times = interpreted(name, small, given.rounds, given.brili) | native(name, large, given.rounds)
        cells = []
        for title, (what, base) in COLUMNS.items():
            if what not in times:
                cells.append("not given")
            elif base is None:
                cells.append(f"{times[what]:.3f} s")
            else:
                ratios[title].append(times[what] / times[base])
                cells.append(f"{ratios[title][-1]:.2f} ×")
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    means = [f"{statistics.geometric_mean(found):.2f} ×" if found else "" for found in ratios.values()]
    print(f"| geometric mean | {' | '.join(means)} |")


if __name__ == "__main__":
    main()
