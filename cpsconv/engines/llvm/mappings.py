"""The memory that the system has mapped, and where it maps more."""

from __future__ import annotations

import platform
from pathlib import Path

_NEARBY = 1 << 30  # bytes


def maps_nearby(mappings: Path = Path("/proc/self/maps")) -> bool:
    """Whether the parts of a module that are loaded next will lie within 2 GB, as far as the system tells.

    Linux maps memory into the first gap that is large enough, from one end of an area below the stack. So parts of less
    than 1 GB lie in gaps between the mappings above the first gap of 1 GB, or at an end of this gap.
    """
    try:
        lines = [line.split(maxsplit=5) for line in mappings.read_text("utf-8", "replace").splitlines()]
    except OSError:
        return False
    stack = [index for index, line in enumerate(lines) if line[5:] == ["[stack]"]]
    if platform.machine() != "x86_64" or not any(stack):
        return False
    places = [[int(address, 16) for address in line[0].split("-")] for line in lines[: stack[0]]]
    lowest, highest = places[-1]
    for start, end in reversed(places):
        if lowest - end > _NEARBY:
            break
        lowest = start
    return highest - lowest < _NEARBY
