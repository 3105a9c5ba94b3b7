"""Runs emitted programs with the implementations of their languages, or by our engines.

    python benchmarks/targets.py scheme --programs 300 --seed 1
    python benchmarks/targets.py c --programs 300 --memory
    python benchmarks/targets.py engine-python --programs 300

First every program of `examples/` and `tests/corpus/`, of which output and exit status must be what its comments say;
then C programs that are generated from numbers, and CPS programs with continuations as values, which must do what our
evaluator says, unless the target refuses them. With `--memory`, only generated C programs that use arrays, structs,
pointers and so on. Each comes from another strategy, with and without optimisations. What differs is shown, and the
command ends with status 1.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cpsconv import Program
from cpsconv.core.source import DiagnosticError
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.targets.c import c
from testing import gcc, native
from testing.c_programs import random_program
from testing.expectations import CORPUS, EXAMPLES, Observation, expected_runs
from testing.functional_targets import HASKELL_COMPILED, LANGUAGES, SCHEME_COMPILED
from testing.running import STRATEGIES, converted, observe, programs_to_run

Judge = Callable[[Program, Path, Sequence[str]], Observation]


def _by_gcc(program: Program, folder: Path, arguments: Sequence[str]) -> Observation:
    return gcc.observe(gcc.compile_c(gcc.with_main(c(program), arguments), folder, "-w"))


TARGETS: dict[str, Judge] = {
    **{language.name: language.observe for language in [*LANGUAGES, SCHEME_COMPILED, HASKELL_COMPILED]},
    "c": _by_gcc,
    "llvm": lambda program, folder, arguments: native.observe_all([(program, arguments)])[0],
    "engine-python": lambda program, folder, arguments: observe(program, arguments, engine="python"),
    "engine-llvm": lambda program, folder, arguments: observe(program, arguments, engine="llvm"),
}

_WITHOUT_NANS = {language.name for language in [*LANGUAGES, SCHEME_COMPILED] if not language.distinguishes_nans}


def _tells(target: str, expected: Observation) -> bool:
    """Whether a target can show that: C does not know what it means to use a variable without a value."""
    if target in _WITHOUT_NANS and "nan" in expected.output.lower():
        return False
    return target != "c" or expected.status != "error"


Case = tuple[str, Program, Sequence[str], Observation]


def converted_somehow(text: str, number: int) -> Program:
    """The program, converted in a manner that depends on the number."""
    strategy = STRATEGIES[number % len(STRATEGIES)]
    return converted(text, strategy, minimal=number % 5 > 0, optimise=OPTIMISATIONS if number % 2 else [])


def corpus() -> Iterator[Case]:
    """Each run of each program that says what to expect."""
    for number, path in enumerate([*EXAMPLES, *CORPUS]):
        text = path.read_text()
        for run in expected_runs(text):
            yield f"{path.stem} {' '.join(run.arguments)}", converted_somehow(text, number), run.arguments, run.expected


def generated(first: int, count: int) -> Iterator[Case]:
    """Programs from C, and from CPS."""
    for number in range(first, first + count):
        program = converted_somehow(random_program(number), number)
        yield f"C program {number}", program, (), observe(program)
        for started, arguments in programs_to_run([number]):
            yield f"CPS program {number}", started, arguments, observe(started, arguments)


def with_memory(first: int, count: int) -> Iterator[Case]:
    """C programs that use memory."""
    for number in range(first, first + count):
        program = converted_somehow(random_program(number, memory=True), number)
        yield f"C program {number}", program, (), observe(program)


def main() -> int:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", choices=TARGETS)
    parser.add_argument("--programs", type=int, default=100, help="how many numbers to generate programs from")
    parser.add_argument("--seed", type=int, default=1, help="the first number")
    parser.add_argument("--memory", action="store_true", help="only generated programs that use memory")
    given = parser.parse_args()
    numbers = given.seed, given.programs
    cases = with_memory(*numbers) if given.memory else chain(corpus(), generated(*numbers))
    runs = differences = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, program, arguments, expected in cases:
            if not _tells(given.target, expected):
                continue
            try:
                got: object = TARGETS[given.target](program, Path(folder), arguments)
            except subprocess.TimeoutExpired:
                got = "nothing in time"
            except DiagnosticError:
                continue
            runs += 1
            if got != expected:
                differences += 1
                print(f"{name}\n  expected {expected}\n  got      {got}")
    print(f"{runs} runs, {differences} differences")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
