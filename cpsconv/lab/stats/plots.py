"""Plots as SVG: bars, and points on logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 640, 400
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 20, 20, 50  # margins
_BAR = 18  # height of a horizontal bar


class Point(NamedTuple):
    """A point: its coordinates, its text, the address that a click on it leads to, and the number of its series."""

    x: float
    y: float
    text: str
    address: str
    series: int = 0


class Axis(NamedTuple):
    """A logarithmic axis from `least` to `greatest`, which are positive. `offset` is added to each value before."""

    title: str
    least: float
    greatest: float
    offset: float = 0

    def at(self, value: float) -> float:
        """The place of the value on the axis, from 0 to 1."""
        low, high = math.log(self.least), math.log(self.greatest)
        return (math.log(value + self.offset) - low) / (high - low)

    def ticks(self) -> list[float]:
        """The powers of ten on the axis, and zero if it is there."""
        powers = range(math.ceil(math.log10(self.least) - 1e-9), math.floor(math.log10(self.greatest) + 1e-9) + 1)
        shown = [10.0**power for power in powers if 10**power + self.offset <= self.greatest]
        return [0, *shown] if self.offset else shown


def axis(title: str, values: Iterable[float], offset: float = 0) -> Axis:
    """The axis for the values."""
    shown = [value + offset for value in values]
    least, greatest = min(shown, default=1), max(shown, default=1)
    return Axis(title, 10 ** math.floor(math.log10(least)), 10 ** (math.floor(math.log10(greatest)) + 1), offset)


def scatter(points: Sequence[Point], x: Axis, y: Axis, line: tuple[float, float] | None, series: Sequence[str]) -> str:
    """Points on two axes, and the line y = factor · x ^ exponent, given as the pair of both."""
    parts = [*_axes(x, y)]
    if line:
        ends = [_end(line, at, y) for at in (x.least, x.greatest)]
        (x1, y1), (x2, y2) = (_place(x.at(a - x.offset), y.at(b - y.offset)) for a, b in ends)
        parts.append(f'<line class="fit" x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"/>')
    for point in points:
        across, down = _place(x.at(point.x), y.at(point.y))
        circle = f'<circle class="s{point.series}" cx="{across:.1f}" cy="{down:.1f}" r="3"/>'
        parts.append(f'<a href="{escape(point.address)}">{circle}<title>{escape(point.text)}</title></a>')
    return f"{_svg(HEIGHT, parts)}{_legend(series)}"


def _end(line: tuple[float, float], at: float, y: Axis) -> tuple[float, float]:
    """The point of the line at `at`, or where the line leaves the axis before."""
    factor, exponent = line
    up = factor * at**exponent
    shown = min(max(up, y.least), y.greatest)
    return (at if shown == up or not exponent else (shown / factor) ** (1 / exponent)), shown


def bars(numbers: Mapping[str, int]) -> str:
    """A horizontal bar with its number for each text."""
    most = max(numbers.values(), default=1) or 1
    parts = []
    for row, (text, number) in enumerate(numbers.items()):
        y = _BAR * row + 4
        length = (WIDTH - 400) * number / most
        parts.append(f'<text x="295" y="{y + 12}" text-anchor="end">{escape(_shortened(text))}</text>')
        parts.append(f'<rect class="s0" x="300" y="{y}" width="{length:.1f}" height="{_BAR - 4}"/>')
        parts.append(f'<text x="{305 + length:.1f}" y="{y + 12}">{number}</text>')
    return _svg(_BAR * len(numbers) + 8, parts)


def grouped_bars(title: str, groups: Sequence[str], series: Mapping[str, Sequence[int]]) -> str:
    """Vertical bars on a logarithmic axis: for each group, one bar of each series."""
    most = max((number for numbers in series.values() for number in numbers), default=1)
    y = Axis("functions", 1, 10 ** math.ceil(math.log10(most + 1)), offset=1)
    wide = (WIDTH - _LEFT - _RIGHT) / max(1, len(groups))
    parts = [*_vertical(y), f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(title)}</text>']
    for at, group in enumerate(groups):
        left = _LEFT + wide * at
        parts.append(f'<text x="{left + wide / 2:.1f}" y="{HEIGHT - 30}" text-anchor="middle">{escape(group)}</text>')
        bar = wide * 0.8 / max(1, len(series))
        for number, (name, numbers) in enumerate(series.items()):
            _, top = _place(0, y.at(numbers[at]))
            place = f'x="{left + wide * 0.1 + bar * number:.1f}" y="{top:.1f}" width="{bar:.1f}"'
            text = f"{name}: {numbers[at]} functions with {group} parameters"
            height = f'height="{HEIGHT - _BOTTOM - top:.1f}"'
            parts.append(f'<rect class="s{number}" {place} {height}><title>{escape(text)}</title></rect>')
    return f"{_svg(HEIGHT, parts)}{_legend([*series])}"


def fitted(points: Sequence[tuple[float, float]]) -> tuple[float, float] | None:
    """The factor and the exponent of y = factor · x ^ exponent that fits best, by least squares of the logarithms.

    None if the points, whose coordinates are positive, do not have two different x.
    """
    logarithms = [(math.log(x), math.log(y)) for x, y in points]
    if len({x for x, _ in logarithms}) < 2:
        return None
    middle_x, middle_y = (sum(column) / len(points) for column in zip(*logarithms, strict=True))
    spread = sum((x - middle_x) ** 2 for x, _ in logarithms)
    exponent = sum((x - middle_x) * (y - middle_y) for x, y in logarithms) / spread
    return math.exp(middle_y - exponent * middle_x), exponent


def _place(across: float, up: float) -> tuple[float, float]:
    """The coordinates in the picture of a place on both axes."""
    return _LEFT + across * (WIDTH - _LEFT - _RIGHT), HEIGHT - _BOTTOM - up * (HEIGHT - _TOP - _BOTTOM)


def _axes(x: Axis, y: Axis) -> Iterable[str]:
    yield from _vertical(y)
    for tick in x.ticks():
        across, _ = _place(x.at(tick), 0)
        yield f'<line x1="{across:.1f}" y1="{_TOP}" x2="{across:.1f}" y2="{HEIGHT - _BOTTOM}"/>'
        yield f'<text x="{across:.1f}" y="{HEIGHT - _BOTTOM + 16}" text-anchor="middle">{tick:g}</text>'
    yield f'<text x="{WIDTH / 2}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x.title)}</text>'


def _vertical(y: Axis) -> Iterable[str]:
    for tick in y.ticks():
        _, down = _place(0, y.at(tick))
        yield f'<line x1="{_LEFT}" y1="{down:.1f}" x2="{WIDTH - _RIGHT}" y2="{down:.1f}"/>'
        yield f'<text x="{_LEFT - 6}" y="{down + 4:.1f}" text-anchor="end">{tick:g}</text>'
    yield f'<text transform="rotate(-90)" x="{-HEIGHT / 2}" y="14" text-anchor="middle">{escape(y.title)}</text>'


def _legend(series: Sequence[str]) -> str:
    entries = "".join(f'<span class="s{number}">{escape(name)}</span> ' for number, name in enumerate(series))
    return f'<p class="legend">{entries}</p>' if len(series) > 1 else ""


def _svg(height: int, parts: Iterable[str]) -> str:
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img">{"".join(parts)}</svg>'


def _shortened(text: str) -> str:
    return text if len(text) <= 48 else f"{text[:47]}…"
