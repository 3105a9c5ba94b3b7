"""The construction of a function as a text: under each line of the source the steps that it leads to."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

from cpsconv.explain.construction.algorithm_lines import Line
from cpsconv.explain.construction.narration import Step, Telling


def transcript(telling: Telling, variable: str | None = None, *, brief: bool = False) -> Iterator[str]:
    """The lines of the text: a heading, the steps, and the algorithms' lines that they refer to.

    Each step has its number and what happens; below, the line that it carries out, such as ``Algorithm 2, line 1``, and
    how its continuation stands afterwards. With `brief` all that is below is left out; with `variable`, all that is not
    about variables of that name.
    """
    yield f"{telling.function.name}: construction with the strategy {telling.strategy}"
    shown = None
    for number, step in telling.about(variable):
        line = step.span.line if step.span else 0
        if line != shown:
            shown = line
            yield ""
            yield f"{line:4} │ {step.span.source.shown_line(line, indented=True)}" if step.span else ""
        yield f"{number:4} {_margin(step)}{step.text}"
        if not brief:
            carried_out = f"{step.line.algorithm.source}, line {step.line.number}"
            yield f"     {_margin(step)}  [{carried_out}; {_stands(step, telling)}]"
    if not brief:
        yield ""
        yield from _legend({step.line for _, step in telling.about(variable)})


def _margin(step: Step) -> str:
    return "  " * step.within


def _stands(step: Step, telling: Telling) -> str:
    filled, sealed = ("" if step.filled else "not "), ("" if step.sealed else "not ")
    return f"{telling.labels.block(step.block)}: {filled}filled, {sealed}sealed"


def _legend(used: Collection[Line]) -> Iterator[str]:
    """The lines of the algorithms that some step carries out."""
    algorithm = None
    for line in Line:
        if line in used:
            if line.algorithm is not algorithm:
                algorithm = line.algorithm
                yield f"{algorithm.source}: {algorithm.title}"
            yield f"  {line.number}  {line.text}"


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
