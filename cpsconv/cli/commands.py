"""The group of all commands, and the entry point `main`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from cpsconv import __version__
from cpsconv.cli import streams, terminal
from cpsconv.cli.command import Choice, Command
from cpsconv.cli.status import DONE, status_of
from cpsconv.source import MAX_ERRORS, did_you_mean, limited_errors

COMMANDS = {
    "check": ("check:check", "Check FILE, C or CPS text, and print its errors and warnings."),
    "compare": ("compare:compare", "Construct the programs in FILE... with several strategies, and compare them."),
    "completion": ("commands:completion", "Print the script that completes cpsconv's command lines in SHELL."),
    "convert": ("convert:convert_command", "Convert FILE and print the program."),
    "eval": ("run:eval_command", "Run the CPS text in FILE with ARGS, as `run` does."),
    "explain": ("explain:explain_command", "Print the conversion of FILE, or of one FUNCTION of it, step by step."),
    "fmt": ("convert:fmt", "Format the CPS text in FILE."),
    "graph": ("graph:graph_command", "Draw the continuations of FILE, C or CPS text, as a graph."),
    "run": ("run:run", "Convert FILE and run it with ARGS."),
    "step": ("step:step", "Step through FILE, C or CPS text, started with ARGS as by `run`."),
    "why": ("explain:why_command", "Print the evidence that a continuation needs a parameter, or needs none."),
}
"""Each command: its location in this package, and the first sentence of its help. A module is imported on first use."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line in `arguments` (`sys.argv` by default). Raises nothing; returns the exit status."""
    streams.use_utf8()
    with limited_errors(MAX_ERRORS):  # until ``--max-errors`` changes the limit
        status = status_of(lambda: _invoke(sys.argv[1:] if arguments is None else list(arguments)))
        return status_of(lambda: _ended(status))


def _ended(status: int) -> int:
    """Write the diagnostics that were collected during the command. Returns the status."""
    streams.write_diagnostics()
    return status


def _invoke(arguments: list[str]) -> int:
    """Run the command as click's own `main` does, but leave exceptions to `status_of`.

    `cpsconv.__main__` finds a running command by the name of this function.
    """
    terminal.settings = terminal.Settings()
    _complete(arguments)
    with commands.make_context("cpsconv", arguments, obj=(*arguments,)) as context:
        status: int = commands.invoke(context)
        return status


_COMPLETION = "_CPSCONV_COMPLETE"
"""The environment variable in which the script of a shell requests completions."""


def _complete(arguments: list[str]) -> None:
    """Print the completions that a script requests, and exit."""
    if _COMPLETION in os.environ:
        from click.shell_completion import shell_complete  # late, as in `completion`

        raise click.exceptions.Exit(shell_complete(commands, {}, "cpsconv", _COMPLETION, os.environ[_COMPLETION]))


class _Commands(Command, click.Group):
    """The commands of the table."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command and its arguments. Raises `click.UsageError` for an unknown command, with a suggestion."""
        name = args[0]
        if name not in COMMANDS:
            from cpsconv.frontends import language_of  # late: most commands are known

            help = did_you_mean(name, COMMANDS)
            if language_of(name):
                help = f"To convert the file: cpsconv convert {name}"
            raise click.UsageError(f"there is no command {name!r}. {help or ''}".rstrip(), ctx)
        return super().resolve_command(ctx, args)

    def list_commands(self, context: click.Context) -> list[str]:
        """The names in alphabetical order."""
        return [*COMMANDS]

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        """The command called `name`, if it exists."""
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name][0].partition(":")
        command: click.Command = getattr(import_module(f"cpsconv.cli.{module}"), attribute)
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing their modules."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, help) for name, (_, help) in COMMANDS.items()])


@click.group(
    cls=_Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    examples=[
        "cpsconv convert examples/fig8.c                       # C to CPS text",
        "cpsconv run examples/gcd.c                            # runs a program",
        "cpsconv convert examples/fig8.c | cpsconv eval - 7    # runs CPS text",
    ],
)
@click.version_option(__version__, "-V", "--version", message="cpsconv %(version)s")
def commands() -> None:
    """Convert imperative programs directly to continuation-passing style, and run them.

    FILE is - for standard input, and -:f is its function f. Results go to standard output, everything else to standard
    error. The exit status is 0 (done), 1 (the input is wrong), 2 (the command line is wrong), 3 (a runtime error or an
    exhausted limit) or 130 (interrupted); a program that ends by itself determines the status of `run` and `eval`.
    """


@click.command(cls=Command, examples=["cpsconv completion bash > cpsconv.bash", "cpsconv completion fish | head"])
@click.argument("shell", type=Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> int:
    """Print the script that completes cpsconv's command lines in SHELL.

    \b
    bash: add this line to ~/.bashrc      eval "$(cpsconv completion bash)"
    zsh:  add this line to ~/.zshrc       eval "$(cpsconv completion zsh)"
    fish: run this command once           cpsconv completion fish > ~/.config/fish/completions/cpsconv.fish
    """
    from click.shell_completion import get_completion_class

    script = get_completion_class(shell)
    assert script
    streams.write_result(script(commands, {}, "cpsconv", _COMPLETION).source())
    return DONE
