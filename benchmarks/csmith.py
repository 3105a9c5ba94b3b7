"""Compares cpsconv with gcc on programs that csmith generates.

    python benchmarks/csmith.py --programs 1000 --seed 1

The number of a program is the seed of csmith, in its usual configuration. The program is preprocessed and converted by
cpsconv, with csmith's headers as files, and run by the engine `llvm`, with every access checked. Output and exit status
must be those of ``gcc -O0 -fwrapv``. Programs that run for ten seconds under gcc are counted, but not compared. A
program that differs is saved, and the exit status is 1.

csmith is a package of Debian (``apt-get install csmith libcsmith-dev``).
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import numbered
from benchmarks.fuzz import Batch, Difference, report
from cpsconv.languages.c.preprocessor import Settings, preprocessing
from testing import gcc
from testing.running import converted, observe

HEADERS = "/usr/include/csmith"


def program(number: int) -> str:
    """The program of that number."""
    command = ["csmith", "--seed", str(number)]
    with tempfile.TemporaryDirectory() as folder:  # csmith writes a file of its own
        return subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout


def compare(numbers: list[int]) -> Batch:
    """Run the programs of these numbers."""
    ends: list[str] = []
    differences: list[Difference] = []
    for number in numbers:
        text = program(number)
        try:
            with tempfile.TemporaryDirectory() as folder:
                expected = gcc.observe(gcc.compile_c(text, Path(folder), "-w", f"-I{HEADERS}"))
        except subprocess.TimeoutExpired:
            ends.append("time limit")
            continue
        got = observed(text)
        ends.append("same" if got == expected else "different")
        if got != expected:
            differences.append(Difference(number, "llvm", expected, got))
    return Batch(ends, differences)


def observed(text: str) -> object:
    """What the program does under cpsconv, or the error that it ends with."""
    try:
        with preprocessing(Settings([HEADERS])):
            converted_program = converted(text, "scc")
        return observe(converted_program, engine="llvm")
    except Exception as failure:
        return f"{type(failure).__name__}: {failure}"


def main() -> int:
    """Run the command. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbered.add_options(parser, "programs", 1000, first=1)
    parser.add_argument("--save", type=Path, default=Path("fuzz-findings"), help="folder for programs that differ")
    options = parser.parse_args()
    return report(numbered.results(compare, options, size=5), options.save, program)


if __name__ == "__main__":
    sys.exit(main())
