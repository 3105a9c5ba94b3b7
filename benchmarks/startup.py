"""Measures start-up: short commands, Python alone, and the import of three libraries.

    python benchmarks/startup.py --repeat 25

Prints a Markdown table: for each command the median of its processor times, and its ratios to the medians of ``python
-c pass`` and of ``python -c "import lark, click, prettyprinter"``. The commands take turns, so that other load affects
all alike. In the first run, no module of cpsconv is compiled to byte code, but the libraries are, as pip installs them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
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


class Compiled:
    """Runs Python with a folder of its own for byte code."""

    def __init__(self, folder: str) -> None:
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        self._environment = {**environment, "PYTHONPATH": str(ROOT), "PYTHONPYCACHEPREFIX": folder}

    def seconds(self, words: Words, **environment: str) -> float:
        """The processor time of Python with these arguments."""
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run(
            [sys.executable, *words],
            cwd=ROOT,
            env={**self._environment, **environment},
            stdout=subprocess.DEVNULL,
            check=True,
        )
        after = getrusage(RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def medians(self, runs: Sequence[Words], repeat: int, **environment: str) -> list[float]:
        """The median of the seconds of each, which take turns."""
        turns = [[self.seconds(words, **environment) for words in runs] for _ in range(repeat)]
        return [median(taken) for taken in zip(*turns, strict=True)]


def measured(repeat: int) -> Iterator[tuple[str, float, float, float]]:
    """What is run, and the seconds that it takes; that Python alone takes, and the import of the libraries."""
    with tempfile.TemporaryDirectory() as folder:
        compiled = Compiled(folder)
        compiled.seconds(LIBRARIES)
        runs = [PYTHON, LIBRARIES, command(FIRST)]
        alone, with_libraries, first = compiled.medians(runs, repeat, PYTHONDONTWRITEBYTECODE="1")
        runs = [PYTHON, LIBRARIES, *map(command, COMMANDS)]
        compiled.medians(runs, 1)
        python, libraries, *ours = compiled.medians(runs, repeat)
    yield "`python -c pass`", python, python, libraries
    yield '`python -c "import lark, click, prettyprinter"`', libraries, python, libraries
    yield f"`cpsconv {' '.join(FIRST)}`, the first time", first, alone, with_libraries
    for words, taken in zip(COMMANDS, ours, strict=True):
        yield f"`cpsconv {' '.join(words)}`", taken, python, libraries


def main() -> None:
    """Run the command."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=25, help="measure so many times and take the median (25)")
    options = parser.parse_args()
    print("| command | time | × `python -c pass` | × `import lark, click, prettyprinter` |\n|---|---|---|---|")
    for name, taken, python, libraries in measured(options.repeat):
        print(f"| {name} | {1000 * taken:.0f} ms | {taken / python:.1f} | {taken / libraries:.2f} |")


if __name__ == "__main__":
    main()
