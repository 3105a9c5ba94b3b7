"""What can be done on the fly."""

SIMPLIFICATIONS = {
    "fold": "compute operations on constants",
    "arithmetic": "apply the rules of arithmetic",
    "cse": "compute common subexpressions once",
    "branches": "go straight on where the way is known",
}
"""The switches of a `Simplifier`, and what each of them does."""
