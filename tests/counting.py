"""Work as a number that is the same in each run, unlike time: the lines of Python that an action executes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

from benchmarks.lookups import growth

__all__ = ["growth", "lines_executed"]


def lines_executed(action: Callable[[], object]) -> int:
    """The number of lines that the action executes, with one for each iteration of a loop within a line."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        action()
    finally:
        sys.settrace(before)
    return count
