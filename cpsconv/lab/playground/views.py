"""Requests, links that contain them, and the views of a program: each is a command line of `cpsconv`."""

from __future__ import annotations

import base64
import json
import re
import shlex
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from cpsconv.languages import LANGUAGES


class Request(NamedTuple):
    """What the page shows: a view of a program, and the settings of all views.

    Attributes:
        view: A key of `VIEWS`.
        language: A key of `LANGUAGES`.
        text: The source text of the program.
        strategy: Where to place parameters.
        optimise: Whether operations are simplified during the construction.
        minimal: Whether redundant parameters are removed at the end.
        layout: The layout of CPS text.
        names: The names of values in CPS text and φ form, an argument of ``--names``.
        target: The target of the view ``emit``.
        name: The parameter or variable of the view ``why``, after its function and a colon; empty for a list of them.
        function: The function that `run` starts; empty for `main` or the only one.
        arguments: The arguments of the run, quoted as in a shell.
        input: The standard input of the run.
        engine: The engine of the run; empty for the default.
        exercise: The name of the exercise with which the program is compared.
        place: Where the page of the view ``page`` is: the fragment of its address.
    """

    view: str = "cps"
    language: str = "c"
    text: str = ""
    strategy: str = "scc"
    optimise: bool = False
    minimal: bool = True
    layout: str = "nested"
    names: str = "source"
    target: str = "c"
    name: str = ""
    function: str = ""
    arguments: str = ""
    input: str = ""
    engine: str = ""
    exercise: str = "maximum"
    place: str = ""

    @property
    def file(self) -> str:
        """The name of the file with the program."""
        return f"program{LANGUAGES[self.language].suffixes[0]}"

    @property
    def reference(self) -> str:
        """The name of the file of the exercise."""
        return f"{self.exercise}.c"


def request_of(data: Any) -> Request:
    """The request in a JSON value. Raises `ValueError` if it is none."""
    defaults = Request()._asdict()
    if not isinstance(data, dict) or not data.keys() <= defaults.keys():
        raise ValueError("a request is an object with the members of `Request`")
    for name, value in data.items():
        if type(value) is not type(defaults[name]):
            raise ValueError(f"the member {name!r} has another type")
    request = Request(**data)
    if request.view not in VIEWS or request.language not in LANGUAGES:
        raise ValueError("there is no such view or language")
    if "/" in request.name or not re.fullmatch(r"\w*", request.exercise):
        raise ValueError("names denote no files")
    return request


def link(site: str, request: Request) -> str:
    """The address of the page at `site` that shows the request.

    The fragment, which a browser does not send, is JSON without default values, compressed (raw DEFLATE), in base64url.
    """
    defaults = Request()._asdict()
    given = {name: value for name, value in request._asdict().items() if value != defaults[name]}
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(json.dumps(given, ensure_ascii=False).encode()) + packer.flush()
    return f"{site}#{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


class View(NamedTuple):
    """A view: its title in the page, empty if it has no tab, and the command line for a request."""

    title: str
    words: Callable[[Request], list[str]]


def _construction(request: Request) -> Iterator[str]:
    """The options of the construction that differ from the defaults."""
    if request.strategy != Request().strategy:
        yield f"--strategy={request.strategy}"
    if request.optimise:
        yield "-O"
    if not request.minimal:
        yield "--no-minimal"


def _emit(request: Request, target: str) -> list[str]:
    options = [*_construction(request), *[f"--emit={target}"] * (target != "cps")]
    flat = [f"--layout={request.layout}"] * (target in ("cps", "latex") and request.layout != Request().layout)
    names = [f"--names={request.names}"] * (target in ("cps", "ssa", "latex") and request.names != Request().names)
    return ["convert", *options, *flat, *names, request.file]


def _page(request: Request) -> list[str]:
    return ["explain", *_construction(request), "--html=-", request.file]


def _compare(request: Request) -> list[str]:
    return ["compare", *(option for option in _construction(request) if "strategy" not in option), request.file]


def _why(request: Request) -> list[str]:
    function, _, name = request.name.rpartition(":")
    strategy = [option for option in _construction(request) if "strategy" in option]
    return ["why", *strategy, f"{request.file}:{function}" if function else request.file, *["--", name] * bool(name)]


def _names(request: Request) -> list[str]:
    return [*_why(request._replace(name="")), "--json"]


def _run(request: Request) -> list[str]:
    file = f"{request.file}:{request.function}" if request.function else request.file
    engine = [f"--engine={request.engine}"] * bool(request.engine)
    return ["run", *_construction(request), *engine, file, *_arguments(request.arguments)]


def _arguments(text: str) -> list[str]:
    """The arguments of a program in a command line. Raises `ValueError` if a quote is not closed."""
    words = shlex.split(text)
    return ["--", *words] if words else []


def _exercise(request: Request) -> list[str]:
    return ["check", *_construction(request), f"--against={request.reference}", request.file]


def _check(request: Request) -> list[str]:
    return ["check", "--diagnostics=json", request.file]


VIEWS = {
    "cps": View("CPS", lambda request: _emit(request, "cps")),
    "phi": View("φ form", lambda request: _emit(request, "ssa")),
    "page": View("Steps", _page),
    "compare": View("Compare", _compare),
    "why": View("Why", _why),
    "run": View("Run", _run),
    "emit": View("Emit", lambda request: _emit(request, request.target)),
    "exercise": View("Exercise", _exercise),
    "names": View("", _names),
    "check": View("", _check),
}
"""Every view. `names` lists the names for `why`, and `check` the errors and warnings that the editor marks."""
