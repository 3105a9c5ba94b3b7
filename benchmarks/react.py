"""Compares parameters with the φ functions of the React compiler, function by function.

    python benchmarks/react.py
    python benchmarks/react.py --generated 2000 --packages es-toolkit@1.53.2
    python benchmarks/react.py mine.js                         # all functions of these files, and no others

The compiler and the packages are installed from npm, in a folder of the user's cache. The functions are those of
``tests/tables/react.js``, of the packages, and of generated programs. The first table has, for each of these sets, the
functions that the compiler accepts, its φ functions after the passes `EnterSSA` and `EliminateRedundantPhi`, and

- *two edges*: the functions in whose graphs a block has two edges to another;
- *same graph*: the functions in which `countdown` places and keeps exactly these φ functions in the compiler's graph;
- *scc there*: the parameters that `scc` places in that graph; *more there*: the functions in which React keeps fewer;
- *read here*: the functions that our front end reads from the same source; *same placed*, *same kept*: those in which
  `countdown` places, and keeps, the same multiset of variables of the source and lines of their joins;
- *scc*: the parameters that `scc` places there; *proxies*: those that it removes again; *more here*: the functions in
  which React keeps fewer, without the variables that React stores in a context, and *with proxies* those of them in
  which it keeps at least as many as `scc` keeps.

The second table has the causes of the differences from the same source, and the number of φ functions on one side only.
A difference has the cause of its own join, or else that of another join for the same variable. The third one has the
constructs for which the compiler refuses functions.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cpsconv.core.source import DiagnosticError, Source
from testing.npm import CACHE, installed
from testing.placements import Parameters
from testing.react import (
    PACKAGES,
    Compiled,
    Joins,
    Phi,
    Result,
    compiled,
    counted_down,
    joins,
    kinds,
    ours,
    placed_by_scc,
)
from testing.react_programs import react_function

LIBRARIES = ["es-toolkit@1.53.2", "d3-array@3.2.5", "d3-geo@3.1.2"]

LOGICAL = "`&&` and `||` in conditions: a value with a join there, branches here"
TERNARY = "`?:`: a join for a condition with operators, there only"
OPTIONAL = "`?.`: a join for each link of the chain there, one here"
CONTEXT = "variables in a context there"
COPIES = "`x = y`: a new value there, the value of `y` here"
EXCEPTIONS = "`try`: other instructions may throw an exception"
CLOSING = "`for…of`: an exception closes the iterator, here only"
HOISTED = "declared functions: they exist from the start of their scope, here only"
ARGUMENTS = "`arguments`: a variable here only"
UNKNOWN = "not explained"
CAUSES = LOGICAL, TERNARY, OPTIONAL, CONTEXT, COPIES, EXCEPTIONS, CLOSING, HOISTED, ARGUMENTS, UNKNOWN

OPERATORS = {
    "logical": LOGICAL,
    "ternary": TERNARY,
    "optional": OPTIONAL,
    **dict.fromkeys(("then", "else", "body"), LOGICAL),
    "function": HOISTED,
}
"""The causes of φ functions and parameters at the joins of operators, or for declared functions."""

JOINS = {"try": EXCEPTIONS, "catch": EXCEPTIONS, "after_try": EXCEPTIONS, "close": CLOSING}
"""The causes of φ functions and parameters, by their joins; they lead to others for the same variable elsewhere."""


def main() -> None:
    """Print the tables."""
    options = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    options.add_argument("files", nargs="*", type=Path)
    options.add_argument("--generated", type=int, default=500, help="the number of generated functions")
    options.add_argument("--seed", type=int, default=0, help="of the first one")
    options.add_argument("--packages", nargs="*", default=LIBRARIES, help="packages of npm with files *.mjs")
    options.add_argument("--cache", type=Path, default=CACHE / "react", help="the folder for packages")
    given = options.parse_args()
    compiler = installed(given.cache / "compiler", PACKAGES)
    sets = {"files": _texts(given.files)} if given.files else _sets(given)
    causes, refusals = Counter[tuple[str, str]](), Counter[str]()
    rows = dict[str, Counter[str]]()
    for name, texts in sets.items():
        rows[name] = Counter()
        for text, result in zip(texts, compiled(texts, compiler), strict=True):
            refusals.update(reason for _, reason in result.errors)
            rows[name] += _row(text, result, causes)
    _print_rows(rows)
    _print_causes(causes)
    print("\n| refused by the compiler | functions |\n|---|--:|")
    for reason, number in refusals.most_common():
        print(f"| {reason} | {number:,} |")


def _sets(given: argparse.Namespace) -> dict[str, list[str]]:
    """The texts of each set of functions."""
    folder = installed(given.cache / "packages", given.packages) / "node_modules"
    sets = {"kinds": [text for _, text, _, _ in kinds()]}
    for package in given.packages:
        name = package.rpartition("@")[0]
        found = sorted(path for path in (folder / name).rglob("*.mjs") if ".min." not in path.name)
        sets[name] = _texts(found)
    seeds = range(given.seed, given.seed + given.generated)
    return sets | {"generated": [react_function(Random(seed)) for seed in seeds]}


def _texts(paths: Iterable[Path]) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in paths]


# --------------------------------------------------------------------------------------------------------- comparison


def _row(text: str, result: Result, causes: Counter[tuple[str, str]]) -> Counter[str]:
    """The counts for the functions of a text. Adds the causes of differences to `causes`."""
    row = Counter[str]()
    if not result.functions:
        return row
    try:
        here = {strategy: ours(Source("functions.js", text), strategy) for strategy in ("countdown", "scc")}
    except DiagnosticError as failure:
        sys.exit(f"{failure}\n{text}")
    for function in result.functions:
        row += _of_graph(function)
        if function.start in here["scc"]:  # others were inlined where they are called
            row += _of_source(function, here["countdown"][function.start], here["scc"][function.start], causes)
    return row


def _of_graph(function: Compiled) -> Counter[str]:
    placed, kept = function.positions("placed"), function.positions("kept")
    minimal = placed_by_scc(function)
    return Counter(
        {
            "functions": 1,
            "with φs": bool(placed),
            "placed": len(placed),
            "kept": len(kept),
            "two edges": any(len({*each["successors"]}) < len(each["successors"]) for each in function.data["blocks"]),
            "same graph": counted_down(function) == (placed, kept),
            "scc there": len(minimal),
            "more there": len(minimal) > len(kept),
        }
    )


def _of_source(
    function: Compiled, countdown: Parameters, scc: Parameters, causes: Counter[tuple[str, str]]
) -> Counter[str]:
    row = Counter({"read here": 1})
    spread = dict[str, str]()  # the causes for variables, by their differences among all that are placed
    for which, parameters in (("placed", countdown.placed), ("kept", countdown.kept)):
        found = differences(function, which, function.ours(parameters))
        row[f"same {which}"] += not found
        spread |= {phi.variable: cause for phi, cause in found if cause in JOINS.values()}
        for phi, cause in found:
            causes[which, spread.get(phi.variable, UNKNOWN) if cause == UNKNOWN else cause] += 1
    placed, kept = (
        sum(not each.is_context for each in function.ours(parameters)) for parameters in (scc.placed, scc.kept)
    )
    theirs = sum(not each.is_context for each in function.phis("kept"))
    row += Counter({"scc": placed, "proxies": placed - kept, "more here": placed > theirs})
    row["with proxies"] += placed > theirs >= kept
    return row


def differences(function: Compiled, which: str, mine: Sequence[Phi]) -> list[tuple[Phi, str]]:
    """The φ functions and parameters, ``placed`` or ``kept``, that only one side has, each with its cause."""
    theirs = function.phis(which)
    left, right = joins(theirs), joins(mine)
    if left == right:
        return []
    index = ("placed", "kept").index(which)
    copied = counted_down(function, with_copies=True)[index]
    unthrown = counted_down(function, with_exceptions=False)[index]

    def cause(phi: Phi) -> str:
        join = phi.place.partition(" ")[0]
        if phi.is_context or phi.variable == "arguments":
            return CONTEXT if phi.is_context else ARGUMENTS
        if phi.position and phi.position not in copied:
            return COPIES
        if join in OPERATORS or join in JOINS:
            return OPERATORS.get(join) or JOINS[join]
        return EXCEPTIONS if phi.position and phi.position not in unthrown else UNKNOWN

    causes = [(phi, cause(phi)) for phi in theirs], [(phi, cause(phi)) for phi in mine]
    return [*_among(causes[0], left - right), *_among(causes[1], right - left)]


def _among(causes: Sequence[tuple[Phi, str]], excess: Joins) -> list[tuple[Phi, str]]:
    """As many φ functions for each variable and line as are in the excess; first those with a known cause."""
    rest, found = excess.copy(), []
    for phi, cause in sorted(causes, key=lambda each: each[1] == UNKNOWN):
        if rest[phi.variable, phi.line] > 0:
            rest[phi.variable, phi.line] -= 1
            found.append((phi, cause))
    return found


# ------------------------------------------------------------------------------------------------------------- tables


def _print_rows(rows: Mapping[str, Counter[str]]) -> None:
    there = "functions", "with φs", "placed", "kept", "two edges", "same graph", "scc there", "more there"
    titles = *there, "read here", "same placed", "same kept", "scc", "proxies", "more here", "with proxies"
    print(f"| set | {' | '.join(titles)} |\n|---|{'--:|' * len(titles)}")
    for name, row in {**rows, "all": sum(rows.values(), Counter[str]())}.items():
        print(f"| {name} | {' | '.join(f'{row[title]:,}' for title in titles)} |")


def _print_causes(causes: Mapping[tuple[str, str], int]) -> None:
    print("\n| cause of a difference, same source | placed | kept |\n|---|--:|--:|")
    for cause in CAUSES:
        print(f"| {cause} | {causes.get(('placed', cause), 0):,} | {causes.get(('kept', cause), 0):,} |")


if __name__ == "__main__":
    main()
