"""The commands `explain`, `why` and `compare`: steps, evidence for a parameter, and strategies side by side."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict
from functools import partial
from os.path import splitext
from typing import Any

import click

from cpsconv.cli import options, streams
from cpsconv.cli.commands import DONE, Choice, Command, require_known
from cpsconv.cli.files import JsonObjects, complete_file, each, each_file, json_list, path_and_function, path_of
from cpsconv.core.construction import STRATEGIES
from cpsconv.core.construction.record import FunctionRecord
from cpsconv.core.entry import require_function
from cpsconv.core.ir import Function, Program
from cpsconv.core.source import DiagnosticError, Source, did_you_mean, error, read_source, shortened
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.lab.explain import (
    Collector,
    Narration,
    as_json,
    as_text,
    comparison,
    functions_named,
    narrate,
    queries,
    queries_text,
    steps_json,
    transcript,
    why,
)
from cpsconv.lab.explain.comparison import Row, totals
from cpsconv.languages import CPS, language_of, language_of_source
from cpsconv.pipeline import convert
from cpsconv.targets import PICTURES, SUFFIXES

_LATEX = "latex"
_SHOWN = (*STRATEGIES, "cytron")
"""The strategies that every page has: those of the paper, and the classical construction."""

_EXPLAINED = {name: CONSTRUCTIONS[name] for name in (*_SHOWN, "countdown")}


@click.command(
    "explain",
    cls=Command,
    examples=[
        "cpsconv explain --brief --strategy paper --variable x examples/fig2.c",
        "cpsconv explain --brief --thread-jumps examples/fig7.c",
        "cpsconv explain --html fig8.html examples/fig8.c",
    ],
)
@each_file(metavar="FILE[:FUNCTION]...", headed=lambda given: not given["as_data"] and not given["html"])
@options.strategy_of(_EXPLAINED)
@options.minimal
@options.optimisation
@options.thread_jumps
@options.explicit_memory
@options.option("--variable", metavar="NAME", help="Print only the steps for variables called NAME.")
@options.option("--brief", is_flag=True, help="Omit the lines of the algorithms.")
@options.option("--pseudocode", is_flag=True, help="Show the paper's pseudocode in place of our words.")
@options.option("--json", "as_data", is_flag=True, help="Print the steps as JSON (docs/explain.md).")
@options.html
@options.number("--at", 1, "Write only step N of the page, with the function after it, for a slide.")
@options.option(
    "--emit",
    "form",
    type=Choice([_LATEX, *PICTURES]),
    help="Format of the step: CPS text in LaTeX (default), or a graph.",
)
@options.out
@options.language
@options.compiler
@options.unused_warnings
def explain_command(
    file: str,
    out: str | None,
    as_data: bool,
    html: str | None,
    at: int | None,
    form: str | None,
    variable: str | None,
    brief: bool,
    pseudocode: bool,
    **given: Any,
) -> int | JsonObjects:
    """Print the conversion of FILE, or of one FUNCTION of it, step by step.

    Each line of the source is followed by its steps: continuations are entered, filled and sealed, variables are
    written and read, values are looked up, and parameters are placed and removed. Each step names the line of the
    paper's algorithms that it executes; the end of the output lists these lines.
    """
    options.exclude("html", "as_data", "brief", "pseudocode", "variable", "out", "at")
    options.exclude("at", "as_data", "brief", "pseudocode", "variable", "thread_jumps")
    options.exclude("pseudocode", "as_data", "brief")
    options.require("at", "form")
    if at is not None:
        del given["thread_jumps"]
        form = form or _LATEX
        streams.write_data(slide(file, at, form, **given), path_of(out, file, SUFFIXES.get(form, f".{form}")))
    elif html is not None:
        streams.write_result(page(file, **given), path_of(html, file, ".html"))
    else:
        narrations = _narrations(file, variable, **given)
        path = path_of(out, file, ".json" if as_data else ".txt")
        if as_data:
            objects = [steps_json(narration, variable) for narration in narrations]
            if path is None:
                return JsonObjects(objects)
            streams.write_result(json_list(objects), path)
        else:
            texts = (transcript(narration, variable, brief=brief, pseudocode=pseudocode) for narration in narrations)
            text = "\n".join("".join(f"{line}\n" for line in lines) for lines in texts)
            streams.write_result(text if path not in (None, "-") else streams.fitted(text), path)
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
@options.explicit_memory
@options.option("--json", "as_data", is_flag=True, help="Print the evidence as JSON (docs/why.md).")
@options.language
def why_command(file: str, names: Sequence[str], as_data: bool, **given: Any) -> int | JsonObjects:
    """Print the evidence that a continuation needs a parameter, or needs none.

    NAME is a parameter as `convert` prints it, with or without its continuation: a or next.a. The evidence is two
    definitions of its variable, and two paths from them that first meet at the continuation. Or NAME is a variable at
    the start of a continuation without a parameter for it: a@then. The evidence is the definitions that reach the
    continuation. Without NAME, the possible names are listed.
    """
    if len(names) > 1:
        raise click.UsageError(f"Got unexpected extra argument ({names[1]})")
    result = answer(file, names[0] if names else None, as_data, **given)
    if isinstance(result, JsonObjects):
        return result
    streams.write_result(streams.fitted(result))
    return DONE


def answer(file: str, name: str | None, as_data: bool, **given: Any) -> str | JsonObjects:
    """The output of ``cpsconv why FILE[:FUNCTION] [NAME]``, as text or as JSON. `given` are options of `convert`.

    Raises `DiagnosticError` if the file is wrong, or has no such parameter or variable.
    """
    path, function = path_and_function(file)
    source = read_source(path)
    record: dict[Function, FunctionRecord] = {}
    program = convert(source, record=record, **given)
    if name is None:
        known = queries(program, record, function)
        return _json(source, map(asdict, known)) if as_data else queries_text(known)
    try:
        explanation = why(program, record, name, function)
    except DiagnosticError as unknown:
        missing, _ = path_and_function(name)
        is_file = language_of(missing) and not any(
            splitext(missing)[0] in each.continuations for each in queries(program, record, function)
        )
        raise _missing_file(missing, unknown) if is_file else unknown from None
    return _json(source, as_json(explanation)) if as_data else as_text(explanation)


def _missing_file(name: str, unknown: DiagnosticError) -> DiagnosticError:
    """The error for an unknown NAME that looks like the name of a file."""
    [found] = unknown.diagnostics
    return DiagnosticError([error(f"{name}: there is no such file, and {found.message}", help=found.help, rule="file")])


def _json(source: Source, objects: Iterable[dict[str, Any]]) -> JsonObjects:
    return JsonObjects([json.dumps({"file": source.name, **each}, ensure_ascii=False, indent=2) for each in objects])


def slide(file: str, number: int, form: str, **given: Any) -> bytes:
    """The output of ``cpsconv explain FILE[:FUNCTION] --at NUMBER --emit FORM``.

    Raises `DiagnosticError` as `_narrations` does, and if the file has several functions or no such step.
    """
    from cpsconv.lab.page.slide import slide, slide_latex, slide_picture  # late, as for a page

    path, function = path_and_function(file)
    source = read_source(path)
    _, narrations = _explained(source, function, **given)
    if len(narrations) > 1:
        message = f"{source.name} has {len(narrations)} functions, and a step is one of a single function"
        help = f"name the function: `{path}:{narrations[0].function.name}`"
        raise DiagnosticError([error(message, help=help, rule="query")])
    shown = slide(source, narrations[0], number)
    written = slide_latex(shown) if form == _LATEX else PICTURES[form].write(slide_picture(shown))
    return streams.encoded(written) if isinstance(written, str) else written


def _narrations(file: str, variable: str | None, strategy: str, **given: Any) -> list[Narration]:
    """The functions that ``cpsconv explain FILE[:FUNCTION]`` explains. `given` are options of `convert`.

    Raises `DiagnosticError` if the file is wrong, has no such function or variable, or is CPS text.
    """
    path, function = path_and_function(file)
    new_collector = partial(Collector, variable=variable)  # only the steps for the variable are complete
    _, narrations = _explained(read_source(path), function, strategy, new_collector=new_collector, **given)
    return narrations if variable is None else _about(variable, narrations)


def _about(variable: str, narrations: list[Narration]) -> list[Narration]:
    """The functions with a variable of that name. Raises `DiagnosticError` if there are none."""
    found = [narration for narration in narrations if variable in narration.variables()]
    if not found:
        known = {name for narration in narrations for name in narration.variables()}
        raise DiagnosticError(
            [error(f"there is no variable `{variable}`", help=did_you_mean(variable, known), rule="query")]
        )
    return found


def page(file: str, strategy: str, minimal: bool, thread_jumps: bool = False, **given: Any) -> str:
    """The output of ``cpsconv explain FILE[:FUNCTION] --html``: a page with several strategies, opened with `strategy`.

    Raises `DiagnosticError` as `_narrations` does, and if a function is too large for a page.
    """
    from cpsconv.lab.page import Conversion, write_page  # late: the page is the largest part of all outputs
    from cpsconv.lab.page.jump_threading import ThreadingCollector
    from cpsconv.lab.page.replay import MAX_WORK, work_of

    path, function = path_and_function(file)
    source = read_source(path)
    is_counted = minimal and not thread_jumps  # the counts and the record are those of the construction

    def conversion(strategy: str) -> Conversion:
        """The strategy's conversion, with the record that `why` needs unless the options exclude it."""
        record: dict[Function, FunctionRecord] = {}
        recorded = record if is_counted and not given["optimise"] else None
        options = {**given, "minimal": minimal, "record": recorded, "thread_jumps": thread_jumps}
        new_collector = ThreadingCollector if thread_jumps else Collector
        program, narrations = _explained(source, function, strategy, new_collector=new_collector, **options)
        for found in narrations:
            if work_of(found) > MAX_WORK:
                message = f"{source.name}: the function `{found.function.name}` is too large for a page"
                raise DiagnosticError([error(message, help="`explain` without `--html` shows it", rule="too-large")])
        return Conversion(strategy, is_counted, program, narrations, record)

    return write_page(source, map(conversion, dict.fromkeys((*_SHOWN, strategy))), strategy)


def _explained(
    source: Source,
    function: str | None,
    strategy: str,
    language: str | None,
    new_collector: Callable[..., Collector] = Collector,
    **given: Any,
) -> tuple[Program, list[Narration]]:
    """The program, and the steps of the construction of its functions, or of the one called `function`.

    `new_collector` makes the collector of the events for that name.
    """
    if (language or language_of_source(source)) == CPS:
        message = f"{source.name}: CPS text is not converted: there is nothing to explain"
        help = "explain a program in another language; `cpsconv graph` draws CPS text, and `cpsconv step` runs it"
        raise DiagnosticError([error(message, help=help, rule="language")])
    collector = new_collector(function.strip("`") if function else None)
    program = convert(source, language=language, strategy=strategy, observer=collector, **given)
    if not functions_named(program, function):
        raise DiagnosticError([error(f"{source.name}: there is no function to explain", rule="query")])
    return program, narrate(program, collector.events, strategy)


_FIGURES = ("continuations", "placed", "removed", "kept", "minimal", "arguments", "lookups", "promoted", "in_memory")
_TIME = "ms"
_OPTIONAL = ("minimal", "promoted", "in_memory")  # omitted if no row has the figure


def _columns(context: click.Context, parameter: click.Parameter, given: str | None) -> list[str] | None:
    """The figures in a list separated by commas, each once."""
    if given is None:
        return None
    names = [*dict.fromkeys(name.strip() for name in given.split(","))]
    require_known("column", names, [*_FIGURES, _TIME])
    return names


@click.command(
    cls=Command,
    examples=[
        "cpsconv compare examples/fig5.c",
        "cpsconv compare --strategy scc,cytron --columns kept,ms --repeat 25 examples/gcd.c:gcd",
        "cpsconv compare --json examples/fig*.c > rows.json",
    ],
)
@click.argument("files", metavar="FILE[:FUNCTION]...", nargs=-1, required=True, shell_complete=complete_file)
@options.named_strategies(CONSTRUCTIONS)
@options.minimal
@options.optimisation
@options.explicit_memory
@options.option("--json", "data", is_flag=True, help="Print a list of objects, with times in seconds.")
@options.option(
    "--columns",
    metavar="NAME,...",
    callback=_columns,
    help=f"Columns of the table, of {', '.join([*_FIGURES, _TIME])} (default: all that apply).",
)
@options.number(
    "--repeat",
    1,
    f"Number of timed constructions; the median is printed (default: {comparison.MAX_ROUNDS}; fewer if they are slow).",
)
@options.language
@options.compiler
@options.unused_warnings
def compare(files: Sequence[str], jobs: int, data: bool, columns: list[str] | None, **given: Any) -> int:
    """Construct the programs in FILE... with several strategies, and compare them.

    For each function and strategy: the number of continuations; the number of parameters placed, removed again, and
    kept; the number left after Algorithm 5 (minimal); the number of arguments of the kept parameters; the number of
    continuations that look-ups visited; and the time in milliseconds from the syntax tree to the finished function.
    For functions with arrays, structs or addresses, also the number of variables that became values (promoted), and
    that are in memory. A function that is too large for a strategy has no figures.
    Files with errors are skipped. With -O, operations are simplified during the constructions. With -j, the
    constructions slow each other down.
    """
    options.exclude("data", "columns")
    rows: list[Row] = []
    status = DONE
    for found, end in each(files, lambda file: _rows(file, **given), jobs):
        rows += found or []
        status = max(status, end)
    streams.write_result(_table_as_json(rows) if data else _table(rows, columns))
    return status


def _rows(file: str, **given: Any) -> list[Row]:
    """The rows of FILE[:FUNCTION]."""
    path, function = path_and_function(file)
    rows = comparison.compare(read_source(path), **given)
    if function is not None:
        require_function(function, (row.function for row in rows))
        rows = [row for row in rows if row.function == function.strip("`")]
    for row in rows:
        if row.refusal:
            streams.note(f"{row.file}: {row.refusal}")
    return rows


_MIN_TITLE = 12  # columns


def _table_as_json(rows: Sequence[Row]) -> str:
    """A list of objects, one per line. Figures that were not computed are omitted, and so is a missing `refusal`."""
    optional = (*_OPTIONAL, "refusal")
    objects = ({k: value for k, value in asdict(row).items() if k not in optional or value is not None} for row in rows)
    return "[" + ",\n ".join(map(json.dumps, objects)) + "]\n"


def _table(rows: Sequence[Row], columns: Sequence[str] | None) -> str:
    """A line for each function and strategy, then the total of each strategy; empty if there are no rows.

    Without `columns`, the table has those that apply.
    """
    if not rows:
        return ""
    width = streams.width("stdout")
    figures = columns or [
        *(name for name in _FIGURES if name not in _OPTIONAL or any(getattr(row, name) is not None for row in rows)),
        _TIME,
    ]
    lines = [["function", "strategy", *(name.replace("_", " ") for name in figures)]]
    for row in (*rows, *totals(rows)):
        title = f"{row.file}:{row.function}" if row.function else "total"
        title = shortened(title, max(_MIN_TITLE, width // 3)) if width else title
        shown = [_figure(row, name) for name in figures]
        lines.append([title if row.strategy == rows[0].strategy else "", row.strategy, *shown])
    sides = "<<" + ">" * len(figures)
    padded = [_padded(column, side) for side, column in zip(sides, zip(*lines, strict=True), strict=True)]
    parts = _parts(padded[:2], padded[2:], width)
    return "\n".join("".join("  ".join(line) + "\n" for line in zip(*part, strict=True)) for part in parts)


def _figure(row: Row, name: str) -> str:
    figure = getattr(row, "seconds" if name == _TIME else name)
    if figure is None:
        return "-"
    return f"{1000 * figure:.3f}" if name == _TIME else str(figure)


def _padded(column: Sequence[str], side: str) -> list[str]:
    """The cells, all as wide as the widest."""
    widest = max(map(len, column))
    return [f"{cell:{side}{widest}}" for cell in column]


_Columns = list[list[str]]


def _parts(titles: _Columns, figures: _Columns, width: int | None) -> Iterator[_Columns]:
    """The columns as tables of at most `width` columns, each with the titles and at least one column of figures."""
    part = [*titles]
    for column in figures:
        if width and len(part) > len(titles) and sum(len(each[0]) + 2 for each in (*part, column)) - 2 > width:
            yield part
            part = [*titles]
        part.append(column)
    yield part
