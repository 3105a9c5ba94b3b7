"""Explanations of a conversion: how it is done step by step, why a continuation has a parameter, why it has none."""

from cpsconv.explain.as_json import as_json
from cpsconv.explain.drawing import draw
from cpsconv.explain.listing import listing
from cpsconv.explain.question import Explanation, functions_named, reasons, why
from cpsconv.explain.steps_json import steps_json
from cpsconv.explain.telling import Step, Telling, tell
from cpsconv.explain.transcript import transcript

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
