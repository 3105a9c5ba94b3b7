"""The command `graph`: continuations as a graph, in one file or one file per function."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Any

import click

from cpsconv.cli import options, streams
from cpsconv.cli.convert import converted
from cpsconv.cli.status import DONE
from cpsconv.emit import PICTURES
from cpsconv.emit.dot import dot
from cpsconv.emit.graphviz import draw
from cpsconv.emit.mermaid import mermaid
from cpsconv.emit.picture import Picture, View, picture
from cpsconv.explain import functions_named
from cpsconv.ir import Function
from cpsconv.source import DiagnosticError, error, read_source


@click.command("graph", cls=options.FunctionCommand)
@click.argument("file", metavar="FILE[:FUNCTION]")
@click.option("--loops", is_flag=True, help="Draw a box around each loop.")
@click.option("--dominators", is_flag=True, help="Add an edge to each continuation from its immediate dominator.")
@click.option("--tree", is_flag=True, help="Draw only the dominator tree, which is the nesting of the CPS text.")
@click.option("--bodies/--no-bodies", default=True, show_default=True, help="Show statements, or only names.")
@click.option(
    "--format",
    "form",
    type=click.Choice([*dict.fromkeys(PICTURES.values())]),
    help="Format of the output (default: by the suffix of OUT, otherwise DOT text).",
)
@click.option("--split", metavar="DIR", help="Write one file per function into the folder DIR.")
@options.out
@options.construction
@options.language
def graph_command(
    file: str,
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

    A node is a continuation with its parameters; an edge shows the arguments that it passes. Back edges are bold
    (docs/graph.md explains all symbols). Graphviz draws the formats svg, png and pdf.

    \b
    cpsconv graph examples/gcd.c | dot -Tsvg > gcd.svg
    cpsconv graph examples/gcd.c:gcd -o gcd.svg
    cpsconv graph --loops --no-bodies examples/number_scanner.c:main -o loops.pdf
    cpsconv graph --tree --format mermaid prog.cps
    cpsconv graph --split pictures --format png prog.c
    """
    options.exclude("split", "out")
    form = form or _format_of(out)
    path, name = options.path_and_function(file)
    program = converted(read_source(path), **given)
    view = View(loops=loops, dominators=dominators or tree, bodies=bodies, edges=not tree)
    if split:
        functions = functions_named(program, name)
        _write_each(split, form, functions, [picture(program, view, function) for function in functions])
    else:
        function = functions_named(program, name)[0] if name is not None else None
        streams.write_data(_drawn(picture(program, view, function), form), out)
    return DONE


def _format_of(out: str | None) -> str:
    """The format for a file called `out`. Raises `click.UsageError` if the suffix is unknown."""
    if out is None or out == "-":
        return "dot"
    suffix = PurePath(out).suffix.lower()
    if suffix not in PICTURES:
        raise click.UsageError(f"{out}: unknown suffix; choose a format with --format")
    return PICTURES[suffix]


def _write_each(folder: str, form: str, functions: list[Function], pictures: list[Picture]) -> None:
    """Write each picture to a file in the folder, which is created if necessary.

    Raises `DiagnosticError` if that fails.
    """
    drawn = [_drawn(each, form) for each in pictures]
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise DiagnosticError([error(f"{folder}: the folder cannot be created: {failure.strerror}")]) from None
    for name, data in zip(_file_names(functions), drawn, strict=True):
        streams.write_data(data, str(Path(folder, f"{name}.{form}")))


def _drawn(drawing: Picture, form: str) -> bytes:
    if form == "mermaid":
        return streams.encoded(mermaid(drawing))
    text = dot(drawing)
    return streams.encoded(text) if form == "dot" else draw(text, form)


def _file_names(functions: Iterable[Function]) -> Iterator[str]:
    """The functions' names as portable file names, distinct also where the file system ignores case."""
    taken: set[str] = set()
    for function in functions:
        name = re.sub(r"[^\w.-]", "_", function.name)
        while name.lower() in taken:
            name += "_"
        taken.add(name.lower())
        yield name
