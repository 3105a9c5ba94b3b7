"""Work as a number that is the same in each run, unlike time: the lines of Python that an action executes."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def growth(figures: list[int], sizes: list[int]) -> float:
    """The exponent of growth from the first to the last figure."""
    return math.log(figures[-1] / figures[0]) / math.log(sizes[-1] / sizes[0])


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
