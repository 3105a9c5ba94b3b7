"""Compares parameters with the φ functions of LLVM's ``mem2reg``, function by function, on modules of LLVM IR.

    python benchmarks/mem2reg.py                               # the programs of this project
    python benchmarks/mem2reg.py lua.bc bzip2/*.c r.ll
    python benchmarks/mem2reg.py FOLDER                        # all modules in the folder, such as of rebuild.py

A C or C++ file is compiled with ``clang -O0 -Xclang -disable-O0-optnone`` first; other files are modules. For each file
or folder, or for all files of this project together, the table has the functions, the instructions, the φ functions
after ``opt -passes=mem2reg`` (those that the module had before are counted, too), and our parameters, by strategy, with
and without Algorithm 5. A list of the functions with more parameters than φ functions follows.

The second table is that of Braun et al. (Table 1), with some of their rows: all instructions, of these allocations,
loads and stores, and φ functions, of the module, after ``mem2reg``, and of the module that cpsconv writes with the
marker strategy without Algorithm 5; *ratio* is the quotient of the instructions of the last and the first.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.arguments import names
from cpsconv import convert
from cpsconv.core.construction import STRATEGIES
from cpsconv.core.source import DiagnosticError, Source, read_source
from cpsconv.languages.llvm.module_text import divide
from cpsconv.languages.llvm.normal_form import normal_form
from cpsconv.languages.llvm.writer import module
from cpsconv.languages.ours import expressing
from testing.mem2reg import compared, modules, promoted_by_llvm

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = ("examples", "tests/corpus", "benchmarks")
PAPER = {
    "*paper: bzip2*": [8_605, 4_170, 9, 6_012, 1_227, 359, 5_993, 1_227, 359],
    "*paper: gzip*": [12_038, 5_480, 82, 9_187, 2_117, 594, 9_179, 2_117, 594],
    "*paper: all*": [1_245_933, 549_174, 9_754, 934_392, 208_713, 38_674, 931_865, 208_583, 38_696],
}
"""Rows of the paper's Table 1."""


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    options.add_argument("files", nargs="*", type=Path)
    options.add_argument("--strategies", type=names(STRATEGIES), default=[*STRATEGIES], help="separated by commas")
    options.add_argument("--options", default="", help="further options of clang, such as -g")
    given = options.parse_args()
    own = [each for folder in FOLDERS for each in sorted((ROOT / folder).rglob("*.c"))]
    columns = [f"{strategy}{suffix}" for strategy in given.strategies for suffix in ("", " + 5")]
    print("| module | functions | instructions | φs of mem2reg |", " | ".join(columns), "|")
    print("|---|" + "--:|" * (3 + len(columns)))
    more: list[str] = []
    rows: dict[str, Counter[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for path in given.files or [ROOT]:
            row = rows[path.name] = Counter()
            files = own if path == ROOT else sorted(path.glob("*.bc")) if path.is_dir() else [path]
            for name, module_path in modules(files, Path(folder), given.options.split()):
                row += _row(module_path, name, given.strategies, more)
            _print(path.name, row, columns)
    print("", *more, sep="\n")
    _print_as_in_the_paper(rows)


def _print(name: str, row: Counter[str], columns: Iterable[str]) -> None:
    cells = [f"{row[each]:,}" for each in ("functions", "instructions", "mem2reg", *columns)]
    print("|", name, "|", " | ".join(cells), "|", flush=True)


def _row(path: Path, name: str, strategies: Sequence[str], more: list[str]) -> Counter[str]:
    """The counts for a module. Appends the functions with more parameters, or other instructions, to `more`."""
    source, row = read_source(str(path)), Counter[str]()
    theirs = promoted_by_llvm(path)
    for text, when in ((normal_form(source), "before"), (theirs, "LLVM")):
        row += _opcodes(text, when)
    for strategy, minimal in product(strategies, (False, True)):
        program = convert(source, strategy=strategy, minimal=minimal, certify=strategy == "scc", warn=["no-all"])
        members = [member for function in program.functions for member in function.continuations]
        row[f"{strategy}{' + 5' * minimal}"] = sum(len(member.parameters) for member in members)
        if (strategy, minimal) == ("marker", False):
            row += _opcodes(module(program), "cpsconv")
    found = compared(program, theirs)
    row["functions"] = len(found)
    row["mem2reg"] = sum(each.phis for each in found)
    row["instructions"] = sum(len(member.body) + 1 for member in program.members())
    for each in found:
        if each.parameters > each.phis:
            more.append(f"{name}: {each.name}: {each.parameters} parameters, {each.phis} φ functions")
        if each.lost or each.added:
            more.append(f"{name}: {each.name}: without {dict(each.lost)}, with {dict(each.added)}")
    return row


def _opcodes(text: str, when: str) -> Counter[str]:
    """The instructions, those of memory, and φ functions of a module."""
    blocks = [block for function in divide(Source(when, text)).functions for block in function.blocks]
    found = [line.op for block in blocks for line in block.lines if not line.op.startswith("#")]
    memory = sum(op in ("alloca", "load", "store") for op in found)
    return Counter({f"{when}: #insn": len(found), f"{when}: #mem": memory, f"{when}: #φ": found.count("phi")})


def _print_as_in_the_paper(rows: Mapping[str, Counter[str]]) -> None:
    titles = [f"{when}: {what}" for when in ("before", "LLVM", "cpsconv") for what in ("#insn", "#mem", "#φ")]
    print(f"\n| module | {' | '.join(titles)} | ratio |\n|---|{'--:|' * (len(titles) + 1)}")
    figures = {name: [row[title] for title in titles] for name, row in rows.items()} | PAPER
    for name, row in figures.items():
        cells = [f"{number:,}" for number in row]
        print(f"| {name} | {' | '.join(cells)} | {row[6] / max(row[0], 1):.0%} |")


if __name__ == "__main__":
    with expressing("none"):
        try:
            main()
        except DiagnosticError as failure:
            sys.exit(str(failure))
