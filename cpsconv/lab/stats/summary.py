"""The sums of rows, as a text for a terminal."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from cpsconv.core.source import counted
from cpsconv.lab.stats.rows import FIGURES, Row

_MOST_REASONS = 12  # lines


class Summary:
    """The sums of rows, which are added one by one.

    `files`, `functions` and `sums` count what was converted, `sums` by column. `refusals` counts refused files by rule,
    `reasons` variables in memory by reason, `faults` files without a certificate. `more` counts, for each strategy, the
    functions that keep more parameters than Algorithm 5 leaves.
    """

    def __init__(self, strategies: Sequence[str]) -> None:
        self.strategies = strategies
        self.files = self.functions = self.irreducible = self.faults = 0
        self.sums: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.more: Counter[str] = Counter()
        self.figureless: Counter[str] = Counter()

    def add(self, row: Row) -> None:
        """Add a row."""
        if row.get("refusal") is not None:
            self.refusals[row["rule"] or "other"] += 1
        elif row.get("function") is None:
            self.files += 1
            self.faults += row["certificate"] != "certified"
            for name in "lines", "seconds", "reading":
                self.sums[name] += row[name]
        else:
            self._add_function(row)

    def _add_function(self, row: Row) -> None:
        self.functions += 1
        self.irreducible += row["irreducible"] > 0
        self.reasons.update(json.loads(row.get("reasons") or "{}"))
        for name in "statements", "continuations", "loops", "promoted", "in_memory":
            self.sums[name] += row.get(name) or 0
        for strategy in self.strategies:
            figures = {figure: row.get(f"{strategy}.{figure}") for figure in FIGURES}
            self.figureless[strategy] += figures["kept"] is None
            self.more[strategy] += (figures["kept"] or 0) > (figures["minimal"] or 0)
            for figure, value in figures.items():
                self.sums[f"{strategy}.{figure}"] += value or 0

    def lines(self) -> Iterator[str]:
        """The lines of the text."""
        refused = self.refusals.total()
        yield f"{counted(self.files + refused, 'file')}: {self.files} converted, {refused} refused"
        for rule, number in self.refusals.most_common():
            yield f"  {number:>8}  {rule}"
        if not self.files:
            return
        sums = self.sums
        yield f"{sums['lines']} lines, {counted(self.functions, 'function')}, {sums['statements']} statements"
        yield f"{self.files - self.faults} of {counted(self.files, 'file')} certified"
        yield f"{sums['continuations']} continuations, {sums['loops']} loops"
        yield f"{counted(self.irreducible, 'function')} with irreducible loops"
        whole, reading = (1e6 * sums[name] / max(1, sums["lines"]) for name in ("seconds", "reading"))
        yield f"{sums['seconds']:.1f} seconds of processor time: {whole:.0f} µs a line, {reading:.0f} of it for reading"
        if sums["promoted"] or sums["in_memory"]:
            yield f"{sums['promoted']} variables became values, {sums['in_memory']} are in memory:"
            for reason, number in self.reasons.most_common(_MOST_REASONS):
                yield f"  {number:>8}  {reason}"
        yield ""
        yield from _table(
            ["strategy", *FIGURES, "more"],
            [
                [name, *(_shown(sums[f"{name}.{each}"]) for each in FIGURES), str(self.more[name])]
                for name in self.strategies
            ],
        )
        yield "more: functions that keep more parameters than are minimal"
        for name in self.strategies:
            if self.figureless[name]:
                yield f"{name} refuses {counted(self.figureless[name], 'function')}, which the other rows count"


def _shown(value: float) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    """The lines of a table; all columns but the first are right-justified."""
    rows = [titles, *rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *others in rows:
        yield "  ".join([f"{first:<{widths[0]}}", *map("{:>{}}".format, others, widths[1:])])
