"""Options and arguments that several commands share."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from typing import Any, TypeVar

import click

from cpsconv.construction import CONSTRUCTIONS, STRATEGIES
from cpsconv.frontends import LANGUAGES
from cpsconv.pipeline import OPTIMISATIONS
from cpsconv.source import nearest

_Command = TypeVar("_Command", bound=Callable[..., Any])
_Decorator = Callable[[_Command], _Command]


def together(*decorators: _Decorator[Any]) -> _Decorator[Any]:
    """One decorator that applies all, in the order in which the help is to list them."""

    def decorate(command: _Command) -> _Command:
        for decorator in reversed(decorators):
            command = decorator(command)
        return command

    return decorate


def _only_numbers_start_with_a_dash(context: click.Context, parameter: click.Parameter, given: Any) -> Any:
    """An unknown option of a command with `NEGATIVE_ARGUMENTS` is taken for an argument; here it is found out."""
    for word in [given] if isinstance(given, str) else given:
        if context.ignore_unknown_options and re.match(r"-(?!$|\.?\d|inf|nan)", word):
            known = [name for option in context.command.params for name in option.opts]
            near = nearest(word, known)
            raise click.NoSuchOption(word, possibilities=[near] if near else None, ctx=context)
    return given


def words(text: str) -> list[str]:
    """The words of a command line, quoted as in a shell. Raises `click.UsageError` where a quote is not closed."""
    try:
        return shlex.split(text)
    except ValueError as failure:
        raise click.UsageError(f"{failure} in {text!r}") from None


file = click.argument("file", metavar="FILE", callback=_only_numbers_start_with_a_dash)

language = click.option(
    "--lang",
    "language",
    type=click.Choice([*LANGUAGES]),
    help="The language of FILE, where its suffix does not tell.",
)

minimal = click.option(
    "--minimal/--no-minimal",
    default=True,
    show_default=True,
    help="Remove redundant parameters at the end (Algorithm 5).",
)


def _named_strategies(context: click.Context, parameter: click.Parameter, given: str) -> list[str]:
    """The strategies of a list with commas, each once."""
    names = [*dict.fromkeys(name.strip() for name in given.split(","))]
    for name in names:
        if name not in CONSTRUCTIONS:
            raise click.BadParameter(f"there is no strategy {name!r}; there are {', '.join(CONSTRUCTIONS)}")
    return names


strategies = click.option(
    "--strategies",
    metavar="NAME,...",
    default=",".join(CONSTRUCTIONS),
    callback=_named_strategies,
    help=f"What to compare, of {', '.join(CONSTRUCTIONS)}; by default all. llvm needs the package llvmlite.",
)


def _note_whether_all(context: click.Context, parameter: click.Parameter, given: bool) -> None:
    context.meta["all optimisations"] = given


def _optimisations(context: click.Context, parameter: click.Parameter, given: str | None) -> list[str]:
    """What `-O` asks for, with the switches that are given."""
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
        "-O", is_flag=True, is_eager=True, expose_value=False, callback=_note_whether_all, help="Optimise on the way."
    ),
    click.option(
        "--optimise",
        "--optimize",
        "optimise",
        metavar="[no-]NAME,...",
        callback=_optimisations,
        help=f"Switch optimisations on, or off, of {', '.join(OPTIMISATIONS)}; -O has all (docs/optimisation.md).",
    ),
)

strategy = click.option(
    "--strategy",
    type=click.Choice([*STRATEGIES]),
    default="scc",
    show_default=True,
    help="Where parameters are placed: section 2 of the paper (basic) or 3.3 (marker, scc).",
)

construction = together(
    strategy,
    minimal,
    optimisation,
    click.option(
        "--thread-jumps",
        is_flag=True,
        help="Let jumps whose way at the next branch is certain go there directly (docs/reconstruction.md).",
    ),
)

layout = together(
    click.option(
        "--layout",
        type=click.Choice(["nested", "flat"]),
        default="nested",
        show_default=True,
        help="Nest each continuation in the one that dominates it, or list all of a function's.",
    ),
    click.option("--ascii", is_flag=True, help="Write ->, _|_, \\ and => for →, ⊥, λ and ⇒."),
    click.option(
        "--width",
        type=click.IntRange(min=20),
        metavar="N",
        default=80,
        show_default=True,
        help="How many columns a line should have at most.",
    ),
)


def _named(context: click.Context, parameter: click.Parameter, given: str | None) -> str | None:
    if given == "":
        raise click.BadParameter("a file has a name")
    return given


out = click.option(
    "-o", "--output", "out", metavar="OUT", callback=_named, help="Write to the file OUT: all of it, or nothing."
)

html = click.option(
    "--html", metavar="OUT", callback=_named, help="Write a page to be stepped through in a browser to the file OUT."
)


class TracingCommand(click.Command):
    """A command of which the option ``--trace`` may have a value, but only behind an equals sign.

    The word after it is an argument, always: ``run f.c --trace 3`` calls the function with 3. (An option of click with
    an optional value would take the 3.)
    """

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """As for any command, once each ``--trace`` says its value."""
        end = arguments.index("--") if "--" in arguments else len(arguments)
        options = ["--trace=text" if word == "--trace" else word for word in arguments[:end]]
        return super().parse_args(context, options + arguments[end:])


_DASH = "\0"  # a dash that begins no option; no word of a command line has that character


class PlaceCommand(click.Command):
    """A command whose FILE may be ``-:FUNCTION``, a function of standard input. To click, that looks like options."""

    def parse_args(self, context: click.Context, arguments: list[str]) -> list[str]:
        """As for any command, with words that begin with ``-:`` as arguments."""
        rest = super().parse_args(context, [re.sub("^-(?=:)", _DASH, word) for word in arguments])
        for name, value in context.params.items():
            if isinstance(value, str) and value.startswith(_DASH):
                context.params[name] = f"-{value[1:]}"
        return rest


_arguments = click.argument("arguments", metavar="[ARGS]...", nargs=-1, callback=_only_numbers_start_with_a_dash)

_entry = click.option("--entry", metavar="NAME", help="The function to call; by default main, or the only one.")

_max_steps = click.option("--max-steps", type=click.IntRange(min=0), metavar="N", help="Stop after N transfers.")

evaluation = together(
    _arguments,
    _entry,
    click.option(
        "--trace",
        type=click.Choice(["text", "json"]),
        metavar="or --trace=json",
        help="Show each transfer on standard error, in a line for people or as JSON (docs/trace.md).",
    ),
    _max_steps,
    click.option(
        "--engine",
        type=click.Choice(["machine", "python", "llvm"]),
        help="What runs it: the evaluator, or Python or native code that it is compiled to (docs/engines.md). By "
        "default, python runs what it can, the machine the rest.",
    ),
    click.option("--time", "timed", is_flag=True, help="Show on standard error what was spent where."),
)


def require_machine_for_steps(engine: str | None, trace: str | None, max_steps: int | None) -> None:
    """Raises `click.UsageError` where steps are to be shown or counted by an engine that has none."""
    if engine not in (None, "machine") and (trace or max_steps is not None):
        option = "--trace" if trace else "--max-steps"
        raise click.UsageError(f"{option} is about the steps of the machine: it does not go with --engine {engine}")


stepping = together(_arguments, _entry, _max_steps)

NEGATIVE_ARGUMENTS = {"ignore_unknown_options": True}
"""The setting for commands with `evaluation` or `stepping`: what looks like an option may be a negative number."""
