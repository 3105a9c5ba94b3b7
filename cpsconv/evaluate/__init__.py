"""Runs CPS programs: the reference evaluator."""

from cpsconv.evaluate.effects import ByteStream
from cpsconv.evaluate.entry import Data, data_parameters, entry_of, parse_arguments
from cpsconv.evaluate.machine import Aborted, Halted, Outcome, Returned, evaluate
from cpsconv.faults import RuntimeFault, StepLimit

__all__ = [
    "Aborted",
    "ByteStream",
    "Data",
    "Halted",
    "Outcome",
    "Returned",
    "RuntimeFault",
    "StepLimit",
    "data_parameters",
    "entry_of",
    "evaluate",
    "parse_arguments",
]
