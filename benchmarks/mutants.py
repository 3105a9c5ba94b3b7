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
from functools import partial
from itertools import chain
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks import numbered
from testing.mutants import read_mutated_json, read_mutated_text, use
from testing.running import write_everywhere

READERS = {"text": read_mutated_text, "json": read_mutated_json}


def attempts(kind: str, batch: list[int]) -> list[tuple[int, str]]:
    """The outcome of each mutant: ``refused``, ``used``, or a traceback."""
    return [(number, _attempt(kind, number)) for number in batch]


def _attempt(kind: str, number: int) -> str:
    try:
        program = READERS[kind](random.Random(number))
        if program is None:
            return "refused"
        use(program, write_everywhere)
    except Exception:
        return traceback.format_exc(limit=-3)
    return "used"


def main() -> int:
    """Run the command. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    numbered.add_options(parser, "mutants", 1000)
    parser.add_argument("--kind", choices=READERS, action="append", help="text, json (default: both)")
    given = parser.parse_args()
    failed = 0
    for kind in given.kind or READERS:
        outcomes = {"refused": 0, "used": 0}
        for number, outcome in chain.from_iterable(numbered.results(partial(attempts, kind), given)):
            if outcome in outcomes:
                outcomes[outcome] += 1
            else:
                failed += 1
                print(f"{kind} {number}: {outcome}", flush=True)
        print(f"{kind}: {outcomes['refused']} refused, {outcomes['used']} used", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
