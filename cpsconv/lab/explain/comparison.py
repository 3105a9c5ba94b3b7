"""Constructions of the same program side by side: the counts and the time of each strategy.

A source is parsed once. Its program is then constructed with every strategy in turn, in several rounds, so that a slow
moment of the machine affects all strategies. A time is the median over the rounds; the garbage collector runs between
constructions only, so that at most one program is kept. A first round gives the counts, which are the same in each
round. Its times count only if there is no other round, since the first constructions of a process are slower.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import astuple, dataclass, replace
from time import perf_counter, process_time
from typing import Any

from cpsconv.core.analysis.undefined_operands import Rule
from cpsconv.core.construction import Builder, Observer
from cpsconv.core.construction.explicit_memory import ExplicitMemory, memory_for
from cpsconv.core.construction.strategies import new_placement
from cpsconv.core.ir import Function, Program
from cpsconv.core.progress import ignore, listening, steps
from cpsconv.core.simplify import SIMPLIFICATIONS
from cpsconv.core.source import DiagnosticError, Source, error
from cpsconv.core.transform import minimise
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.languages import CPS, LANGUAGES, Lowering, language_of_source, read

MAX_ROUNDS = 5
"""The timed rounds of a comparison, unless the caller states their number."""

MAX_SECONDS = 5
"""The processor time after which no further round begins, unless the caller states their number."""


@dataclass(frozen=True)
class Row:
    """The figures of one strategy for one function; or their sums, with an empty `file` and `function`.

    `continuations` counts those of the finished function, without itself. `placed`, `removed`, `kept`, `arguments` and
    `lookups` are those of `cpsconv.core.ir.Counts`; `lookups` is None if the strategy does not count them. `minimal` is
    the number of parameters after Algorithm 5, None if it is not requested. `seconds` is the time from the syntax tree
    to the finished function. `promoted` and `in_memory` count the variables of the source that became values, and those
    that are objects in memory; None if the function has no arrays, structs and addresses.

    If the strategy refuses the function as too large, `refusal` is the reason, and there are no figures.
    """

    file: str
    function: str
    strategy: str
    continuations: int | None = None
    placed: int | None = None
    removed: int | None = None
    kept: int | None = None
    minimal: int | None = None
    arguments: int | None = None
    lookups: int | None = None
    seconds: float | None = None
    promoted: int | None = None
    in_memory: int | None = None
    refusal: str | None = None


def compare(
    source: Source,
    *,
    language: str | None = None,
    strategies: Iterable[str] = CONSTRUCTIONS,
    repeat: int | None = None,
    minimal: bool = True,
    optimise: Collection[str] = (),
    explicit_memory: str | None = None,
) -> list[Row]:
    """A row for each function of the source and each of the `strategies`, function by function.

    Each construction is timed `repeat` times, by default five times, or until all have taken `MAX_SECONDS`. `minimal`
    requests the counts after Algorithm 5;
    `optimise` holds optimisations; those of finished programs have no effect. `explicit_memory` is a form of memory
    (`cpsconv.core.construction.explicit_memory`).

    Raises `DiagnosticError` if the source has errors, or is CPS text.
    """
    language = language or language_of_source(source)
    if language == CPS:
        message = f"{source.name}: CPS text has no variables to place parameters for"
        raise DiagnosticError([error(message, help="compare a program in another language", rule="language")])
    simplify = SIMPLIFICATIONS.keys() & optimise
    lowering = read(language, source)
    return compare_read(source.name, language, lowering, strategies, repeat, minimal, simplify, explicit_memory)


def compare_read(
    file: str,
    language: str,
    lowering: Lowering,
    strategies: Iterable[str],
    repeat: int | None = None,
    minimal: bool = True,
    simplify: Collection[str] = (),
    explicit_memory: str | None = None,
) -> list[Row]:
    """As `compare`, for a source in `file` that was read. With `repeat` 0, the first constructions are timed.

    Raises `DiagnosticError` if the source has errors.
    """
    row = LANGUAGES[language]

    def memory_of(strategy: str) -> ExplicitMemory | None:
        def first(observer: Observer) -> Program:
            builder = Builder(strategy, simplify, observer, undefined=row.undefined, checked=row.is_checked)
            program = lowering(builder, [])
            minimise(program, undefined=row.undefined)
            return program

        return memory_for(explicit_memory, first)

    def construct(strategy: str) -> tuple[_Stopwatch, Program]:
        stopwatch = _Stopwatch(strategy, simplify, memory_of(strategy), row.undefined)
        with listening(ignore):  # no progress output while timing
            return stopwatch, lowering(stopwatch, [])

    if row.is_checked:
        lowering(Builder(simplify=simplify), [])  # reports wrong calls
    chosen = [*strategies]
    counted: list[list[tuple[int, Row]]] = []
    rounds: list[list[list[float]]] = [[] for _ in chosen]
    since = process_time()
    with _garbage_collected_on_request() as collect:
        for number in steps("comparing", [*range(len(chosen))] * (1 + (MAX_ROUNDS if repeat is None else repeat))):
            if number == 0 and counted and repeat is None and process_time() - since > MAX_SECONDS:
                break
            stopwatch, program = construct(chosen[number])
            rounds[number].append(stopwatch.seconds)
            if len(counted) < len(chosen):
                counted.append([*_rows(file, stopwatch, program, minimal)])
            del stopwatch, program
            collect()
    columns = [_timed(rows, seconds[1:] or seconds) for rows, seconds in zip(counted, rounds, strict=True)]
    return [row for rows in zip(*columns, strict=True) for row in rows]


def _timed(rows: Iterable[tuple[int, Row]], rounds: Sequence[Sequence[float]]) -> list[Row]:
    """The rows with the medians of their times; each row has the number of its function in the rounds."""
    from statistics import median  # late: `explain` and `why` need no statistics

    return [
        row if row.refusal else replace(row, seconds=median(seconds[number] for seconds in rounds))
        for number, row in rows
    ]


def totals(rows: Sequence[Row]) -> list[Row]:
    """The sums of the rows of each strategy; a figure that no row has is None, and so are all if one row has none."""
    columns: dict[str, list[tuple[Any, ...]]] = {}
    for row in rows:
        columns.setdefault(row.strategy, []).append(astuple(row)[3:])
    return [
        Row("", "", strategy, *map(_sum_known, figures) if not any(refusals) else ())
        for strategy, found in columns.items()
        for *figures, refusals in [zip(*found, strict=True)]
    ]


def _sum_known(figures: Iterable[float | None]) -> Any:
    known = [figure for figure in figures if figure is not None]
    return sum(known) if known else None


class _Stopwatch(Builder):
    """A Builder that measures the time of each function, from the end of the previous one.

    `refusals` has the reason for each function that the strategy refuses. Another strategy finishes it.
    """

    def __init__(
        self, strategy: str, simplify: Collection[str], memory: ExplicitMemory | None, undefined: Rule
    ) -> None:
        super().__init__(strategy, simplify, None, memory, undefined=undefined)
        self.seconds: list[float] = []
        self.refusals: dict[Function, str] = {}
        self._since = perf_counter()

    def finish(self) -> Function:
        """Finish the function as `Builder.finish` does, and record its time."""
        try:
            function = super().finish()
        except DiagnosticError as refusal:  # of a baseline that refuses the complete graph: it has placed nothing
            self._placement = new_placement("two-phase")
            self._placement.undefined = self.undefined
            function = super().finish()
            self.refusals[function] = refusal.diagnostics[0].message
        now = perf_counter()
        self.seconds.append(now - self._since)
        self._since = now
        return function


def _rows(file: str, builder: _Stopwatch, program: Program, minimal: bool) -> Iterator[tuple[int, Row]]:
    """A row without a time for each function of a program that `builder` constructed, with the function's number."""
    left = _minimised(program, builder) if minimal else {}
    present = set(program.functions)
    uncounted = {} if CONSTRUCTIONS[builder.strategy].counts_lookups else {"lookups": None}
    for number, (function, counts) in enumerate(builder.counts.items()):
        if function.free and function not in present:
            continue  # a nested function that is not called
        if refusal := builder.refusals.get(function):
            yield number, Row(file, function.name, builder.strategy, refusal=refusal)
            continue
        figures = {**counts._asdict(), **uncounted, "minimal": left.get(function), "seconds": 0.0}
        if variables := builder.variables.get(function):
            figures |= {"promoted": variables.promoted, "in_memory": len(variables.in_memory)}
        yield number, Row(file, function.name, builder.strategy, len(function.continuations), **figures)


def _minimised(program: Program, builder: Builder) -> dict[Function, int]:
    """Apply Algorithm 5; return the number of placed parameters that remain in each function."""
    before = {function: _parameters(function) for function in program.functions}
    minimise(program, undefined=builder.undefined)
    counts = builder.counts
    return {function: counts[function].kept - number + _parameters(function) for function, number in before.items()}


def _parameters(function: Function) -> int:
    return sum(len(continuation.parameters) for continuation in function.continuations)


@contextmanager
def _garbage_collected_on_request() -> Iterator[Callable[[], object]]:
    """Prevent garbage collection, but for calls of the function given, which collects what was created meanwhile."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield lambda: gc.collect(0)
    finally:
        if was_enabled:
            gc.enable()
