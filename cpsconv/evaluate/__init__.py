"""Runs CPS programs: the reference evaluator."""

from cpsconv.evaluate.effects import ByteStream
from cpsconv.evaluate.entry import Data, data_parameters, entry_of, parse_arguments, return_type, shown_data
from cpsconv.evaluate.machine import Aborted, Halted, Outcome, Returned, Walk, evaluate, walk
from cpsconv.evaluate.stepper import Stepper
from cpsconv.evaluate.trace import Datum, Place, Trace, TraceRecord, Uninitialised, places_of, span_of
from cpsconv.evaluate.trace_json import trace_as_json
from cpsconv.evaluate.trace_text import TextTrace, shown
from cpsconv.faults import RuntimeFault, StepLimit

__all__ = [
    "Aborted",
    "ByteStream",
    "Data",
    "Datum",
    "Halted",
    "Outcome",
    "Place",
    "Returned",
    "RuntimeFault",
    "StepLimit",
    "Stepper",
    "TextTrace",
    "Trace",
    "TraceRecord",
    "Uninitialised",
    "Walk",
    "data_parameters",
    "entry_of",
    "evaluate",
    "parse_arguments",
    "places_of",
    "return_type",
    "shown",
    "shown_data",
    "span_of",
    "trace_as_json",
    "walk",
]
