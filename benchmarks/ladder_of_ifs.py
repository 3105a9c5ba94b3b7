"""Converts the program on which the verified construction was measured: an assignment, n `if`s, and a use (Ullrich
2013, section 7, figure 11).

    python benchmarks/ladder_of_ifs.py

For each n: the times of the thesis, in seconds, of its first and its better implementation; here, the time of the
conversion from text to CPS program, the smallest of ten; and the visits of look-ups, which no machine changes.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from time import perf_counter

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cpsconv import Source, convert

PUBLISHED = {
    7: ("0.223", "0.021"),
    8: ("0.497", "0.031"),
    9: ("1.179", "0.047"),
    10: ("2.799", "0.061"),
    11: ("6.483", "0.098"),
    20: ("–", "0.637"),
    30: ("–", "3.138"),
    40: ("–", "10.375"),
}
"""The times of figure 11, on a Core i5-3320M with 2.6 GHz, in Isabelle/ML."""


def ladder(count: int) -> Source:
    """The program with `count` ``if``s."""
    return Source("ladder.while", f"x := f;\n{'if (x > 1) {} else {};' * count}\ny := x\n")


def measured(count: int, strategy: str) -> tuple[float, int]:
    """The smallest time of a conversion, in seconds, and the number of look-ups."""
    times = []
    for _ in range(10):
        start = perf_counter()
        program = convert(ladder(count), strategy=strategy)
        times.append(perf_counter() - start)
    return min(times), sum(counts.lookups for counts in program.counts.values())


def main() -> None:
    """Run the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--strategy", default="basic", help="the strategy (default: basic, the one that is verified)")
    given = parser.parse_args()
    print("| n | thesis, first (s) | thesis, better (s) | cpsconv (s) | look-ups |\n|--:|--:|--:|--:|--:|")
    for count in [*PUBLISHED, 1_000, 10_000]:
        seconds, lookups = measured(count, given.strategy)
        first, better = PUBLISHED.get(count, ("–", "–"))
        print(f"| {count:,} | {first} | {better} | {seconds:.4f} | {lookups:,} |")


if __name__ == "__main__":
    main()
