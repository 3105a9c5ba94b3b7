"""Runs programs as converted with combinations of optimisations, explicit memory and threaded jumps.

    python benchmarks/combinations.py
    python benchmarks/combinations.py tests/c_library --engine llvm --sets 1
    python benchmarks/combinations.py PATH... --sets 0 --seconds 2

The sets of optimisations are none, all, each one, and each pair (``--sets 2``, the default), or fewer of them. Each
set is combined with each form of explicit memory, and with and without threaded jumps. What a program of `examples/`
and `tests/corpus/` does must be what its comments say, any other C program in a file or folder must do what gcc's does.
Programs that the plain conversion refuses, or that the machine does not run alike in time, are left out: other
benchmarks are about them. A conversion with the same text as an earlier one of the program is not run again.

The command lists each wrong result, prints the counts of each path, and ends with status 1 if a result is wrong.
"""

from __future__ import annotations

import argparse
import io
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache, partial
from itertools import combinations, product
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cpsconv import Program, Source, convert, pipeline, pretty
from cpsconv.core.entry import entry_of
from cpsconv.core.erasure import erased
from cpsconv.core.operations.runtime_errors import TimeLimit
from cpsconv.core.source import DiagnosticError
from cpsconv.engines import ENGINES, EngineName
from cpsconv.engines.machine.system import Access, granting
from cpsconv.engines.processes import within_time
from cpsconv.languages import read
from cpsconv.pipeline import OPTIMISATIONS
from testing import gcc
from testing.expectations import CORPUS, EXAMPLES, ROOT, Observation, Run, expected_runs
from testing.language_programs import PROGRAMS
from testing.running import observe

FOLDERS = ["examples", "tests/corpus", "tests/c_library"]
COLUMNS = ("left out", "programs", "conversions", "refused", "distinct", "runs", "wrong")

_OWN = {*EXAMPLES, *CORPUS}
_OTHERS = {program.path: program for program in PROGRAMS}
_INPUT = re.compile("^// input: (.*)$", re.MULTILINE)


class Conversion(NamedTuple):
    """Options of `convert`."""

    optimise: Sequence[str]
    explicit_memory: str | None
    thread_jumps: bool


class Case(NamedTuple):
    """A program, its standard input and its runs. The arguments of a run depend on the function that it starts."""

    source: Source
    given: bytes
    runs: Sequence[Run]

    def arguments(self, program: Program, run: Run) -> Sequence[str]:
        """The arguments of the run."""
        other = _OTHERS.get(Path(self.source.name))
        return other.arguments(run, entry_of(program)) if other else run.arguments

    def converted(self, conversion: Conversion) -> Program:
        """The program to run. Raises `DiagnosticError` if it is refused."""
        return erased(convert(self.source, **conversion._asdict()))


def conversions(most: int) -> list[Conversion]:
    """All conversions, the plain one first, with the optimisations alone, up to so many together, and all."""
    sets = [each for number in range(most + 1) for each in combinations(OPTIMISATIONS, number)]
    return [Conversion(*row) for row in product([*sets, tuple(OPTIMISATIONS)], (None, "one", "objects"), (False, True))]


def case_of(path: Path, engine: EngineName, seconds: float) -> Case | None:
    """The program of a file, with what it does by its comments or by gcc.

    None if this is unknown, or the engine refuses the program.
    """
    text = path.read_text("utf-8" if path in _OWN or path in _OTHERS else "latin-1")
    source = Source(str(path), text)
    if other := _OTHERS.get(path):
        return None if f"engine-{engine}" in other.refused else Case(source, b"", other.runs)
    if path in _OWN:
        return Case(source, b"", expected_runs(text))
    given = "".join(_INPUT.findall(text)).replace("\\n", "\n").encode()
    with tempfile.TemporaryDirectory() as folder:
        try:
            executable = gcc.compile_c(text, Path(folder), "-w", "-fno-builtin", f"-I{path.parent}")
            expected = gcc.observe(executable, given=given, seconds=seconds)
        except (subprocess.SubprocessError, KeyError):
            return None
    return Case(source, given, [Run((), expected)])


def end_of(case: Case, program: Program, run: Run, engine: EngineName, seconds: float) -> object:
    """What the run does, or the exception that ends it."""

    def call(*_: object) -> Observation:
        with granting(Access(io.BytesIO(case.given))):
            return observe(program, case.arguments(program, run), engine=engine)

    try:
        return within_time(call, [], seconds)
    except TimeLimit:
        return "nothing in time"
    except Exception as failure:  # to be listed
        return f"{type(failure).__name__}: {failure}"


def counts_of(path: Path, engine: EngineName, most: int, seconds: float) -> Counter[str]:
    """The counts of the columns for one program; wrong results are printed."""
    end = partial(end_of, engine=engine, seconds=20 * seconds)
    plain, *others = conversions(most)
    case = case_of(path, engine, seconds)
    try:
        program = case.converted(plain) if case else None
    except DiagnosticError:
        program = None
    if case is None or program is None:
        return Counter({"left out": 1})
    if any(end(case, program, run) != run.expected for run in case.runs):
        if path in _OWN or path in _OTHERS:
            print(f"{path}: the plain conversion is wrong", flush=True)
        return Counter({"left out": 1})
    counts = Counter({"programs": 1, "conversions": 1, "distinct": 1, "runs": len(case.runs)})
    seen = {pretty(program)}
    for conversion in others:
        try:
            program = case.converted(conversion)
        except DiagnosticError as refusal:
            if is_expected(refusal):
                counts["refused"] += 1
            else:
                counts["wrong"] += 1
                print(f"{path}: {conversion}\n  {refusal}", flush=True)
            continue
        counts["conversions"] += 1
        text = pretty(program)
        if text in seen:
            continue
        seen.add(text)
        counts["distinct"] += 1
        for run in case.runs:
            counts["runs"] += 1
            found = end(case, program, run)
            if found != run.expected:
                counts["wrong"] += 1
                print(f"{path} {run.arguments}: {conversion}\n  {run.expected}\n  {found}", flush=True)
    return counts


def is_expected(refusal: DiagnosticError) -> bool:
    """Whether the conversion may refuse the program: the memory of one with jumps of C, or CPS text."""
    return all(each.rule in ("not-expressible", "language") for each in refusal.diagnostics)


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=[ROOT / each for each in FOLDERS], metavar="PATH")
    parser.add_argument("--engine", choices=ENGINES, default="machine", help="the engine (machine)")
    parser.add_argument("--sets", type=int, default=2, help="most optimisations in a set, apart from all (2)")
    parser.add_argument("--seconds", type=float, default=5, help="time of a program of gcc (5); of a run: 20 times")
    parser.add_argument("--jobs", type=int, default=1, help="number of processes (1)")
    options = parser.parse_args()
    vars(pipeline)["read"] = lru_cache(maxsize=2)(read)  # all conversions of a program share its syntax tree
    count = partial(counts_of, engine=options.engine, most=options.sets, seconds=options.seconds)
    print(f"| path | {' | '.join(COLUMNS)} |\n|---|{'--:|' * len(COLUMNS)}", flush=True)
    total: Counter[str] = Counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        for folder in options.folders:
            counts = sum(pool.map(count, programs(folder)), Counter[str]())
            print(f"| {folder.name} | {' | '.join(str(counts[column]) for column in COLUMNS)} |", flush=True)
            total += counts
    return 1 if total["wrong"] else 0


def programs(folder: Path) -> list[Path]:
    """The programs below a folder, or in a file: those with notes, and C programs with a `main`."""
    given = folder.resolve()
    found = [given] if given.is_file() else sorted(path for path in given.rglob("*") if path.is_file())
    return [path for path in found if path in _OWN or path in _OTHERS or _is_c_program(path)]


def _is_c_program(path: Path) -> bool:
    return path.suffix == ".c" and "main" in path.read_text("latin-1")


if __name__ == "__main__":
    sys.exit(main())
