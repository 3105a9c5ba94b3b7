"""The commands: the classes of commands, options and choices; exit statuses; the group of all commands; `main`."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any

import click

from cpsconv import __version__
from cpsconv.cli import streams
from cpsconv.core.source import (
    MAX_ERRORS,
    STANDARD_ERROR,
    Diagnostic,
    DiagnosticError,
    did_you_mean,
    error,
    limit_errors,
    limited_errors,
    naming_options,
    nearest,
    recording_inputs,
)

if TYPE_CHECKING:
    AnyChoice = click.Choice[str]
else:
    AnyChoice = click.Choice  # not generic in click 8.1

DONE = 0
WRONG_INPUT = 1
WRONG_COMMAND_LINE = 2
RUNTIME_ERROR = 3  # or an exhausted limit
INTERNAL_ERROR = 70  # as EX_SOFTWARE in sysexits.h
INTERRUPTED = 130  # as a shell reports SIGINT …
ABORTED = 134  # … SIGABRT …
CLOSED_PIPE = 141  # … and SIGPIPE

NEGATIVE_ARGUMENTS = {"ignore_unknown_options": True}
"""The setting for commands that pass ARGS to a program: words that look like options may be negative numbers."""


class Option(click.Option):
    """An option that may have an optional value, and earlier names.

    `bare` is the value if none is given: the next word never is the value (``run f.c --trace 3`` calls the function
    with 3). `former` are names that are accepted, but not listed in the help.
    """

    heading = "Options"
    """The heading in the help."""

    def __init__(self, *names: Any, bare: str | None = None, former: Sequence[str] = (), **settings: Any) -> None:
        super().__init__(*names, **settings)
        self.bare = bare
        self.former = former

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Add all names."""
        listed, self.opts = self.opts, [*self.opts, *self.former]
        try:
            super().add_to_parser(parser, ctx)
        finally:
            self.opts = listed


class Choice(AnyChoice):
    """One of several names; for another name, the error suggests the most similar one.

    The names may be a table, to which rows are added later.
    """

    def __init__(self, names: Iterable[str]) -> None:
        super().__init__([*names])
        self._names = names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name. Raises `click.BadParameter` for another one."""
        self.choices = tuple(self._names)
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter as failure:
            help = did_you_mean(str(value), map(str, self.choices))
            raise click.BadParameter(f"{failure.message} {help}" if help else failure.message, ctx, param) from None


def require_known(kind: str, names: Iterable[str], known: Collection[str]) -> None:
    """Raises `click.BadParameter` for a name that is not `known`, with a suggestion."""
    for name in names:
        if name not in known:
            help = did_you_mean(name, known)
            message = f"there is no {kind} {name!r}; there are {', '.join(known)}"
            raise click.BadParameter(f"{message}. {help}" if help else message)


_DIAGNOSTICS = Option(
    ["--diagnostics"],
    type=Choice(["text", "json", "sarif"]),
    is_eager=True,
    expose_value=False,
    callback=lambda context, parameter, given: streams.settings.update(diagnostics=given),
    help="Write errors and warnings as text (default), JSON or SARIF (docs/diagnostics.md).",
)


def _apply_diagnostics(words: list[str]) -> None:
    """Apply ``--diagnostics`` in a command line with an error, which may precede the option."""
    only = click.Command(None, params=[_DIAGNOSTICS])
    only.make_context(None, words, ignore_unknown_options=True, allow_extra_args=True, resilient_parsing=True)


_COMMON = (
    Option(
        ["--color", "--colour"],
        type=Choice(["auto", "always", "never"]),
        bare="always",
        metavar="[=WHEN]",
        expose_value=False,
        callback=lambda context, parameter, given: streams.settings.update(color=given),
        help="Colour diagnostics: always, never, or auto (default): on a terminal, unless NO_COLOR is set.",
    ),
    Option(
        ["-q", "--quiet"],
        is_flag=True,
        expose_value=False,
        callback=lambda context, parameter, given: streams.settings.update(quiet=given),
        help="Print only errors and results: no warnings, no progress.",
    ),
    Option(
        ["--max-errors"],
        type=click.IntRange(min=0),
        metavar="N",
        expose_value=False,
        callback=lambda context, parameter, given: None if given is None else limit_errors(given),
        help="Print at most N errors, and N warnings, for each file; 0: all of them (default: 20).",
    ),
    _DIAGNOSTICS,
)

_JOBS = Option(
    ["-j", "--jobs"],
    type=click.IntRange(min=0),
    metavar="N",
    default=1,
    help="Process N files at the same time; 0: one per processor (default: 1).",
)

_DASH = "\0"  # a dash that starts no option; command lines cannot contain this character


_IGNORED = "ignored options"


def ignore(context: click.Context, options: Iterable[str]) -> None:
    """Note that the options of the command line have no effect."""
    context.meta.setdefault(_IGNORED, []).extend(options)


class OptionalValues(click.Command):
    """A command with options that have optional values. It `reports_ignored` options in a note."""

    def __init__(self, *arguments: Any, reports_ignored: bool = True, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.reports_ignored = reports_ignored

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """As for every command, but optional values are filled in, and words that start with ``-:`` are arguments."""
        bare = {
            name: f"{name}={option.bare}" if name.startswith("--") else f"{name}{option.bare}"
            for option in self.params
            if isinstance(option, Option) and option.bare
            for name in option.opts
        }
        end = args.index("--") if "--" in args else len(args)
        ctx.meta["words after --"] = max(0, len(args) - end - 1)
        words = [re.sub("^-(?=:)", _DASH, bare.get(word, word)) for word in args[:end]] + args[end:]
        try:
            rest = super().parse_args(ctx, words.copy())
        except click.UsageError:
            _apply_diagnostics(words)
            raise
        if self.reports_ignored and (ignored := ctx.meta.get(_IGNORED)):
            streams.note(f"without effect here: {' '.join(dict.fromkeys(ignored))}")
        return rest

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options under their headings, first those of the command itself."""
        sections: dict[str, list[tuple[str, str]]] = {Option.heading: []}
        for each in self.get_params(ctx):
            if record := each.get_help_record(ctx):
                sections.setdefault(getattr(each, "heading", Option.heading), []).append(record)
        for heading, records in sections.items():
            with formatter.section(heading):
                formatter.write_dl(records)


class Command(OptionalValues):
    """A command with the options of all commands, whose help ends with examples, which the tests run.

    The option ``-j`` is that of commands with files that are not `interactive`.
    """

    def __init__(self, *arguments: Any, examples: Sequence[str], interactive: bool = False, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        takes_files = any(each.name == "files" for each in self.params)
        self.params += [_JOBS, *_COMMON] if takes_files and not interactive else _COMMON
        self.examples = examples

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        with formatter.section("Examples"):
            formatter.write("".join(f"  {example}\n" for example in self.examples))


def file_words(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> list[str]:
    """The words of FILE... and ARGS.

    Raises `click.NoSuchOption` for an unknown option before ``--``, which click takes for an argument with
    `NEGATIVE_ARGUMENTS`.
    """
    for word in given[: len(given) - context.meta.get("words after --", 0)]:
        if context.ignore_unknown_options and re.match(r"-(?!$|\.?\d|inf|nan)", word):
            near = nearest(word, [name for option in context.command.params for name in option.opts])
            raise click.NoSuchOption(word, possibilities=[near] if near else None, ctx=context)
    return [re.sub(f"^{_DASH}", "-", word) for word in given]


# ---------------------------------------------------------------------------------------------------- exit statuses


def status_of(command: Callable[[], int]) -> int:
    """Run `command` and flush its output. Returns its exit status, or that of its exception, which is reported."""
    with suppress(BrokenPipeError):
        try:
            status = command()
            streams.flush()
            return status
        except BrokenPipeError:
            raise
        except BaseException as failure:
            return report_failure(failure)
    streams.discard(sys.stdout, sys.stderr)  # the reader closed the pipe, which is not an error
    return CLOSED_PIPE


def report_failure(failure: BaseException, file: str = "") -> int:
    """Report the exception on standard error and return the exit status. Raises `BrokenPipeError` without a reader.

    Internal errors name the file, if any.
    """
    try:
        return _reported(failure, file)
    except BrokenPipeError:
        raise
    except OSError:  # standard error cannot be written, thus the report is lost
        streams.discard(sys.stderr)
        return diagnosed(failure)[1]


def _reported(failure: BaseException, file: str) -> int:
    if isinstance(failure, click.exceptions.Exit):
        return failure.exit_code
    if isinstance(failure, click.ClickException) and streams.settings.diagnostics == "text":
        failure.show()
        return WRONG_COMMAND_LINE
    if os.environ.get("CPSCONV_DEBUG") and not isinstance(failure, click.ClickException):
        import traceback

        traceback.print_exception(failure)
    if isinstance(failure, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(failure, click.ClickException):
        streams.settings.file = None
    if isinstance(failure, OSError) and failure.filename != STANDARD_ERROR:
        streams.discard(sys.stdout)
    diagnostics, status = diagnosed(failure)
    if file and status == INTERNAL_ERROR and streams.settings.diagnostics == "text":
        diagnostics[0].message = f"{file}: {diagnostics[0].message}"
    streams.report(diagnostics)
    return status


def diagnosed(failure: BaseException) -> tuple[list[Diagnostic], int]:
    """The diagnostics that report an exception, and the exit status."""
    if isinstance(failure, DiagnosticError):
        return failure.diagnostics, WRONG_INPUT
    if isinstance(failure, click.ClickException):
        return [error(failure.format_message(), rule="command-line")], WRONG_COMMAND_LINE
    if isinstance(failure, OSError):
        stream = failure.filename or "standard output"
        return [error(f"{stream} cannot be written: {failure.strerror}", rule="file")], WRONG_INPUT
    if isinstance(failure, MemoryError):
        return [error("out of memory", rule="memory")], RUNTIME_ERROR
    message = f"internal error: {type(failure).__name__}: {failure}".splitlines()[0]
    return [
        error(message, help="CPSCONV_DEBUG=1 prints the traceback; please report it", rule="internal")
    ], INTERNAL_ERROR


# ------------------------------------------------------------------------------------------ the group of all commands

COMMANDS = {
    "check": ("check:check", "Check FILE, and print its errors and warnings."),
    "compare": ("explain:compare", "Construct the programs in FILE... with several strategies, and compare them."),
    "completion": ("commands:completion", "Print the script that completes cpsconv's command lines in SHELL."),
    "convert": ("convert:convert_command", "Convert FILE and print the program."),
    "eval": ("run:eval_command", "Run the CPS text in FILE with ARGS, as `run` does."),
    "explain": ("explain:explain_command", "Print the conversion of FILE, or of one FUNCTION of it, step by step."),
    "fmt": ("convert:fmt", "Format the CPS text in FILE."),
    "graph": ("graph:graph_command", "Draw the continuations of FILE as a graph."),
    "link": ("convert:link_command", "Link the programs in FILE... to one, and print it."),
    "playground": ("playground:playground", "Serve a page on this machine in which programs are edited."),
    "run": ("run:run", "Convert FILE and run it with ARGS."),
    "stats": ("stats:stats", "Convert all files below PATH, and tabulate what became of each function."),
    "step": ("step:step", "Step through FILE, started with ARGS as by `run`."),
    "why": ("explain:why_command", "Print the evidence that a continuation needs a parameter, or needs none."),
}
"""Each command: its location in this package, and the first sentence of its help. A module is imported on first use."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line in `arguments` (`sys.argv` by default). Raises nothing; returns the exit status."""
    streams.use_utf8()
    with naming_options(), limited_errors(MAX_ERRORS), recording_inputs():  # until ``--max-errors`` changes the limit
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
    streams.settings = streams.Settings()
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
            from cpsconv.languages import language_of  # late: most commands are known

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
