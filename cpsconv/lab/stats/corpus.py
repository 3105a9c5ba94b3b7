"""The conversion of many files at the same time, by an executor: processes of this machine, or a Dask cluster.

Files in flight are limited, and each result is written as a part at once. So memory does not grow with the number of
files, and an interrupt loses only the files in flight.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import islice
from typing import NamedTuple

from cpsconv.core.progress import report
from cpsconv.core.source import DiagnosticError, error
from cpsconv.lab.stats.parts import Parts
from cpsconv.lab.stats.rows import Measured, Method, Task, measure, refused
from cpsconv.languages import LANGUAGES

ATTEMPTS = 3
"""How often a file is converted whose worker is lost."""


def find_files(paths: Iterable[str]) -> list[str]:
    """The files among the paths, and below folders those whose suffix is the first one of a language with variables.

    Hidden files and folders, and links to folders, are left out. The order is that of the paths and of the names.
    """
    suffixes = tuple(language.suffixes[0] for language in LANGUAGES.values() if language.module)
    found: list[str] = []
    for path in paths:
        if not os.path.isdir(path):
            found.append(path)
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(name for name in folders if name[0] != ".")
            found += [
                os.path.join(folder, name) for name in sorted(names) if name[0] != "." and name.endswith(suffixes)
            ]
    return [*dict.fromkeys(found)]


class Workers(NamedTuple):
    """An executor, the number of files that are in flight, and whether the executor still has a connection."""

    executor: Executor
    most: int
    is_connected: Callable[[], bool] = lambda: True


Cluster = Callable[[], AbstractContextManager[Workers]]
"""Starts workers, or connects to them, for the block."""

_WAIT = 1.0  # second between two questions whether there is a connection


def complete(parts: Parts, tasks: Sequence[Task], method: Method, cluster: Cluster) -> None:
    """Write the missing parts of the files.

    A file whose worker is lost is converted again, by a new executor if this one has ended, at most `ATTEMPTS` times in
    all. It is then the only one in flight, since one file may end the worker of others.
    """
    missing = [task for task in tasks if not parts.has(task)]
    attempts = dict.fromkeys(range(len(missing)), 0)
    while attempts:
        before = attempts.copy()
        untried = [number for number, tried in attempts.items() if not tried]
        with cluster() as workers:
            chosen = {number: missing[number] for number in untried or attempts}
            for number, outcome in _outcomes(workers if untried else workers._replace(most=1), chosen, method):
                attempts[number] += 1
                if isinstance(outcome, Measured) or attempts[number] == ATTEMPTS:
                    parts.write(missing[number], outcome if isinstance(outcome, Measured) else _lost(missing[number]))
                    del attempts[number]
                report("converting", len(tasks) - len(attempts), len(tasks))
        if attempts == before:
            raise DiagnosticError([error("the workers cannot be started", rule="tool")])


def _lost(task: Task) -> Measured:
    return Measured([refused(task, RuntimeError(f"the worker was lost {ATTEMPTS} times"))], [task.path])


def _outcomes(workers: Workers, tasks: dict[int, Task], method: Method) -> Iterator[tuple[int, Measured | Exception]]:
    """The results in the order in which they are complete, or the exceptions of lost workers.

    Files that the executor does not accept, because it has ended, have no result.
    """
    waiting = iter(tasks.items())
    running: dict[Future[Measured], int] = {}
    while True:
        with suppress(Exception):
            for number, task in islice(waiting, workers.most - len(running)):
                running[workers.executor.submit(measure, task, method)] = number
        done = wait(running, _WAIT, FIRST_COMPLETED).done
        if not done and not workers.is_connected():
            yield from ((number, ConnectionError()) for number in running.values())
            return
        if not running:
            return
        for future in done:
            number = running.pop(future)
            try:
                yield number, future.result()
            except Exception as lost:  # `measure` itself raises nothing
                yield number, lost


@contextmanager
def processes(jobs: int) -> Iterator[Workers]:
    """An executor with so many processes of this machine, which end with this process, and with the block."""
    executor = ProcessPoolExecutor(jobs, initializer=_start_worker)
    try:
        yield Workers(executor, 2 * jobs)
    except BaseException:
        executor.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.kill()
        raise
    executor.shutdown()


def _start_worker() -> None:
    """End with the parent process only."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


@contextmanager
def dask(address: str) -> Iterator[Workers]:
    """An executor that uses the workers of a Dask cluster, which must see the same files. Raises `DiagnosticError`."""
    try:
        from distributed import Client
    except ImportError:
        help = "install it with `pip install 'cpsconv[dask]'`"
        raise DiagnosticError([error("a cluster needs the package dask", help=help, rule="tool")]) from None
    try:
        client = Client(address)
    except (OSError, ValueError) as failure:
        raise DiagnosticError([error(f"{address}: there is no Dask scheduler: {failure}", rule="tool")]) from None
    with client:
        most = 2 * max(1, sum(client.nthreads().values()))
        yield Workers(client.get_executor(pure=False), most, lambda: client.status != "closed")
