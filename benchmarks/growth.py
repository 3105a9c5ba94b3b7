"""Measures the growth of each stage's time with the size of the input.

    python benchmarks/growth.py
    python benchmarks/growth.py --shapes ifs,calls --sizes 6250,25000,100000 --strategies scc

For each shape of `benchmarks/shapes.py` and each strategy, prints a row of a Markdown table: the time of every stage
for the largest size, and in brackets the exponent of its growth between the smallest and the largest (1 is
proportional). Time is that of the processor, so that other programs matter little. What is printed and parsed back must
print the same again, and its run is judged by gcc; where that gives up, by the first strategy.
"""

from __future__ import annotations

import argparse
import gc
import math
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.arguments import names, numbers
from benchmarks.shapes import MEMORY, SHAPES, Shape
from cpsconv import Builder, Source, parse, pretty
from cpsconv.core.check import certify, check
from cpsconv.core.construction.record import Recorder
from cpsconv.languages.c.lowering import lower
from cpsconv.languages.c.meaning import typed
from cpsconv.languages.c.syntax import parse as parse_c
from cpsconv.pipeline import construct
from testing import gcc
from testing.expectations import Observation
from testing.running import observe

STRATEGIES = ("basic", "marker", "scc")  # without `paper`, which takes quadratic time on nested loops
T = TypeVar("T")


class Stopwatch:
    """The seconds that each stage took, by its name."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    def time(self, stage: str, work: Callable[[], T]) -> T:
        """Do the work and note how long it took. Garbage of earlier stages is not counted."""
        gc.collect()
        start = time.process_time()
        result = work()
        self.seconds[stage] = time.process_time() - start
        return result


@dataclass(frozen=True)
class Measurement:
    """The seconds of each stage for a C program, and what it did in the end."""

    seconds: dict[str, float]
    observed: Observation


def measure(text: str, strategy: str) -> Measurement:
    """Take a C program through all stages: it is run as it was parsed back."""
    watch = Stopwatch()
    tree = watch.time("parse", lambda: parse_c(Source("program.c", text)))
    unit = watch.time("type", lambda: typed(tree))
    program = watch.time("construct", lambda: construct(partial(lower, unit), Builder(strategy), []))
    assert not watch.time("check", lambda: check(program))
    recorder = Recorder()
    recorded = construct(partial(lower, unit), Builder(strategy, observer=recorder), [])
    assert not watch.time("certify", lambda: certify(recorded, recorder.record))
    printed = watch.time("print", lambda: pretty(program))
    again = watch.time("parse back", lambda: parse(Source("program.cps", printed)))
    observed = watch.time("run", lambda: observe(again))
    assert pretty(again) == printed
    return Measurement(watch.seconds, observed)


class Judge:
    """Compares the results of a program with gcc, or else those of the strategies with each other."""

    def __init__(self, text: str) -> None:
        self.by_gcc = self._expected = _observed_by_gcc(text)

    def check(self, observed: Observation) -> None:
        """End the command if that is not what the program does."""
        self._expected = self._expected or observed
        if observed != self._expected:
            sys.exit(f"wrong answer: {observed} instead of {self._expected}")


def _observed_by_gcc(text: str) -> Observation | None:
    """The result of the program under gcc; None if gcc is missing, or the program too large for it."""
    if gcc.GCC is None:
        return None
    with tempfile.TemporaryDirectory() as folder:
        try:
            return gcc.observe(gcc.compile_c(text, Path(folder), "-w"))
        except subprocess.CalledProcessError:
            return None


def rows(shapes: dict[str, Shape], strategies: list[str], sizes: list[int], repeat: int) -> Iterator[list[str]]:
    """The rows of the table, its head first."""
    for index, (name, shape) in enumerate(shapes.items()):
        texts = [shape(size) for size in sizes]
        judges = [Judge(text) for text in texts]
        for strategy in strategies:
            measured = [_least(text, strategy, repeat, judge) for text, judge in zip(texts, judges, strict=True)]
            if index == 0 and strategy == strategies[0]:
                yield ["shape", "strategy", *measured[0], "answers as"]
            cells = [_cell([seconds[stage] for seconds in measured], sizes) for stage in measured[0]]
            yield [name, strategy, *cells, "gcc" if all(judge.by_gcc for judge in judges) else strategies[0]]


def _least(text: str, strategy: str, repeat: int, judge: Judge) -> dict[str, float]:
    """The least seconds of each stage over several measurements: the one that was disturbed least."""
    measured = [measure(text, strategy) for _ in range(repeat)]
    for each in measured:
        judge.check(each.observed)
    return {stage: min(each.seconds[stage] for each in measured) for stage in measured[0].seconds}


def _cell(seconds: list[float], sizes: list[int]) -> str:
    growth = math.log(seconds[-1] / seconds[0]) / math.log(sizes[-1] / sizes[0])
    return f"{seconds[-1]:.2f} s ({growth:.2f})"


def main() -> None:
    """Run the command."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--shapes",
        type=names(SHAPES | MEMORY),
        default=",".join(SHAPES),
        help=f"which shapes, with commas between them (all, and of those with memory {', '.join(MEMORY)})",
    )
    parser.add_argument(
        "--strategies", type=names(STRATEGIES), default=",".join(STRATEGIES), help="which strategies (all)"
    )
    parser.add_argument("--sizes", type=numbers, default="625,2500,10000", help="the sizes n (625,2500,10000)")
    parser.add_argument("--repeat", type=int, default=1, help="measure so many times and take the least (1)")
    options = parser.parse_args()
    sizes = options.sizes
    shapes = {name: (SHAPES | MEMORY)[name] for name in options.shapes}
    gc.set_threshold(500_000)  # as the command line does
    print(f"n = {', '.join(f'{size:,}' for size in sizes)}\n")
    measure(SHAPES["ifs"](10), "scc")  # reads the grammars
    for number, row in enumerate(rows(shapes, options.strategies, sizes, options.repeat)):
        print(f"| {' | '.join(row)} |", flush=True)
        if number == 0:
            print("|" + "---|" * len(row), flush=True)


if __name__ == "__main__":
    main()
