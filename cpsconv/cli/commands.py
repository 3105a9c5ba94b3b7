"""The command line as a whole: what there is to type, and how it is run."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from cpsconv import __version__
from cpsconv.cli import streams
from cpsconv.cli.status import status_of

_COMMANDS = {
    "convert": "programs:convert_command",
    "run": "programs:run",
    "eval": "programs:eval_command",
    "step": "programs:step",
    "check": "check_fmt:check",
    "fmt": "check_fmt:fmt",
    "compare": "inspect:compare",
    "explain": "inspect:explain_command",
    "graph": "inspect:graph_command",
    "why": "inspect:why_command",
}
"""What there is to type, and where in this package it is: only the command that is typed is imported."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line in `arguments` (`sys.argv` by default). Raises nothing; the result is the exit status."""
    streams.speak_utf8()
    gc.set_threshold(500_000)  # a program is one large graph that stays: looking through it often is in vain
    return status_of(lambda: _invoke(sys.argv[1:] if arguments is None else list(arguments)))


def _invoke(arguments: list[str]) -> int:
    """What click's own `main` does, which would handle exceptions its own way."""
    with commands.make_context("cpsconv", arguments) as context:
        status: int = commands.invoke(context)
        return status


class _Commands(click.Group):
    """The commands of the table."""

    def list_commands(self, context: click.Context) -> list[str]:
        """Their names, in alphabetical order."""
        return sorted(_COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The command of that name, if there is one."""
        if name not in _COMMANDS:
            return None
        module, _, attribute = _COMMANDS[name].partition(":")
        command: click.Command = getattr(import_module(f"cpsconv.cli.{module}"), attribute)
        return command


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="cpsconv %(version)s")
def commands() -> None:
    """Convert imperative programs directly into continuation-passing style, and run them.

    \b
    cpsconv convert examples/fig8.c       print a C program as CPS text
    cpsconv run examples/gcd.c            convert it and run it
    cpsconv convert gcd.c -o gcd.cps      keep the CPS text …
    cpsconv eval gcd.cps                  … and run that

    FILE is - for standard input, and -:f is its function f. Results go to standard output, all else to standard error.
    The exit status is 0 (done), 1 (the input is wrong), 2 (the command line is wrong), 3 (a runtime error or an
    exhausted limit) or 130 (interrupted); where a program ends by itself, its status.
    """
