"""What rewrites a finished program."""

from cpsconv.transform.minimal import minimise
from cpsconv.transform.prune import drop_unreachable_functions, prune

__all__ = ["drop_unreachable_functions", "minimise", "prune"]
