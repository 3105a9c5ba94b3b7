"""The commands that convert and run programs: `convert`, `run`, `eval`, `step`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from cpsconv.cli import options, progress, streams
from cpsconv.cli.sources import converted, read_cps_text
from cpsconv.cli.status import DONE
from cpsconv.emit import TARGETS, Style
from cpsconv.frontends import CPS
from cpsconv.ir import Program
from cpsconv.source import read_source

if TYPE_CHECKING:
    from cpsconv.engines import EngineName


@click.command("convert")
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
    if certify and optimise:
        raise click.UsageError(
            "--certify excludes -O and --optimise: the simplified statements are not those of the source"
        )
    construction = {"strategy": strategy, "minimal": minimal, "certify": certify}
    improvement = {"optimise": optimise, "thread_jumps": thread_jumps}
    program = converted(read_source(file), language=language, **construction, **improvement)
    with progress.shown():
        text = TARGETS[target](program, Style(**style))
    streams.write_result(text, out)
    return DONE


@click.command(cls=options.TracingCommand, context_settings=options.NEGATIVE_ARGUMENTS)
@options.file
@options.construction
@options.evaluation
@options.language
def run(
    file: str,
    arguments: Sequence[str],
    entry: str | None,
    trace: str | None,
    max_steps: int | None,
    engine: EngineName | None,
    timed: bool,
    **given: Any,
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
    cpsconv run prog.c --engine llvm --time
    """
    steps = {"trace": trace, "max_steps": max_steps}
    return _run(lambda: converted(read_source(file), **given), entry, arguments, engine=engine, timed=timed, **steps)


@click.command("eval", cls=options.TracingCommand, context_settings=options.NEGATIVE_ARGUMENTS)
@options.file
@options.evaluation
def eval_command(file: str, arguments: Sequence[str], entry: str | None, **evaluation: Any) -> int:
    """Run the CPS text in FILE with ARGS, as `run` does.

    \b
    cpsconv eval gcd.cps
    cpsconv convert examples/fig8.c | cpsconv eval - 7
    """
    return _run(lambda: converted(read_cps_text(file), language=CPS), entry, arguments, **evaluation)


@click.command(context_settings=options.NEGATIVE_ARGUMENTS)
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
    return converse(converted(read_source(file), **given), entry, arguments, max_steps)


def _run(
    convert: Callable[[], Program], entry: str | None, arguments: Sequence[str], *, timed: bool, **evaluation: Any
) -> int:
    """Run a program and, where that is wanted, show what was spent where."""
    from cpsconv.cli.execution import execute
    from cpsconv.cli.times import Times

    options.require_machine_for_steps(**evaluation)
    times = Times()
    with times.of("convert"):
        program = convert()
    return execute(program, entry, arguments, times=times if timed else None, **evaluation)
