"""The command `why`: which file and function are meant, and in which form the answer is wanted."""

from __future__ import annotations

import json
from pathlib import Path

from cpsconv.convert import convert
from cpsconv.explain import as_json, draw, why
from cpsconv.ir import Function
from cpsconv.record import FunctionRecord
from cpsconv.source import read_source


def explain(file: str, name: str, language: str | None, as_data: bool) -> str:
    """The answer to ``cpsconv why FILE[:FUNCTION] NAME``, as text or as JSON.

    Raises `DiagnosticError` where the file is wrong, or nothing in it has the name.
    """
    path, function = _split(file)
    record: dict[Function, FunctionRecord] = {}
    program = convert(read_source(path), language=language, record=record)
    explanation = why(program, record, name, function)
    if as_data:
        return json.dumps(as_json(explanation), ensure_ascii=False, indent=2) + "\n"
    return draw(explanation)


def _split(file: str) -> tuple[str, str | None]:
    """The path, and the function after a colon; a colon may also be part of the path."""
    path, colon, function = file.rpartition(":")
    return (path, function) if colon and path and not Path(file).exists() else (file, None)
