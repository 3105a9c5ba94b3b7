"""Runs generated JavaScript programs in Node, as they are and as emitted.

    python benchmarks/javascript_programs.py                           # 2,000 programs
    python benchmarks/javascript_programs.py --programs 100 --seed 5000 --jobs 1

Half of the programs are those of `testing.javascript_programs`, half those of `testing.javascript_effects`. Each is
emitted with one of the strategies, with `-O`, and with functions in place of loops, and must log the same in all
forms. One process of Node runs a batch of programs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import numbered
from cpsconv import Source, convert
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.targets import TARGETS, Style
from testing.javascript import logged
from testing.javascript_effects import EffectProgram
from testing.javascript_programs import Program
from testing.running import STRATEGIES


def main() -> int:
    """Print the programs that differ, the progress, and the sum. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbered.add_options(parser, "programs", 2_000)
    programs = differences = 0
    for batch in numbered.results(differing, parser.parse_args()):
        for number, different in batch.items():
            programs += 1
            differences += bool(different)
            if different:
                numbered.show("")
                print(f"{number} differs: {', '.join(different)}", flush=True)
        numbered.show(f"{programs} programs, {differences} differences")
    numbered.show("")
    print(f"{programs} programs, {differences} differences")
    return 1 if differences else 0


def program(number: int) -> str:
    """The program of a number."""
    return (EffectProgram if number % 2 else Program)(Random(number)).text()


def forms(number: int, text: str) -> dict[str, str]:
    """The emitted texts of a program, by name."""
    source, write = Source("program.js", text), TARGETS["javascript"]
    strategy = STRATEGIES[number // 2 % len(STRATEGIES)]
    plain = convert(source, strategy=strategy)
    optimised = convert(source, optimise=OPTIMISATIONS)
    return {
        strategy: write(plain, Style()),
        "-O": write(optimised, Style(functional=number // 2 % 2 == 1)),
        "--functional": write(plain, Style(functional=True)),
    }


def differing(numbers: Sequence[int]) -> dict[int, list[str]]:
    """For each program, the forms in which it logs something else."""
    texts = {number: program(number) for number in numbers}
    emitted = {(number, form): text for number in numbers for form, text in forms(number, texts[number]).items()}
    logs = logged([*texts.values(), *emitted.values()])
    expected = dict(zip(texts, logs, strict=False))
    different: dict[int, list[str]] = {number: [] for number in numbers}
    for (number, form), log in zip(emitted, logs[len(texts) :], strict=True):
        if log != expected[number]:
            different[number].append(form)
    return different


if __name__ == "__main__":
    sys.exit(main())
