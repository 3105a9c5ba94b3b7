"""The pseudocode of the paper: Algorithms 1 to 5 of Braun et al., *Simple and Efficient Construction of Static Single
Assignment Form* (CC 2013), without its comments.
"""

from __future__ import annotations

CITATION = "The pseudocode is that of Braun et al., Simple and Efficient Construction of Static Single Assignment Form."
"""The source of the listings."""

_ALGORITHM_1 = """
writeVariable(variable, block, value):
  currentDef[variable][block] ← value
readVariable(variable, block):
  if currentDef[variable] contains block:
    return currentDef[variable][block]
  return readVariableRecursive(variable, block)
"""

_ALGORITHM_2 = """
readVariableRecursive(variable, block):
  if block not in sealedBlocks:
    val ← new Phi(block)
    incompletePhis[block][variable] ← val
  else if |block.preds| = 1:
    val ← readVariable(variable, block.preds[0])
  else:
    val ← new Phi(block)
    writeVariable(variable, block, val)
    val ← addPhiOperands(variable, val)
  writeVariable(variable, block, val)
  return val
addPhiOperands(variable, phi):
  for pred in phi.block.preds:
    phi.appendOperand(readVariable(variable, pred))
  return tryRemoveTrivialPhi(phi)
"""

_ALGORITHM_3 = """
tryRemoveTrivialPhi(phi):
  same ← None
  for op in phi.operands:
    if op = same || op = phi:
      continue
    if same ≠ None:
      return phi
    same ← op
  if same = None:
    same ← new Undef()
  users ← phi.users.remove(phi)
  phi.replaceBy(same)
  for use in users:
    if use is a Phi:
      tryRemoveTrivialPhi(use)
  return same
"""

_ALGORITHM_4 = """
sealBlock(block):
  for variable in incompletePhis[block]:
    addPhiOperands(variable, incompletePhis[block][variable])
  sealedBlocks.add(block)
"""

_ALGORITHM_5 = """
removeRedundantPhis(phiFunctions):
  sccs ← computePhiSCCs(inducedSubgraph(phiFunctions))
  for scc in topologicalSort(sccs):
    processSCC(scc)
processSCC(scc):
  if len(scc) = 1: return
  inner ← set()
  outerOps ← set()
  for phi in scc:
    isInner ← True
    for operand in phi.getOperands():
      if operand not in scc:
        outerOps.add(operand)
        isInner ← False
    if isInner:
      inner.add(phi)
  if len(outerOps) = 1:
    replaceSCCByValue(scc, outerOps.pop())
  else if len(outerOps) > 1:
    removeRedundantPhis(inner)
"""


def _numbered(listing: str) -> dict[str, str]:
    """The lines of a listing by their numbers, without the headings of its functions."""
    lines = [line[2:] for line in listing.splitlines() if line.startswith(" ")]
    return {str(number): line for number, line in enumerate(lines, 1)}


PSEUDOCODE = {
    f"Algorithm {number}": _numbered(listing)
    for number, listing in enumerate((_ALGORITHM_1, _ALGORITHM_2, _ALGORITHM_3, _ALGORITHM_4, _ALGORITHM_5), 1)
}
"""The lines of each algorithm by their numbers, indented by two columns for each level."""
