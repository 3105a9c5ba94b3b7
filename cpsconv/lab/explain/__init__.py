"""Explanations of a conversion: its steps, and the evidence for and against parameters."""

from cpsconv.lab.explain.algorithm_lines import algorithm_listing
from cpsconv.lab.explain.answers import as_json, as_text, queries_text
from cpsconv.lab.explain.collector import Collected, Collector
from cpsconv.lab.explain.narration import Narration, Step, narrate
from cpsconv.lab.explain.query import Explanation, Queries, explain_parameters, functions_named, queries, why
from cpsconv.lab.explain.transcript import steps_json, transcript

__all__ = [
    "Collected",
    "Collector",
    "Explanation",
    "Narration",
    "Queries",
    "Step",
    "algorithm_listing",
    "as_json",
    "as_text",
    "explain_parameters",
    "functions_named",
    "narrate",
    "queries",
    "queries_text",
    "steps_json",
    "transcript",
    "why",
]
