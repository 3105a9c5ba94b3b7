"""The time of our construction and command beside LLVM's ``mem2reg`` and ``opt``, on the same modules.

    python benchmarks/mem2reg_times.py lua.bc
    python benchmarks/mem2reg_times.py --shapes functions,loops --size 1000

The times are those of our construction; of LLVM's pass with the analyses that it needs, dominance and assumptions; and
of the commands ``cpsconv convert --emit llvm`` and ``opt``. They are times of the processor, the best of several
measurements in turn. The instructions are those before promotion. ``--shapes`` adds programs of `benchmarks/shapes.py`
in three sizes: n, 4n and 16n. A C or C++ file is compiled with ``clang -O0 -Xclang -disable-O0-optnone`` first; other
files are modules. The last row of several modules has the sums; ``--total`` prints this row alone.
"""

from __future__ import annotations

import argparse
import gc
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.arguments import names
from benchmarks.shapes import SHAPES
from cpsconv.core.construction import Builder
from cpsconv.core.source import read_source
from cpsconv.languages import LANGUAGES, Lowering, read
from cpsconv.languages.ours import expressing
from testing.mem2reg import OPT, modules

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 5


def main() -> None:
    """Print the table."""
    options = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    options.add_argument("files", nargs="*", type=Path)
    options.add_argument("--shapes", type=names(SHAPES), default=[], help="programs to measure, separated by commas")
    options.add_argument("--size", type=int, default=1000, help="their smallest size (default: 1000)")
    options.add_argument("--options", default="", help="further options of clang, such as -g")
    options.add_argument("--total", action="store_true", help="print the sums alone")
    given = options.parse_args()
    print("| module | instructions | construction | mem2reg | ratio | command | opt | ratio |")
    print("|---|" + "--:|" * 7)
    with tempfile.TemporaryDirectory() as folder:
        written = [path for shape in given.shapes for path in _written(shape, given.size, Path(folder))]
        rows = []
        for name, path in modules([*given.files, *written], Path(folder), given.options.split()):
            rows.append([_instructions(path), *_times(path)])
            if not given.total:
                _print_row(name, *rows[-1])
        if len(rows) > 1:
            _print_row(f"{len(rows)} modules", *map(sum, zip(*rows, strict=True)))


def _written(shape: str, size: int, folder: Path) -> Iterator[Path]:
    """The files of a shape, in three sizes."""
    for n in (size, 4 * size, 16 * size):
        path = folder / f"{shape} {n}.c"
        path.write_text(SHAPES[shape](n))
        yield path


def _times(path: Path) -> list[float]:
    """The times of our construction, LLVM's pass, our command, and ``opt``."""
    lowering = read("llvm", read_source(str(path)))
    convert = [sys.executable, "-m", "cpsconv", "convert", "-w", "--emit", "llvm", str(path)]
    opt = [str(OPT), "-S", "-passes=mem2reg", "-o", "-", str(path)]
    rounds = [(_construction(lowering), _pass(path), _command(convert), _command(opt)) for _ in range(ROUNDS)]
    return [*map(min, zip(*rounds, strict=True))]


def _print_row(name: str, instructions: float, ours: float, theirs: float, command: float, whole: float) -> None:
    cells = [f"{instructions:,}", f"{ours:.3f} s", f"{theirs:.4f} s", f"{ours / theirs:.1f}"]
    cells += [f"{command:.2f} s", f"{whole:.3f} s", f"{command / whole:.1f}"]
    print("|", name, "|", " | ".join(cells), "|", flush=True)


def _instructions(path: Path) -> int:
    """The instructions of a module, before promotion."""
    text = subprocess.run([str(OPT), "-S", "-o", "-", str(path)], check=True, capture_output=True, text=True).stdout
    return len(re.findall(r"(?m)^  (?:%[^ ]+ = )?[a-z]", text))


def _construction(lowering: Lowering) -> float:
    builder = Builder(undefined=LANGUAGES["llvm"].undefined, checked=False)
    gc.collect()
    gc.disable()  # the command collects only the garbage of large programs
    start = time.process_time()
    lowering(builder, [])
    seconds = time.process_time() - start
    gc.enable()
    return seconds


def _pass(path: Path) -> float:
    """The time of LLVM's pass and of the analyses for it, as LLVM measures them."""
    command = [str(OPT), "-time-passes", "-disable-output", "-passes=mem2reg", str(path)]
    report = subprocess.run(command, check=True, capture_output=True, text=True).stderr
    rows = re.findall(r"(?m)^(.*)  (?:PromotePass|DominatorTreeAnalysis|AssumptionAnalysis)$", report)
    return sum(float(re.findall(r"([\d.]+) \(", row)[-2]) for row in rows)  # before the last column, the wall clock


def _command(command: Sequence[str]) -> float:
    """The time of the processor that a command takes, with its child processes."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, cwd=ROOT)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    with expressing("none"):
        main()
