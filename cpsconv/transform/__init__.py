"""What rewrites a finished program."""

from cpsconv.transform.minimal import minimise, redundant_parameters
from cpsconv.transform.prune import drop_unreachable_functions, prune, unused_parameters
from cpsconv.transform.thread_jumps import thread_jumps

__all__ = [
    "drop_unreachable_functions",
    "minimise",
    "prune",
    "redundant_parameters",
    "thread_jumps",
    "unused_parameters",
]
