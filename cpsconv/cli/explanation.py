"""The command `why`: which file and function are meant, and in which form the answer is wanted."""

from __future__ import annotations

import json

from cpsconv.cli.place import path_and_function
from cpsconv.convert import convert
from cpsconv.explain import as_json, draw, why
from cpsconv.ir import Function
from cpsconv.record import FunctionRecord
from cpsconv.source import read_source


def explain(file: str, name: str, language: str | None, as_data: bool) -> str:
    """The answer to ``cpsconv why FILE[:FUNCTION] NAME``, as text or as JSON.

    Raises `DiagnosticError` where the file is wrong, or nothing in it has the name.
    """
    path, function = path_and_function(file)
    record: dict[Function, FunctionRecord] = {}
    program = convert(read_source(path), language=language, record=record)
    explanation = why(program, record, name, function)
    if as_data:
        return json.dumps(as_json(explanation), ensure_ascii=False, indent=2) + "\n"
    return draw(explanation)
