"""Clauses for the definitions that a look-up records with a step (`writeVariable` in Algorithm 2)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from cpsconv.construction import events as e
from cpsconv.explain.algorithm_lines import Line
from cpsconv.explain.phrases import Phrases, listed
from cpsconv.ir import Undef, Value


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
        case e.Component(_, _, entering):
            distinct = {value for values in entering for value in values}
            return distinct.pop() if len(distinct) == 1 else None
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
