"""The command `playground`: a page in which programs are edited, served on the local machine; links to such pages."""

from __future__ import annotations

import json
import os

import click

from cpsconv.cli import options, streams
from cpsconv.cli.commands import DONE, Choice, Command, main
from cpsconv.cli.files import complete_file
from cpsconv.core.source import DiagnosticError, error, read_source
from cpsconv.lab.playground import Request, engine_with, link
from cpsconv.languages import LANGUAGES, language_of_source

answer = engine_with(main)
"""What the commands print for a request (`cpsconv.lab.playground`)."""


def answer_text(text: str) -> str:
    """The same for requests and answers as JSON texts."""
    return json.dumps(answer(json.loads(text)))


@click.command(
    cls=Command,
    examples=[
        "cpsconv playground --link https://example.org/playground/ examples/gcd.c",
        "cpsconv playground --link '' docs/course/solutions/maximum.cps",
    ],
)
@click.argument("file", required=False, shell_complete=complete_file)
@options.option("--port", type=click.IntRange(0, 65535), metavar="N", help="Port of the server (default: a free one).")
@options.option("--no-browser", is_flag=True, help="Only print the address of the page.")
@options.option(
    "--link", "site", metavar="SITE", help="Print a link that shows FILE in the playground at the address SITE."
)
@options.strategy
@options.option("--lang", "language", type=Choice([*LANGUAGES]), help="Language of FILE.")
def playground(
    file: str | None, port: int | None, no_browser: bool, site: str | None, strategy: str, language: str | None
) -> int:
    """Serve a page on this machine in which programs are edited.

    Everything else is beside the program, and follows each pause in typing: CPS, φ form, the steps of the construction,
    the output of a run. The page opens with FILE. Only this machine can reach it, by the printed address; an interrupt
    ends the server. docs/playground.md describes the page, and how to put it on any web server.
    """
    options.exclude("site", "port", "no_browser")
    request = Request(strategy=strategy)
    if file is not None:
        source = read_source(file)
        request = request._replace(text=source.text, language=language or language_of_source(source))
    if site is not None:
        streams.write_result(link(site, request) + "\n")
        return DONE
    if not hasattr(os, "fork"):
        raise DiagnosticError([error("the playground requires a POSIX system", rule="tool")])
    from cpsconv.lab.playground.server import serve  # late, as in `site`: most commands serve nothing
    from cpsconv.lab.playground.site import site_files

    with serve(site_files(answer, "server.js"), answer, port or 0) as server:
        address = link(server.address, request) if file is not None else server.address
        streams.write_result(f"{address}\n")
        streams.flush()
        if not no_browser:
            import webbrowser  # late: few commands open one

            webbrowser.open(address)
        server.serve_forever()
    return DONE
