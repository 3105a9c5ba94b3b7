"""Measures native code of programs with memory: the engine `llvm`, and compiled C and LLVM IR.

    python benchmarks/memory_native.py
    python benchmarks/memory_native.py --rounds 9 --programs sieve,trees

The algorithms are those of benchmarks/memory_kernels.py. The table has for each the time of the C program that gcc -O1
compiled; that with gcc's checks (-fsanitize=address), as a multiple of it; the time of the engine `llvm`, which checks
every access, as a multiple of gcc's with checks; the time of the program written as C without checks, which gcc -O1
compiled, and of the one written as LLVM IR without checks, which LLVM compiled (-O2), as multiples of gcc's without.
Time is that of the processor, without compilation; the ways are run in turn, and the fastest run of each counts. All
must have the same result.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.arguments import names
from benchmarks.engines import Way, fastest  # type: ignore[attr-defined]  # mypy finds the folder
from benchmarks.memory_kernels import FOLDER, SIZES, by_engine
from cpsconv import Source, convert
from cpsconv.targets.c import c
from cpsconv.targets.llvm import llvm
from testing.native import object_code

_MAIN = """
#include <stdio.h>
int main(void) {{ printf("%d\\n", work({size})); return 0; }}
"""

OPTIONS = {"gcc -O1": [], "with checks": ["-fsanitize=address"]}
"""The options of gcc of each way."""


def by_gcc(name: str, size: int, folder: Path, way: str) -> Way:
    """The C program."""
    return _compiled(name, folder, way, _with_main(name, size), OPTIONS[way])


def by_emitted_c(name: str, size: int, folder: Path) -> Way:
    """The C program, converted and written as C again."""
    return _compiled(name, folder, "emitted C", c(convert(Source(f"{name}.c", _with_main(name, size)))), [])


def _with_main(name: str, size: int) -> str:
    return (FOLDER / f"{name}.c").read_text() + _MAIN.format(size=size)


def _compiled(name: str, folder: Path, way: str, text: str, options: list[str]) -> Way:
    source = folder / "main.c"
    source.write_text(text)
    return _linked(name, folder, way, [str(source), "-O1", "-fwrapv", *options])


def by_llvm(name: str, size: int, folder: Path) -> Way:
    """The emitted LLVM IR, compiled by llvmlite."""
    program = convert(Source(f"{name}.c", _with_main(name, size)))
    (folder / f"{name}.o").write_bytes(object_code(llvm(program)))
    return _linked(name, folder, "emitted LLVM", [str(folder / f"{name}.o")])


def _linked(name: str, folder: Path, way: str, inputs: list[str]) -> Way:
    binary = folder / f"{name}-{way.replace(' ', '-')}"
    subprocess.run(["gcc", "-o", binary, *inputs, "-lm"], check=True)
    environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}
    return Way(way, lambda: int(subprocess.run([binary], capture_output=True, check=True, env=environment).stdout))


COLUMNS = {"with checks": "gcc -O1", "llvm": "with checks", "emitted C": "gcc -O1", "emitted LLVM": "gcc -O1"}
"""The ways in the columns, and those of which their times are multiples."""


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=names(SIZES), default=",".join(SIZES), help="some of the algorithms")
    parser.add_argument("--rounds", type=int, default=5, help="the number of runs (5)")
    given = parser.parse_args()
    titles = ["algorithm", "`gcc -O1`", "with checks", "`llvm`, checked", "`--emit c`", "`--emit llvm`"]
    print(f"| {' | '.join(titles)} |\n{'|---' * len(titles)}|")
    ratios: dict[str, list[float]] = {way: [] for way in COLUMNS}
    for name in given.programs:
        _, size = SIZES[name]
        with tempfile.TemporaryDirectory() as folder:
            ways = [by_gcc(name, size, Path(folder), way) for way in OPTIONS]
            ways += [by_engine(name, "llvm", size)]
            ways += [by_emitted_c(name, size, Path(folder)), by_llvm(name, size, Path(folder))]
            times = fastest(ways, given.rounds)
        for way, base in COLUMNS.items():
            ratios[way].append(times[way] / times[base])
        cells = [f"{times['gcc -O1']:.3f} s", *(f"{found[-1]:.2f} ×" for found in ratios.values())]
        print(f"| {name} | {' | '.join(cells)} |", flush=True)
    means = [f"{statistics.geometric_mean(found):.2f} ×" for found in ratios.values()]
    print(f"| geometric mean | | {' | '.join(means)} |")


if __name__ == "__main__":
    main()
