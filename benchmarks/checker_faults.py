"""Plants faults in converted programs, and counts those that the second checker refuses.

    python benchmarks/checker_faults.py
    python benchmarks/checker_faults.py --faults 1000 --jobs 1 --seed 7

The programs are C programs of `examples/` and `tests/corpus/`, and generated ones, converted by all constructions, with
and without minimisation, and with explicit memory. Each fault changes the program of a document (docs/record.md), and
leaves the record as it is. A fault *counts* if a run of the changed program differs from that of the right program; if
the changed program is not well-formed; or if its kind changes a program by construction, such as the name of a
function. Faults that do not count are tried, too, but need not be refused: for example, an argument that is equal to
the right one. Prints a row of a Markdown table for each kind. The exit status is 1 if a right document is refused, or a
fault that counts is accepted; such faults are printed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from random import Random
from typing import Any, NamedTuple

from cpsconv import Program, Source, convert
from cpsconv.core.check.independent import independent_faults
from cpsconv.core.json import from_json
from cpsconv.core.source import DiagnosticError
from cpsconv.lab.baselines import CONSTRUCTIONS
from testing.c_programs import generate
from testing.choices import Rolled
from testing.expectations import CORPUS, EXAMPLES, expected_runs
from testing.record_faults import ALWAYS, FAULTS, plant
from testing.running import observe

MAX_STEPS = 3_000
MAX_SIZE = 25_000
"""The largest document, in characters, in which faults are planted: larger ones take long."""

OTHER_MEMORY = "is not the current memory here"
"""The end of an error that is no change of a run: the memory may be equal to the current one, by another name."""

FORMS = (None, None, "one", "objects")


class Tally(NamedTuple):
    """The numbers of planted faults by kind, and what must not happen.

    `planted` counts all faults, `ill_formed` those that make the program ill-formed, and `changing` those that change a
    run, or the program by construction. `refused` counts those of the last two that the checker refuses.
    """

    planted: Counter[str]
    ill_formed: Counter[str]
    changing: Counter[str]
    refused: Counter[str]
    wrong: list[str]

    @property
    def counted(self) -> int:
        """The number of faults that must be refused."""
        return self.ill_formed.total() + self.changing.total()


def new_tally() -> Tally:
    return Tally(Counter(), Counter(), Counter(), Counter(), [])


class Subject(NamedTuple):
    """A program: its text, the arguments of its runs, and what the runs show."""

    name: str
    document: str
    runs: Sequence[Sequence[str]]
    expected: Sequence[object]


def behaviour(program: Program, runs: Sequence[Sequence[str]]) -> list[object]:
    """What the runs show; for a run that cannot end, or that the machine cannot run, the class of the exception."""
    found: list[object] = []
    for arguments in runs:
        try:
            found.append(observe(program, arguments, MAX_STEPS))
        except Exception as failure:  # of a wrong program, any
            found.append(type(failure))
    return found


def subjects(number: int, dice: Random) -> Iterator[Subject]:
    """A program of the corpus, or a generated one, under a few constructions."""
    paths = [*EXAMPLES, *CORPUS]
    if number < len(paths):
        text = paths[number].read_text()
        return converted(paths[number].name, text, [run.arguments for run in expected_runs(text)], dice)
    text = generate(Rolled(Random(number)), statements=5, memory=number % 2 == 0)
    return converted(f"program {number}", text, [()], dice)


def converted(
    name: str, text: str, runs: Sequence[Sequence[str]], dice: Random, max_size: int = MAX_SIZE
) -> Iterator[Subject]:
    """A program under a few constructions, if it is not large, and all runs end."""
    for _ in range(2):
        strategy, minimal, form = dice.choice([*CONSTRUCTIONS]), dice.random() < 0.7, dice.choice(FORMS)
        documents: list[str] = []
        try:
            source = Source("p.c", text)
            program = convert(source, strategy=strategy, minimal=minimal, explicit_memory=form, documents=documents)
        except DiagnosticError:
            continue
        expected = behaviour(program, runs)
        if len(documents[0]) <= max_size and not any(isinstance(each, type) for each in expected):
            yield Subject(f"{name}, {strategy}, {minimal}, {form}", documents[0], runs, expected)


def is_changing(kind: str, program: Any, subject: Subject) -> bool | None:
    """Whether a fault changes what the program does; None if the program is not well-formed."""
    if kind in ALWAYS:
        return True
    try:
        changed = from_json(json.dumps(program))
    except ValueError as failure:
        return None if any(not line.endswith(OTHER_MEMORY) for line in str(failure).splitlines()) else False
    return behaviour(changed, subject.runs) != subject.expected


def tally(number: int, seed: int, each: int) -> Tally:
    """The tally of one program: so many attempts for each kind and construction."""
    found = new_tally()
    dice = Random(f"{seed} {number}")
    for subject in subjects(number, dice):
        add_faults(found, subject, dice, each)
    return found


def add_faults(found: Tally, subject: Subject, dice: Random, each: int) -> None:
    """Count the faults of one subject: so many attempts for each kind."""
    if independent_faults(subject.document):
        found.wrong.append(f"refused: {subject.name}")
    for kind in FAULTS:
        for _ in range(each):
            add_fault(found, kind, subject, dice)


def add_fault(found: Tally, kind: str, subject: Subject, dice: Random) -> None:
    """Plant a fault, if there is a place for it, and count it."""
    document = json.loads(subject.document)
    if plant(document["program"], kind, dice):
        is_refused = bool(independent_faults(json.dumps(document)))
        changing = is_changing(kind, document["program"], subject)
        found.planted[kind] += 1
        found.ill_formed[kind] += changing is None
        found.changing[kind] += changing is True
        found.refused[kind] += is_refused and changing is not False
        if changing is not False and not is_refused:
            found.wrong.append(f"accepted: {kind}, in {subject.name}")


def run(faults: int, seed: int, jobs: int, each: int = 1) -> Tally:
    """The tally of so many faults that count, at least."""
    total = new_tally()
    with ProcessPoolExecutor(jobs) as pool:
        start = 0
        while total.counted < faults:
            numbers = range(start, start + 20 * jobs)
            for part in pool.map(partial(tally, seed=seed, each=each), numbers):
                for one, other in zip(total[:4], part[:4], strict=True):
                    one.update(other)
                total.wrong.extend(part.wrong)
            start = numbers.stop
            print(f"{total.counted} faults in {start} programs", file=sys.stderr)
    return total


def print_table(found: Tally) -> None:
    """Print the tally as a Markdown table."""
    print("| fault | planted | not well-formed | changing | refused of these |\n|---|---|---|---|---|")
    for kind in FAULTS:
        print(f"| {kind} | {' | '.join(f'{counter[kind]:,}' for counter in found[:4])} |")
    print(f"| **all {len(FAULTS)} kinds** | {' | '.join(f'{counter.total():,}' for counter in found[:4])} |")


def main() -> int:
    """Plant the faults. Returns the exit status."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faults", type=int, default=20_000, help="number of faults that count (default: 20,000)")
    parser.add_argument("--each", type=int, default=5, help="attempts for each kind and conversion (default: 5)")
    parser.add_argument("--jobs", type=int, default=2, help="number of processes (default: 2)")
    parser.add_argument("--seed", type=int, default=1, help="number of the random choices (default: 1)")
    given = parser.parse_args()
    found = run(given.faults, given.seed, given.jobs, given.each)
    print_table(found)
    print(*found.wrong, sep="\n", file=sys.stderr)
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
