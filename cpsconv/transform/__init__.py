"""What rewrites a finished program."""

from cpsconv.transform.minimal import minimise

__all__ = ["minimise"]
