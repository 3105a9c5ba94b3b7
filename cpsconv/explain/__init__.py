"""Explanations of a conversion: its steps, and the evidence for and against parameters."""

from cpsconv.explain.algorithm_lines import algorithm_listing
from cpsconv.explain.answers import as_json, as_text
from cpsconv.explain.narration import Narration, Step, narrate
from cpsconv.explain.query import Explanation, explain_parameters, functions_named, why
from cpsconv.explain.transcript import steps_json, transcript

__all__ = [
    "Explanation",
    "Narration",
    "Step",
    "algorithm_listing",
    "as_json",
    "as_text",
    "explain_parameters",
    "functions_named",
    "narrate",
    "steps_json",
    "transcript",
    "why",
]
