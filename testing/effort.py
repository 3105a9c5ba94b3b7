"""Default and full effort: pairs of options and few examples by default; with ``--full``, all combinations and more.

Most faults need one option, or two of them together. Rows that contain each pair of options find such faults; the full
product repeats them. `conftest.py` sets the effort before any test module is imported.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations, cycle, product
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest
from hypothesis import strategies as st

T = TypeVar("T")
Row = tuple[Any, ...]

_full = False


def set_full(full: bool) -> None:
    """Choose the effort of the test modules imported from now on."""
    global _full
    _full = full


def is_full() -> bool:
    """Whether the tests run with ``--full``."""
    return _full


def examples(full: int) -> int:
    """The number of examples, of which the default effort takes a tenth, or all if there are at most five."""
    return full if _full else min(full, max(full // 10, 5))


def randoms() -> st.SearchStrategy[Random]:
    """Random numbers for a generator: of a drawn seed, or with ``--full`` drawn one by one, so that they can shrink."""
    return st.randoms(use_true_random=not _full)


def sample(options: Sequence[T], step: int, first: int = 0) -> Sequence[T]:
    """All options with ``--full``; by default, `first` and each `step`-th after it."""
    return options if _full else options[first::step]


def size(full: int) -> int:
    """The size of a large input. By default it is a twentieth, and still exhausts Python's stack under recursion."""
    return full if _full else max(full // 20, 1_050)


def pairs_of(*factors: Sequence[Any]) -> list[Row]:
    """Few rows with one option of each factor, in which every pair of options of two factors occurs.

    The rows are chosen greedily, and are always the same. With ``--full``, the product of the factors.
    """
    if _full or len(factors) < 3:
        return [*product(*factors)]
    sizes = [range(len(factor)) for factor in factors]
    uncovered = {
        ((one, i), (other, j)): None
        for one, other in combinations(range(len(factors)), 2)
        for i, j in product(sizes[one], sizes[other])
    }
    rows: list[Row] = []
    while uncovered:
        chosen = dict(next(iter(uncovered)))
        for factor in sorted({*range(len(factors))} - {*chosen}):
            gains = [sum(_pair((factor, i), place) in uncovered for place in chosen.items()) for i in sizes[factor]]
            turn = len(rows) % len(gains)  # among equal options, each has its turn
            chosen[factor] = max(sizes[factor], key=lambda i: (gains[i], -((i - turn) % len(gains))))
        for pair in combinations(sorted(chosen.items()), 2):
            uncovered.pop(pair, None)
        rows.append(tuple(factors[factor][i] for factor, i in sorted(chosen.items())))
    return rows


def _pair(one: tuple[int, int], other: tuple[int, int]) -> tuple[tuple[int, int], ...]:
    return (one, other) if one < other else (other, one)


def each_pair(**factors: Sequence[Any]) -> pytest.MarkDecorator:
    """The test runs with the rows of `pairs_of` as its arguments. Options name themselves in the test's id."""
    return _parametrised([*factors], pairs_of(*factors.values()))


def each_in_turn(**factors: Sequence[Any]) -> pytest.MarkDecorator:
    """The test runs once with each option of the first factor, and with the rows of `pairs_of` of the others in turn.

    With ``--full``, the test runs with all options of the first factor and all of those rows.
    """
    options, *others = factors.values()
    rows = pairs_of(*others)
    chosen = product(options, rows) if _full else zip(options, cycle(rows), strict=False)
    return _parametrised([*factors], [(option, *row) for option, row in chosen])


def _parametrised(names: Sequence[str], rows: Sequence[Row]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(names, [pytest.param(*row, id="-".join(map(_name, row))) for row in rows])


def _name(option: object) -> str:
    if isinstance(option, Path):
        return option.stem
    if isinstance(option, (list, tuple, set, frozenset)) or hasattr(option, "keys"):
        return ",".join(map(str, option)) or "none"  # type: ignore[call-overload]
    return str(option)


@contextmanager
def beyond_the_stack(calls: int = 110) -> Iterator[int]:
    """A size of input that exhausts Python's stack if a function recurses over it.

    Python allows 1,000 calls within each other. By default the block may make fewer, so that smaller inputs do. (Texts
    of nested expressions take up to 170: prettyprinter recurses over a part of limited depth.)
    """
    limit = sys.getrecursionlimit()
    if not _full:
        sys.setrecursionlimit(len(inspect.stack(0)) + calls)
    try:
        yield 1_100 if _full else calls + 50
    finally:
        sys.setrecursionlimit(limit)
