"""Explanations of a conversion: why a continuation has a parameter, and why it has none."""

from cpsconv.explain.as_json import as_json
from cpsconv.explain.drawing import draw
from cpsconv.explain.question import Explanation, why

__all__ = ["Explanation", "as_json", "draw", "why"]
