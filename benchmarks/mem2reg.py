"""Compares parameters with the φ functions of LLVM's ``mem2reg``, function by function, on modules of LLVM IR.

    python benchmarks/mem2reg.py                               # the programs of this project
    python benchmarks/mem2reg.py lua.bc bzip2/*.c r.ll

A C or C++ file is compiled with ``clang -O0 -Xclang -disable-O0-optnone`` first; other files are modules. For each
file, or for all files of this project together, the table has the functions, the instructions, the φ functions after
``opt -passes=mem2reg`` (those that the module had before are counted, too), and our parameters, by strategy, with and
without Algorithm 5. A list of the functions with more parameters than φ functions follows. With ``--time``, the times
of our construction, of the command ``cpsconv convert --emit llvm``, and of ``opt``, the best of three.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.arguments import names
from cpsconv import Source, convert
from cpsconv.core.construction import STRATEGIES, Builder
from cpsconv.core.source import read_source
from cpsconv.languages import LANGUAGES, read
from cpsconv.languages.ours import expressing
from testing.mem2reg import compared, compiled, promoted_by_llvm

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("examples", "tests/corpus", "benchmarks")


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    options.add_argument("files", nargs="*", type=Path)
    options.add_argument("--strategies", type=names(STRATEGIES), default=[*STRATEGIES], help="separated by commas")
    options.add_argument("--time", action="store_true", help="measure times")
    options.add_argument("--options", default="", help="further options of clang, such as -g")
    given = options.parse_args()
    own = [each for folder in FOLDERS for each in sorted((ROOT / folder).rglob("*.c"))]
    columns = [f"{strategy}{suffix}" for strategy in given.strategies for suffix in ("", " + 5")]
    print("| module | functions | instructions | φs of mem2reg |", " | ".join(columns), "|")
    print("|---|" + "--:|" * (3 + len(columns)))
    more: list[str] = []
    rows: list[tuple[str, Counter[str]]] = []
    with tempfile.TemporaryDirectory() as folder:
        for file in given.files or own:
            path = file
            if file.suffix not in (".ll", ".bc"):
                path = Path(folder, "module.ll")
                try:
                    compiled(file, path, *given.options.split())
                except subprocess.CalledProcessError:
                    continue
            rows.append((file.name, _row(path, file.name, given.strategies, more)))
            if given.files:
                _print(*rows[-1], columns)
            if given.time:
                _print_times(path)
    if not given.files:
        _print("all", sum((row for _, row in rows), Counter()), columns)
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


def _best(action: Callable[[], object]) -> float:
    """The seconds that the action takes, the best of three."""
    found = []
    for _ in range(3):
        start = time.perf_counter()
        action()
        found.append(time.perf_counter() - start)
    return min(found)


def _print_times(path: Path) -> None:
    lowering = read("llvm", Source(str(path), path.read_text(encoding="utf-8", errors="surrogateescape")))
    command = [sys.executable, "-m", "cpsconv", "convert", "-w", "--emit", "llvm", str(path)]
    rule = LANGUAGES["llvm"].undefined
    construction = _best(lambda: lowering(Builder(undefined=rule, checked=False), []))
    whole = _best(lambda: subprocess.run(command, check=True, capture_output=True, cwd=ROOT))
    opt = _best(lambda: promoted_by_llvm(path))
    print(f"{path.name}: construction {construction:.3f} s, command {whole:.3f} s, opt {opt:.3f} s", flush=True)


if __name__ == "__main__":
    with expressing("none"):
        main()
