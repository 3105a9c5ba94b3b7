"""The algorithms as numbered lines, so that each step of a construction can point to the line that it carries out.

The lines say in the words of section 5.2 what the paper's pseudocode says in those of section 2: a block is a
continuation, a φ function a parameter, an operand an argument. `v` is a variable, `k` a continuation.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True)
class Algorithm:
    """Where the paper has it, and what it is for."""

    source: str
    title: str


_CONTINUATIONS = Algorithm("section 2.3", "continuations come and go")
_OPERATIONS = Algorithm("section 3.1", "compute")
_LOCAL = Algorithm("Algorithm 1", "write and read v in k")
_GLOBAL = Algorithm("Algorithm 2", "look v up at k")
_MARKER = Algorithm("section 3.3, marker", "look v up at a join k")
_SCC = Algorithm("section 3.3, SCC", "look v up at a join k")
_ARGUMENTS = Algorithm("Algorithm 2, addPhiOperands", "give a parameter its arguments")
_TRIVIAL = Algorithm("Algorithm 3", "remove a trivial parameter")
_SEAL = Algorithm("Algorithm 4", "seal k")
_LEFTOVERS = Algorithm("afterwards", "drop what is left over")
_REDUNDANT = Algorithm("Algorithm 5", "remove redundant sets")


class Line(Enum):
    """A line of an algorithm: which algorithm, its number there (from 1), and what it does."""

    CREATE = _CONTINUATIONS, 1, "a new continuation is neither filled nor sealed"
    ENTER = _CONTINUATIONS, 2, "enter k: it is being filled from here on"
    FILL = _CONTINUATIONS, 3, "a transfer ends k: now k is filled, and only now it gets successors"
    CLOSE = _CONTINUATIONS, 4, "all continuations are filled and sealed: the function is complete"

    COMPUTE = _OPERATIONS, 1, "add a computation to k"
    SIMPLIFY = _OPERATIONS, 2, "or take a simpler value in its place"
    DECIDE = _OPERATIONS, 3, "at a branch whose condition is known, only the way that is taken gets an edge"

    WRITE = _LOCAL, 1, "write: from here on, v has this value in k"
    FOUND = _LOCAL, 2, "read: if v has a value in k, that is the answer"
    ASK = _LOCAL, 3, "if it has none, look v up at k, and remember the answer in k"

    PROXY = _GLOBAL, 1, "k is not sealed: a proxy, a parameter without arguments yet, stands for v"
    WALK_OPEN = _GLOBAL, 2, "unless nothing that will lead to k can have assigned v: then go on as if k was sealed"
    WALK = _GLOBAL, 3, "k has one predecessor: read v there"
    UNDEFINED = _GLOBAL, 4, "k has none: v is undefined"
    PLACE_FIRST = _GLOBAL, 5, "k is a join: place a parameter, so that a way round a loop ends here; ask all before k"
    PLACE = _GLOBAL, 6, "k is a join: the strategy decides whether to place a parameter"

    MARK = _MARKER, 1, "mark k, and ask all of its predecessors"
    CYCLE = _MARKER, 2, "the way comes back to a mark: place a parameter, which breaks the cycle"
    AGREE = _MARKER, 3, "all answers are the same: that is it, and nothing is placed"
    DIFFER = _MARKER, 4, "the answers differ: place a parameter, unless k has one by now"

    VISIT = _SCC, 1, "ask all predecessors of k, and find the cycles in that (Tarjan)"
    NONE_ENTERS = _SCC, 2, "no value enters a cycle: v is undefined in it"
    ONE_ENTERS = _SCC, 3, "one value enters: that is it, and nothing is placed"
    MORE_ENTER = _SCC, 4, "more enter: place a parameter wherever one does"
    INHERIT = _SCC, 5, "in the rest of the cycle: one value arrives, that is it; more: place a parameter"

    ARGUMENTS = _ARGUMENTS, 1, "one argument for each predecessor: the value that v has there"

    KEEP = _TRIVIAL, 1, "it receives two different values: it stays"
    REMOVE = _TRIVIAL, 2, "it receives itself and one other value: that stands for it; examine what received it"

    SEAL = _SEAL, 1, "all predecessors of k are known"
    COMPLETE_PROXY = _SEAL, 2, "each proxy of k gets its arguments"

    UNREACHABLE = _LEFTOVERS, 1, "continuations that nothing leads to"
    UNUSED = _LEFTOVERS, 2, "parameters that are used for nothing but each other"
    REDUNDANT = _REDUNDANT, 1, "parameters that receive only each other and one other value: that stands for them"

    def __init__(self, algorithm: Algorithm, number: int, text: str) -> None:
        self.algorithm = algorithm
        self.number = number
        self.text = text


def listing(strategy: str) -> list[Line]:
    """The lines that a strategy can carry out. A strategy not described here has none but the general ones."""
    own = _OWN.get(strategy, {Line.PLACE})
    foreign = {Line.PLACE}.union(*_OWN.values()) - own
    return [line for line in Line if line not in foreign]


def _lines(algorithm: Algorithm) -> set[Line]:
    return {line for line in Line if line.algorithm is algorithm}


_OWN = {"basic": {Line.PLACE_FIRST}, "marker": _lines(_MARKER), "scc": _lines(_SCC)}
"""The lines that only one strategy carries out."""
