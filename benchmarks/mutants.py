"""Reads mutants of generated programs, as CPS text and as JSON, and uses those that are programs in every way.

    python benchmarks/mutants.py --mutants 20000
    python benchmarks/mutants.py --mutants 20000 --seed 100000 --kind json

A number determines each mutant. It must be refused with diagnostics (JSON: with `ValueError`), or be a well-formed
program that is printed and read back, and written by every target. Prints the number of each mutant that causes another
exception, with the exception; the exit status is 1 if there is one.
"""

from __future__ import annotations

import argparse
import random
import sys
import traceback
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.mutants import read_mutated_json, read_mutated_text, use

READERS = {"text": read_mutated_text, "json": read_mutated_json}


def attempt(kind: str, number: int) -> str:
    """The outcome of a mutant: ``refused``, ``used``, or a traceback."""
    try:
        program = READERS[kind](random.Random(number))
        if program is None:
            return "refused"
        use(program)
    except Exception:
        return traceback.format_exc()
    return "used"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--mutants", type=int, default=1000, help="mutants of each kind (default: 1000)")
    parser.add_argument("--seed", type=int, default=0, help="the number of the first mutant (default: 0)")
    parser.add_argument("--kind", choices=READERS, action="append", help="text, json (default: both)")
    parser.add_argument("--jobs", type=int, default=None, help="processes (default: one for each processor)")
    given = parser.parse_args()
    failed = 0
    for kind in given.kind or READERS:
        numbers = range(given.seed, given.seed + given.mutants)
        outcomes = {"refused": 0, "used": 0}
        with ProcessPoolExecutor(given.jobs) as pool:
            found = pool.map(attempt, [kind] * len(numbers), numbers, chunksize=50)
            for number, outcome in zip(numbers, found, strict=True):
                if outcome in outcomes:
                    outcomes[outcome] += 1
                else:
                    failed += 1
                    print(f"{kind} {number}: {outcome}", flush=True)
        print(f"{kind}: {outcomes['refused']} refused, {outcomes['used']} used", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
