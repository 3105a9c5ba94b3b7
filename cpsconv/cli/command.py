"""Kinds of commands, options and arguments: optional values, earlier names, suggestions, several files, examples."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import wraps
from os.path import exists
from typing import TYPE_CHECKING, Any

import click

from cpsconv.cli import batch, terminal
from cpsconv.cli.batch import JsonObjects, path_and_function
from cpsconv.source import did_you_mean, limit_errors, nearest

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    AnyChoice = click.Choice[str]
else:
    AnyChoice = click.Choice  # not generic in click 8.1

NEGATIVE_ARGUMENTS = {"ignore_unknown_options": True}
"""The setting for commands that pass ARGS to a program: words that look like options may be negative numbers."""


class Option(click.Option):
    """An option that may have an optional value, and earlier names.

    `bare` is the value if none is given: the next word never is the value (``run f.c --trace 3`` calls the function
    with 3). `former` are names that are accepted, but not listed in the help.
    """

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
    """One of several names; for another name, the error suggests the most similar one."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The name. Raises `click.BadParameter` for another one."""
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
    callback=lambda context, parameter, given: terminal.settings.update(diagnostics=given),
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
        callback=lambda context, parameter, given: terminal.settings.update(color=given),
        help="Colour diagnostics: always, never, or auto (default): on a terminal, unless NO_COLOR is set.",
    ),
    Option(
        ["-q", "--quiet"],
        is_flag=True,
        expose_value=False,
        callback=lambda context, parameter, given: terminal.settings.update(quiet=given),
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


class OptionalValues(click.Command):
    """A command with options that have optional values."""

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
            return super().parse_args(ctx, words.copy())
        except click.UsageError:
            _apply_diagnostics(words)
            raise


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


# ----------------------------------------------------------------------------------------------- FILE arguments


def _words(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> list[str]:
    """The words of FILE... and ARGS.

    Raises `click.NoSuchOption` for an unknown option, which click takes for an argument with `NEGATIVE_ARGUMENTS`.
    """
    for word in given:
        if context.ignore_unknown_options and re.match(r"-(?!$|\.?\d|inf|nan)", word):
            near = nearest(word, [name for option in context.command.params for name in option.opts])
            raise click.NoSuchOption(word, possibilities=[near] if near else None, ctx=context)
    return [re.sub(f"^{_DASH}", "-", word) for word in given]


def each_file(
    rest: str | None = None,
    metavar: str = "FILE...",
    existing: bool = False,
    headed: Callable[[dict[str, Any]], bool] = lambda given: False,
) -> Callable[[Callable[..., int | JsonObjects]], Callable[..., int]]:
    """A decorator that adds FILE... and calls the command for each `file`, independently of the others.

    The command returns its exit status, or `JsonObjects`, which are written as one list for all files.

    With `rest`, further words become the parameter of this name: FILE... ends at ``--``, or before a word without the
    suffix of a language (with `existing`, before a word that is not such a file). If there are several files and
    `headed(given)` holds for the options, each result follows a line with the name of the file.
    """

    def split(words: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
        before = len(words) - click.get_current_context().meta["words after --"]
        count = next((at for at in range(1, before) if not is_file(words[at])), max(before, 1))
        return words[:count], words[count:]

    def is_file(word: str) -> bool:
        from cpsconv.frontends import language_of  # late: the help needs no language

        path, _ = path_and_function(word)
        return language_of(path) is not None and (exists(path) or not existing)

    def with_files(command: Callable[..., int | JsonObjects]) -> Callable[..., int]:
        @click.argument(
            "files", metavar=metavar, nargs=-1, required=True, callback=_words, shell_complete=complete_file
        )
        @wraps(command)
        def for_each(files: Sequence[str], jobs: int = 1, **given: Any) -> int:
            if rest:
                files, given[rest] = split(files)
            for out in given.get("out"), given.get("html"), given.get("split") and f"{given['split']}/":
                if out:
                    batch.prepare_folder(out, files)
            return batch.run(
                files, lambda file: command(file=file, **given), jobs, headed(given) and not given.get("out")
            )

        return for_each

    return with_files


def complete_file(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The completion of a file name, which the shell performs."""
    from click.shell_completion import CompletionItem  # late: most calls complete nothing

    return [CompletionItem(incomplete, type="file")]
