"""The code model of LLVM: how far the parts of a module are from each other in memory.

In *small* code, each part reaches all others within 2 GB, by addresses relative to the instruction. It is shorter than
*large* code, the default of LLVM here, and generated faster: `-fast-isel` selects calls and accesses of global data.
LLVM does not notice that a part is too far, so code is small only if the system maps memory nearby.
"""

from __future__ import annotations

import platform
from pathlib import Path

_SMALL = {"reloc": "pic", "codemodel": "small"}
_NEARBY = 1 << 30  # bytes


def code_model() -> dict[str, str]:
    """The options of a target machine of llvmlite."""
    return _SMALL if platform.machine() == "x86_64" and maps_nearby() else {}


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
    if not any(stack):
        return False
    places = [[int(address, 16) for address in line[0].split("-")] for line in lines[: stack[0]]]
    lowest, highest = places[-1]
    for start, end in reversed(places):
        if lowest - end > _NEARBY:
            break
        lowest = start
    return highest - lowest < _NEARBY
