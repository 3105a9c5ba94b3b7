"""Options and arguments that several commands share, and the rules for options that exclude each other."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial, reduce, wraps
from typing import Any, TypeVar

import click

from cpsconv.abi.libraries import installed
from cpsconv.cli.commands import Choice, Option, ignore, require_known
from cpsconv.core.construction import STRATEGIES, Strategy
from cpsconv.lab.baselines import CONSTRUCTIONS
from cpsconv.languages import CPS, LANGUAGES
from cpsconv.languages.permissions import current_permissions, permitting
from cpsconv.pipeline import OPTIMISATIONS

T = TypeVar("T")

_Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

option = partial(click.option, cls=Option)
"""A decorator that adds an `Option`."""


def together(*decorators: _Decorator) -> _Decorator:
    """One decorator that applies all, in the order in which the help lists them."""
    return lambda command: reduce(lambda decorated, decorator: decorator(decorated), reversed(decorators), command)


def group(heading: str, *decorators: _Decorator) -> _Decorator:
    """As `together`, with a heading of the options in the help, unless they have one."""

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        others = [*getattr(command, "__click_params__", ())]
        decorated = together(*decorators)(command)
        for each in getattr(decorated, "__click_params__", ()):
            if isinstance(each, Option) and each not in others and each.heading == Option.heading:
                each.heading = heading
        return decorated

    return decorate


def number(name: str, least: int, help: str, default: int | None = None) -> _Decorator:
    """A decorator that adds an option with a number, at least `least`."""
    return option(name, type=click.IntRange(min=least), metavar="N", default=default, show_default=True, help=help)


def words(text: str) -> list[str]:
    """The words of a command line, quoted as in a shell. Raises `click.UsageError` if a quote is not closed."""
    try:
        return shlex.split(text)
    except ValueError as failure:
        raise click.UsageError(f"{failure} in {text!r}") from None


# -------------------------------------------------------------------------------------------- combined options


def exclude(name: str, *others: str, title: str = "") -> None:
    """Raises `click.UsageError` if the option `name` is given together with one of the others.

    Options are denoted by their parameters' names in the current command. `title` is shown in place of the option.
    """
    if _is_given(name):
        for other in filter(_is_given, others):
            raise click.UsageError(
                f"{title or _spelling(name)} and {_spelling(other)} exclude each other", click.get_current_context()
            )


def require(name: str, *dependents: str) -> None:
    """Raises `click.UsageError` if one of the dependent options is given without the option `name`."""
    if not _is_given(name):
        for dependent in filter(_is_given, dependents):
            raise click.UsageError(f"{_spelling(dependent)} requires {_spelling(name)}", click.get_current_context())


def require_value(name: str, values: Sequence[str], dependent: str) -> None:
    """Raises `click.UsageError` if the dependent option is given and the option `name` has none of the values."""
    context = click.get_current_context()
    if _is_given(dependent) and context.params[name] not in values:
        required = " or ".join(f"{_spelling(name)} {value}" for value in values)
        raise click.UsageError(f"{_spelling(dependent)} requires {required}", context)


def _is_given(name: str) -> bool:
    value = click.get_current_context().params[name]
    return value is not None and value is not False and value != []


_LEVELS = ("0", "1", "2", "3", "g", "s", "z", "fast")
"""The levels of optimisation of C compilers."""

_IMPLIED_BY = {"optimise": ["-O", *(f"-O{level}" for level in _LEVELS)]}
"""Further options that set a parameter, by the name of the parameter."""


def _spelling(name: str) -> str:
    """The option for the given parameter, as the user typed it; if not found there, its first long spelling."""
    context = click.get_current_context()
    typed = {word.partition("=")[0] for word in context.obj or ()}
    options = [option for each in context.command.params if each.name == name for option in each.opts]
    long = next(option for option in options if option.startswith("--"))
    return next((option for option in options + _IMPLIED_BY.get(name, []) if option in typed), long)


def _preprocessing(field: str) -> Callable[[click.Context, click.Parameter, Sequence[str]], None]:
    """The callback that sets a field of the preprocessor's settings while the command runs."""

    def apply(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> None:
        if given and parameter.metavar == "FOLDER":
            context.with_resource(permitting(*given))
        for language in LANGUAGES.values() if given else ():
            if language.preprocessor and (module := installed(language.preprocessor)):
                context.with_resource(module.preprocessing(module.current_settings()._replace(**{field: given})))

    return apply


def _preprocessor_option(*names: str, metavar: str, help: str, cls: type[Option] = Option) -> _Decorator:
    """An option for a field of the preprocessor's settings, the last one of the names."""
    callback = _preprocessing(names[-1])
    return click.option(
        *names, cls=cls, multiple=True, expose_value=False, metavar=metavar, callback=callback, help=help
    )


class _MacroOption(Option):
    """``-D`` or ``-U``: their values form one list, each after its option, since the order matters."""

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        """Add the option; click has no other way to learn the order of different options."""
        super().add_to_parser(parser, ctx)
        [name] = self.opts
        added = parser._short_opt[name]
        process = added.process
        added.dest = "macros"
        added.process = lambda value, state: process(f"{name}{value}", state)


preprocessor = group(
    "Preprocessor of C",
    _preprocessor_option(
        "-I",
        "folders",
        metavar="FOLDER",
        help="Search FOLDER for the files that C includes, and permit every language to read its files "
        "(docs/preprocessor.md).",
    ),
    _preprocessor_option(
        "-iquote", "quoted", metavar="FOLDER", help="Search FOLDER first, but only for files in quotes."
    ),
    _preprocessor_option(
        "-isystem", "-idirafter", "last_folders", metavar="FOLDER", help="Search FOLDER after those of -I."
    ),
    _preprocessor_option(
        "-D", "macros", metavar="NAME[=BODY]", help="Define a macro of C; without BODY as 1.", cls=_MacroOption
    ),
    _preprocessor_option(
        "-U", "undefined", metavar="NAME", help="Remove the definition of a macro of C.", cls=_MacroOption
    ),
    _preprocessor_option(
        "-include", "included", metavar="FILE", help="Include FILE before the first line of a C program."
    ),
    option(
        "-std", "--std", metavar="STANDARD", expose_value=False, help="Ignored: C is C17, with extensions of GNU C."
    ),
)


def _permit_clock(context: click.Context, parameter: click.Parameter, given: bool) -> None:
    if given:
        context.with_resource(permitting(clock=True))


allow_clock = option(
    "--allow-clock",
    is_flag=True,
    expose_value=False,
    callback=_permit_clock,
    help="Let the program use the time, also as __DATE__ and __TIME__. Without this option, it is not known.",
)


def _require_platform(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> None:
    """Raises `click.BadParameter` for options that change the types of C."""
    for value in given:
        if (word := f"{parameter.opts[0]}{value}") in _OTHER_TYPES:
            raise click.BadParameter(f"{word} is not supported: the types of C are those of x86-64 Linux")


_OTHER_TYPES = [
    *("-funsigned-char", "-funsigned-bitfields", "-fpack-struct", "-fshort-enums", "-fshort-wchar"),
    *("-m16", "-m32", "-mx32", "-mlong-double-64", "-mlong-double-128", "-mms-bitfields"),
]
"""The options of C compilers that change types."""


def _report_ignored(context: click.Context, parameter: click.Parameter, given: Sequence[str] | bool) -> None:
    if given:
        [name] = parameter.opts
        ignore(context, [f"{name}{value}" for value in given] if isinstance(given, Sequence) else [name])


_ignored = partial(option, expose_value=False, hidden=True)


def _reported(name: str, **settings: Any) -> _Decorator:
    """An ignored option that a note reports. Its parameter distinguishes ``-l`` and ``-L``."""
    return _ignored(name, f"ignored{name.replace('-', '_')}", callback=_report_ignored, **settings)


compiler = group(
    "Options of C compilers",
    option(
        "-f",
        multiple=True,
        metavar="...",
        expose_value=False,
        callback=_require_platform,
        help="Ignored, as are -ansi, -c, -g..., -m..., -pedantic, -pipe and -pthread: options of C compilers. -l..., "
        "-L..., -M..., -shared, -static and others are ignored with a note.",
    ),
    _ignored("-m", multiple=True, callback=_require_platform),
    _ignored("-g", multiple=True, bare="2"),
    *(_ignored(name, is_flag=True) for name in ["-ansi", "-c", "-pedantic", "-pedantic-errors", "-pipe", "-pthread"]),
    *(_reported(name, multiple=True) for name in ["-l", "-L", "-MF", "-MT", "-MQ"]),
    _reported("-M", bare="M", multiple=True),
    *(_reported(name, is_flag=True) for name in ["-s", "-static", "-shared", "-rdynamic", "-pie", "-no-pie"]),
)
"""Options with which a project calls its compiler, for commands without ARGS and NAME."""

unused_level = _reported("-O", bare="1", multiple=True)
"""The level of optimisation, for commands that do not optimise."""

_CHOICE = "cpsconv.languages.ours"


def _express(context: click.Context, parameter: click.Parameter, choice: str | None) -> None:
    """Choose which instructions of LLVM IR and MLIR become operations of the program, while the command runs."""
    if choice and (module := installed(_CHOICE)):
        context.with_resource(module.expressing(choice))


def keep_instructions(language: str) -> None:
    """Keep every instruction of a language while the current command runs, unless an option chooses otherwise."""
    if module := installed(_CHOICE):
        click.get_current_context().with_resource(module.keeping(language))


ours = option(
    "--ours",
    type=Choice(["none", "some", "all"]),
    expose_value=False,
    callback=_express,
    help="Instructions of LLVM IR and MLIR that become operations of the program: some, if these express them "
    "(default); all, or fail; none, as for --emit llvm and --emit mlir (docs/llvm.md).",
)

language = together(
    option("--lang", "language", type=Choice(LANGUAGES), help="Language of FILE (default: by suffix)."),
    ours,
    preprocessor,
    allow_clock,
)

cps_language = option(
    "--lang", "language", type=Choice([CPS]), help="Read FILE as CPS text, also if its suffix is another one."
)


# -------------------------------------------------------------------------------------------------- construction


def strategy_of(known: Mapping[str, Strategy]) -> _Decorator:
    """The option for one of the `known` strategies."""
    described = "; ".join(f"{name}: {strategy.description}" for name, strategy in known.items())
    help = f"Where to place parameters; {described}."
    return option("--strategy", type=Choice([*known]), default="scc", show_default=True, help=help)


strategy = strategy_of(STRATEGIES)


def _strategy_names(context: click.Context, parameter: click.Parameter, given: str) -> list[str]:
    """The strategies in a list separated by commas, each once."""
    names = [*dict.fromkeys(name.strip() for name in given.split(","))]
    require_known("strategy", names, CONSTRUCTIONS)
    return names


def named_strategies(default: Iterable[str]) -> _Decorator:
    """The option for the strategies of a comparison."""
    names = ",".join(default)
    shown = "all" if names == ",".join(CONSTRUCTIONS) else names
    return option(
        "--strategy",
        "strategies",
        former=["--strategies"],
        metavar="NAME,...",
        default=names,
        callback=_strategy_names,
        help=f"Strategies to compare, of {', '.join(CONSTRUCTIONS)} (default: {shown}). llvm needs the package "
        "llvmlite.",
    )


minimal = option(
    "--minimal/--no-minimal",
    default=True,
    show_default=True,
    help="Remove redundant parameters at the end (Algorithm 5).",
)


def _optimisations(context: click.Context, parameter: click.Parameter, given: str | None) -> list[str]:
    """The optimisations that `-O` and the switches in `given` enable."""
    chosen = dict.fromkeys(OPTIMISATIONS if context.meta["all optimisations"] else [])
    switches = [switch.strip() for switch in given.split(",")] if given else []
    require_known("optimisation", (switch.removeprefix("no-") for switch in switches), OPTIMISATIONS)
    for switch in switches:
        name = switch.removeprefix("no-")
        if name == switch:
            chosen[name] = None
        else:
            chosen.pop(name, None)
    return [*chosen]


optimisation = together(
    option(
        "-O",
        "level",
        type=Choice(_LEVELS),
        bare="1",
        metavar="[LEVEL]",
        is_eager=True,
        expose_value=False,
        callback=lambda context, parameter, given: context.meta.update({"all optimisations": given not in (None, "0")}),
        help="Optimise during construction. -O1, -O2, -O3 and -Os are the same as -O; -O0 is the default.",
    ),
    option(
        "--optimise",
        "--optimize",
        "optimise",
        metavar="[no-]NAME,...",
        callback=_optimisations,
        help=f"Enable or disable optimisations: {', '.join(OPTIMISATIONS)}. -O enables all (docs/optimisation.md).",
    ),
)


def _warning_options(context: click.Context, parameter: click.Parameter, given: Sequence[str]) -> Sequence[str]:
    """The options, which must denote groups of warnings."""
    if not given or context.meta["no warnings"]:
        return ["no-everything"] if context.meta["no warnings"] else given
    from cpsconv.languages.warning_groups import Warnings, is_foreign  # late: few calls choose warnings

    foreign = [each for each in given if is_foreign(each)]
    ignore(context, [f"-W{each}" for each in foreign])
    own = [each for each in given if each not in foreign]
    try:
        Warnings(own)
    except ValueError as unknown:
        raise click.BadParameter(f"{unknown} (docs/warnings.md)") from None
    return own


def _warnings(**settings: Any) -> _Decorator:
    return together(
        option(
            "-w",
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=lambda context, parameter, given: context.meta.update({"no warnings": given}),
            help="Disable all warnings.",
            hidden=bool(settings),
        ),
        option(
            "-W",
            "warn",
            multiple=True,
            metavar="[no-]GROUP",
            callback=_warning_options,
            help="Enable or disable warnings, as in gcc: -Wall, -Wextra, -Wno-unused-variable (docs/warnings.md). "
            "-Werror: warnings are errors; -Werror=GROUP: only those.",
            **settings,
        ),
    )


warnings = _warnings()
unused_warnings = _warnings(expose_value=False, hidden=True)
"""The options of warnings, for commands that print none."""

thread_jumps = option(
    "--thread-jumps", is_flag=True, help="Redirect jumps past branches whose outcome is known (docs/reconstruction.md)."
)

explicit_memory = option(
    "--explicit-memory",
    type=Choice(["one", "objects"]),
    bare="one",
    metavar="[=objects]",
    help="Make the state of memory a variable; with =objects, one for each object whose address does not escape "
    "(docs/memory.md).",
)

construction = together(
    group("Construction", strategy, minimal, optimisation, thread_jumps, explicit_memory), group("Warnings", warnings)
)


# -------------------------------------------------------------------------------------------------------- output


def _layout(help: str, **settings: Any) -> _Decorator:
    return group(
        "Layout of CPS text",
        option("--layout", type=Choice(["nested", "flat"]), help=help, **settings),
        option("--ascii", is_flag=True, help="Write ->, _|_, \\ and => for →, ⊥, λ and ⇒."),
        number("--width", 20, "Preferred maximum length of a line.", 80),
    )


_names = option(
    "--names",
    type=Choice(["source", "numbered", "all"]),
    default="source",
    show_default=True,
    help="Names as in the source; with the number of the value (i₁, i₂); or v₁, v₂, … for all values, none of which is "
    "then written in place. Also in φ form and LaTeX (docs/construction.md).",
)

_ARRANGEMENT = "Nest each continuation in its immediate dominator, or list all continuations of a function"
layout = group("Layout of CPS text", _names, _layout(f"{_ARRANGEMENT}.", default="nested", show_default=True))
kept_layout = _layout(
    f"{_ARRANGEMENT}; a function in which a name would then denote another value stays as it is. Default: as in FILE."
)


def _file_name(context: click.Context, parameter: click.Parameter, given: str | None) -> str | None:
    if given == "":
        raise click.BadParameter("the name of the file is empty")
    return given


out = option(
    "-o",
    "--output",
    "out",
    metavar="OUT",
    callback=_file_name,
    help="Write to the file OUT, completely or not at all, or to a file in the folder OUT.",
)

html = option(
    "--html",
    metavar="OUT",
    callback=_file_name,
    help="Write an interactive page to the file OUT, or to the folder OUT.",
)


# ------------------------------------------------------------------------------------------------------ execution

entry = option("--entry", metavar="NAME", help="Function to call (default: main, or the only function).")

max_steps = number("--max-steps", 0, "Stop after N transfers.")


def size(text: str) -> int:
    """A number of bytes, such as 500M: the units K, M, G and T are powers of 1024. Raises `click.BadParameter`."""
    written = re.fullmatch(r"0*([1-9][0-9]{,17})([KMGT]?)(?:i?B)?", text, re.IGNORECASE | re.ASCII)
    if not written:
        raise click.BadParameter(f"{text!r} is not a size: write a number of bytes, such as 500M or 2G")
    return int(written[1]) << 10 * " KMGT".index(written[2].upper() or " ")


def _reading_unwritten(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command, whose programs may read memory that they never wrote, if the option is given."""

    @wraps(command)
    def reading(*, allow_uninitialised: bool, **given: Any) -> Any:
        if not allow_uninitialised:
            return command(**given)
        from cpsconv.abi.runtime.unwritten import reading_unwritten  # late: few runs need it

        with reading_unwritten():
            return command(**given)

    return reading


allow_uninitialised = together(
    option(
        "--allow-uninitialised",
        "--allow-uninitialized",
        is_flag=True,
        help="Let the program read memory that it never wrote, as zeros. Without this option, this is a runtime error.",
    ),
    _reading_unwritten,
)


def _granting_access(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command, whose programs may use what the options of `access` grant."""

    @wraps(command)
    def granted(*, allow_files: str | None, allow_environment: bool, **given: Any) -> Any:
        from pathlib import Path  # late: only commands that run programs need them

        from cpsconv.engines.machine.system import Access, granting

        has_clock = current_permissions().clock
        files = None if allow_files is None else Path(allow_files)
        with granting(Access(files=files, has_clock=has_clock, has_environment=allow_environment)):
            return command(**given)

    return granted


access = group(
    "Access to the system",
    option(
        "--allow-files",
        type=click.Path(exists=True, file_okay=False),
        bare=".",
        metavar="[=DIR]",
        help="Let the program use the files in the folder DIR (default: the current one). Without this option, it "
        "cannot open any (docs/c-library.md).",
    ),
    option(
        "--allow-environment",
        is_flag=True,
        help="Let the program read environment variables. Without this option, there are none.",
    ),
    allow_uninitialised,
    _granting_access,
)
"""What programs may use of the system and of memory, besides `allow_clock`."""


def output_size(text: str) -> int:
    """A number of bytes as `size` accepts it, or 0."""
    return size(text) if text.strip("0") else 0


def within_time(call: Callable[..., T], streams: Sequence[Any], timeout: float | None) -> T:
    """The result of a function of the streams, which is limited if there is a `timeout`. Raises `TimeLimit`."""
    if timeout is None:
        return call(*streams)
    from cpsconv.engines import processes  # late: few runs have such a limit

    return processes.within_time(call, streams, timeout)


def seconds(text: str) -> float:
    """A positive number of seconds. Raises `click.BadParameter`."""
    if not re.fullmatch(r"\d{1,9}(\.\d{1,9})?|\.\d{1,9}", text, re.ASCII) or not float(text):
        raise click.BadParameter(f"{text!r} is not a positive number of seconds, such as 10 or 0.5")
    return float(text)


_SANDBOX = {"max_depth": 100_000, "max_memory": "512M", "max_output": "1M", "timeout": "10"}
"""The limits that ``--sandbox`` sets, for programs of strangers."""


def _apply_sandbox(context: click.Context, parameter: click.Parameter, given: bool) -> bool:
    """Make the limits of `_SANDBOX` the defaults of the command, and forbid the working directory."""
    if given:
        context.default_map = _SANDBOX
        context.with_resource(permitting(working_directory=False))
    return given


def _limiting(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command, whose parameter `limits` has the values of the options but the time."""

    @wraps(command)
    def limited(*, max_depth: int, max_memory: int, max_output: int | None, **given: Any) -> Any:
        from cpsconv.engines.machine.limits import Limits  # late: only commands that run programs need it

        return command(limits=Limits(max_depth, max_memory, max_output), **given)

    return limited


timeout = option(
    "--timeout",
    type=seconds,
    metavar="SECONDS",
    help="Stop if the run takes more processor time than so many seconds, under any engine.",
)

sandbox = option(
    "--sandbox",
    is_flag=True,
    is_eager=True,
    callback=_apply_sandbox,
    help="Run the program of a stranger: set all limits to low values, which other options override: "
    "--timeout 10 --max-memory 512M --max-output 1M --max-depth 100000. Sources include no files of the working "
    "directory (docs/security.md).",
)

limits = group(
    "Limits",
    number("--max-depth", 0, "Stop if more than N calls are pending, under any engine.", 1_000_000),
    option(
        "--max-memory",
        type=size,
        metavar="SIZE",
        default="2G",
        show_default=True,
        help="Stop if the program takes more memory than SIZE, such as 500M, under any engine (docs/engines.md).",
    ),
    option(
        "--max-output",
        type=output_size,
        metavar="SIZE",
        help="Stop if the program writes more than SIZE bytes, such as 10000 or 1M, under any engine.",
    ),
    timeout,
    sandbox,
    _limiting,
)
"""The limits of a run. The command gets `limits` and `timeout`, and whether it is in the `sandbox`."""
