"""The operations whose results are equal in all engines and languages, to the last digit."""

from cpsconv.core.operations.table import PRIMITIVES

EXACT_FUNCTIONS = frozenset(["sqrt", "floor", "ceil", "trunc", "round", "copysign", "fmod"])
"""The functions of <math.h> that are exact, or rounded correctly, in every language. (tests/test_mathematics.py)"""

EXACT = [op for op, row in PRIMITIVES.items() if row.kind != "mathematics" or op in EXACT_FUNCTIONS]
"""The primitives of this kind."""
