"""Options and arguments that several commands share, and the rules for options that exclude each other."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from functools import reduce
from typing import Any

import click

from cpsconv.construction import CONSTRUCTIONS, STRATEGIES
from cpsconv.frontends import LANGUAGES
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.source import nearest

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]


def together(*decorators: _Decorator) -> _Decorator:
    """One decorator that applies all, in the order in which the help lists them."""
    return lambda command: reduce(lambda decorated, decorator: decorator(decorated), reversed(decorators), command)


def words(text: str) -> list[str]:
    """The words of a command line, quoted as in a shell. Raises `click.UsageError` if a quote is not closed."""
    try:
        return shlex.split(text)
    except ValueError as failure:
        raise click.UsageError(f"{failure} in {text!r}") from None


# -------------------------------------------------------------------------------------------- combined options


def exclude(name: str, *others: str) -> None:
    """Raises `click.UsageError` if the option `name` is given together with one of the others.

    Options are denoted by their parameters' names in the current command.
    """
    if _is_given(name):
        for other in filter(_is_given, others):
            raise click.UsageError(
                f"{_spelling(name)} and {_spelling(other)} exclude each other", click.get_current_context()
            )


def require(name: str, *dependents: str) -> None:
    """Raises `click.UsageError` if one of the dependent options is given without the option `name`."""
    if not _is_given(name):
        for dependent in filter(_is_given, dependents):
            raise click.UsageError(f"{_spelling(dependent)} requires {_spelling(name)}", click.get_current_context())


def _is_given(name: str) -> bool:
    value = click.get_current_context().params[name]
    return value is not None and value is not False and value != []


_IMPLIED_BY = {"optimise": ["-O"]}
"""Further options that set a parameter, by the name of the parameter."""


def _spelling(name: str) -> str:
    """The option for the given parameter, as the user typed it; if not found there, its first long spelling."""
    context = click.get_current_context()
    typed = {word.partition("=")[0] for word in context.obj or ()}
    options = [option for each in context.command.params if each.name == name for option in each.opts]
    long = next(option for option in options if option.startswith("--"))
    return next((option for option in options + _IMPLIED_BY.get(name, []) if option in typed), long)


# ----------------------------------------------------------------------------------------------- FILE arguments

NEGATIVE_ARGUMENTS = {"ignore_unknown_options": True}
"""The setting for commands that pass ARGS to a program: words that look like options may be negative numbers."""


def _reject_unknown_options(context: click.Context, parameter: click.Parameter, given: Any) -> Any:
    """With `NEGATIVE_ARGUMENTS`, click takes an unknown option for an argument. Raises `click.NoSuchOption` for it."""
    for word in [given] if isinstance(given, str) else given:
        if context.ignore_unknown_options and re.match(r"-(?!$|\.?\d|inf|nan)", word):
            known = [name for option in context.command.params for name in option.opts]
            near = nearest(word, known)
            raise click.NoSuchOption(word, possibilities=[near] if near else None, ctx=context)
    return given


file = click.argument("file", metavar="FILE", callback=_reject_unknown_options)

_DASH = "\0"  # a dash that starts no option; command lines cannot contain this character


class FunctionCommand(click.Command):
    """A command with an argument FILE[:FUNCTION], which may be ``-:FUNCTION``, an option in click's view."""

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """As for every command, but words that start with ``-:`` are arguments."""
        rest = super().parse_args(context, [re.sub("^-(?=:)", _DASH, word) for word in arguments])
        for name, value in context.params.items():
            if isinstance(value, str) and value.startswith(_DASH):
                context.params[name] = f"-{value[1:]}"
        return rest


def path_and_function(target: str) -> tuple[str, str | None]:
    """The path in FILE[:FUNCTION], and the function's name, if any; a colon may also be part of the path."""
    from os.path import exists

    path, colon, function = target.rpartition(":")
    return (path, function) if colon and path and not exists(target) else (target, None)


arguments = click.argument("arguments", metavar="[ARGS]...", nargs=-1, callback=_reject_unknown_options)

language = click.option(
    "--lang", "language", type=click.Choice([*LANGUAGES]), help="Language of FILE (default: by suffix)."
)


# -------------------------------------------------------------------------------------------------- construction

strategy = click.option(
    "--strategy",
    type=click.Choice([*STRATEGIES]),
    default="scc",
    show_default=True,
    help="Where to place parameters; "
    + "; ".join(f"{name}: {strategy.description}" for name, strategy in STRATEGIES.items()),
)


def _strategy_names(context: click.Context, parameter: click.Parameter, given: str) -> list[str]:
    """The strategies in a list separated by commas, each once."""
    names = [*dict.fromkeys(name.strip() for name in given.split(","))]
    for name in names:
        if name not in CONSTRUCTIONS:
            raise click.BadParameter(f"there is no strategy {name!r}; there are {', '.join(CONSTRUCTIONS)}")
    return names


strategies = click.option(
    "--strategies",
    metavar="NAME,...",
    default=",".join(CONSTRUCTIONS),
    callback=_strategy_names,
    help=f"Strategies to compare, of {', '.join(CONSTRUCTIONS)} (default: all). llvm needs the package llvmlite.",
)

minimal = click.option(
    "--minimal/--no-minimal",
    default=True,
    show_default=True,
    help="Remove redundant parameters at the end (Algorithm 5).",
)


def _optimisations(context: click.Context, parameter: click.Parameter, given: str | None) -> list[str]:
    """The optimisations that `-O` and the switches in `given` enable."""
    chosen = dict.fromkeys(OPTIMISATIONS if context.meta["all optimisations"] else [])
    for switch in given.split(",") if given else []:
        name = switch.strip().removeprefix("no-")
        if name not in OPTIMISATIONS:
            raise click.BadParameter(f"there is no optimisation {name!r}; there are {', '.join(OPTIMISATIONS)}")
        if name == switch.strip():
            chosen[name] = None
        else:
            chosen.pop(name, None)
    return [*chosen]


optimisation = together(
    click.option(
        "-O",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=lambda context, parameter, given: context.meta.update({"all optimisations": given}),
        help="Optimise during construction.",
    ),
    click.option(
        "--optimise",
        "--optimize",
        "optimise",
        metavar="[no-]NAME,...",
        callback=_optimisations,
        help=f"Enable or disable optimisations: {', '.join(OPTIMISATIONS)}. -O enables all (docs/optimisation.md).",
    ),
)

construction = together(
    strategy,
    minimal,
    optimisation,
    click.option(
        "--thread-jumps",
        is_flag=True,
        help="Redirect jumps past branches whose outcome is known (docs/reconstruction.md).",
    ),
)


# -------------------------------------------------------------------------------------------------------- output

layout = together(
    click.option(
        "--layout",
        type=click.Choice(["nested", "flat"]),
        default="nested",
        show_default=True,
        help="Nest each continuation in its immediate dominator, or list all continuations of a function.",
    ),
    click.option("--ascii", is_flag=True, help="Write ->, _|_, \\ and => for →, ⊥, λ and ⇒."),
    click.option(
        "--width",
        type=click.IntRange(min=20),
        metavar="N",
        default=80,
        show_default=True,
        help="Preferred maximum length of a line.",
    ),
)


def _file_name(context: click.Context, parameter: click.Parameter, given: str | None) -> str | None:
    if given == "":
        raise click.BadParameter("the name of the file is empty")
    return given


out = click.option(
    "-o", "--output", "out", metavar="OUT", callback=_file_name, help="Write to the file OUT, completely or not at all."
)

html = click.option(
    "--html", metavar="OUT", callback=_file_name, help="Write an interactive page for a browser to the file OUT."
)


# ------------------------------------------------------------------------------------------------------ execution

entry = click.option("--entry", metavar="NAME", help="Function to call (default: main, or the only function).")

max_steps = click.option("--max-steps", type=click.IntRange(min=0), metavar="N", help="Stop after N transfers.")
