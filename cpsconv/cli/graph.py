"""The command `graph`: continuations as a graph, in one file or one file per function."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath
from typing import Any

import click

from cpsconv.cli import options, streams
from cpsconv.cli.commands import DONE, Choice, Command
from cpsconv.cli.files import converted, each_file, is_folder, path_and_function, path_of
from cpsconv.core.entry import function_named
from cpsconv.core.ir import Function
from cpsconv.core.source import read_source
from cpsconv.targets import PICTURES
from cpsconv.targets.picture import Picture, View, picture


@click.command(
    "graph",
    cls=Command,
    examples=[
        "cpsconv graph examples/gcd.c > gcd.dot",
        "cpsconv graph --loops --no-bodies examples/gcd.c:gcd --emit mermaid",
        "cpsconv graph examples/gcd.c --split pictures",
    ],
)
@each_file(metavar="FILE[:FUNCTION]...")
@options.option("--loops", is_flag=True, help="Draw a box around each loop.")
@options.option("--dominators", is_flag=True, help="Add an edge to each continuation from its immediate dominator.")
@options.option("--frontiers", is_flag=True, help="Add edges from each continuation to its dominance frontier.")
@options.option(
    "--tree", is_flag=True, help="Draw the dominator tree (the nesting of the CPS text), and no control flow."
)
@options.option("--bodies/--no-bodies", default=True, show_default=True, help="Show statements, or only names.")
@options.option(
    "--emit",
    "form",
    former=["--format"],
    type=Choice([*PICTURES]),
    help="Format of the output (default: by the suffix of OUT, otherwise DOT text).",
)
@options.option(
    "--split",
    metavar="DIR",
    help="Write one file per function into the folder DIR; for several FILEs into folders in it.",
)
@options.out
@options.construction
@options.language
@options.compiler
def graph_command(
    file: str,
    loops: bool,
    dominators: bool,
    frontiers: bool,
    tree: bool,
    bodies: bool,
    form: str | None,
    split: str | None,
    out: str | None,
    **given: Any,
) -> int:
    """Draw the continuations of FILE as a graph.

    A node is a continuation with its parameters; an edge shows the arguments that it passes. Back edges are bold
    (docs/graph.md explains all symbols). Graphviz draws the formats svg, png and pdf.
    """
    options.exclude("split", "out")
    form = form or _format_of(out)
    path, name = path_and_function(file)
    program = converted(read_source(path), **given)
    view = View(loops=loops, dominators=dominators or tree, frontiers=frontiers, bodies=bodies, edges=not tree)
    function = function_named(program, name) if name is not None else None
    if split:
        functions = [function] if function else program.functions
        several = len(click.get_current_context().params["files"]) > 1
        folder = path_of(f"{split}/", file, "") if several else split
        _write_each(folder or split, form, functions, [picture(program, view, function) for function in functions])
    else:
        streams.write_data(_drawn(picture(program, view, function), form), path_of(out, file, f".{form}"))
    return DONE


def _format_of(out: str | None) -> str:
    """The format for OUT; DOT text for standard output and folders. Raises `click.UsageError` for an unknown suffix."""
    if out is None or out == "-" or is_folder(out):
        return "dot"
    suffix = PurePath(out).suffix.lower()
    for name, format in PICTURES.items():
        if suffix in format.suffixes:
            return name
    raise click.UsageError(f"{out}: unknown suffix; choose a format with --emit")


def _write_each(folder: str, form: str, functions: list[Function], pictures: list[Picture]) -> None:
    """Write each picture to a file in the folder, which is created if necessary.

    Raises `DiagnosticError` if that fails.
    """
    drawn = [_drawn(each, form) for each in pictures]
    streams.create_folder(folder)
    for name, data in zip(_file_names(functions), drawn, strict=True):
        streams.write_data(data, str(Path(folder, f"{name}.{form}")))


def _drawn(drawing: Picture, form: str) -> bytes:
    written = PICTURES[form].write(drawing)
    return streams.encoded(written) if isinstance(written, str) else written


def _file_names(functions: Iterable[Function]) -> Iterator[str]:
    """The functions' names as portable file names, distinct also where the file system ignores case."""
    taken: set[str] = set()
    for function in functions:
        name = re.sub(r"[^\w.-]", "_", function.name)
        while name.lower() in taken:
            name += "_"
        taken.add(name.lower())
        yield name
