"""Explanations of a conversion: how it is done step by step, why a continuation has a parameter, why it has none."""

from cpsconv.explain.construction.algorithm_lines import listing
from cpsconv.explain.construction.narration import Step, Telling, tell
from cpsconv.explain.construction.steps_json import steps_json
from cpsconv.explain.construction.transcript import transcript
from cpsconv.explain.parameters.as_json import as_json
from cpsconv.explain.parameters.drawing import draw
from cpsconv.explain.parameters.question import Explanation, functions_named, reasons, why

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
