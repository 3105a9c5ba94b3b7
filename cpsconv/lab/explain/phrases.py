"""Clauses, and the phrases for values and lists, of which the sentences about a construction are composed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from typing import NamedTuple, TypeVar

from cpsconv.core.construction import events as e
from cpsconv.core.construction.block import Block, Placed
from cpsconv.core.ir import Effect, Primitive, Undef, Value
from cpsconv.lab.explain.algorithm_lines import Line
from cpsconv.lab.explain.labels import Labels

T = TypeVar("T")

MAX_LISTED = 6  # values or continuations in one sentence


class Clause(NamedTuple):
    """The sentence for an event, the lines that the event carries out (one of them first), and the block concerned."""

    line: Line
    block: Block
    text: str
    further: tuple[Line, ...] = ()


@dataclass(frozen=True)
class Phrases:
    """Phrases with the names of one function."""

    labels: Labels

    def value(self, value: Value) -> str:
        """A value, as a noun; a parameter with its continuation, since it often has the name of the variable."""
        if isinstance(value, Undef):
            return "an undefined value"
        if home := self.labels.home(value):
            return f"the parameter {self.labels.value(value)} of {home}"
        if isinstance(value, (Primitive, Effect)) and self.labels.is_named(value):
            return f"the result {self.labels.value(value)} of {self.labels.computation(value)}"
        return self.labels.value(value)

    def being(self, value: Value) -> str:
        """A value, after "is"."""
        return "undefined" if isinstance(value, Undef) else self.value(value)

    def distinct(self, values: Sequence[Value]) -> str:
        """Different values, with a remark if some of them look the same."""
        shown = [self.value(value) for value in values[:MAX_LISTED]]
        if len(shown) == len({*shown}):
            return listed(values, self.value)
        alike = "they look" if len({*shown}) == 1 else "some look"
        return f"{listed(values, self.value)} (different values, though {alike} the same)"

    def some(self, values: Sequence[Value], witnesses: Sequence[Value]) -> str:
        """All of the different values if they are few; otherwise, "at least" the witnesses among them."""
        if 0 < len(values) <= MAX_LISTED:
            return self.distinct(values)
        return f"at least {self.distinct(witnesses)}"

    def parameter(self, parameter: Placed) -> str:
        """A parameter, with its continuation and its variable."""
        home, variable = self.labels.block(parameter.block), self.labels.variable(parameter.variable)
        return f"the parameter {self.labels.value(parameter)} of {home}, for {variable}"

    def predecessors(self, blocks: Iterable[Block]) -> str:
        """Predecessors: one that several edges leave is listed once, with their number."""
        return listed(Counter(blocks).items(), lambda item: self.labels.block(item[0]) + _edges(item[1]))

    def arguments(self, pairs: Iterable[tuple[Value, Block]]) -> str:
        """Arguments, with the predecessors that pass them."""

        def passed(item: tuple[tuple[Value, Block], int]) -> str:
            (value, block), edges = item
            return f"{self.labels.value(value)} from {self.labels.block(block)}{_edges(edges)}"

        return listed(Counter(pairs).items(), passed)


def _edges(number: int) -> str:
    return f" ({number} edges)" if number > 1 else ""


def listed(items: Iterable[T], shown: Callable[[T], str] = str, word: str = "and") -> str:
    """``a, b and c``; at most `MAX_LISTED` of the items, and the number of the others."""
    rest = iter(items)
    texts = [shown(item) for item in islice(rest, MAX_LISTED)]
    if more := sum(1 for _ in rest):
        return f"{', '.join(texts)} {word} {more} more"
    *most, last = texts or [""]
    return f"{', '.join(most)} {word} {last}" if most else last


# ------------------------------------------- definitions that a look-up records (`writeVariable` in Algorithm 2)


def record_clauses(phrases: Phrases, event: e.Event, records: Sequence[e.Record]) -> str:
    """The clauses for the `records` that follow `event`, to be appended to its sentence."""
    subject = _subject(event)
    text = ""
    for (variable, value), group in groupby(records, lambda record: (record.variable, record.value)):
        name = phrases.labels.variable(variable)
        blocks = listed(dict.fromkeys(block for record in group for block in record.blocks), phrases.labels.block)
        if isinstance(value, Undef):
            text += f"; record in {blocks} that {name} is undefined"
        else:
            text += f"; record {'it' if value is subject else phrases.value(value)} as {name} in {blocks}"
    return text


def _subject(event: e.Event) -> Value | None:
    """The value to which "it" refers after the sentence for `event`."""
    match event:
        case e.Walk(_, _, _, value) | e.Agree(_, _, value) | e.Inherit(_, _, value):
            return value
        case e.Place(parameter) | e.Proxy(parameter) | e.Keep(parameter):
            return parameter
        case e.Remove(_, value, ()):
            return value
        case e.Component(_, _, _, counted):
            return next(iter(counted)) if len(counted) == 1 else None
    return None


def record_lines(strategy: str, event: e.Event, records: Iterable[e.Record]) -> tuple[Line, ...]:
    """The lines that carry out the `records` that follow `event`."""
    return tuple(_line(strategy, event, record) for record in records)


def _line(strategy: str, event: e.Event, record: e.Record) -> Line:
    if strategy in ("marker", "scc") and not isinstance(event, (e.Walk, e.Proxy)):
        return Line.RECORD_MARKED if strategy == "marker" else Line.RECORD_SCC
    if isinstance(event, e.Place) and event.parameter.block in record.blocks:
        return Line.WRITE_PHI
    return Line.RECORD
