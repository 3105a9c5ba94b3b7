"""What rewrites a finished program."""

from cpsconv.transform.minimal import minimise
from cpsconv.transform.prune import prune
from cpsconv.transform.thread_jumps import thread_jumps

__all__ = ["minimise", "prune", "thread_jumps"]
