"""Measures how many files `stats` completes in a second, by the number of workers of a Dask cluster.

    python benchmarks/stats_workers.py PATH...
    python benchmarks/stats_workers.py PATH... --waiting 1 4 16 64 256 --svg docs/pictures/throughput.svg

The first rows of the table convert the files below the paths, with 1 worker, 2, and so on up to the number of
processors. In the other rows, the workers wait in place of converting, for the mean time of a file under one worker,
and answer as for a real file. So one machine shows what the scheduler and the command, which writes the parts, allow
many machines. `--svg` draws the rows: on logarithmic axes, with a line for workers that nothing limits.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from distributed import LocalCluster

from cpsconv.core.construction import STRATEGIES
from cpsconv.lab.stats import corpus
from cpsconv.lab.stats.parts import Parts
from cpsconv.lab.stats.plots import Point, axis, scatter
from cpsconv.lab.stats.rows import Measured, Method, Task, measure

METHOD = Method([*STRATEGIES])
THREADS = 32
"""The most waiting workers in one process."""

STYLE = """text { font: 12px sans-serif; fill: #777 } line { stroke: #777; stroke-opacity: .3 }
line.fit { stroke-opacity: 1 } .s0 { fill: #06c } .s1 { fill: #d50 }"""


class Row(NamedTuple):
    """A run: its workers, whether they wait, its files, and the elapsed time in seconds."""

    workers: int
    waiting: bool
    files: int
    seconds: float

    @property
    def rate(self) -> float:
        """The files completed in a second."""
        return self.files / self.seconds


def run(tasks: Sequence[Task], workers: int, threads: int = 1) -> float:
    """The seconds that a cluster of so many workers takes for the files."""
    processes = -(-workers // threads)
    given = {"dashboard_address": None, "silence_logs": 60}
    with (
        LocalCluster(n_workers=processes, threads_per_worker=min(workers, threads), **given) as cluster,
        tempfile.TemporaryDirectory() as folder,
    ):
        started = time.perf_counter()
        corpus.complete(Parts(folder, METHOD), tasks, METHOD, partial(corpus.dask, cluster.scheduler_address))
        return time.perf_counter() - started


def converting(tasks: Sequence[Task]) -> list[Row]:
    """The rows of workers that convert."""
    numbers = range(1, (os.cpu_count() or 1) + 1)
    return [Row(workers, False, len(tasks), run(tasks, workers)) for workers in numbers]


def waiting(numbers: Sequence[int], seconds: float, answer: Measured) -> list[Row]:
    """The rows of workers that wait so many seconds for a file, and answer as for another one."""

    def wait(task: Task, method: Method) -> Measured:
        time.sleep(seconds)
        return answer

    vars(corpus)["measure"] = wait
    rows = []
    for workers in numbers:
        tasks = [Task(f"{number}.c", os.getcwd()) for number in range(10 * workers)]
        rows.append(Row(workers, True, len(tasks), run(tasks, workers, THREADS)))
    return rows


def drawing(rows: Sequence[Row]) -> str:
    """The rows as an SVG file."""
    points = [Point(row.workers, row.rate, f"{row.rate:.1f} files per second", "#", int(row.waiting)) for row in rows]
    x = axis("workers", [point.x for point in points])
    y = axis("files per second", [point.y for point in points])
    plot = scatter(points, x, y, (rows[0].rate, 1), [])
    return plot.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).replace(
        ">", f"><style>{STYLE}</style>", 1
    )


def main() -> None:
    """Run the command."""
    assert __doc__
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("paths", nargs="+", metavar="PATH")
    parser.add_argument("--waiting", nargs="+", type=int, default=[1, 4, 16, 64, 256], help="numbers of workers")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="file to draw")
    given = parser.parse_args()
    tasks = [Task(path, os.getcwd()) for path in corpus.find_files(given.paths)]
    rows = converting(tasks)
    mean = 1 / rows[0].rate
    rows += waiting(given.waiting, mean, measure(tasks[len(tasks) // 2], METHOD))
    print("| workers | | files | seconds | files per second |\n|--:|---|--:|--:|--:|")
    for row in rows:
        kind = f"wait {mean:.2f} s for each" if row.waiting else "convert"
        print(f"| {row.workers} | {kind} | {row.files} | {row.seconds:.1f} | {row.rate:.1f} |")
    if given.svg:
        given.svg.write_text(drawing(rows))


if __name__ == "__main__":
    main()
