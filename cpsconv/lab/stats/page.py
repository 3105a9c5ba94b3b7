"""Rows as a page with plots, without scripts. A click on a point leads to its function, in the table below the plots.

The page shows all functions if they are few. Otherwise, it shows those that are largest, those in which a strategy
keeps more parameters than are minimal, and a random sample of the others, so that its size is limited.
"""

from __future__ import annotations

import heapq
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from html import escape
from itertools import count, pairwise

from cpsconv.lab.stats.plots import Point, axis, bars, fitted, grouped_bars, scatter
from cpsconv.lab.stats.rows import Row
from cpsconv.lab.stats.summary import Summary

_LARGEST, _UNUSUAL, _SAMPLE = 500, 500, 1500  # functions
_BINS = (0, 1, 2, 4, 8, 16, 32, 64, 128, 256)  # the least number of parameters in each
_SHOWN = ("language", "lines", "statements", "continuations", "loops", "irreducible", "promoted", "in_memory")

_STYLE = """\
:root { color-scheme: light dark; --0: #2a6fdb; --1: #d9772b; --2: #2f9e63; --3: #b03a8c; --4: #8a6d3b; --5: #5b5bd6;
  --6: #1f9aa5; --7: #c0392b; --8: #777; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 80rem; margin: auto; padding: 1rem; }
pre, .table { overflow-x: auto; }
figure { display: inline-block; width: min(38rem, 100%); margin: 0 1rem 2rem 0; vertical-align: top; }
svg { width: 100%; } svg text { font-size: 12px; fill: currentColor; } svg line { stroke: currentColor; opacity: .15; }
svg line.fit { opacity: 1; } svg circle { opacity: .6; } svg a:hover circle { opacity: 1; stroke: currentColor; }
table { border-collapse: collapse; font-size: 13px; } td, th { padding: .1rem .5rem; text-align: right; }
td:first-child, th:first-child { text-align: left; } tr:target { outline: 2px solid var(--1); }
.legend span::before { content: "■ "; }
"""


class Page:
    """A page about rows, which are added one by one."""

    def __init__(self, strategies: Sequence[str]) -> None:
        self._strategies = strategies
        self._summary = Summary(strategies)
        self._bins = {strategy: [0] * len(_BINS) for strategy in strategies}
        self._refusals: Counter[str] = Counter()
        self._order = count()
        self._random = random.Random(0)
        self._largest: list[tuple[int, int, Row]] = []  # a heap
        self._unusual: list[tuple[int, int, Row]] = []  # a heap
        self._sample: list[Row] = []

    def add(self, row: Row) -> None:
        """Add a row."""
        self._summary.add(row)
        if row.get("refusal") is not None:
            self._refusals[f"{row['rule']}: {row['refusal']}"] += 1
        elif row.get("function") is not None:
            self._add_function(row)

    def _add_function(self, row: Row) -> None:
        number = next(self._order)
        _keep(self._largest, _LARGEST, (row["statements"], -number, row))
        surplus = max((row[f"{name}.kept"] or 0) - (row[f"{name}.minimal"] or 0) for name in self._strategies)
        if surplus > 0:
            _keep(self._unusual, _UNUSUAL, (surplus, -number, row))
        if len(self._sample) < _SAMPLE:
            self._sample.append(row)
        elif (place := self._random.randrange(number + 1)) < _SAMPLE:
            self._sample[place] = row
        for strategy, numbers in self._bins.items():
            if (kept := row[f"{strategy}.kept"]) is not None:
                numbers[max(at for at, least in enumerate(_BINS) if least <= kept)] += 1

    def text(self) -> str:
        """The page, in HTML."""
        return "".join(self._pieces())

    def _pieces(self) -> Iterator[str]:
        rows = self._chosen()
        yield "<!DOCTYPE html><html lang=en><meta charset=utf-8><title>cpsconv stats</title>"
        yield '<meta name=viewport content="width=device-width">'
        yield f"<style>{_STYLE}{_colours(len(self._strategies))}</style>"
        yield f"<h1>Conversions</h1><pre>{escape(chr(10).join(self._summary.lines()))}</pre>"
        if rows:
            yield _figure("Parameters that each strategy keeps", self._distribution())
            yield self._times(rows)
            yield _figure("Kept parameters, against the minimal number", self._surplus(rows))
        if self._summary.reasons:
            yield _figure("Variables in memory, by reason", bars(dict(self._summary.reasons.most_common(20))))
        if self._refusals:
            yield _figure("Causes of refusal", bars(dict(self._refusals.most_common(20))))
        if rows:
            yield from self._table(rows)

    def _chosen(self) -> list[Row]:
        """The functions that the page shows, each once, in order."""
        rows = [*self._sample, *(row for _, _, row in (*self._largest, *self._unusual))]
        distinct = {(row["file"], row["function"]): row for row in rows}
        return [distinct[key] for key in sorted(distinct)]

    def _distribution(self) -> str:
        ends = [f"{low}" if high == low + 1 else f"{low}–{high - 1}" for low, high in pairwise(_BINS)]
        return grouped_bars("kept parameters", [*ends, f"{_BINS[-1]}+"], self._bins)

    def _times(self, rows: Sequence[Row]) -> str:
        """The time of the construction against the size of the function."""
        first = "scc" if "scc" in self._strategies else self._strategies[0]
        timed = [(at, row["statements"] + row["continuations"] + 1, row) for at, row in enumerate(rows)]
        timed = [each for each in timed if each[2][f"{first}.seconds"]]
        points = [Point(x, 1000 * row[f"{first}.seconds"], _name(row), f"#f{at}") for at, x, row in timed]
        line = fitted([(point.x, point.y) for point in points])
        title = f"Time of {first}, against size"
        if line:
            title += f": exponent {line[1]:.2f}"
        x = axis("statements and continuations", (point.x for point in points))
        return _figure(title, scatter(points, x, axis("milliseconds", (point.y for point in points)), line, [first]))

    def _surplus(self, rows: Sequence[Row]) -> str:
        points = [
            Point(row[f"{name}.minimal"] or 0, row[f"{name}.kept"], f"{_name(row)}: {name}", f"#f{at}", series)
            for at, row in enumerate(rows)
            for series, name in enumerate(self._strategies)
            if row[f"{name}.kept"] is not None
        ]
        both = axis("", [value for point in points for value in (point.x, point.y)], offset=1)
        x, y = both._replace(title="minimal parameters"), both._replace(title="kept parameters")
        return scatter(points, x, y, (1, 1), self._strategies)

    def _table(self, rows: Sequence[Row]) -> Iterator[str]:
        shown = [
            *_SHOWN,
            *(f"{name}.{figure}" for name in self._strategies for figure in ("placed", "kept", "minimal")),
        ]
        yield f"<h2>{len(rows)} of {self._summary.functions} functions</h2>"
        yield "<p><code>cpsconv explain FILE:FUNCTION</code> shows how a function is converted, step by step.</p>"
        yield "<div class=table><table>"
        yield f"<tr>{''.join(f'<th>{escape(each)}</th>' for each in ('function', *shown))}</tr>"
        for at, row in enumerate(rows):
            cells = "".join(f"<td>{'' if row.get(each) is None else row[each]}</td>" for each in shown)
            yield f'<tr id="f{at}"><td>{escape(_name(row))}</td>{cells}</tr>'
        yield "</table></div>"


def _keep(heap: list[tuple[int, int, Row]], most: int, entry: tuple[int, int, Row]) -> None:
    """Add the entry to the heap of the greatest entries."""
    (heapq.heappush if len(heap) < most else heapq.heappushpop)(heap, entry)


def _name(row: Row) -> str:
    return f"{row['file']}:{row['function']}"


def _figure(title: str, plot: str) -> str:
    return f"<figure><figcaption><b>{escape(title)}</b></figcaption>{plot}</figure>"


def _colours(number: int) -> str:
    colour = ".s{0} {{ fill: var(--{0}); }} span.s{0}::before {{ color: var(--{0}); }}"
    return "\n".join(map(colour.format, range(number)))
