"""Runs CPS programs: the reference evaluator."""

from cpsconv.evaluate.effects import ByteStream
from cpsconv.evaluate.entry import Data, data_parameters, entry_of, parse_arguments, return_type, shown_data
from cpsconv.evaluate.machine import Aborted, Halted, Outcome, Returned, Walk, evaluate, exit_status, walk
from cpsconv.evaluate.stepper import Stepper
from cpsconv.evaluate.trace import Datum, Trace, TraceRecord, Uninitialised, Where, places_of, span_of
from cpsconv.evaluate.trace_json import trace_as_json
from cpsconv.evaluate.trace_text import TextTrace, shown_datum
from cpsconv.faults import RuntimeFault, StepLimit

__all__ = [
    "Aborted",
    "ByteStream",
    "Data",
    "Datum",
    "Halted",
    "Outcome",
    "Returned",
    "RuntimeFault",
    "StepLimit",
    "Stepper",
    "TextTrace",
    "Trace",
    "TraceRecord",
    "Uninitialised",
    "Walk",
    "Where",
    "data_parameters",
    "entry_of",
    "evaluate",
    "exit_status",
    "parse_arguments",
    "places_of",
    "return_type",
    "shown_data",
    "shown_datum",
    "span_of",
    "trace_as_json",
    "walk",
]
