"""The commands `explain` and `why`: the construction step by step, and the evidence for a parameter."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import click

from cpsconv.cli import options, streams
from cpsconv.cli.batch import path_and_function, path_of
from cpsconv.cli.command import Command, each_file
from cpsconv.cli.status import DONE
from cpsconv.construction import STRATEGIES
from cpsconv.construction.record import FunctionRecord
from cpsconv.explain import (
    Collector,
    Narration,
    as_json,
    as_text,
    functions_named,
    json_pieces,
    narrate,
    queries,
    queries_text,
    transcript,
    why,
)
from cpsconv.frontends import CPS, language_of_source
from cpsconv.ir import Function, Program
from cpsconv.page import Conversion, write_page
from cpsconv.pipeline import convert
from cpsconv.source import DiagnosticError, Source, did_you_mean, error, read_source


@click.command(
    "explain",
    cls=Command,
    examples=[
        "cpsconv explain --strategy basic examples/fig5.c",
        "cpsconv explain --brief --variable a examples/gcd.c:gcd",
        "cpsconv explain --html fig8.html examples/fig8.c",
    ],
)
@each_file(metavar="FILE[:FUNCTION]...", headed=lambda given: not given["as_data"] and not given["html"])
@options.strategy
@options.minimal
@options.optimisation
@options.option("--variable", metavar="NAME", help="Print only the steps for variables called NAME.")
@options.option("--brief", is_flag=True, help="Omit the lines of the algorithms.")
@options.option("--json", "as_data", is_flag=True, help="Print the steps as JSON (docs/explain.md).")
@options.html
@options.out
@options.language
def explain_command(
    file: str, out: str | None, as_data: bool, html: str | None, variable: str | None, brief: bool, **given: Any
) -> int:
    """Print the conversion of FILE, or of one FUNCTION of it, step by step.

    Each line of the source is followed by its steps: continuations are entered, filled and sealed, variables are
    written and read, values are looked up, and parameters are placed and removed. Each step names the line of the
    paper's algorithms that it executes; the end of the output lists these lines.
    """
    options.exclude("html", "as_data", "brief", "variable", "out")
    if html is not None:
        streams.write_result(page(file, **given), path_of(html, file, ".html"))
    else:
        suffix = ".json" if as_data else ".txt"
        text, path = _steps(file, as_data, variable, brief, **given), path_of(out, file, suffix)
        streams.write_result(text if as_data or path not in (None, "-") else streams.fitted(text), path)
    return DONE


@click.command(
    "why",
    cls=Command,
    examples=[
        "cpsconv why examples/fig8.c",
        "cpsconv why examples/gcd.c:gcd while.b",
        "cpsconv why examples/gcd.c:gcd a@body",
    ],
)
@each_file("names", metavar="FILE[:FUNCTION]... [NAME]", existing=True, headed=lambda given: not given["as_data"])
@options.strategy
@options.option("--json", "as_data", is_flag=True, help="Print the evidence as JSON (docs/why.md).")
@options.language
def why_command(file: str, names: Sequence[str], as_data: bool, language: str | None, strategy: str) -> int:
    """Print the evidence that a continuation needs a parameter, or needs none.

    NAME is a parameter as `convert` prints it, with or without its continuation: a or next.a. The evidence is two
    assignments and two paths from them that first meet in the continuation. Or NAME is a variable at the start of a
    continuation without a parameter for it: a@then. The evidence is the definition that reaches the continuation.
    Without NAME, the possible names are listed.
    """
    if len(names) > 1:
        raise click.UsageError(f"Got unexpected extra argument ({names[1]})")
    text = answer(file, names[0] if names else None, language, as_data, strategy)
    streams.write_result(text if as_data else streams.fitted(text))
    return DONE


def answer(file: str, name: str | None, language: str | None, as_data: bool, strategy: str = "scc") -> str:
    """The output of ``cpsconv why FILE[:FUNCTION] [NAME]``, as text or as JSON.

    Raises `DiagnosticError` if the file is wrong, or has no such parameter or variable.
    """
    path, function = path_and_function(file)
    record: dict[Function, FunctionRecord] = {}
    program = convert(read_source(path), language=language, strategy=strategy, record=record)
    if name is None:
        found = queries(program, record, function)
        return _json([asdict(each) for each in found]) if as_data else queries_text(found)
    explanation = why(program, record, name, function)
    return _json(as_json(explanation)) if as_data else as_text(explanation)


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def _steps(file: str, as_data: bool, variable: str | None, brief: bool, strategy: str, **given: Any) -> str:
    """The output of ``cpsconv explain FILE[:FUNCTION]``, as text or as JSON. `given` are options of `convert`.

    Raises `DiagnosticError` if the file is wrong, has no such function or variable, or is CPS text.
    """
    path, function = path_and_function(file)
    _, narrations = _explained(read_source(path), function, strategy, **given)
    if variable is not None:
        narrations = _about(variable, narrations)
    if as_data:
        return "".join(json_pieces(narrations, variable))
    texts = (transcript(narration, variable, brief=brief) for narration in narrations)
    return "\n".join("".join(f"{line}\n" for line in lines) for lines in texts)


def _about(variable: str, narrations: list[Narration]) -> list[Narration]:
    """The functions with a variable of that name. Raises `DiagnosticError` if there are none."""
    found = [narration for narration in narrations if variable in narration.variables()]
    if not found:
        known = {name for narration in narrations for name in narration.variables()}
        raise DiagnosticError(
            [error(f"there is no variable `{variable}`", help=did_you_mean(variable, known), rule="query")]
        )
    return found


def page(file: str, strategy: str, **given: Any) -> str:
    """The output of ``cpsconv explain FILE[:FUNCTION] --html``: a page with all strategies that opens with `strategy`.

    Raises `DiagnosticError` as `_steps` does.
    """
    path, function = path_and_function(file)
    source = read_source(path)
    conversions = (_conversion(source, function, each, **given) for each in STRATEGIES)
    return write_page(source, conversions, strategy)


def _conversion(
    source: Source, function: str | None, strategy: str, language: str | None, minimal: bool, optimise: list[str]
) -> Conversion:
    """One strategy's conversion, with the record that `why` needs unless the options exclude it."""
    record: dict[Function, FunctionRecord] = {}
    given = {"minimal": minimal, "optimise": optimise, "record": None if optimise or not minimal else record}
    program, narrations = _explained(source, function, strategy, language, **given)
    return Conversion(strategy, minimal, program, narrations, record)


def _explained(
    source: Source, function: str | None, strategy: str, language: str | None, **given: Any
) -> tuple[Program, list[Narration]]:
    """The program, and the steps of the construction of its functions, or of the one called `function`."""
    if (language or language_of_source(source)) == CPS:
        message = f"{source.name}: CPS text is not converted: there is nothing to explain"
        raise DiagnosticError(
            [error(message, help="`cpsconv graph` draws it, and `cpsconv step` runs it step by step", rule="language")]
        )
    collector = Collector(function.strip("`") if function else None)
    program = convert(source, language=language, strategy=strategy, observer=collector, **given)
    if not functions_named(program, function):
        raise DiagnosticError([error(f"{source.name}: there is no function to explain", rule="query")])
    return program, narrate(program, collector.events, strategy)
