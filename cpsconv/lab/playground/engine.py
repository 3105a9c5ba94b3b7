"""The engine of the playground: from a request to what the command of its view prints."""

from __future__ import annotations

import io
import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from cpsconv.core.generated import data_folder
from cpsconv.lab.playground.views import VIEWS, Request, request_of

Engine = Callable[[Any], "dict[str, Any]"]
"""Answers a request, a JSON value, with an object. Raises `ValueError` if the value is no request."""

MAX_DEPTH = 2_000 if sys.platform == "emscripten" else 100_000
"""The pending calls of a run. In a browser, deeper nested objects would exhaust the stack when they are freed."""

LIMITS = (f"--max-depth={MAX_DEPTH}", "--max-memory=512M", "--max-output=100K")
"""The limits of each run, for programs of strangers. The caller of the engine limits its time."""

EXERCISES = data_folder("docs/course/exercises")
"""The folder with the reference programs of the course's exercises."""


def engine_with(main: Callable[[Sequence[str]], int]) -> Engine:
    """The engine that runs command lines by `main`, which returns an exit status."""

    def answer(data: Any) -> dict[str, Any]:
        """The command line that the request denotes, its exit status, and its output and errors as texts."""
        request = request_of(data)
        try:
            words = VIEWS[request.view].words(request)
        except ValueError as failure:  # in the quotes of arguments
            return {"command": "", "status": 2, "output": "", "errors": f"error: {failure}\n"}
        limits = LIMITS if words[0] == "run" else ()
        with _folder_of(request), _streams(request.input) as (output, errors):
            status = main([words[0], *limits, *words[1:]])
        texts = [stream.getvalue().decode("utf-8", "replace") for stream in (output, errors)]
        return {"command": shlex.join(["cpsconv", *words]), "status": status, "output": texts[0], "errors": texts[1]}

    return answer


@contextmanager
def _folder_of(request: Request) -> Iterator[None]:
    """Work in a new folder, which contains the program and the exercise only."""
    before = os.getcwd()
    with TemporaryDirectory(prefix="cpsconv") as folder:
        Path(folder, request.file).write_bytes(request.text.encode("utf-8", "replace"))
        with suppress(FileNotFoundError):  # the command reports it
            Path(folder, request.reference).write_bytes(Path(EXERCISES, request.reference).read_bytes())
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


@contextmanager
def _streams(input: str) -> Iterator[tuple[io.BytesIO, io.BytesIO]]:
    """Replace the standard streams: by the input, and by two new byte streams, which are the value."""
    before = sys.stdin, sys.stdout, sys.stderr
    data = io.BytesIO(input.encode("utf-8", "replace")), io.BytesIO(), io.BytesIO()
    sys.stdin, sys.stdout, sys.stderr = texts = [io.TextIOWrapper(each, encoding="utf-8") for each in data]
    try:
        yield data[1:]
    finally:
        sys.stdin, sys.stdout, sys.stderr = before
        for text in texts:
            text.flush()
            text.detach()
