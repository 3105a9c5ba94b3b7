"""The construction of a function as data, for other tools: what the transcript says, one object a step."""

from __future__ import annotations

from typing import Any

from cpsconv.explain.construction.narration import Step, Telling


def steps_json(telling: Telling, variable: str | None = None) -> dict[str, Any]:
    """What `json.dumps` takes, see `docs/explain.md`; of steps about variables of that name, if one is given."""
    return {
        "function": telling.function.name,
        "strategy": telling.strategy,
        "placed": telling.end.placed,
        "removed": telling.end.removed,
        "steps": [_step(number, step, telling) for number, step in telling.about(variable)],
    }


def _step(number: int, step: Step, telling: Telling) -> dict[str, Any]:
    return {
        "step": number,
        "event": type(step.event).__name__.lower(),
        "text": step.text,
        "algorithm": step.line.algorithm.source,
        "line": step.line.number,
        "does": step.line.text,
        "variable": step.variable.name if step.variable else None,
        "continuation": telling.labels.name(step.block.continuation),
        "filled": step.filled,
        "sealed": step.sealed,
        "source_line": step.span.line if step.span else None,
        "within": step.within,
    }
