"""The narrated construction of a function as text, under the lines of the source, and as data for `json.dumps`."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import indent
from typing import Any

from cpsconv.core.construction.block import Block
from cpsconv.core.construction.events import Record
from cpsconv.lab.explain.algorithm_lines import CORRESPONDENCE, Line, algorithm_listing
from cpsconv.lab.explain.narration import Narration, Step
from cpsconv.lab.explain.phrases import listed
from cpsconv.lab.explain.pseudocode import CITATION


def transcript(
    narration: Narration, variable: str | None = None, *, brief: bool = False, pseudocode: bool = False
) -> Iterator[str]:
    """The lines of the text: a heading, the steps, and a legend of the algorithms.

    Each step has its number and a sentence; below, the lines that it carries out, such as ``Algorithm 2, line 1``, and
    the state of its continuation afterwards. `brief` omits these lines and the legend; with `variable`, only the steps
    about variables of that name are included. With `pseudocode`, the legend has the paper's pseudocode.
    """
    yield f"{narration.function.name}: construction with the strategy {narration.strategy}"
    shown = None
    used: set[str] = set()
    for number, step in narration.steps_about(variable):
        line = step.span.line if step.span else 0
        if line != shown:
            shown = line
            yield ""
            yield f"{line:4} │ {step.span.written.source.shown_line(line, indented=True)}" if step.span else ""
        margin = "  " * step.within
        yield f"{number:4} {margin}{step.text}"
        if not brief:
            used.update(line.algorithm.source for line in step.lines)
            yield f"     {margin}  [{'; '.join([*_places(step.lines), _state(step, narration)])}]"
    if used:
        yield ""
        listed = algorithm_listing(narration.strategy, is_threaded=narration.is_threaded)
        yield from _legend([line for line in listed if line.algorithm.source in used], pseudocode)


def _places(lines: Sequence[Line]) -> Iterator[str]:
    """The lines by algorithm and number: ``Algorithm 2, lines 1 and 3``."""
    for source in dict.fromkeys(line.algorithm.source for line in lines):
        found = [line.number for line in Line if line in lines and line.algorithm.source == source]
        yield f"{source}, line{'s' * (len(found) > 1)} {listed(found)}"


def _state(step: Step, narration: Narration) -> str:
    filled, sealed = ("" if step.filled else "not "), ("" if step.sealed else "not ")
    return f"{narration.labels.block(step.block)}: {filled}filled, {sealed}sealed"


def _legend(shown: Sequence[Line], pseudocode: bool) -> Iterator[str]:
    """The lines of the algorithms, under the headings of their functions."""
    yield CORRESPONDENCE + " Lines marked with * are not in the paper." * any(line.ours for line in shown)
    if pseudocode:
        yield CITATION
    for algorithm, lines in groupby(shown, lambda line: line.algorithm):
        yield f"{algorithm.source}: {algorithm.heading}"
        for line in lines:
            text = (pseudocode and line.pseudocode) or line.text
            yield f"{_margin(line)} {'  ' * line.indent}{text}"


def _margin(line: Line) -> str:
    """The number of a line, with the digits and the letters of all lines below each other, and the mark of ours."""
    digits = line.number.rstrip("abcd")
    return f"{digits:>3}{line.number[len(digits) :]:1}{'*' if line.ours else ' '}"


def steps_json(narration: Narration, variable: str | None = None) -> str:
    """The JSON object for a function, with one for each step (about `variable`, if given): see `docs/explain.md`.

    Only one step at a time is an object of Python: they may be many.
    """
    before, after = _indented(_function(narration), 0).rsplit("[]", 1)
    steps = [_indented(_step(number, step, narration), 4) for number, step in narration.steps_about(variable)]
    listed = ",\n".join(steps)
    return f"{before}[\n{listed}\n  ]{after}" if steps else f"{before}[]{after}"


def _indented(data: object, columns: int) -> str:
    return indent(json.dumps(data, ensure_ascii=False, indent=2), " " * columns)


def _function(narration: Narration) -> dict[str, Any]:
    span = narration.function.span
    return {
        "file": span.source.name if span else None,
        "function": narration.function.name,
        "strategy": narration.strategy,
        "placed": narration.end.placed,
        "removed": narration.end.removed,
        "steps": [],
    }


def _step(number: int, step: Step, narration: Narration) -> dict[str, Any]:
    return {
        "step": number,
        "event": step.kind,
        "text": step.text,
        "lines": [_line(line) for line in step.lines],
        "records": [_record(block, record, narration) for record in step.records for block in record.blocks],
        "variable": step.variable.name or None if step.variable else None,
        "continuation": narration.labels.name(step.block.continuation),
        "filled": step.filled,
        "sealed": step.sealed,
        "source_line": step.span.line if step.span else None,
        "within": step.within,
    }


def _line(line: Line) -> dict[str, Any]:
    return {
        "algorithm": line.algorithm.source,
        "function": line.algorithm.heading,
        "line": line.number,
        "does": line.text,
        "pseudocode": line.pseudocode,
        "ours": line.ours,
    }


def _record(block: Block, record: Record, narration: Narration) -> dict[str, Any]:
    labels = narration.labels
    return {
        "continuation": labels.name(block.continuation),
        "variable": record.variable.name or None,
        "value": labels.bare_value(record.value),
    }
