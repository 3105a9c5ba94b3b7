"""Runs generated JavaScript programs in Node, as they are and as emitted.

    python benchmarks/javascript_programs.py                           # 2,000 programs
    python benchmarks/javascript_programs.py --count 100 --first 5000

Half of the programs are those of `testing.javascript_programs`, half those of `testing.javascript_effects`. Each is
emitted with one of the strategies, with `-O`, and with functions in place of loops, and must log the same in all
forms. One process of Node runs hundreds of programs. The numbers of programs that differ follow.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cpsconv import Source, convert
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.targets import TARGETS, Style
from testing.javascript import logged
from testing.javascript_effects import EffectProgram
from testing.javascript_programs import Program
from testing.running import STRATEGIES

_BATCH = 200


def main() -> None:
    """Print how many programs agree in all forms, and those that differ."""
    options = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    options.add_argument("--count", type=int, default=2_000)
    options.add_argument("--first", type=int, default=0)
    given = options.parse_args()
    numbers = range(given.first, given.first + given.count)
    different = set[int]()
    for start in range(0, given.count, _BATCH):
        for number, form in differing(numbers[start : start + _BATCH]):
            print(f"{number}: the form {form} differs", flush=True)
            different.add(number)
    print(f"{given.count - len(different)} of {given.count} programs agree")


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


def differing(numbers: Sequence[int]) -> Iterator[tuple[int, str]]:
    """The numbers of the programs that log something else, and the form in which they do."""
    texts = {number: program(number) for number in numbers}
    emitted = {(number, form): text for number in numbers for form, text in forms(number, texts[number]).items()}
    logs = logged([*texts.values(), *emitted.values()])
    expected = dict(zip(texts, logs, strict=False))
    found = zip(emitted, logs[len(texts) :], strict=True)
    return (key for key, log in found if log != expected[key[0]])


if __name__ == "__main__":
    main()
