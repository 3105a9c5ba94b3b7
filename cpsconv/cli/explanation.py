"""The commands `why` and `explain`: which file and function are meant, and in which form the answer is wanted."""

from __future__ import annotations

import json
from typing import Any

from cpsconv.build import Event
from cpsconv.cli.place import path_and_function
from cpsconv.convert import CPS, convert, language_of_source
from cpsconv.explain import Telling, as_json, draw, functions_named, steps_json, tell, transcript, why
from cpsconv.ir import Function
from cpsconv.record import FunctionRecord
from cpsconv.source import DiagnosticError, Source, error, read_source


def answer(file: str, name: str, language: str | None, as_data: bool) -> str:
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


def story(file: str, as_data: bool, strategy: str, **given: Any) -> str:
    """What ``cpsconv explain FILE[:FUNCTION]`` prints, as text or as JSON. What is `given` is for `convert`.

    Raises `DiagnosticError` where the file is wrong, has no such function, or is not converted.
    """
    path, function = path_and_function(file)
    tellings = _tellings(read_source(path), function, strategy, **given)
    if as_data:
        return json.dumps([*map(steps_json, tellings)], ensure_ascii=False, indent=2) + "\n"
    return "\n".join("".join(f"{line}\n" for line in transcript(telling)) for telling in tellings)


def _tellings(source: Source, function: str | None, strategy: str, language: str | None, **given: Any) -> list[Telling]:
    if (language or language_of_source(source)) == CPS:
        complaint = f"{source.name}: CPS text is not converted: there is nothing to explain"
        raise DiagnosticError([error(complaint, help="`cpsconv graph` shows it, and `cpsconv step` what it does")])
    events: list[Event] = []
    program = convert(source, language=language, strategy=strategy, observer=events.append, **given)
    wanted = functions_named(program, function)
    return [telling for telling in tell(program, events, strategy) if telling.function in wanted]
