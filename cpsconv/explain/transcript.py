"""The narrated construction of a function as text, under the lines of the source, and as data for `json.dumps`."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from textwrap import indent
from typing import Any

from cpsconv.explain.algorithm_lines import Line
from cpsconv.explain.narration import Narration, Step


def transcript(narration: Narration, variable: str | None = None, *, brief: bool = False) -> Iterator[str]:
    """The lines of the text: a heading, the steps, and a legend of the algorithm lines.

    Each step has its number and a sentence; below, the line that it carries out, such as ``Algorithm 2, line 1``, and
    the state of its continuation afterwards. `brief` omits these lines and the legend; with `variable`, only the steps
    about variables of that name are included.
    """
    yield f"{narration.function.name}: construction with the strategy {narration.strategy}"
    shown = None
    used = set()
    for number, step in narration.steps_about(variable):
        line = step.span.line if step.span else 0
        if line != shown:
            shown = line
            yield ""
            yield f"{line:4} │ {step.span.source.shown_line(line, indented=True)}" if step.span else ""
        margin = "  " * step.within
        yield f"{number:4} {margin}{step.text}"
        if not brief:
            used.add(step.line)
            yield f"     {margin}  [{_line_and_state(step, narration)}]"
    if not brief:
        yield ""
        yield from _legend(used)


def _line_and_state(step: Step, narration: Narration) -> str:
    filled, sealed = ("" if step.filled else "not "), ("" if step.sealed else "not ")
    state = f"{narration.labels.block(step.block)}: {filled}filled, {sealed}sealed"
    return f"{step.line.algorithm.source}, line {step.line.number}; {state}" if step.line else state


def _legend(used: Collection[Line | None]) -> Iterator[str]:
    """The used lines, under the titles of their algorithms."""
    algorithm = None
    for line in Line:
        if line in used:
            if line.algorithm is not algorithm:
                algorithm = line.algorithm
                yield f"{algorithm.source}: {algorithm.title}"
            yield f"  {line.number}  {line.text}"


def steps_json(narration: Narration, variable: str | None = None) -> dict[str, Any]:
    """The object for a function, with one object for each step (about `variable`, if given): see `docs/explain.md`."""
    return _function(narration, [_step(number, step, narration) for number, step in narration.steps_about(variable)])


def json_pieces(narration: Narration, variable: str | None = None) -> Iterator[str]:
    """The object of `steps_json` as text, in pieces. Only one step at a time is an object or a piece."""
    before, after = _indented(_function(narration, []), 0).rsplit("[]", 1)
    yield f"{before}["
    separator = "\n"
    for number, step in narration.steps_about(variable):
        yield separator + _indented(_step(number, step, narration), 4)
        separator = ",\n"
    yield f"]{after}" if separator == "\n" else f"\n  ]{after}"


def _indented(data: object, columns: int) -> str:
    return indent(json.dumps(data, ensure_ascii=False, indent=2), " " * columns)


def _function(narration: Narration, steps: list[dict[str, Any]]) -> dict[str, Any]:
    span = narration.function.span
    return {
        "file": span.source.name if span else None,
        "function": narration.function.name,
        "strategy": narration.strategy,
        "placed": narration.end.placed,
        "removed": narration.end.removed,
        "steps": steps,
    }


def _step(number: int, step: Step, narration: Narration) -> dict[str, Any]:
    return {
        "step": number,
        "event": type(step.event).__name__.lower(),
        "text": step.text,
        "algorithm": step.line.algorithm.source if step.line else None,
        "line": step.line.number if step.line else None,
        "does": step.line.text if step.line else None,
        "variable": step.variable.name if step.variable else None,
        "continuation": narration.labels.name(step.block.continuation),
        "filled": step.filled,
        "sealed": step.sealed,
        "source_line": step.span.line if step.span else None,
        "within": step.within,
    }
