"""Runs public collections of C programs with planted faults, and compares the line of each report with the planted one.

    python benchmarks/fault_collections.py juliet FOLDER --sample 20
    python benchmarks/fault_collections.py itc FOLDER

FOLDER is a checkout of NIST's Juliet test suite for C, of Toyota's ITC benchmarks, or of Kratkiewicz's programs with
buffer overflows (``kratkiewicz``). ``cpsconv run`` runs the faulty and the fault-free variant of each program. A
program that reads numbers runs once for each number in a list, and counts once. The table has these columns:

- *right line*: the first runtime error is in a planted line;
- *note*: it is elsewhere, but a note marks such a line: a call, the end of the lifetime, or the origin of null;
- *other line*, *missed*: it is elsewhere; there is none;
- *fault-free*: variants without the fault that ended; *stopped*: the others;
- *refused*: variants that are not converted or exceed the time.

The runs of the columns from *other line* on are listed, with what they printed on standard error.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.fault_sources import INPUT_FILE, SOURCES, Variant

COLUMNS = ("right line", "note", "other line", "missed", "fault-free", "stopped", "refused")
_LISTED = ("other line", "missed", "stopped", "refused")
_ERROR = re.compile(r"^(.*?):(\d+):\d+: runtime error: ", re.MULTILINE)
_NOTE = re.compile(r"^(.*?):(\d+):\d+: note: ", re.MULTILINE)
_REFUSED = re.compile(r"^(?:.*: )?error: ", re.MULTILINE)
_SECONDS = 60
_ROOT = Path(__file__).resolve().parent.parent


def outcome(variant: Variant, engine: str) -> tuple[str, str]:
    """The column of the variant, and the standard error of the run that decides it."""
    messages = ""
    for text in variant.inputs:
        messages = _messages(variant, text, engine)
        if (column := _column(variant, messages)) not in ("missed", "fault-free"):
            break
    return column, messages


def _messages(variant: Variant, text: str, engine: str) -> str:
    """The standard error of a run with that input, in a folder with the file `INPUT_FILE`."""
    command = [sys.executable, "-m", "cpsconv", "run", "-q", "--engine", engine, *variant.arguments]
    environment = {**os.environ, "PYTHONPATH": str(_ROOT), **variant.environment}
    with tempfile.TemporaryDirectory() as folder:
        name, content = INPUT_FILE
        Path(folder, name).write_bytes(content)
        try:
            done = subprocess.run(
                command, input=text.encode(), capture_output=True, timeout=_SECONDS, cwd=folder, env=environment
            )
        except subprocess.TimeoutExpired:
            return f"error: not ended after {_SECONDS} seconds"
    return done.stderr.decode(errors="replace")


def _column(variant: Variant, messages: str) -> str:
    if not (error := _ERROR.search(messages)):
        return "refused" if _REFUSED.search(messages) else "missed" if variant.planted else "fault-free"
    if not variant.planted:
        return "stopped"
    if (error[1], int(error[2])) in variant.planted:
        return "right line"
    noted = {(file, int(line)) for file, line in _NOTE.findall(messages)}
    return "note" if noted & variant.planted else "other line"


def table(counts: dict[str, Counter[str]]) -> Iterator[str]:
    """The rows of the table, with their sum."""
    yield f"| kind | {' | '.join(COLUMNS)} |"
    yield f"|---|{'--:|' * len(COLUMNS)}"
    for kind, count in [*sorted(counts.items()), ("total", sum(counts.values(), Counter()))]:
        yield f"| {kind} | {' | '.join(str(count[column]) for column in COLUMNS)} |"


def sampled(variants: list[Variant], size: int | None, seed: int) -> list[Variant]:
    """The variants of at most `size` programs of those whose names differ in the number at the end only."""
    names: dict[str, dict[str, None]] = defaultdict(dict)
    for variant in variants:
        names[variant.name.rstrip("0123456789")][variant.name] = None
    choose = random.Random(seed)
    chosen = {name for each in names.values() for name in choose.sample([*each], min(size or len(each), len(each)))}
    return [variant for variant in variants if variant.name in chosen]


def main() -> int:
    """Run the command. Returns the exit status: 1 if a variant without a fault is stopped."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", choices=SOURCES)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="regular expression for the kind and name of programs")
    parser.add_argument("--sample", type=int, help="number of programs that differ in their number only (all)")
    parser.add_argument("--seed", type=int, default=1, help="determines the sample (1)")
    parser.add_argument("--engine", default="llvm", help="the engine (llvm)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of processes (one per processor)")
    given = parser.parse_args()
    found = [
        each
        for each in SOURCES[given.source](given.folder.resolve())
        if re.search(given.only, f"{each.kind} {each.name}")
    ]
    chosen = sampled(found, given.sample, given.seed)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    with ThreadPoolExecutor(given.jobs) as pool:
        results = pool.map(lambda variant: outcome(variant, given.engine), chosen)
        for variant, (column, messages) in zip(chosen, results, strict=True):
            counts[variant.kind][column] += 1
            if column in _LISTED:
                print(f"{column}: {variant.name}\n{messages}", flush=True)
    print(*table(counts), sep="\n")
    return int(any(count["stopped"] for count in counts.values()))


if __name__ == "__main__":
    sys.exit(main())
