"""The paper's algorithms as listings: each step of a construction carries out one of the lines, or several.

A line has one number under all strategies. In Algorithms 1 to 5 it is that of the paper's listing, counted from 1
without headings, comments and empty lines. A line that is inserted into a listing has the number of the line before it
and a letter: 5a, 5b. The lines are in our words; `Line.pseudocode` gives those of the paper. `CORRESPONDENCE` relates
their terms to those of section 5.2. What the paper leaves open, or does differently, is marked as *ours*.
"""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple

from cpsconv.core.construction import STRATEGIES
from cpsconv.lab.explain.pseudocode import PSEUDOCODE

CORRESPONDENCE = "A block is a continuation, a φ is a parameter, and an operand is an argument."
"""The correspondence between the terms of the lines and those of the steps."""


_ALL = "paper basic marker scc cytron countdown"
_LOOK_UP = "paper basic marker scc countdown"
_REMOVAL = "paper basic marker scc"


class Algorithm(NamedTuple):
    """A function of the paper's pseudocode, or a task that the paper describes in words: its place, and its heading.

    `scope` has the strategies that carry out its lines, after a star if the lines are ours.
    """

    source: str
    heading: str
    scope: str = _ALL


_BLOCKS = Algorithm("section 2.3", "create and fill blocks")
_VALUES = Algorithm("section 3.1", "compute")
_WRITE = Algorithm("Algorithm 1", "writeVariable(variable, block, value)")
_READ = Algorithm("Algorithm 1", "readVariable(variable, block)")
_RECURSIVE = Algorithm("Algorithm 2", "readVariableRecursive(variable, block)", _LOOK_UP)
_OPERANDS = Algorithm("Algorithm 2", "addPhiOperands(variable, phi)", _LOOK_UP)
_TRIVIAL = Algorithm("Algorithm 3", "tryRemoveTrivialPhi(phi)", _REMOVAL)
_SEAL = Algorithm("Algorithm 4", "sealBlock(block)")
_MARKERS = Algorithm("section 3.3, marker", "readVariableRecursive(variable, block) at a join", "marker")
_SCCS = Algorithm("section 3.3, SCC", "readVariableRecursive(variable, block) at a join", "scc")
_FRONTIERS = Algorithm("Cytron et al., Figure 11", "place φs", "cytron")
_RENAME = Algorithm("Cytron et al., Figure 12", "rename", "cytron")
_SEARCH = Algorithm("Cytron et al., Figure 12", "search(block)", "cytron")
_VISIT_ALL = Algorithm("React compiler, EnterSSA", "visit the blocks of the complete graph", "countdown")
_ELIMINATE = Algorithm("React compiler, EliminateRedundantPhi", "remove trivial φs", "countdown")
_CLEANUP = Algorithm("clean-up", "remove unreachable and unused parts", f"* {_ALL}")
_REDUNDANT = Algorithm("Algorithm 5", "removeRedundantPhis(phiFunctions)", "paper")
_DOMINATORS = Algorithm("Algorithm 5 by dominators", "remove redundant φs", "* basic marker scc cytron countdown")
_PROCESS = Algorithm("Algorithm 5", "processSCC(scc)", "paper")
_RECONSTRUCTION = Algorithm("section 5.1", "reconstruct SSA form after jump threading", "")


class Line(Enum):
    """A line: algorithm, `number`, text, levels of its `indent`, and the `strategies` that have it; `ours` or not.

    The last part of a row has the strategies, if they are not those of the algorithm, after a star if the line is ours.
    """

    CREATE = _BLOCKS, "1", "a new block is neither filled nor sealed"
    ENTER = _BLOCKS, "2", "enter block: the statements that follow in the source fill it"
    FILL = _BLOCKS, "3", "end block: it is filled, and becomes a predecessor of its successors"
    CLOSE = _BLOCKS, "4", "when all blocks are filled and sealed, the function is complete"

    COMPUTE = _VALUES, "1", "append a computation to block"
    SIMPLIFY = _VALUES, "2", "or use a simpler value in its place"
    DECIDE = _VALUES, "3", "if the condition of a branch is known, only the target that is reached becomes a successor"

    WRITE = _WRITE, "1", "record value as the current definition of variable in block"

    IF_DEFINED = _READ, "2", "if block has a current definition of variable:"
    FOUND = _READ, "3", "  return it"
    SEARCH = _READ, "4", "return the result of readVariableRecursive(variable, block)", _LOOK_UP
    POSTPONE = (
        _READ,
        "4a",
        "return a placeholder for the value at the start of block, which is replaced later",
        "* cytron countdown",
    )

    IF_OPEN = _RECURSIVE, "1", "if block is not sealed:"
    WALK_OPEN = (
        _RECURSIVE,
        "1a",
        "  unless it has one predecessor, and no later one can have assigned variable",
        "* basic marker scc",
    )
    PROXY = _RECURSIVE, "2", "  value ← a new φ without operands"
    INCOMPLETE = _RECURSIVE, "3", "  add it to incompletePhis[block], for variable"
    IF_SINGLE = _RECURSIVE, "4", "else if block has one predecessor:"
    WALK = _RECURSIVE, "5", "  value ← readVariable(variable, this predecessor)"
    CHAIN = _RECURSIVE, "5a", "  the search of a chain of such blocks is one step", "* basic marker scc countdown"
    UNREACHABLE_CYCLE = (
        _RECURSIVE,
        "5b",
        "  unless the search came back, in an unreachable cycle: value ← undefined",
        "*",
    )
    IF_START = _RECURSIVE, "5c", "else if block has no predecessor:", "* basic marker scc countdown"
    UNDEFINED = _RECURSIVE, "5d", "  value ← undefined, without a φ", "* basic marker scc countdown"
    ELSE = _RECURSIVE, "6", "else:"
    ELSE_LOOK = _RECURSIVE, "6a", "  value ← the result of section 3.3, in place of lines 7 to 9", "marker scc"
    PLACE = _RECURSIVE, "7", "  value ← a new φ without operands", "paper basic countdown"
    WRITE_PHI = (
        _RECURSIVE,
        "8",
        "  writeVariable(variable, block, value), which ends look-ups that return",
        "paper basic countdown",
    )
    ADD_OPERANDS = _RECURSIVE, "9", "  value ← addPhiOperands(variable, value)", "paper basic countdown"
    RECORD = _RECURSIVE, "10", "writeVariable(variable, block, value)"
    RETURN = _RECURSIVE, "11", "return value"

    EACH_PREDECESSOR = _OPERANDS, "12", "for each predecessor of the block of phi:"
    OPERAND = _OPERANDS, "13", "  append the result of readVariable(variable, predecessor) to the operands of phi"
    EXAMINE = _OPERANDS, "14", "return the result of tryRemoveTrivialPhi(phi)", _REMOVAL

    NO_SAME = _TRIVIAL, "1", "same ← none"
    EACH_OPERAND = _TRIVIAL, "2", "for each operand of phi:"
    IF_KNOWN = _TRIVIAL, "3", "  if it is same, or phi itself:"
    NEXT_OPERAND = _TRIVIAL, "4", "    continue with the next operand"
    IF_OTHER = _TRIVIAL, "5", "  if same is not none:"
    KEEP = _TRIVIAL, "6", "    return phi, which has two different operands: it is not trivial"
    SAME = _TRIVIAL, "7", "  same ← the operand"
    IF_NO_SAME = _TRIVIAL, "8", "if same is none:"
    NO_OPERAND = _TRIVIAL, "9", "  same ← undefined (phi is unreachable, or in the start block)"
    USERS = _TRIVIAL, "10", "users ← all that use phi, other than phi"
    REMOVE = _TRIVIAL, "11", "replace phi by same wherever it is used"
    EACH_USER = _TRIVIAL, "12", "for each of the users:"
    IF_PHI = _TRIVIAL, "13", "  if it is a φ:"
    IF_COMPLETE = _TRIVIAL, "13a", "    if it has all of its operands; otherwise it is examined later:", "*"
    IF_WATCHER = _TRIVIAL, "13b", "    if phi was one of its two witnesses (section 3.1):", "* basic marker scc"
    EXAMINE_USER = _TRIVIAL, "14", "    apply tryRemoveTrivialPhi(this φ)"
    RETURN_SAME = _TRIVIAL, "15", "return same, which takes the place of phi"

    EACH_PROXY = _SEAL, "1", "for each variable with a φ in incompletePhis[block]:", _LOOK_UP
    COMPLETE_PROXY = _SEAL, "2", "  apply addPhiOperands(variable, this φ)", _LOOK_UP
    SEAL = _SEAL, "3", "block is sealed"
    SEAL_FIRST = _SEAL, "3a", "line 3 is carried out before line 1", "* basic marker scc countdown"

    MARK = _MARKERS, "1", "mark block"
    EACH_MARKED = _MARKERS, "2", "for each predecessor: readVariable(variable, predecessor)"
    CYCLE = _MARKERS, "3", "  if this reaches block again: end it with a new φ of block"
    IF_DIFFER = _MARKERS, "4", "if the predecessors have different values, or block has the new φ:"
    DIFFER = _MARKERS, "5", "  value ← the new φ, or a φ placed now, with the values of the predecessors as operands"
    AGREE = _MARKERS, "6", "else: value ← the value of all predecessors"
    RECORD_MARKED = _MARKERS, "7", "writeVariable(variable, block, value)"

    VISIT = _SCCS, "1", "search all predecessors by Tarjan's algorithm, which finds the SCCs of the look-up"
    EACH_SCC = _SCCS, "2", "for each SCC of blocks, when its search is complete:"
    NONE_ENTERS = _SCCS, "2a", "  if no value enters it: value ← undefined (the SCC is unreachable)", "*"
    ONE_ENTERS = _SCCS, "3", "  if one value enters it: value ← this value, without a φ"
    MORE_ENTER = _SCCS, "4", "  if several values enter it: value ← a new φ, in each block that one of them enters"
    INHERIT = (
        _SCCS,
        "4a",
        "    in each other block with a dominator in the SCC: value ← the value of the dominator",
        "*",
    )
    MEET = _SCCS, "4b", "    in each other block without one, where different values meet: value ← a new φ", "*"
    RECORD_SCC = _SCCS, "5", "  writeVariable(variable, block, value) in each block"

    EACH_VARIABLE = _FRONTIERS, "1", "for each variable:"
    WRITING = _FRONTIERS, "2", "  work ← the blocks that write variable"
    WHILE_WORK = _FRONTIERS, "3", "  while work is not empty:"
    TAKE = _FRONTIERS, "4", "    take a block from work"
    FRONTIER = _FRONTIERS, "5", "    for each block in its dominance frontier that has no φ for variable:"
    IF_LIVE = _FRONTIERS, "5a", "      unless variable is not live at the start of the block:", "*"
    PLACE_IN_FRONTIER = _FRONTIERS, "6", "      place a φ for variable in the block"
    PHI_WRITES = _FRONTIERS, "7", "      add the block to work, unless it was there: its φ writes variable"

    EMPTY_STACKS = _RENAME, "1", "for each variable: its stack ← empty"
    SEARCH_ENTRY = _RENAME, "2", "search(the entry)"

    EACH_STATEMENT = _SEARCH, "3", "for each φ and each statement of block, in order:"
    RENAME = _SEARCH, "4", "  use the value on top of the stack for each variable that the statement reads"
    RENAMED_BEFORE = (
        _SEARCH,
        "4a",
        "  unless block writes the variable before: Algorithm 1 has returned this value",
        "*",
    )
    PUSH = _SEARCH, "5", "  push the value of the φ, or the value that the statement writes"
    EACH_SUCCESSOR = _SEARCH, "6", "for each successor of block, and each φ in it:"
    TOP_AS_OPERAND = _SEARCH, "7", "  the operand of the φ for block ← the top of the stack of its variable"
    EACH_CHILD = _SEARCH, "8", "for each child of block in the dominator tree: search(child)"
    POP = _SEARCH, "9", "pop what line 5 has pushed"

    EACH_BLOCK = _VISIT_ALL, "1", "for each block in reverse postorder:"
    RESOLVE = _VISIT_ALL, "2", "  for each variable that block reads before it writes it: readVariable(variable, block)"
    COUNT = _VISIT_ALL, "3", "  for each successor: count[successor] ← the number of its predecessors not visited yet"
    COUNTED = _VISIT_ALL, "4", "    if it is 0: sealBlock(successor)"

    REPEAT = _ELIMINATE, "1", "repeat, until no φ is removed:"
    EACH_PHI = _ELIMINATE, "2", "  for each φ, in the order of the blocks:"
    REPLACE_TRIVIAL = _ELIMINATE, "3", "    if its operands without itself are one value: replace it by this value"

    UNREACHABLE = _CLEANUP, "1", "drop unreachable blocks, and the operands from them"
    UNUSED = _CLEANUP, "2", "remove φs that are used only by each other"

    PHI_SCCS = _REDUNDANT, "1", "sccs ← the SCCs of the graph of phiFunctions"
    EACH_PHI_SCC = _REDUNDANT, "2", "for each of the sccs, in topological order:"
    PROCESS = _REDUNDANT, "3", "  apply processSCC(scc)"

    SKIP = _PROCESS, "4", "if scc is a single φ: return, since trivial φs have been removed already"
    NEWLY_TRIVIAL = _PROCESS, "4a", "  unless it has become trivial since: then as an SCC of several", "*"
    NO_INNER = _PROCESS, "5", "inner ← no φs"
    NO_OUTER = _PROCESS, "6", "outerOps ← no values"
    EACH_MEMBER = _PROCESS, "7", "for each φ of scc:"
    MAY_BE_INNER = _PROCESS, "8", "  isInner ← true"
    EACH_MEMBER_OPERAND = _PROCESS, "9", "  for each operand of the φ:"
    IF_OUTER = _PROCESS, "10", "    if it is not in scc:"
    OUTER = _PROCESS, "11", "      add it to outerOps"
    NOT_INNER = _PROCESS, "12", "      isInner ← false"
    IF_INNER = _PROCESS, "13", "  if isInner:"
    INNER = _PROCESS, "14", "    add the φ to inner"
    IF_ONE_OUTER = _PROCESS, "15", "if outerOps has one value:"
    REPLACE_SCC = _PROCESS, "16", "  replaceSCCByValue(scc, this value)"
    IF_MORE_OUTER = _PROCESS, "17", "else if outerOps has several values:"
    RECURSE = _PROCESS, "18", "  apply removeRedundantPhis(inner)"

    REDUNDANT = _DOMINATORS, "1", "replace each φ that one value dominates in the flow of values by this value"

    REDIRECT = _RECONSTRUCTION, "1", "an edge bypasses a branch with a known outcome; the branch is copied for it"
    RECONSTRUCT = _RECONSTRUCTION, "2", "writeVariable at each definition of a value; readVariable at each use"
    REPLACE = _RECONSTRUCTION, "3", "replace the use by the value that was read"

    def __init__(self, algorithm: Algorithm, number: str, text: str, scope: str = "") -> None:
        self.algorithm = algorithm
        self.number = number
        self.text = text.lstrip()
        self.indent = (len(text) - len(self.text)) // 2
        self.strategies = frozenset((scope.strip("* ") or algorithm.scope.strip("* ")).split())
        self.ours = "*" in scope + algorithm.scope

    @property
    def is_of_reconstruction(self) -> bool:
        """Whether a reconstruction carries out the line, whatever its strategy."""
        return self.algorithm is _RECONSTRUCTION

    @property
    def pseudocode(self) -> str | None:
        """The line in the paper's pseudocode; None if it is not in a listing of the paper."""
        found = PSEUDOCODE.get(self.algorithm.source, {}).get(self.number)
        return found and found.lstrip()


def algorithm_listing(strategy: str, *, is_threaded: bool = False) -> list[Line]:
    """The lines that a construction may carry out, in the order of the algorithms; with those of jump threading.

    A strategy that is neither in the paper nor `cytron` nor `countdown` has none.
    """
    strategies = {strategy, reconstruction_strategy(strategy)} if is_threaded else {strategy}
    listed = [line for line in Line if strategies & line.strategies or (is_threaded and line.is_of_reconstruction)]
    return listed if any(strategy in line.strategies for line in listed) else []


def reconstruction_strategy(strategy: str) -> str:
    """The strategy of the reconstructions after a construction: those of the paper reconstruct (`cpsconv.pipeline`)."""
    return strategy if strategy in STRATEGIES else "scc"
