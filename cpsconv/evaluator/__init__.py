"""Runs CPS programs: the reference evaluator."""

from cpsconv.evaluator.effects import ByteStream
from cpsconv.evaluator.machine import Aborted, Halted, Outcome, Returned, Walk, evaluate, exit_status, walk
from cpsconv.evaluator.stepper import Stepper
from cpsconv.evaluator.trace import Datum, Trace, TraceRecord, Uninitialised, Where, places_of, span_of
from cpsconv.evaluator.trace_json import trace_as_json
from cpsconv.evaluator.trace_text import TextTrace, shown_datum

__all__ = [
    "Aborted",
    "ByteStream",
    "Datum",
    "Halted",
    "Outcome",
    "Returned",
    "Stepper",
    "TextTrace",
    "Trace",
    "TraceRecord",
    "Uninitialised",
    "Walk",
    "Where",
    "evaluate",
    "exit_status",
    "places_of",
    "shown_datum",
    "span_of",
    "trace_as_json",
    "walk",
]
