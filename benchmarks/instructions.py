"""Counts the instructions of construction: the paper's Table 2, for our constructions.

    python benchmarks/instructions.py
    python benchmarks/instructions.py --subjects "ladder 1000,corpus" --strategies marker,cytron

Prints a row of a Markdown table for each subject (see `benchmarks/subjects.py`): the instructions that the processor
executes for each block, from the parsed source to the finished program, minimisation apart. Valgrind's tool callgrind
counts them. The count hardly differs from run to run, whatever else the machine does. `nothing` builds the same graph
with all variables undefined: what that takes is not due to placing parameters. In brackets, for every strategy, what it
takes in relation to `cytron`: first as in the paper, all of it, then without what `nothing` takes.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.arguments import names
from benchmarks.subjects import Subject, subject, subjects
from cpsconv import Builder
from cpsconv.core.construction import Block, Variable
from cpsconv.core.construction.placement import Placement
from cpsconv.core.ir import Value
from cpsconv.lab.baselines import CONSTRUCTIONS

SUBJECTS = "ladder 250,ifs 100,nested_loops 100,mesh 50,cases 100,straight 250,variables 100,late_reads 50,corpus"
SUBJECTS += ",random 20"
NOTHING = "nothing"
BASELINE = "cytron"

announce = os.getppid
"""Whenever this is called, callgrind writes down what it has counted and starts again. Nobody else calls it."""


class _Nothing(Placement):
    """Places nothing: every variable is undefined."""

    def read(self, variable: Variable, block: Block) -> Value:
        return self.undef(variable)

    look_up = read

    def seal(self, block: Block) -> None:
        block.sealed = True


class _BuilderOfNothing(Builder):
    def _new_placement(self) -> Placement:
        return _Nothing()


def builder(strategy: str) -> Builder:
    """A Builder for a strategy, or for `NOTHING`."""
    return _BuilderOfNothing() if strategy == NOTHING else Builder(strategy)


def work(subjects: Sequence[str], strategies: Sequence[str]) -> None:
    """What is counted: each subject by each strategy, between two announcements."""
    gc.disable()
    for each in map(subject, subjects):
        for strategy in strategies:
            for unit in each.units:
                unit(builder(strategy), [])  # so that tables are filled, and modules loaded
            gc.collect()
            announce()
            for unit in each.units:
                unit(builder(strategy), [])
            announce()
            gc.collect()


def count(subjects: Sequence[Subject], strategies: Sequence[str]) -> Iterator[list[int]]:
    """For each subject the instructions that each strategy takes."""
    with tempfile.TemporaryDirectory() as folder:
        task, counts = Path(folder) / "task", Path(folder) / "counts"
        task.write_text(json.dumps([[each.name for each in subjects], strategies]))
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", "--dump-before=getppid"]
        command = [*valgrind, sys.executable, __file__, "--work", str(task)]
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": "0"}, check=True, capture_output=True)
        for row in range(len(subjects)):
            parts = [2 * (row * len(strategies) + column) + 2 for column in range(len(strategies))]
            yield [_total(counts.with_suffix(f".{part}")) for part in parts]


def _total(counts: Path) -> int:
    found = re.search(r"^totals: (\d+)", counts.read_text(), re.MULTILINE)
    assert found
    return int(found[1])


def main() -> None:
    """Run the command."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--subjects", type=subjects, default=SUBJECTS, help=f"which, with commas between them ({SUBJECTS})"
    )
    parser.add_argument(
        "--strategies",
        type=names(CONSTRUCTIONS),
        default="basic,marker,scc",
        help="which besides cytron (basic,marker,scc)",
    )
    parser.add_argument("--work", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.work:
        work(*json.loads(options.work.read_text()))
        return
    if shutil.which("valgrind") is None:
        sys.exit("valgrind, which counts the instructions, is not installed")
    strategies = [NOTHING, BASELINE, *options.strategies]
    programs = [subject(name) for name in options.subjects]
    print(f"| program | blocks | {' | '.join(strategies)} |\n|---|{'--:|' * (len(strategies) + 1)}")
    for each, counts in zip(programs, count(programs, strategies), strict=True):
        nothing, baseline, *others = counts
        blocks = each.blocks()
        cells = [f"{figure / blocks:,.0f}" for figure in counts]
        for column, figure in enumerate(others, start=2):
            cells[column] += f" ({figure / baseline:.2f}, {(figure - nothing) / (baseline - nothing):.2f})"
        print(f"| {each.name} | {blocks:,} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
