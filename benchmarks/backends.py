"""Measures the time and memory of every target, picture and engine on programs that are large in one way.

    python benchmarks/backends.py
    python benchmarks/backends.py --shapes ifs,cases --bytes 6250,25000,100000 --back-ends c,python

For each shape of `benchmarks/shapes.py`, prints a row of a Markdown table: the processor time of the conversion and of
each back end for the largest source, in brackets the exponent of its growth between the two largest sources (1 is
proportional), and the largest peak of memory, with the back end that needs it. Each back end runs in a process of its
own, with the converted program. A back end that cannot express a shape has the cell `–`, one that exceeds the limit of
time ``> … s``.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.arguments import names, numbers
from benchmarks.shapes import QUADRATIC, SHAPES, Shape
from cpsconv import Program, Source, convert, parse, pretty
from cpsconv.core.entry import entry_of
from cpsconv.core.source import DiagnosticError
from cpsconv.engines import ENGINES, prepare
from cpsconv.targets import PICTURES, TARGETS, Style
from cpsconv.targets.picture import picture

BackEnd = Callable[[Program], object]


def _target(name: str) -> BackEnd:
    return lambda program: TARGETS[name](program, Style())


def _picture(name: str) -> BackEnd:
    return lambda program: PICTURES[name].write(picture(program))


def _engine(name: str) -> BackEnd:
    return lambda program: prepare(program, entry_of(program), name)


BACK_ENDS: dict[str, BackEnd] = {
    "flat": lambda program: pretty(program, layout="flat"),
    "parse back": lambda program: parse(Source("program.cps", pretty(program))),
    **{name: _target(name) for name in TARGETS},
    "dot": _picture("dot"),
    **{f"engine {name}": _engine(name) for name in ENGINES},
}
"""What is measured, by name. An engine is measured up to the start of the run."""


class Cost(NamedTuple):
    """The processor time, and the peak of memory in MB. `failed` says why there is no result."""

    seconds: float
    megabytes: float
    failed: str = ""


def in_fork(work: Callable[[], Any], limit: int) -> tuple[Any, float]:
    """The result of some work in a fork of this process, None after `limit` seconds, and its peak of memory in MB."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 1))
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
        os.write(write, json.dumps(work()).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        answer = pipe.read()
    _, _, usage = os.wait4(child, 0)
    return json.loads(answer) if answer else None, usage.ru_maxrss / 1000


def timed(work: Callable[[], object]) -> tuple[float, str]:
    """The processor time of some work, and why it failed."""
    start, failed = time.process_time(), ""
    try:
        work()
    except DiagnosticError:
        failed = "–"
    except Exception as error:
        failed = type(error).__name__
    return time.process_time() - start, failed


def cost(work: Callable[[], object], limit: int) -> Cost:
    """The cost of some work in a fork of this process."""
    found, megabytes = in_fork(lambda: timed(work), limit)
    seconds, failed = found or (float(limit), f"> {limit} s")
    return Cost(seconds, megabytes, failed)


def source(shape: Shape, size: int) -> str:
    """A program of the shape, whose source has about `size` bytes."""
    n = size // 20
    for _ in range(10):
        n = max(1, n * size // len(shape(n)))
    return shape(n)


def costs(text: str, back_ends: list[str], limit: int) -> dict[str, Cost]:
    """The cost of the conversion, and of each back end for the converted program."""
    converted = cost(lambda: convert(Source("program.c", text)), limit)
    if converted.failed:
        return {"convert": converted}
    program = convert(Source("program.c", text))
    return {"convert": converted} | {name: cost(partial(BACK_ENDS[name], program), limit) for name in back_ends}


def row(shape: Shape, sizes: list[int], back_ends: list[str], limit: int) -> Iterator[str]:
    """The cells of a shape."""
    measured = []
    for size in sizes:
        found, _ = in_fork(partial(costs, source(shape, size), back_ends, limit), limit * (1 + len(back_ends)))
        measured.append({name: Cost(*each) for name, each in found.items()})
    *_, less, most = measured
    for name in most:
        small, large = less[name], most[name]
        if large.failed or small.failed:
            yield large.failed or small.failed
        else:
            growth = math.log(max(large.seconds, 0.001) / max(small.seconds, 0.001)) / math.log(sizes[-1] / sizes[-2])
            yield f"{large.seconds:.1f} s ({growth:.2f})"
    largest = max(most, key=lambda name: most[name].megabytes)
    yield f"{most[largest].megabytes:.0f} MB ({largest})"


def main() -> None:
    """Run the command."""
    assert __doc__
    shapes = {**SHAPES, **QUADRATIC}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--shapes", type=names(shapes), default=",".join(shapes), help="which shapes, with commas between them (all)"
    )
    parser.add_argument("--bytes", type=numbers, default="25000,100000", help="the sizes of the sources (25000,100000)")
    parser.add_argument("--back-ends", type=names(BACK_ENDS), default=",".join(BACK_ENDS), help="which back ends (all)")
    parser.add_argument("--limit", type=int, default=120, help="the limit of time, in seconds (120)")
    options = parser.parse_args()
    gc.set_threshold(500_000)  # as the command line does
    small = convert(Source("program.c", SHAPES["ifs"](3)))
    for back_end in options.back_ends:  # imports the modules
        BACK_ENDS[back_end](small)
    header = ["shape", "convert", *options.back_ends, "memory"]
    print(f"| {' | '.join(header)} |\n|{'---|' * len(header)}", flush=True)
    for name in options.shapes:
        print(
            f"| {' | '.join([name, *row(shapes[name], options.bytes, options.back_ends, options.limit)])} |", flush=True
        )


if __name__ == "__main__":
    main()
