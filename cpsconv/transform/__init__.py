"""What rewrites a finished program."""

from cpsconv.transform.minimal import minimise
from cpsconv.transform.prune import prune

__all__ = ["minimise", "prune"]
