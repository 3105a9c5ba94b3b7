"""Simplification of primitives during construction (Braun et al., section 3.1).

When an operation is created, its operands are known, so it can be simplified at once. It may have a constant value
(*folding*), be equal to a simpler operation (*arithmetic*, a table of rules), or have been computed before (*common
subexpressions*). A branch on a known condition becomes a jump, and its other target is not built; then variables have
fewer values, and fewer parameters are placed. Copies, ``x = y``, are not operations: construction records the value.

`rules` is the table, in the language of `terms`; `matching` applies a rule; the `simplifier` applies all of them, and
finds earlier computations. These modules are imported on first use.
"""

SIMPLIFICATIONS = {
    "fold": "compute operations on constants",
    "arithmetic": "apply the rules of arithmetic",
    "cse": "compute common subexpressions once",
    "branches": "replace branches with known conditions by jumps",
}
"""The switches of a `Simplifier`, with their descriptions."""
