"""Measures what it takes to start: short commands against Python alone, and against the import of three libraries.

    python benchmarks/startup.py --repeat 25

Prints a Markdown table: for each command the median of its times, and that divided by the medians of ``python -c pass``
and of ``python -c "import lark, click, prettyprinter"``. The commands take turns, so that what else the machine does is
the same for all; the time is that of the processor. In the last row nothing has been compiled to byte code yet, neither
for the command nor for what it is held against.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent
PYTHON = ("-c", "pass")
LIBRARIES = ("-c", "import lark, click, prettyprinter")
COMMANDS = (
    ("--version",),
    ("--help",),
    ("convert", "examples/fig8.c"),
    ("run", "examples/gcd.c"),
    ("check", "examples/gcd.c"),
    ("convert", "--help"),
)
FIRST = ("convert", "examples/fig8.c")

Words = Sequence[str]


def command(words: Words) -> Words:
    """What Python is given to run a command of ours."""
    return ("-m", "cpsconv", *words)


def seconds(words: Words, **environment: str) -> float:
    """The processor time of Python with these arguments."""
    before = os.times()
    subprocess.run(
        [sys.executable, *words],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT), **environment},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system


def medians(runs: Sequence[Words], repeat: int) -> list[float]:
    """The median of the seconds of each, which take turns."""
    for words in runs:
        seconds(words)  # compiles to byte code
    return [median(taken) for taken in zip(*([seconds(words) for words in runs] for _ in range(repeat)), strict=True)]


def medians_of_first(runs: Sequence[Words], repeat: int) -> list[float]:
    """As `medians`, of runs for which nothing has been compiled."""
    turns = []
    for _ in range(repeat):
        turn = []
        for words in runs:
            with tempfile.TemporaryDirectory() as folder:
                turn.append(seconds(words, PYTHONPYCACHEPREFIX=folder))
        turns.append(turn)
    return [median(taken) for taken in zip(*turns, strict=True)]


def row(name: str, taken: float, python: float, libraries: float) -> str:
    """A row of the table."""
    return f"| {name} | {1000 * taken:.0f} ms | {taken / python:.1f} | {taken / libraries:.2f} |"


def main() -> None:
    """Run the command."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=25, help="measure so many times and take the median (25)")
    options = parser.parse_args()
    python, libraries, *ours = medians([PYTHON, LIBRARIES, *map(command, COMMANDS)], options.repeat)
    print("| command | time | × `python -c pass` | × `import lark, click, prettyprinter` |\n|---|---|---|---|")
    print(row("`python -c pass`", python, python, libraries))
    print(row('`python -c "import lark, click, prettyprinter"`', libraries, python, libraries))
    for words, taken in zip(COMMANDS, ours, strict=True):
        print(row(f"`cpsconv {' '.join(words)}`", taken, python, libraries))
    python, libraries, first = medians_of_first([PYTHON, LIBRARIES, command(FIRST)], max(options.repeat // 5, 1))
    print(row(f"`cpsconv {' '.join(FIRST)}`, the first time", first, python, libraries))


if __name__ == "__main__":
    main()
