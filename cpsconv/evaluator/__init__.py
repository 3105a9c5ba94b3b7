"""The reference evaluator: it defines the meaning of CPS programs.

`machine` is the abstract machine; its docstring is an essay on frames and closures. `link` prepares a program for it,
from the run-time objects in `values` and the `effects`. `trace` creates a record of each transfer; `trace_text` and
`trace_json` show it; `stepper` moves through a run in both directions.
"""

from cpsconv.evaluator.effects import ByteStream
from cpsconv.evaluator.machine import Aborted, Halted, Outcome, Returned, TracedRun, evaluate, exit_status, traced_run
from cpsconv.evaluator.stepper import Stepper
from cpsconv.evaluator.trace import (
    ContinuationName,
    Datum,
    Trace,
    TraceRecord,
    Uninitialised,
    continuation_names,
    span_of,
)
from cpsconv.evaluator.trace_json import trace_as_json
from cpsconv.evaluator.trace_text import TextTrace, datum_text

__all__ = [
    "Aborted",
    "ByteStream",
    "ContinuationName",
    "Datum",
    "Halted",
    "Outcome",
    "Returned",
    "Stepper",
    "TextTrace",
    "Trace",
    "TraceRecord",
    "TracedRun",
    "Uninitialised",
    "continuation_names",
    "datum_text",
    "evaluate",
    "exit_status",
    "span_of",
    "trace_as_json",
    "traced_run",
]
