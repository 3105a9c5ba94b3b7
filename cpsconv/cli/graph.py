"""The command `graph`: which functions are drawn, in which format, into which files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePath

import click

from cpsconv.cli import streams
from cpsconv.emit import PICTURES
from cpsconv.emit.picture import Picture, View, picture
from cpsconv.explain import functions_named
from cpsconv.ir import Function, Program
from cpsconv.source import DiagnosticError, error


def format_of(out: str | None) -> str:
    """The format for a file of that name. Raises `click.UsageError` where the name does not tell."""
    if out is None or out == "-":
        return "dot"
    suffix = PurePath(out).suffix.lower()
    for name, form in PICTURES.items():
        if suffix in form.suffixes:
            return name
    raise click.UsageError(f"{out}: the name does not tell the format; say it with --format")


def write(program: Program, name: str | None, view: View, form: str, out: str | None) -> None:
    """Write the picture of a program, or of its function of that name, to `out` or to standard output.

    Raises `DiagnosticError` where there is no such function, or this cannot be done.
    """
    function = functions_named(program, name)[0] if name is not None else None
    streams.write_data(_drawn(picture(program, view, function), form), out)


def write_each(program: Program, name: str | None, view: View, form: str, folder: str) -> None:
    """Write a picture of each function, or of the one of that name, to a file in the folder, which need not exist.

    Raises `DiagnosticError` where there is no such function, or this cannot be done.
    """
    functions = functions_named(program, name)
    files = [f"{each}.{form}" for each in _file_names(functions)]
    pictures = [_drawn(picture(program, view, function), form) for function in functions]
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise DiagnosticError([error(f"{folder}: cannot be made a folder: {failure.strerror}")]) from None
    for file, data in zip(files, pictures, strict=True):
        streams.write_data(data, str(Path(folder, file)))


def _drawn(drawing: Picture, form: str) -> bytes:
    written = PICTURES[form].write(drawing)
    return streams.encoded(written) if isinstance(written, str) else written


def _file_names(functions: Iterable[Function]) -> Iterator[str]:
    """The functions' names without what file systems may object to. Many do not tell small letters from capitals."""
    taken: set[str] = set()
    for function in functions:
        name = re.sub(r"[^\w.-]", "_", function.name)
        while name.lower() in taken:
            name += "_"
        taken.add(name.lower())
        yield name
