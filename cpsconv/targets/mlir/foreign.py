"""Foreign operations in MLIR's generic form."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cpsconv.abi.mlir import SEGMENTS, results_in
from cpsconv.targets.mlir.llvm_text import Passed


def generic(name: str, static: str, passed: Sequence[Passed], type: str, targets: str = "") -> str:
    """An operation in the generic form, with its properties and attributes."""
    names, types = ", ".join(each.name for each in passed), ", ".join(each.type for each in passed)
    return f'"{name}"({names}){targets}{static and " "}{static} : ({types}) -> {listed(type)}'


def listed(type: str) -> str:
    """The types of results after an arrow."""
    types = [each for each in results_in(type) if each != "!llvm.void"]
    return types[0] if len(types) == 1 else f"({', '.join(types)})"


def with_segments(name: str, static: str, counts: Sequence[int]) -> str:
    """The properties of a transfer with the numbers of the operands that its edges pass now."""
    if name.endswith(".switch"):
        segments = f"case_operand_segments = array<i32{': ' * (len(counts) > 1)}{', '.join(map(str, counts[1:]))}>"
        static = re.sub(r"case_operand_segments = array<i32[^>]*>", segments, static)
        counts = [*counts[:1], sum(counts[1:])]
    found = SEGMENTS.search(static)
    if not found:
        return static
    own = found[1].split(", ")[: found[1].count(",") + 1 - len(counts)]
    return f"{static[: found.start(1)]}{', '.join([*own, *map(str, counts)])}{static[found.end(1) :]}"
