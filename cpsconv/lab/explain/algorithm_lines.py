"""The paper's algorithms as listings: each step of a construction carries out one of the lines, or several.

The functions, their parameters and their structure are the paper's; the lines are in our words. `CORRESPONDENCE`
relates their terms to those of section 5.2. What the paper leaves open, or does differently, is marked as *ours*.
"""

from __future__ import annotations

from enum import Enum
from itertools import count
from typing import NamedTuple

CORRESPONDENCE = "A block is a continuation, a φ is a parameter, and an operand is an argument."
"""The correspondence between the terms of the lines and those of the steps."""


class Algorithm(NamedTuple):
    """A function of the paper's pseudocode, or a task that the paper describes in words: its place, and its heading."""

    source: str
    heading: str


class _Scope(NamedTuple):
    """The strategies that have a line, and whether the line is ours."""

    strategies: frozenset[str]
    ours: bool = False


_LISTED = frozenset({"paper", "basic", "marker", "scc"})
_ALL = _Scope(_LISTED)
_PAPER = _Scope(frozenset({"paper"}))
_PLACING_FIRST = _Scope(frozenset({"paper", "basic"}))
_LOOKING_FIRST = _Scope(frozenset({"marker", "scc"}))
_MARKER = _Scope(frozenset({"marker"}))
_SCC = _Scope(frozenset({"scc"}))
_UNLISTED = _Scope(frozenset())
_OURS = _Scope(_LISTED, ours=True)
_OURS_IN_PAPER = _Scope(frozenset({"paper"}), ours=True)
_OURS_IN_OTHERS = _Scope(_LISTED - {"paper"}, ours=True)
_OURS_IN_SCC = _Scope(frozenset({"scc"}), ours=True)

_BLOCKS = Algorithm("section 2.3", "create and fill blocks")
_VALUES = Algorithm("section 3.1", "compute")
_WRITE = Algorithm("Algorithm 1", "writeVariable(variable, block, value)")
_READ = Algorithm("Algorithm 1", "readVariable(variable, block)")
_RECURSIVE = Algorithm("Algorithm 2", "readVariableRecursive(variable, block)")
_OPERANDS = Algorithm("Algorithm 2", "addPhiOperands(variable, phi)")
_TRIVIAL = Algorithm("Algorithm 3", "tryRemoveTrivialPhi(phi)")
_SEAL = Algorithm("Algorithm 4", "sealBlock(block)")
_MARKERS = Algorithm("section 3.3, marker", "readVariableRecursive(variable, block) at a join")
_SCCS = Algorithm("section 3.3, SCC", "readVariableRecursive(variable, block) at a join")
_CLEANUP = Algorithm("clean-up", "remove unreachable and unused parts")
_REDUNDANT = Algorithm("Algorithm 5", "removeRedundantPhis(phiFunctions)")
_PROCESS = Algorithm("Algorithm 5", "processSCC(scc)")
_RECONSTRUCTION = Algorithm("section 5.1", "reconstruct SSA form after jump threading")


class Line(Enum):
    """A line: its algorithm, its text, the levels of its `indent`, the `strategies` that have it; `ours` or not."""

    CREATE = _BLOCKS, "a new block is neither filled nor sealed"
    ENTER = _BLOCKS, "enter block: the statements that follow in the source fill it"
    FILL = _BLOCKS, "end block: it is filled, and becomes a predecessor of its successors"
    CLOSE = _BLOCKS, "when all blocks are filled and sealed, the function is complete"

    COMPUTE = _VALUES, "append a computation to block"
    SIMPLIFY = _VALUES, "or use a simpler value in its place"
    DECIDE = _VALUES, "if the condition of a branch is known, only the target that is reached becomes a successor"

    WRITE = _WRITE, "record value as the current definition of variable in block"

    IF_DEFINED = _READ, "if block has a current definition of variable:"
    FOUND = _READ, "  return it"
    SEARCH = _READ, "return the result of readVariableRecursive(variable, block)"

    IF_OPEN = _RECURSIVE, "if block is not sealed:"
    WALK_OPEN = (
        _RECURSIVE,
        "  unless it has one predecessor, and no later one can have assigned variable",
        _OURS_IN_OTHERS,
    )
    PROXY = _RECURSIVE, "  value ← a new φ without operands, which is added to incompletePhis[block]"
    IF_SINGLE = _RECURSIVE, "else if block has one predecessor:"
    WALK = _RECURSIVE, "  value ← readVariable(variable, this predecessor)"
    CHAIN = _RECURSIVE, "  the search of a chain of such blocks is one step", _OURS_IN_OTHERS
    UNREACHABLE_CYCLE = _RECURSIVE, "  unless the search came back, in an unreachable cycle: value ← undefined", _OURS
    IF_START = _RECURSIVE, "else if block has no predecessor:", _OURS_IN_OTHERS
    UNDEFINED = _RECURSIVE, "  value ← undefined, without a φ", _OURS_IN_OTHERS
    ELSE = _RECURSIVE, "else:", _PLACING_FIRST
    PLACE = _RECURSIVE, "  value ← a new φ without operands", _PLACING_FIRST
    WRITE_PHI = _RECURSIVE, "  writeVariable(variable, block, value), which ends look-ups that return", _PLACING_FIRST
    ADD_OPERANDS = _RECURSIVE, "  value ← addPhiOperands(variable, value)", _PLACING_FIRST
    ELSE_LOOK = _RECURSIVE, "else: value ← the result of section 3.3", _LOOKING_FIRST
    RECORD = _RECURSIVE, "writeVariable(variable, block, value)"
    RETURN = _RECURSIVE, "return value"

    EACH_PREDECESSOR = _OPERANDS, "for each predecessor of the block of phi:"
    OPERAND = _OPERANDS, "  append the result of readVariable(variable, predecessor) to the operands of phi"
    EXAMINE = _OPERANDS, "return the result of tryRemoveTrivialPhi(phi)"

    EACH_OPERAND = _TRIVIAL, "for each operand of phi that is not phi itself:"
    KEEP = _TRIVIAL, "  if another operand differs from it: return phi, which is not trivial"
    SAME = _TRIVIAL, "same ← the only operand that is not phi"
    NO_OPERAND = _TRIVIAL, "if there is none: same ← undefined (phi is unreachable, or in the start block)"
    REMOVE = _TRIVIAL, "replace phi by same wherever it is used"
    EACH_USER = _TRIVIAL, "for each φ that had phi as an operand:", _PAPER
    EACH_WATCHER = _TRIVIAL, "for each φ that had phi as one of its two witnesses (section 3.1):", _OURS_IN_OTHERS
    IF_COMPLETE = _TRIVIAL, "  if it has all of its operands; otherwise it is examined later:", _OURS
    EXAMINE_USER = _TRIVIAL, "  apply tryRemoveTrivialPhi(this φ)"
    RETURN_SAME = _TRIVIAL, "return same, which takes the place of phi"

    SEAL_FIRST = _SEAL, "block is sealed", _OURS_IN_OTHERS
    EACH_PROXY = _SEAL, "for each variable with a φ in incompletePhis[block]:"
    COMPLETE_PROXY = _SEAL, "  apply addPhiOperands(variable, this φ)"
    SEAL = _SEAL, "block is sealed", _PAPER

    MARK = _MARKERS, "mark block", _MARKER
    EACH_MARKED = _MARKERS, "for each predecessor: readVariable(variable, predecessor)", _MARKER
    CYCLE = _MARKERS, "  if this reaches block again: end it with a new φ of block", _MARKER
    IF_DIFFER = _MARKERS, "if the predecessors have different values, or block has the new φ:", _MARKER
    DIFFER = (
        _MARKERS,
        "  value ← the new φ, or a φ placed now, with the values of the predecessors as operands",
        _MARKER,
    )
    AGREE = _MARKERS, "else: value ← the value of all predecessors", _MARKER
    RECORD_MARKED = _MARKERS, "writeVariable(variable, block, value)", _MARKER

    VISIT = _SCCS, "search all predecessors by Tarjan's algorithm, which finds the SCCs of the look-up", _SCC
    EACH_SCC = _SCCS, "for each SCC of blocks, when its search is complete:", _SCC
    NONE_ENTERS = _SCCS, "  if no value enters it: value ← undefined (the SCC is unreachable)", _OURS_IN_SCC
    ONE_ENTERS = _SCCS, "  if one value enters it: value ← this value, without a φ", _SCC
    MORE_ENTER = _SCCS, "  if several values enter it: value ← a new φ, in each block that one of them enters", _SCC
    INHERIT = (
        _SCCS,
        "    in each other block with a dominator in the SCC: value ← the value of the dominator",
        _OURS_IN_SCC,
    )
    MEET = _SCCS, "    in each other block without one, where different values meet: value ← a new φ", _OURS_IN_SCC
    RECORD_SCC = _SCCS, "  writeVariable(variable, block, value) in each block", _SCC

    UNREACHABLE = _CLEANUP, "drop unreachable blocks, and the operands from them", _OURS
    UNUSED = _CLEANUP, "remove φs that are used only by each other", _OURS

    EACH_PHI_SCC = _REDUNDANT, "for each SCC of the graph of phiFunctions, in topological order:", _PAPER
    PROCESS = _REDUNDANT, "  apply processSCC(scc)", _PAPER
    IF_ONE_PHI = _PROCESS, "if scc is a single φ:", _PAPER
    NEWLY_TRIVIAL = (_PROCESS, "  unless it has become trivial since: then as an SCC of several", _OURS_IN_PAPER)
    SKIP = _PROCESS, "  return: trivial φs have been removed already", _PAPER
    INNER = _PROCESS, "inner ← the φs of scc whose operands are all in scc", _PAPER
    OUTER = _PROCESS, "outerOps ← the operands of the φs of scc that are not in scc", _PAPER
    IF_ONE_OUTER = _PROCESS, "if outerOps has one value:", _PAPER
    REPLACE_SCC = _PROCESS, "  replaceSCCByValue(scc, this value)", _PAPER
    IF_MORE_OUTER = _PROCESS, "else if outerOps has several values:", _PAPER
    RECURSE = _PROCESS, "  apply removeRedundantPhis(inner)", _PAPER
    REDUNDANT = (
        _REDUNDANT,
        "replace each φ that one value dominates in the flow of values by this value",
        _OURS_IN_OTHERS,
    )

    REDIRECT = (
        _RECONSTRUCTION,
        "an edge bypasses a branch with a known outcome; the branch is copied for it",
        _UNLISTED,
    )
    RECONSTRUCT = _RECONSTRUCTION, "writeVariable at each definition of a value; readVariable at each use", _UNLISTED
    REPLACE = _RECONSTRUCTION, "replace the use by the value that was read", _UNLISTED

    def __init__(self, algorithm: Algorithm, text: str, scope: _Scope = _ALL) -> None:
        self.algorithm = algorithm
        self.text = text.lstrip()
        self.indent = (len(text) - len(self.text)) // 2
        self.strategies = scope.strategies
        self.ours = scope.ours


def algorithm_listing(strategy: str) -> list[Line]:
    """The lines that a construction may carry out, in the order of the algorithms.

    A strategy that is not in the paper has none.
    """
    return [line for line in Line if strategy in line.strategies]


def line_numbers(strategy: str) -> dict[Line, int]:
    """The number, from 1, of each line in its algorithm: of the listing, and of reconstruction.

    Functions of the same algorithm are numbered together.
    """
    counters = {line.algorithm.source: count(1) for line in Line}
    reconstruction = [line for line in Line if line.algorithm is _RECONSTRUCTION]
    return {line: next(counters[line.algorithm.source]) for line in [*algorithm_listing(strategy), *reconstruction]}
