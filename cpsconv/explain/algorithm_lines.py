"""The paper's algorithms as numbered lines: each step of a construction carries out one line.

The lines express the pseudocode of section 2 in the terms of section 5.2: a block is a continuation, a φ function a
parameter, an operand an argument. `v` is a variable, `k` a continuation.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True)
class Algorithm:
    """Its place in the paper, and its purpose."""

    source: str
    title: str


_CONTINUATIONS = Algorithm("section 2.3", "create and fill continuations")
_OPERATIONS = Algorithm("section 3.1", "compute")
_LOCAL = Algorithm("Algorithm 1", "write and read v in k")
_GLOBAL = Algorithm("Algorithm 2", "look v up in k")
_MARKER = Algorithm("section 3.3, marker", "look v up in a join k")
_SCC = Algorithm("section 3.3, SCC", "look v up in a join k")
_ARGUMENTS = Algorithm("Algorithm 2, addPhiOperands", "give a parameter its arguments")
_TRIVIAL = Algorithm("Algorithm 3", "remove a trivial parameter")
_SEAL = Algorithm("Algorithm 4", "seal k")
_CLEANUP = Algorithm("afterwards", "remove unreachable and unused parts")
_REDUNDANT = Algorithm("Algorithm 5", "remove redundant sets")


class Line(Enum):
    """A line of an algorithm: the algorithm, the number of the line in it (from 1), and the text."""

    CREATE = _CONTINUATIONS, 1, "a new continuation is neither filled nor sealed"
    ENTER = _CONTINUATIONS, 2, "enter k: it is being filled"
    FILL = _CONTINUATIONS, 3, "a transfer ends k: k is filled, and now has successors"
    CLOSE = _CONTINUATIONS, 4, "all continuations are filled and sealed: the function is complete"

    COMPUTE = _OPERATIONS, 1, "add a computation to k"
    SIMPLIFY = _OPERATIONS, 2, "or use a simpler value instead"
    DECIDE = _OPERATIONS, 3, "at a branch whose condition is known, only the outcome that is taken gets an edge"

    WRITE = _LOCAL, 1, "write: record the value of v in k"
    FOUND = _LOCAL, 2, "read: if k has a value for v, return it"
    ASK = _LOCAL, 3, "otherwise look v up in k, and record the result in k"

    PROXY = _GLOBAL, 1, "k is not sealed: v gets a proxy, a parameter that has no arguments yet"
    WALK_OPEN = _GLOBAL, 2, "unless no later predecessor of k can have assigned v: then continue as if k were sealed"
    WALK = _GLOBAL, 3, "k has one predecessor: read v there"
    UNDEFINED = _GLOBAL, 4, "k has no predecessor: v is undefined"
    PLACE_FIRST = _GLOBAL, 5, "k is a join: place a parameter, which ends look-ups in loops; read v in all predecessors"

    MARK = _MARKER, 1, "mark k, and read v in all predecessors"
    CYCLE = _MARKER, 2, "the look-up reaches a mark again: place a parameter, which breaks the cycle"
    AGREE = _MARKER, 3, "all predecessors have the same value: return it, and place nothing"
    DIFFER = _MARKER, 4, "the values differ: place a parameter, unless k has one already"

    VISIT = _SCC, 1, "look v up in all predecessors of k, and find the cycles of the look-up (Tarjan)"
    NONE_ENTERS = _SCC, 2, "no value enters a cycle: v is undefined in it"
    ONE_ENTERS = _SCC, 3, "one value enters a cycle: it is the value of v there, and nothing is placed"
    MORE_ENTER = _SCC, 4, "several values enter: place a parameter wherever one of them enters"
    INHERIT = _SCC, 5, "in the rest of the cycle: if one value arrives, return it; otherwise place a parameter"

    ARGUMENTS = _ARGUMENTS, 1, "one argument for each predecessor: the value that v has there"

    KEEP = _TRIVIAL, 1, "the parameter receives two different values: keep it"
    REMOVE = _TRIVIAL, 2, "it receives itself and one other value: replace it by that value; re-examine its users"

    SEAL = _SEAL, 1, "all predecessors of k are known"
    COMPLETE_PROXY = _SEAL, 2, "each proxy of k gets its arguments"

    UNREACHABLE = _CLEANUP, 1, "drop unreachable continuations"
    UNUSED = _CLEANUP, 2, "remove parameters that are used only by each other"
    REDUNDANT = _REDUNDANT, 1, "parameters that receive only each other and one other value: replace them by that value"

    def __init__(self, algorithm: Algorithm, number: int, text: str) -> None:
        self.algorithm = algorithm
        self.number = number
        self.text = text


def _lines(algorithm: Algorithm) -> set[Line]:
    return {line for line in Line if line.algorithm is algorithm}


STRATEGY_LINES: dict[str, Collection[Line]] = {
    "paper": {Line.PLACE_FIRST},
    "basic": {Line.PLACE_FIRST},
    "marker": _lines(_MARKER),
    "scc": _lines(_SCC),
}
"""The lines by which the strategies of the paper differ. Other strategies have no listing."""


def algorithm_listing(strategy: str) -> list[Line]:
    """The lines that a strategy may carry out; none for a strategy without an entry in `STRATEGY_LINES`."""
    if strategy not in STRATEGY_LINES:
        return []
    foreign = {line for name, lines in STRATEGY_LINES.items() for line in lines if name != strategy}
    return [line for line in Line if line not in foreign or line in STRATEGY_LINES[strategy]]
