"""The commands `why` and `explain`: which file and function are meant, and in which form the answer is wanted."""

from __future__ import annotations

import json
from typing import Any

from cpsconv.cli.target_spec import path_and_function
from cpsconv.construction import STRATEGIES, Event
from cpsconv.construction.record import FunctionRecord
from cpsconv.explain import Narration, as_json, as_text, functions_named, narrate, steps_json, transcript, why
from cpsconv.frontends import CPS, language_of_source
from cpsconv.ir import Function, Program
from cpsconv.page import Conversion, write_page
from cpsconv.pipeline import convert
from cpsconv.source import DiagnosticError, Source, did_you_mean, error, read_source


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
    return as_text(explanation)


def story(file: str, as_data: bool, variable: str | None, brief: bool, strategy: str, **given: Any) -> str:
    """What ``cpsconv explain FILE[:FUNCTION]`` prints, as text or as JSON. What is `given` is for `convert`.

    Raises `DiagnosticError` where the file is wrong, has no such function or variable, or is not converted.
    """
    path, function = path_and_function(file)
    _, narrations = _told(read_source(path), function, strategy, **given)
    if variable is not None:
        narrations = _about(variable, narrations)
    if as_data:
        objects = [steps_json(narration, variable) for narration in narrations]
        return json.dumps(objects, ensure_ascii=False, indent=2) + "\n"
    texts = (transcript(narration, variable, brief=brief) for narration in narrations)
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in texts)


def _about(variable: str, narrations: list[Narration]) -> list[Narration]:
    """Those that have a variable of that name."""
    found = [narration for narration in narrations if narration.steps_about(variable)]
    if not found:
        known = [step.variable.name for narration in narrations for step in narration.steps if step.variable]
        raise DiagnosticError([error(f"there is no variable `{variable}`", help=did_you_mean(variable, known))])
    return found


def page(file: str, strategy: str, **given: Any) -> str:
    """What ``cpsconv explain FILE[:FUNCTION] --html`` writes: a page that shows `strategy` first, and the others.

    Raises `DiagnosticError` as `story` does.
    """
    path, function = path_and_function(file)
    source = read_source(path)
    conversions = [_conversion(source, function, each, **given) for each in STRATEGIES]
    return write_page(source, conversions, strategy)


def _conversion(
    source: Source, function: str | None, strategy: str, language: str | None, minimal: bool, optimise: list[str]
) -> Conversion:
    """With a record where the program can be explained by it."""
    program, narrations = _told(source, function, strategy, language, minimal=minimal, optimise=optimise)
    if optimise or not minimal:
        return Conversion(strategy, minimal, program, narrations, program, {})
    record: dict[Function, FunctionRecord] = {}
    recorded = convert(source, language=language, strategy=strategy, minimal=minimal, record=record)
    return Conversion(strategy, minimal, program, narrations, recorded, record)


def _told(
    source: Source, function: str | None, strategy: str, language: str | None, **given: Any
) -> tuple[Program, list[Narration]]:
    if (language or language_of_source(source)) == CPS:
        complaint = f"{source.name}: CPS text is not converted: there is nothing to explain"
        raise DiagnosticError([error(complaint, help="`cpsconv graph` shows it, and `cpsconv step` what it does")])
    events: list[Event] = []
    program = convert(source, language=language, strategy=strategy, observer=events.append, **given)
    wanted = functions_named(program, function)
    return program, [narration for narration in narrate(program, events, strategy) if narration.function in wanted]
