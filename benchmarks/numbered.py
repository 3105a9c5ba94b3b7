"""Generated programs, each determined by a number, that are checked in parallel: options, results, and progress."""

from __future__ import annotations

import gc
import os
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import count, islice
from typing import TypeVar

T = TypeVar("T")


def add_options(parser: ArgumentParser, what: str, number: int, first: int = 0) -> None:
    """Add the options of `results`; `number` programs, called `what`, are checked by default, from the `first` one."""
    parser.add_argument(f"--{what}", type=int, dest="number", help=f"number of {what} ({number}, unless --minutes)")
    parser.add_argument("--minutes", type=float, help="check for that time")
    parser.add_argument("--seed", type=int, default=first, help=f"the number of the first one ({first})")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of processes (one per processor)")
    parser.set_defaults(default_number=number)


def results(check: Callable[[list[int]], T], options: Namespace, size: int = 50) -> Iterator[T]:
    """The results of `check` for batches of `size` numbers, in order, until the number or the time is reached."""
    todo = _batches(options, size)
    with ProcessPoolExecutor(options.jobs, initializer=gc.set_threshold, initargs=(100_000,)) as pool:
        running: deque[Future[T]] = deque()
        while True:
            running.extend(pool.submit(check, batch) for batch in islice(todo, 2 * options.jobs - len(running)))
            if not running:
                return
            yield running.popleft().result()


def show(progress: str) -> None:
    """Show the progress: on a terminal, in place of the last line."""
    if sys.stderr.isatty():
        print(f"\r{progress}\x1b[K", end="", file=sys.stderr, flush=True)
    elif progress:
        print(progress, file=sys.stderr, flush=True)


def _batches(options: Namespace, size: int) -> Iterator[list[int]]:
    number = options.number or (None if options.minutes else options.default_number)
    numbers = count(options.seed) if number is None else iter(range(options.seed, options.seed + number))
    end = None if options.minutes is None else time.monotonic() + 60 * options.minutes
    while batch := list(islice(numbers, size)):
        if end is not None and time.monotonic() > end:
            return
        yield batch
