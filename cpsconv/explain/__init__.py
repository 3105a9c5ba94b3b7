"""Explanations of a conversion: how it is done step by step, why a continuation has a parameter, why it has none."""

from cpsconv.explain.construction.algorithm_lines import listing
from cpsconv.explain.construction.narration import Step, Telling, tell
from cpsconv.explain.construction.transcript import steps_json, transcript
from cpsconv.explain.parameters.answer_json import as_json
from cpsconv.explain.parameters.answer_text import draw
from cpsconv.explain.parameters.query import Explanation, functions_named, reasons, why

__all__ = [
    "Explanation",
    "Step",
    "Telling",
    "as_json",
    "draw",
    "functions_named",
    "listing",
    "reasons",
    "steps_json",
    "tell",
    "transcript",
    "why",
]
