"""Compares cpsconv with gcc on generated C programs.

    python benchmarks/fuzz.py --programs 5000 --seed 1
    python benchmarks/fuzz.py --minutes 10
    python benchmarks/fuzz.py --memory
    python benchmarks/fuzz.py --faults

A number determines each program. The program is converted by each strategy, and all engines run the result. It is also
converted without Algorithm 5, with optimisations that depend on its number, and printed and parsed; `machine` and one
other engine run these. Converted programs of equal text run once. Output and exit status must be those of `gcc -O0
-fwrapv`. With `--memory`, the programs use arrays, structs, pointers and so on, and two more conversions are with the
optimisation `memory` alone, and with explicit memory. Three of the five are made beside those by each strategy.

With `--faults`, a fault of memory is planted in each program. Without the fault, all engines must do as gcc. With it,
all engines must stop at the planted access, with the same message: as converted, with the optimisation `memory`, and
with explicit memory. Programs that do not reach the access are counted.

A program that differs is saved, with the expected and the actual result, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import numbered
from cpsconv import Program, pretty
from cpsconv.core.construction.explicit_memory import FORMS
from cpsconv.core.erasure import erased
from cpsconv.engines import ENGINES
from cpsconv.pipeline import OPTIMISATIONS
from testing import fault_runs, gcc
from testing.c_faults import planted
from testing.c_programs import random_program
from testing.expectations import Observation
from testing.running import LAYOUTS, STRATEGIES, converted, observe, reread

T = TypeVar("T")

_MAX_STEPS = 5_000_000

COMPILERS = [engine for engine in ENGINES if engine != "machine"]


@dataclass(frozen=True)
class Difference:
    """A program that does not end as expected; `got` may be a traceback."""

    number: int
    manner: str
    expected: object
    got: object

    def save(self, folder: Path, text: str) -> Path:
        """Write the program, with the difference as a comment before it."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.number}-{self.manner}.c"
        findings = f"{self.manner}\nexpected: {self.expected}\ngot: {self.got}"
        comment = "".join(f"// {line}\n" for line in findings.splitlines())
        path.write_text(comment + text)
        return path


@dataclass(frozen=True)
class Batch:
    """The ends of several programs under gcc, and the differences."""

    ends: list[str]
    differences: list[Difference]


Manner = tuple[str, Callable[[], Program]]
"""A way to convert a program, and its name."""


def strategies(text: str) -> Iterator[Manner]:
    """The conversions by each strategy."""
    for strategy in STRATEGIES:
        yield strategy, partial(converted, text, strategy)


def variants(text: str, number: int, memory: bool) -> list[Manner]:
    """Other conversions of the program of that number, by the strategy of the number."""
    strategy = STRATEGIES[number % len(STRATEGIES)]
    layout = LAYOUTS[number % len(LAYOUTS)]
    convert = partial(converted, text, strategy)
    switches = [name for bit, name in enumerate(OPTIMISATIONS) if number % 7 == 0 or number >> bit & 1]
    result: list[Manner] = [
        (f"{strategy}-not-minimal", partial(convert, minimal=False)),
        (f"{strategy}-optimised", partial(convert, optimise=switches, thread_jumps=number % 2 == 0)),
        (f"{strategy}-{layout}-text", lambda: reread(convert(certify=True), layout)),
    ]
    if not memory:
        return result
    form = FORMS[number % len(FORMS)]
    result.append((f"{strategy}-memory-optimised", partial(convert, optimise=["memory"])))
    result.append((f"{strategy}-explicit-{form}", lambda: erased(convert(explicit_memory=form, certify=True))))
    return [result[(number + step) % len(result)] for step in range(3)]


def differences(text: str, number: int, memory: bool, expected: Observation) -> Iterator[Difference]:
    """The differences between gcc's result and those of the converted programs. Equal programs run once."""
    run: set[str] = set()
    some = ("machine", COMPILERS[number % len(COMPILERS)])
    for manners, engines in ((strategies(text), tuple(ENGINES)), (variants(text, number, memory), some)):
        for manner, convert in manners:
            program = _caught(convert)
            if isinstance(program, str):
                yield Difference(number, manner, expected, program)
            elif (printed := pretty(program)) not in run:
                run.add(printed)
                for engine in engines:
                    got = _caught(partial(observe, program, max_steps=_MAX_STEPS, engine=engine))
                    if got != expected:
                        yield Difference(number, f"{manner}-{engine}", expected, got)


def compare(memory: bool, numbers: list[int]) -> Batch:
    """Run the programs of these numbers in every manner."""
    texts = [random_program(number, memory=memory) for number in numbers]
    found: list[Difference] = []
    expectations = _expected(texts)
    for number, text, expected in zip(numbers, texts, expectations, strict=True):
        found += differences(text, number, memory, expected)
    return Batch([_status(expected) for expected in expectations], found)


def compare_faults(numbers: list[int]) -> Batch:
    """Run the programs of these numbers with a planted fault, and without it."""
    programs = [planted(number) for number in numbers]
    expectations = _expected([program.sound for program in programs])
    found: list[Difference] = []
    for number, program, expected in zip(numbers, programs, expectations, strict=True):
        surprises = _caught(lambda: [*fault_runs.surprises(number, program, expected)])  # noqa: B023
        if isinstance(surprises, str):
            found.append(Difference(number, "exception", expected, surprises))
        else:
            found += [Difference(number, each.manner, each.expected, each.got) for each in surprises]
    return Batch([fault_runs.is_reached(expected) for expected in expectations], found)


def _expected(texts: list[str]) -> list[Observation]:
    """What the programs do under gcc."""
    with tempfile.TemporaryDirectory() as folder:
        return gcc.observe_all(texts, Path(folder), "-w")


def _status(end: Observation) -> str:
    return end.status if isinstance(end.status, str) else "0" if end.status == 0 else "other"


def _caught(run: Callable[[], T]) -> T | str:
    """The result, or the traceback of the exception, which is a difference, too."""
    try:
        return run()
    except Exception:
        return traceback.format_exc()


def main() -> int:
    """Run the command. Returns the exit status."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbered.add_options(parser, "programs", 5000, first=1)
    parser.add_argument("--save", type=Path, default=Path("fuzz-findings"), help="folder for programs that differ")
    parser.add_argument("--memory", action="store_true", help="let the programs use objects in memory")
    parser.add_argument("--faults", action="store_true", help="plant a fault of memory in each program")
    options = parser.parse_args()
    if gcc.GCC is None:
        parser.error("gcc is not installed")
    if options.faults:
        return report(numbered.results(compare_faults, options), options.save, lambda number: planted(number).faulty)
    results = numbered.results(partial(compare, options.memory), options)
    return report(results, options.save, partial(random_program, memory=options.memory))


def report(results: Iterator[Batch], folder: Path, text_of: Callable[[int], str]) -> int:
    """Print the differences, the progress, and the sums. Returns the exit status."""
    start = time.monotonic()
    ends: Counter[str] = Counter()
    programs = differences = 0
    for batch in results:
        programs += len(batch.ends)
        ends.update(batch.ends)
        for difference in batch.differences:
            differences += 1
            numbered.show("")
            path = difference.save(folder, text_of(difference.number))
            print(f"{difference.number} differs ({difference.manner}): {path}")
        numbered.show(f"{programs} programs, {differences} differences, {time.monotonic() - start:.0f} s")
    numbered.show("")
    shown = ", ".join(f"{end}: {number}" for end, number in sorted(ends.items()))
    print(f"{programs} programs, {differences} differences, {time.monotonic() - start:.0f} s\nends: {shown}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
