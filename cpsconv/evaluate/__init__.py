"""Runs CPS programs: the reference evaluator."""

from cpsconv.evaluate.effects import ByteStream
from cpsconv.evaluate.entry import entry_of, parse_arguments
from cpsconv.evaluate.faults import RuntimeFault, StepLimit
from cpsconv.evaluate.machine import Aborted, Halted, Outcome, Returned, evaluate

__all__ = [
    "Aborted",
    "ByteStream",
    "Halted",
    "Outcome",
    "Returned",
    "RuntimeFault",
    "StepLimit",
    "entry_of",
    "evaluate",
    "parse_arguments",
]
