"""Whether two programs do the same: tests of one against the other, and a report on where they part."""

from cpsconv.equivalence.comparison import (
    TESTS,
    Agreement,
    Compared,
    Difference,
    Incomparable,
    Method,
    Verdict,
    agreement,
)
from cpsconv.equivalence.report import as_json, as_text

__all__ = [
    "TESTS",
    "Agreement",
    "Compared",
    "Difference",
    "Incomparable",
    "Method",
    "Verdict",
    "agreement",
    "as_json",
    "as_text",
]
