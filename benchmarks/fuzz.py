"""Compares cpsconv with gcc on generated C programs.

    python benchmarks/fuzz.py --programs 5000 --seed 1
    python benchmarks/fuzz.py --minutes 10
    python benchmarks/fuzz.py --memory

A number determines each program. The program is converted by each strategy, and all engines run the result. It is also
converted without Algorithm 5, with optimisations that depend on its number, and printed and parsed; `machine` and one
other engine run these. Converted programs of equal text run once. Output and exit status must be those of `gcc -O0
-fwrapv`. With `--memory`, the programs use arrays, structs, pointers and so on, and are also converted with the
optimisation `memory` alone and with explicit memory. A program for which the results differ is saved, with the expected
and the actual result, and the exit status is 1.
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
from cpsconv.construction.explicit_memory import FORMS
from cpsconv.engines import ENGINES
from cpsconv.erasure import erased
from cpsconv.pipeline import OPTIMISATIONS
from tests import gcc
from tests.c_programs import random_program
from tests.expectations import Observation
from tests.running import LAYOUTS, STRATEGIES, converted, observe, reread

T = TypeVar("T")

_MAX_STEPS = 5_000_000

COMPILERS = [engine for engine in ENGINES if engine != "machine"]


@dataclass(frozen=True)
class Difference:
    """A program that differs from gcc's; `got` may be a traceback."""

    number: int
    manner: str
    expected: Observation
    got: Observation | str

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
    """The exit statuses of several programs under gcc, and the differences."""

    statuses: list[object]
    differences: list[Difference]


Manner = tuple[str, Callable[[], Program]]
"""A way to convert a program, and its name."""


def strategies(text: str) -> Iterator[Manner]:
    """The conversions by each strategy."""
    for strategy in STRATEGIES:
        yield strategy, partial(converted, text, strategy)


def variants(text: str, number: int, memory: bool) -> Iterator[Manner]:
    """Other conversions of the program of that number, by the strategy of the number."""
    strategy = STRATEGIES[number % len(STRATEGIES)]
    layout = LAYOUTS[number % len(LAYOUTS)]
    convert = partial(converted, text, strategy)
    yield f"{strategy}-not-minimal", partial(convert, minimal=False)
    switches = [name for bit, name in enumerate(OPTIMISATIONS) if number % 7 == 0 or number >> bit & 1]
    yield f"{strategy}-optimised", partial(convert, optimise=switches, thread_jumps=number % 2 == 0)
    yield f"{strategy}-{layout}-text", lambda: reread(convert(certify=True), layout)
    if memory:
        yield f"{strategy}-memory-optimised", partial(convert, optimise=["memory"])
        kind = FORMS[number % len(FORMS)]
        yield f"{strategy}-explicit-{kind}", lambda: erased(convert(explicit_memory=kind, certify=True))


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
    with tempfile.TemporaryDirectory() as folder:
        expectations = gcc.observe_all(texts, Path(folder), "-w")
    found: list[Difference] = []
    for number, text, expected in zip(numbers, texts, expectations, strict=True):
        found += differences(text, number, memory, expected)
    return Batch([expected.status for expected in expectations], found)


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
    options = parser.parse_args()
    if gcc.GCC is None:
        parser.error("gcc is not installed")
    results = numbered.results(partial(compare, options.memory), options)
    return report(results, options.save, partial(random_program, memory=options.memory))


def _show(progress: str) -> None:
    """Replace the line on the terminal that shows the progress."""
    if sys.stderr.isatty():
        print(f"\r{progress}\x1b[K", end="", file=sys.stderr, flush=True)


def report(results: Iterator[Batch], folder: Path, text_of: Callable[[int], str]) -> int:
    """Print the differences, the progress, and the sums. Returns the exit status."""
    start = time.monotonic()
    ends: Counter[str] = Counter()
    programs = differences = 0
    for batch in results:
        programs += len(batch.statuses)
        ends.update(status if isinstance(status, str) else "0" if status == 0 else "other" for status in batch.statuses)
        for difference in batch.differences:
            differences += 1
            _show("")
            path = difference.save(folder, text_of(difference.number))
            print(f"{difference.number} differs ({difference.manner}): {path}")
        _show(f"{programs} programs, {differences} differences, {time.monotonic() - start:.0f} s")
    _show("")
    shown = ", ".join(f"{status}: {number}" for status, number in sorted(ends.items()))
    print(f"{programs} programs, {differences} differences, {time.monotonic() - start:.0f} s\nexit statuses: {shown}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main())
