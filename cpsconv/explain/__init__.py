"""Explanations of a conversion: its steps, and the evidence for and against parameters."""

from cpsconv.explain.construction.algorithm_lines import algorithm_listing
from cpsconv.explain.construction.narration import Narration, Step, narrate
from cpsconv.explain.construction.transcript import steps_json, transcript
from cpsconv.explain.parameters.answer_json import as_json
from cpsconv.explain.parameters.answer_text import as_text
from cpsconv.explain.parameters.query import Explanation, explain_parameters, functions_named, why

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
