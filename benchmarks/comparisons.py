"""Measures `memcmp` and `strcmp` in each functional target and under each engine, perhaps beside an earlier version.

    python benchmarks/comparisons.py
    python benchmarks/comparisons.py --before ../earlier --ways javascript,python,machine --rounds 5

A program compares two texts in a loop: equal ones, and such that differ in the first or the last byte. The table has
the nanoseconds of one iteration, without the start of the program; with `--before`, the folder of an earlier checkout,
also those of that checkout, and the ratio. Time is that of the processor; the versions are run in turn, and the fastest
run of each counts.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.arguments import names

ROOT = Path(__file__).resolve().parent.parent

TARGETS = {
    "javascript": ["node", "--stack-size=50000"],
    "python": [sys.executable],
    "scheme": ["guile", "--no-auto-compile"],
    "ocaml": [],
    "haskell": [],
}
"""The commands that run an emitted file; compilers write a program."""

COMPILERS = {"ocaml": ["ocamlopt", "-o"], "haskell": ["ghc", "-O", "-o"]}

SUFFIXES = {"javascript": "js", "python": "py", "scheme": "scm", "ocaml": "ml", "haskell": "hs"}

ENGINES = {f"engine-{name}": name for name in ("machine", "python", "llvm")}

SECONDS = 0.4
"""The least time of a measured run."""


class Case(NamedTuple):
    """A comparison: the name of the function, the number of bytes, and the index of the byte that differs."""

    function: str
    size: int
    different: int | None

    def program(self) -> str:
        """The CPS text of the program, whose argument is the number of comparisons."""
        is_memcmp = self.function == "memcmp"
        one = "x" * self.size
        other = one if self.different is None else f"{one[: self.different]}y{one[self.different + 1 :]}"
        size = f", {self.size}ul" if is_memcmp else ""
        return f"""
extern {self.function}(s : ptr, t : ptr{", n : unsigned long" * is_memcmp}, ret : int → ⊥) → ⊥
data one := "{one}\\0"
data other := "{other}\\0"

main(n : int, ret : int → ⊥) → ⊥ {{
  let
    next := (i : int, sum : int) → ⊥
      branch(i < n, λ(). {self.function}(one, other{size}, λ(c : int). next(i + 1, sum + c)), λ(). ret(sum & 1))
  in
  next(0, 0)
}}
"""

    def __str__(self) -> str:
        which = {None: "equal", 0: "first byte"}.get(self.different, "last byte")
        return f"{self.function} {self.size} {which}"


CASES = [
    *(Case("memcmp", size, None) for size in (1, 8, 64, 4096)),
    *(Case("memcmp", size, 0) for size in (8, 4096)),
    *(Case("memcmp", size, size - 1) for size in (8, 4096)),
    *(Case("strcmp", size, None) for size in (1, 8, 64, 4096)),
    *(Case("strcmp", size, 0) for size in (1, 8, 4096)),
]


def _command(checkout: Path, way: str, case: Case, folder: Path) -> Sequence[str]:
    """The command that runs the case, without its argument."""
    source = folder / "comparison.cps"
    source.write_text(case.program())
    cpsconv = [sys.executable, "-m", "cpsconv"]
    if way in ENGINES:
        return [*cpsconv, "eval", "--engine", ENGINES[way], str(source)]
    file, program = folder / f"program.{SUFFIXES[way]}", folder / "program"
    text = subprocess.run(
        [*cpsconv, "convert", "--emit", way, str(source)],
        env=_environment(checkout),
        check=True,
        capture_output=True,
        cwd="/",
    ).stdout
    file.write_bytes(text)
    if way not in COMPILERS:
        return [*TARGETS[way], str(file)]
    subprocess.run([*COMPILERS[way], str(program), str(file)], check=True, capture_output=True)
    return [str(program)]


def _environment(checkout: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPATH": str(checkout)}


def _time(checkout: Path, command: Sequence[str], count: int) -> float:
    """The processor time of one run."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([*command, str(count)], env=_environment(checkout), stdout=subprocess.DEVNULL, cwd="/")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def nanoseconds(checkouts: Sequence[Path], way: str, case: Case, rounds: int) -> list[float]:
    """The nanoseconds of an iteration in each of the checkouts."""
    with tempfile.TemporaryDirectory() as name:
        commands = list[tuple[Path, Sequence[str]]]()
        for number, checkout in enumerate(checkouts):
            (folder := Path(name) / str(number)).mkdir()
            commands.append((checkout, _command(checkout, way, case, folder)))
        starts = [min(_time(*each, 0) for _ in range(rounds)) for each in commands]
        count = 50
        while (taken := _time(*commands[0], count) - starts[0]) < SECONDS:
            count = int(count * min(10, max(1.5, 1.2 * SECONDS / max(taken, 0.01))))
        runs = [[_time(*each, count) for each in commands] for _ in range(rounds)]
    return [(min(times) - start) / count * 1e9 for times, start in zip(zip(*runs, strict=True), starts, strict=True)]


if __name__ == "__main__":
    ways = [*TARGETS, *ENGINES]
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ways", type=names(ways), default=ways, metavar="LIST", help=", ".join(ways))
    parser.add_argument("--before", type=Path, metavar="FOLDER", help="a checkout of an earlier version")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--only", default="", metavar="TEXT", help="the cases whose names contain the text")
    options = parser.parse_args()
    checkouts = [options.before.resolve(), ROOT] if options.before else [ROOT]
    for way in options.ways:
        for case in (each for each in CASES if options.only in str(each)):
            times = nanoseconds(checkouts, way, case, options.rounds)
            ratio = f"  {times[1] / times[0]:.2f}" if len(times) > 1 else ""
            print(f"{way:15} {case!s:24} {'  '.join(f'{each:10.0f}' for each in times)}{ratio}", flush=True)
