"""Tests of a program against a reference, with a report on the first difference."""

from cpsconv.lab.equivalence.comparison import TESTS, Compared, Difference, Equivalence, Method, Starting, equivalence
from cpsconv.lab.equivalence.report import as_json, as_text

__all__ = ["TESTS", "Compared", "Difference", "Equivalence", "Method", "Starting", "as_json", "as_text", "equivalence"]
