"""Compares parameters with the φ functions of LLVM's ``mem2reg``, function by function, on modules of LLVM IR.

    python benchmarks/mem2reg.py                               # the programs of this project
    python benchmarks/mem2reg.py lua.bc bzip2/*.c r.ll
    python benchmarks/mem2reg.py --time lua.bc
    python benchmarks/mem2reg.py --time --shapes functions,loops --size 1000

A C or C++ file is compiled with ``clang -O0 -Xclang -disable-O0-optnone`` first; other files are modules. For each
file, or for all files of this project together, the table has the functions, the instructions, the φ functions after
``opt -passes=mem2reg`` (those that the module had before are counted, too), and our parameters, by strategy, with and
without Algorithm 5. A list of the functions with more parameters than φ functions follows.

With ``--time``, a table of times instead: of our construction; of LLVM's pass with the analyses that it needs,
dominance and assumptions; and of the commands ``cpsconv convert --emit llvm`` and ``opt``. They are times of the
processor, the best of several measurements in turn. The instructions are those before promotion. ``--shapes`` adds
programs of `benchmarks/shapes.py` in three sizes: n, 4n and 16n.
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
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.arguments import names
from benchmarks.shapes import SHAPES
from cpsconv import convert
from cpsconv.core.construction import STRATEGIES, Builder
from cpsconv.core.source import read_source
from cpsconv.languages import LANGUAGES, Lowering, read
from cpsconv.languages.llvm.choice import expressing
from testing.mem2reg import OPT, compared, compiled, promoted_by_llvm

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("examples", "tests/corpus", "benchmarks")
ROUNDS = 5


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    options.add_argument("files", nargs="*", type=Path)
    options.add_argument("--strategies", type=names(STRATEGIES), default=[*STRATEGIES], help="separated by commas")
    options.add_argument("--time", action="store_true", help="measure times instead")
    options.add_argument("--shapes", type=names(SHAPES), default=[], help="programs to measure, separated by commas")
    options.add_argument("--size", type=int, default=1000, help="their smallest size (default: 1000)")
    options.add_argument("--options", default="", help="further options of clang, such as -g")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = given.files or ([] if given.shapes else _own())
        files += [each for shape in given.shapes for each in _written(shape, given.size, Path(folder))]
        modules = _modules(files, Path(folder), given.options.split())
        if given.time:
            _print_times(modules)
        else:
            _print_parameters(modules, given.strategies, together=not given.files)


def _own() -> list[Path]:
    return [each for folder in FOLDERS for each in sorted((ROOT / folder).rglob("*.c"))]


def _written(shape: str, size: int, folder: Path) -> Iterator[Path]:
    """The files of a shape, in three sizes."""
    for n in (size, 4 * size, 16 * size):
        path = folder / f"{shape} {n}.c"
        path.write_text(SHAPES[shape](n))
        yield path


def _modules(files: Iterable[Path], folder: Path, options: Sequence[str]) -> Iterator[tuple[str, Path]]:
    """The name of each file and its module, which the next one replaces; not of those that clang rejects."""
    for file in files:
        path = file
        if file.suffix not in (".ll", ".bc"):
            path = folder / "module.ll"
            try:
                compiled(file, path, *options)
            except subprocess.CalledProcessError:
                continue
        yield file.name, path


# --------------------------------------------------------------------------------------------------------- parameters


def _print_parameters(modules: Iterable[tuple[str, Path]], strategies: Sequence[str], together: bool) -> None:
    columns = [f"{strategy}{suffix}" for strategy in strategies for suffix in ("", " + 5")]
    print("| module | functions | instructions | φs of mem2reg |", " | ".join(columns), "|")
    print("|---|" + "--:|" * (3 + len(columns)))
    more: list[str] = []
    rows = Counter[str]()
    for name, path in modules:
        row = _row(path, name, strategies, more)
        rows += row
        if not together:
            _print(name, row, columns)
    if together:
        _print("all", rows, columns)
    print(*more, sep="\n")


def _print(name: str, row: Counter[str], columns: Iterable[str]) -> None:
    cells = [f"{row[each]:,}" for each in ("functions", "instructions", "mem2reg", *columns)]
    print("|", name, "|", " | ".join(cells), "|", flush=True)


def _row(path: Path, name: str, strategies: Sequence[str], more: list[str]) -> Counter[str]:
    """The counts for a module. Appends the functions with more parameters, or other instructions, to `more`."""
    source, row = read_source(str(path)), Counter[str]()
    theirs = promoted_by_llvm(path)
    for strategy in strategies:
        for minimal in (False, True):
            program = convert(source, strategy=strategy, minimal=minimal, certify=strategy == "scc", warn=["no-all"])
            column = f"{strategy}{' + 5' * minimal}"
            for each in compared(program, theirs):
                row[column] += each.parameters
                if column == "scc + 5":
                    row["functions"] += 1
                    row["mem2reg"] += each.phis
                    if each.parameters > each.phis:
                        more.append(f"{name}: {each.name}: {each.parameters} parameters, {each.phis} φ functions")
                    if each.lost or each.added:
                        more.append(f"{name}: {each.name}: without {dict(each.lost)}, with {dict(each.added)}")
            if column == "scc + 5":
                row["instructions"] = sum(len(member.body) + 1 for member in program.members())
    return row


# -------------------------------------------------------------------------------------------------------------- times


def _print_times(modules: Iterable[tuple[str, Path]]) -> None:
    print("| module | instructions | construction | mem2reg | ratio | command | opt | ratio |")
    print("|---|" + "--:|" * 7)
    for name, path in modules:
        lowering = read("llvm", read_source(str(path)))
        convert = [sys.executable, "-m", "cpsconv", "convert", "-w", "--emit", "llvm", str(path)]
        opt = [str(OPT), "-S", "-passes=mem2reg", "-o", "-", str(path)]
        rounds = [(_construction(lowering), _pass(path), _command(convert), _command(opt)) for _ in range(ROUNDS)]
        ours, theirs, command, whole = map(min, zip(*rounds, strict=True))
        cells = [f"{_instructions(path):,}", f"{ours:.3f} s", f"{theirs:.4f} s", f"{ours / theirs:.1f}"]
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
