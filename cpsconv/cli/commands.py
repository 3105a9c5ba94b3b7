"""The commands, their options and their help."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Sequence
from pathlib import PurePath
from typing import Any

import click

from cpsconv import __version__
from cpsconv.cli import against as agreement
from cpsconv.cli import options, streams
from cpsconv.cli.status import DONE, WRONG_INPUT, status_of
from cpsconv.convert import CPS, convert, language_of_source
from cpsconv.emit import PICTURES, TARGETS, Style
from cpsconv.frontends import language_of
from cpsconv.ir import Program
from cpsconv.source import Diagnostic, DiagnosticError, Source, error, in_source_order, read_source


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line in `arguments` (`sys.argv` by default). Raises nothing; the result is the exit status."""
    streams.speak_utf8()
    gc.set_threshold(100_000)  # a program is one large graph that stays: looking through it often is in vain
    return status_of(lambda: _invoke(sys.argv[1:] if arguments is None else list(arguments)))


def _invoke(arguments: list[str]) -> int:
    """What click's own `main` does, which would handle exceptions its own way."""
    with commands.make_context("cpsconv", arguments) as context:
        status: int = commands.invoke(context)
        return status


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
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


@commands.command("convert")
@options.file
@options.construction
@click.option(
    "--emit",
    "target",
    type=click.Choice([*TARGETS]),
    default="cps",
    show_default=True,
    help="What to write: CPS text, the same program in φ form, in another language (docs/targets.md) or as JSON "
    "(docs/json.md), or for papers (docs/graph.md).",
)
@click.option("--certify", is_flag=True, help="Write only what is proven to do what FILE does (docs/certificate.md).")
@options.layout
@options.out
@options.language
def convert_command(
    file: str,
    target: str,
    out: str | None,
    strategy: str,
    minimal: bool,
    optimise: list[str],
    thread_jumps: bool,
    certify: bool,
    language: str | None,
    **style: Any,
) -> int:
    """Convert FILE and print the program.

    FILE may be CPS text, too, whose continuations and parameters stay as they are but for --thread-jumps.

    \b
    cpsconv convert examples/fig8.c
    cpsconv convert --emit ssa examples/fig8.c
    cpsconv convert --strategy basic --no-minimal loop.c     # see what the algorithm removes
    cpsconv convert -O --optimise no-cse prog.c
    cpsconv convert --emit json prog.c -o prog.json
    cpsconv convert --emit scheme prog.c -o prog.scm && guile --r7rs prog.scm
    cpsconv convert --lang c - < prog.c
    """
    construction = {"strategy": strategy, "minimal": minimal, "certify": certify}
    improvement = {"optimise": optimise, "thread_jumps": thread_jumps}
    program = _converted(read_source(file), language=language, **construction, **improvement)
    streams.write_result(TARGETS[target](program, Style(**style)), out)
    return DONE


@commands.command(cls=options.TracingCommand, context_settings=options.NEGATIVE_ARGUMENTS)
@options.file
@options.construction
@options.evaluation
@options.language
def run(
    file: str, arguments: Sequence[str], entry: str | None, trace: str | None, max_steps: int | None, **given: Any
) -> int:
    """Convert FILE and run it with ARGS.

    It starts with main, or the only function there is. The value of main is the exit status; that of another function
    is printed.

    \b
    cpsconv run examples/gcd.c
    cpsconv run examples/fig8.c 0
    cpsconv run prog.c --entry power 2 -5
    cpsconv run prog.c --trace --max-steps 1000
    cpsconv run prog.c --trace=json 2> trace.jsonl
    """
    from cpsconv.cli.execution import execute

    return execute(_converted(read_source(file), **given), entry, arguments, trace, max_steps)


@commands.command("eval", cls=options.TracingCommand, context_settings=options.NEGATIVE_ARGUMENTS)
@options.file
@options.evaluation
def eval_command(
    file: str, arguments: Sequence[str], entry: str | None, trace: str | None, max_steps: int | None
) -> int:
    """Run the CPS text in FILE with ARGS, as `run` does.

    \b
    cpsconv eval gcd.cps
    cpsconv convert examples/fig8.c | cpsconv eval - 7
    """
    from cpsconv.cli.execution import execute

    return execute(_converted(_read_cps_text(file), language=CPS), entry, arguments, trace, max_steps)


@commands.command()
@options.file
@agreement.options
@options.language
def check(file: str, against: str | None, language: str | None, **method: Any) -> int:
    """Check FILE, C or CPS text, and show its errors and warnings.

    Types, names and form are checked; nothing is run. Warnings alone do not change the exit status. Of a C program
    the conversion is certified, too: the result does what the program does, and no parameter is unused or redundant.

    With --against, FILE and REFERENCE, each C or CPS text, are checked and then run: each function that both have, on
    the same inputs, small ones above all. The exit status is 1 if they differ.

    \b
    cpsconv check prog.c
    cpsconv check prog.cps
    cpsconv check solution.cps --against prog.c
    cpsconv check solution.cps --against prog.c --entry gcd --input '12 18' --input '0 -7'
    """
    agreement.require_reference(against, **method)
    source = read_source(file)
    language = language or language_of_source(source)
    program = _checked(source, language)
    if against is not None:
        return agreement.hold(program, _reference(read_source(against), language), **method)
    certified = "" if language == CPS else f", certified: {_size(program)}"
    streams.write_result(f"{source.name}: ok{certified}\n")
    return DONE


@commands.command()
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@options.strategies
@options.minimal
@click.option("--json", "as_json", is_flag=True, help="Print a list of objects, the times in seconds.")
@click.option(
    "--repeat",
    type=click.IntRange(min=1),
    metavar="N",
    default=5,
    show_default=True,
    help="How often each construction is timed; the median counts.",
)
@options.language
def compare(files: Sequence[str], as_json: bool, **given: Any) -> int:
    """Construct the programs in FILE... with several strategies, and compare what they place.

    For each function, strategy by strategy: how many continuations it has; how many parameters were placed, removed
    again, and kept; how few Algorithm 5 leaves of them (minimal); how many arguments the kept ones get; how many
    continuations look-ups came to; and how many milliseconds it took from the syntax tree to the finished function.
    A file with errors is left out.

    \b
    cpsconv compare examples/fig5.c
    cpsconv compare --strategies scc,cytron --repeat 25 prog.c lib.c
    cpsconv compare --json examples/fig5.c
    """
    from cpsconv import compare as comparison
    from cpsconv.cli import tables

    rows: list[comparison.Row] = []
    status = DONE
    for file in files:
        try:
            rows += comparison.compare(read_source(file), **given)
        except DiagnosticError as fault:
            streams.complain(fault.diagnostics)
            status = WRONG_INPUT
    streams.write_result(tables.as_json(rows) if as_json else tables.as_table(rows))
    return status


@commands.command()
@options.file
@options.layout
@options.out
@click.option("--check", "only_check", is_flag=True, help="Write nothing; exit with 1 if the text would change.")
def fmt(file: str, out: str | None, only_check: bool, **style: Any) -> int:
    """Lay out the CPS text in FILE anew.

    Comments stay with what they are about.

    \b
    cpsconv fmt prog.cps
    cpsconv fmt --layout flat --ascii prog.cps
    cpsconv fmt prog.cps -o prog.cps
    cpsconv fmt --check prog.cps
    """
    from cpsconv.text import reformat

    source = _read_cps_text(file)
    text = reformat(source, **style)
    if only_check:
        if text != source.text:
            raise DiagnosticError([error(f"{source.name}: would be laid out anew")])
        return DONE
    streams.write_result(text, out)
    return DONE


@commands.command("why", cls=options.PlaceCommand)
@click.argument("file", metavar="FILE[:FUNCTION]")
@click.argument("name")
@click.option("--json", "as_data", is_flag=True, help="Print the evidence as JSON (docs/why.md).")
@options.language
def why_command(file: str, name: str, as_data: bool, language: str | None) -> int:
    """Tell why a continuation has a parameter, or why it has none.

    NAME is a parameter as `convert` shows it, with or without its continuation: a or next.a. Then two assignments are
    shown, and two paths that meet there for the first time. Or it is a variable at the start of a continuation without
    a parameter for it: a@then. Then the definition is shown that reaches it.

    \b
    cpsconv why examples/fig8.c a
    cpsconv why examples/gcd.c:gcd while.b
    cpsconv why examples/gcd.c:gcd a@body
    cpsconv why --json examples/fig8.c next.a
    """
    from cpsconv.cli.explanation import answer

    streams.write_result(answer(file, name, language, as_data))
    return DONE


@commands.command("explain", cls=options.PlaceCommand)
@click.argument("file", metavar="FILE[:FUNCTION]")
@options.strategy
@options.minimal
@options.optimisation
@click.option("--variable", metavar="NAME", help="Tell only of variables of that name.")
@click.option("--brief", is_flag=True, help="Leave out which line of the algorithms each step carries out.")
@click.option("--json", "as_data", is_flag=True, help="Print the steps as JSON (docs/explain.md).")
@options.html
@options.out
@options.language
def explain_command(
    file: str, out: str | None, as_data: bool, html: str | None, variable: str | None, brief: bool, **given: Any
) -> int:
    """Tell step by step how FILE, or one FUNCTION of it, is converted.

    Under each line of the source stand the steps that it leads to: which continuation is entered, filled and sealed,
    which variable is written and read, how its value is looked up, and where parameters are placed and removed for it.
    Each step names the line of the paper's algorithms that it carries out; these lines are listed in the end.

    \b
    cpsconv explain examples/fig8.c
    cpsconv explain --strategy basic examples/fig5.c
    cpsconv explain examples/gcd.c:gcd | less
    cpsconv explain --brief --variable a examples/gcd.c:gcd
    cpsconv explain --json examples/fig8.c
    cpsconv explain --html fig8.html examples/fig8.c
    """
    from cpsconv.cli.explanation import page, story

    if html is not None and (as_data or brief or variable is not None or out is not None):
        others = "--json, --brief, --variable or --output"
        raise click.UsageError(f"--html says what to write, and where: it does not go with {others}")
    if html is not None:
        streams.write_result(page(file, **given), html)
    else:
        streams.write_result(story(file, as_data, variable, brief, **given), out)
    return DONE


@commands.command("graph", cls=options.PlaceCommand)
@click.argument("place", metavar="FILE[:FUNCTION]")
@click.option("--loops", is_flag=True, help="Draw a box around each loop.")
@click.option("--dominators", is_flag=True, help="Add an arrow to each continuation from its immediate dominator.")
@click.option("--tree", is_flag=True, help="Draw the dominator tree alone, by which continuations are nested.")
@click.option(
    "--bodies/--no-bodies", default=True, show_default=True, help="Show what continuations do, or just their names."
)
@click.option(
    "--format",
    "form",
    type=click.Choice([*dict.fromkeys(PICTURES.values())]),
    help="What to write; by default what the suffix of OUT says, or DOT text.",
)
@click.option("--split", metavar="DIR", help="Write a file for each function into the folder DIR.")
@options.out
@options.construction
@options.language
def graph_command(
    place: str,
    loops: bool,
    dominators: bool,
    tree: bool,
    bodies: bool,
    form: str | None,
    split: str | None,
    out: str | None,
    **given: Any,
) -> int:
    """Draw the continuations of FILE, C or CPS text, as a graph.

    A continuation is a node, with its parameters; an edge shows the arguments that it passes. Back edges are bold
    (docs/graph.md has all the signs). The formats svg, png and pdf are drawn by Graphviz.

    \b
    cpsconv graph examples/gcd.c | dot -Tsvg > gcd.svg
    cpsconv graph examples/gcd.c:gcd -o gcd.svg
    cpsconv graph --loops --no-bodies examples/number_scanner.c:main -o loops.pdf
    cpsconv graph --tree --format mermaid prog.cps
    cpsconv graph --split pictures --format png prog.c
    """
    from cpsconv.cli import graph
    from cpsconv.cli.place import path_and_function
    from cpsconv.emit.picture import View

    if split and out:
        raise click.UsageError("--split and --output exclude each other")
    form = form or graph.format_of(out)
    path, name = path_and_function(place)
    program = _converted(read_source(path), **given)
    view = View(loops=loops, dominators=dominators or tree, bodies=bodies, edges=not tree)
    if split:
        graph.write_each(program, name, view, form, split)
    else:
        graph.write(program, name, view, form, out)
    return DONE


@commands.command(context_settings=options.NEGATIVE_ARGUMENTS)
@options.file
@options.construction
@options.stepping
@options.language
def step(file: str, arguments: Sequence[str], entry: str | None, max_steps: int | None, **given: Any) -> int:
    """Walk through FILE, C or CPS text, started with ARGS as by `run`, one transfer at a time.

    Commands are read from standard input, a line each: Enter or n makes the next transfer, b takes it back, h shows
    what else there is (docs/trace.md).

    \b
    cpsconv step examples/fig8.c 0
    cpsconv step examples/gcd.c --entry gcd 48 36
    printf 'r exit\\np\\nq\\n' | cpsconv step examples/gcd.c
    """
    from cpsconv.cli.step import converse

    if file == "-":
        raise click.UsageError("the commands come from standard input, so FILE cannot: save it first")
    return converse(_converted(read_source(file), **given), entry, arguments, max_steps)


def _read_cps_text(file: str) -> Source:
    """The source, of which the suffix does not speak against CPS text."""
    source = read_source(file)
    if language_of(source.name):
        cure = "`cpsconv convert` makes CPS text of it, and `cpsconv run` runs it"
        raise DiagnosticError([error(f"{source.name}: is not CPS text", help=cure)])
    if PurePath(source.name).suffix not in ("", f".{CPS}"):
        cure = "call it `….cps`, or give it as standard input"
        raise DiagnosticError([error(f"{source.name}: the name does not tell that this is CPS text", help=cure)])
    return source


def _checked(source: Source, language: str) -> Program:
    """The program in a source; if it is converted, that is certified."""
    return _converted(source, language=language, certify=language != CPS)


def _reference(source: Source, language: str) -> Program:
    """The program in a source that is of the given language where its own name does not tell."""
    is_told = language_of(source.name) or PurePath(source.name).suffix == f".{CPS}"
    return _checked(source, language_of_source(source) if is_told else language)


def _size(program: Program) -> str:
    continuations = [member for function in program.functions for member in function.continuations]
    parameters = sum(len(continuation.parameters) for continuation in continuations)
    return f"{_counted(len(continuations), 'continuation')}, {_counted(parameters, 'parameter')}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _converted(source: Source, **given: Any) -> Program:
    """The program in a source; `given` is for `convert`."""
    return _complained(lambda warnings: convert(source, warnings=warnings, **given))


def _complained(make: Callable[[list[Diagnostic]], Program]) -> Program:
    """The program made, when its warnings have been shown."""
    warnings: list[Diagnostic] = []
    program = make(warnings)
    streams.complain(in_source_order(warnings))
    return program
