"""The trace as JSON Lines, for other tools. `docs/trace.md` describes the fields."""

from __future__ import annotations

import json

from cpsconv.core.ir import Scalar
from cpsconv.core.json.writer import Json, data_as_json, type_as_json
from cpsconv.core.source import Span
from cpsconv.engines.machine.trace import ContinuationName, Datum, ForeignValue, Pointer, TraceRecord, Uninitialised


def trace_as_json(record: TraceRecord) -> str:
    """The record as one line, without the line end."""
    return json.dumps(
        {
            "step": record.step,
            "depth": record.depth,
            "at": _name(record.at),
            "kind": record.kind,
            "condition": _datum(record.condition) if record.condition else None,
            "target": record.target,
            "to": _name(record.to) if record.to else None,
            "arguments": [_datum(argument) for argument in record.arguments],
            "source": _source(record.span) if record.span else None,
            "output": record.output,
            **({"changes": [_datum(change) for change in record.changes]} if record.changes else {}),
        },
        allow_nan=False,
    )


def _name(name: ContinuationName) -> Json:
    if name.function is None:
        return {"external": name.continuation}
    return {"function": name.function, "continuation": name.continuation}


def _datum(datum: Datum) -> Json:
    return {"name": datum.name, "type": type_as_json(datum.type), "value": _value(datum)}


def _value(datum: Datum) -> Json:
    if isinstance(datum.value, ContinuationName):
        return _name(datum.value)
    if isinstance(datum.value, Uninitialised):
        return {"undef": datum.value.variable}
    if isinstance(datum.value, Pointer):
        return {"pointer": datum.value.text}
    if isinstance(datum.value, ForeignValue):
        return {"foreign": datum.value.text}
    assert isinstance(datum.type, Scalar)
    return data_as_json(datum.type, datum.value)


def _source(span: Span) -> Json:
    span = span.written
    line, column = span.source.position(span.start)
    return {
        "file": span.source.name,
        "span": [span.start, span.end],
        "line": line,
        "column": column,
        "text": span.source.line(line),
    }
