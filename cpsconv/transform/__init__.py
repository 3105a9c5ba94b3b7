"""What rewrites a finished program."""

from cpsconv.transform.minimal import minimise
from cpsconv.transform.prune import drop_unreachable_functions, prune
from cpsconv.transform.thread_jumps import thread_jumps

__all__ = ["drop_unreachable_functions", "minimise", "prune", "thread_jumps"]
