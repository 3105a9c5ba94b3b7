"""The commands that show how a program is converted: `compare`, `explain`, `graph`, `why`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from cpsconv.cli import options, progress, streams
from cpsconv.cli.sources import converted
from cpsconv.cli.status import DONE, WRONG_INPUT
from cpsconv.emit import PICTURES
from cpsconv.source import DiagnosticError, read_source


@click.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@options.strategies
@options.minimal
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects, the times in seconds.")
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    metavar="N",
    default=5,
    show_default=True,
    help="How often each construction is timed; the median counts.",
)
@options.language
def compare(files: Sequence[str], as_json: bool, **given: Any) -> int:
    """Construct the programs in FILE... with several strategies, and compare what they place.

    For each function, strategy by strategy: how many continuations it has; how many parameters were placed, removed
    again, and kept; how few Algorithm 5 leaves of them (minimal); how many arguments the kept ones get; how many
    continuations look-ups came to; and how many milliseconds it took from the syntax tree to the finished function.
    A file with errors is left out.

    \b
    cpsconv compare examples/fig5.c
    cpsconv compare --strategies scc,cytron --repeat 25 prog.c lib.c
    cpsconv compare --json examples/fig5.c
    """
    from cpsconv.cli import tables
    from cpsconv.explain import comparison

    rows: list[comparison.Row] = []
    status = DONE
    for file in files:
        try:
            with progress.shown():
                rows += comparison.compare(read_source(file), **given)
        except DiagnosticError as fault:
            streams.complain(fault.diagnostics)
            status = WRONG_INPUT
    streams.write_result(tables.as_json(rows) if as_json else tables.as_table(rows))
    return status


@click.command("explain", cls=options.PlaceCommand)
@click.argument("file", metavar="FILE[:FUNCTION]")
@options.strategy
@options.minimal
@options.optimisation
@click.option("--variable", metavar="NAME", help="Tell only of variables of that name.")
@click.option("--brief", is_flag=True, help="Leave out which line of the algorithms each step carries out.")
@click.option("--json", "as_data", is_flag=True, help="Print the steps as JSON (docs/explain.md).")
@options.html
@options.out
@options.language
def explain_command(
    file: str, out: str | None, as_data: bool, html: str | None, variable: str | None, brief: bool, **given: Any
) -> int:
    """Tell step by step how FILE, or one FUNCTION of it, is converted.

    Under each line of the source stand the steps that it leads to: which continuation is entered, filled and sealed,
    which variable is written and read, how its value is looked up, and where parameters are placed and removed for it.
    Each step names the line of the paper's algorithms that it carries out; these lines are listed in the end.

    \b
    cpsconv explain examples/fig8.c
    cpsconv explain --strategy basic examples/fig5.c
    cpsconv explain examples/gcd.c:gcd | less
    cpsconv explain --brief --variable a examples/gcd.c:gcd
    cpsconv explain --json examples/fig8.c
    cpsconv explain --html fig8.html examples/fig8.c
    """
    from cpsconv.cli.explanation import page, story

    if html is not None and (as_data or brief or variable is not None or out is not None):
        others = "--json, --brief, --variable or --output"
        raise click.UsageError(f"--html says what to write, and where: it does not go with {others}")
    if html is not None:
        streams.write_result(page(file, **given), html)
    else:
        streams.write_result(story(file, as_data, variable, brief, **given), out)
    return DONE


@click.command("graph", cls=options.PlaceCommand)
@click.argument("place", metavar="FILE[:FUNCTION]")
@click.option("--loops", is_flag=True, help="Draw a box around each loop.")
@click.option("--dominators", is_flag=True, help="Add an arrow to each continuation from its immediate dominator.")
@click.option("--tree", is_flag=True, help="Draw the dominator tree alone, by which continuations are nested.")
@click.option(
    "--bodies/--no-bodies", default=True, show_default=True, help="Show what continuations do, or just their names."
)
@click.option(
    "--format",
    "form",
    type=click.Choice([*PICTURES]),
    help="What to write; by default what the suffix of OUT says, or DOT text.",
)
@click.option("--split", metavar="DIR", help="Write a file for each function into the folder DIR.")
@options.out
@options.construction
@options.language
def graph_command(
    place: str,
    loops: bool,
    dominators: bool,
    tree: bool,
    bodies: bool,
    form: str | None,
    split: str | None,
    out: str | None,
    **given: Any,
) -> int:
    """Draw the continuations of FILE, C or CPS text, as a graph.

    A continuation is a node, with its parameters; an edge shows the arguments that it passes. Back edges are bold
    (docs/graph.md has all the signs). The formats svg, png and pdf are drawn by Graphviz.

    \b
    cpsconv graph examples/gcd.c | dot -Tsvg > gcd.svg
    cpsconv graph examples/gcd.c:gcd -o gcd.svg
    cpsconv graph --loops --no-bodies examples/number_scanner.c:main -o loops.pdf
    cpsconv graph --tree --format mermaid prog.cps
    cpsconv graph --split pictures --format png prog.c
    """
    from cpsconv.cli import graph
    from cpsconv.cli.target_spec import path_and_function
    from cpsconv.emit.picture import View

    if split and out:
        raise click.UsageError("--split and --output exclude each other")
    form = form or graph.format_of(out)
    path, name = path_and_function(place)
    program = converted(read_source(path), **given)
    view = View(loops=loops, dominators=dominators or tree, bodies=bodies, edges=not tree)
    if split:
        graph.write_each(program, name, view, form, split)
    else:
        graph.write(program, name, view, form, out)
    return DONE


@click.command("why", cls=options.PlaceCommand)
@click.argument("file", metavar="FILE[:FUNCTION]")
@click.argument("name")
@click.option("--json", "as_data", is_flag=True, help="Print the evidence as JSON (docs/why.md).")
@options.language
def why_command(file: str, name: str, as_data: bool, language: str | None) -> int:
    """Tell why a continuation has a parameter, or why it has none.

    NAME is a parameter as `convert` shows it, with or without its continuation: a or next.a. Then two assignments are
    shown, and two paths that meet there for the first time. Or it is a variable at the start of a continuation without
    a parameter for it: a@then. Then the definition is shown that reaches it.

    \b
    cpsconv why examples/fig8.c a
    cpsconv why examples/gcd.c:gcd while.b
    cpsconv why examples/gcd.c:gcd a@body
    cpsconv why --json examples/fig8.c next.a
    """
    from cpsconv.cli.explanation import answer

    streams.write_result(answer(file, name, language, as_data))
    return DONE
