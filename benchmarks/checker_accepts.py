"""Converts programs with all combinations of constructions, minimisation and explicit memory for the second checker.

    python benchmarks/checker_accepts.py
    python benchmarks/checker_accepts.py PATH... --jobs 1

A PATH is a file in any language, or a folder with such files: `examples/`, `tests/corpus/` and `tests/c_library/` by
default. The checker (docs/certificate.md) must accept every conversion. Prints a row of a Markdown table for each
language: its programs, the conversions, those whose memory cannot be explicit, and those that the checker refused, with
the processor time of the conversions and of the checker. Programs that are refused without options do not count. The
exit status is 1 if the checker refuses a conversion; such conversions are printed.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cpsconv import convert
from cpsconv.core.check.independent import independent_faults
from cpsconv.core.source import DiagnosticError, read_source
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.lab.stats.corpus import find_files
from cpsconv.languages import language_of_source
from testing.expectations import ROOT

FOLDERS = ["examples", "tests/corpus", "tests/c_library"]
FORMS = (None, "one", "objects")
COLUMNS = ("programs", "conversions", "not explicit", "refused", "seconds", "seconds of the checker")


def tally(path: str) -> tuple[str, Counter[str]]:
    """The language of a file, and its counts of the columns: none if it is no program."""
    source = read_source(path)
    language = language_of_source(source)
    found: Counter[str] = Counter(programs=1)
    for strategy, minimal, form in product(CONSTRUCTIONS, (True, False), FORMS):
        started = process_time()
        documents: list[str] = []
        try:
            convert(source, strategy=strategy, minimal=minimal, explicit_memory=form, documents=documents)
        except DiagnosticError:
            if form is None:
                return language, Counter()
            found["not explicit"] += 1
            continue
        converted = process_time()
        faults = independent_faults(documents[0])
        times = {"seconds": converted - started, "seconds of the checker": process_time() - converted}
        found.update({"conversions": 1, "refused": len(faults), **times})
        for fault in faults:
            print(f"{path}: {strategy}, {minimal}, {form}: {fault}", file=sys.stderr, flush=True)
    return language, found


def main() -> int:
    """Run the command. Returns the exit status."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="*", default=[str(ROOT / each) for each in FOLDERS], metavar="PATH")
    parser.add_argument("--jobs", type=int, default=2, help="number of processes (2)")
    given = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    with ProcessPoolExecutor(given.jobs) as pool:
        for language, found in pool.map(tally, find_files(given.paths)):
            counts.setdefault(language, Counter()).update(found)
    counts["all"] = sum(counts.values(), Counter())
    print(f"| language | {' | '.join(COLUMNS)} |\n|---|{'--:|' * len(COLUMNS)}")
    for language, found in counts.items():
        print(f"| {language} | {' | '.join(f'{found[column]:,.0f}' for column in COLUMNS)} |")
    return 1 if counts["all"]["refused"] else 0


if __name__ == "__main__":
    sys.exit(main())
