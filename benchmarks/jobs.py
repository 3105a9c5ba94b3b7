"""Measures what ``-j`` gains on many files: 60 programs of 80 lines.

    python benchmarks/jobs.py --jobs 2 --repeat 9
    python benchmarks/jobs.py --jobs 2 --instructions

Prints a Markdown table: for each command the processor time without ``-j``; with ``-j`` that of the first process and
that of all workers together; and the ratio that follows for a machine with an idle processor for each worker. There,
the workers share their time, and all of the first process's time counts, since it mostly precedes the workers. Each
number is the least of the runs, which take turns, so that other load affects all alike. ``--seconds`` prints elapsed
times, too, which mean something only on a quiet machine.

With ``--instructions``, each number is what the processor executes, in billions of instructions, as valgrind's tool
callgrind counts them, whatever else the machine does: instead of all workers, that of the one that executes most.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
COMMANDS = (("check", "-q"), ("convert", "-o", "converted/"), ("run",), ("graph", "-o", "graphs/"))
FUNCTION = """\
static int f{number}(int n, int m) {{
    int total = 0, last = 1;
    for (int i = 0; i < n; i++) {{
        if (i % {divisor} == 0) {{
            total += i * m;
        }} else {{
            last = total ^ i;
        }}
        while (last > 10) {{
            last /= 2;
            total -= last;
        }}
    }}
    printf("%d %d\\n", total, last);
    return total + last;
}}
"""
MEASURED = """\
import atexit, os
atexit.register(lambda: os.write(2, " ".join(map(str, os.times()[:4])).encode()))
from cpsconv.__main__ import run
run()
"""
"""Runs the command line, and writes the processor times of this process and of its children at the end."""


COUNTED = """\
import os, signal
os.register_at_fork(after_in_child=os.getppid)
kill = os.kill
os.kill = lambda pid, number: kill(pid, signal.SIGTERM if number == signal.SIGKILL else number)
from cpsconv.__main__ import run
run()
"""
"""Runs the command line. A worker's count begins after its fork: with a call of `getppid`. SIGTERM ends it, since
valgrind writes nothing for a process that SIGKILL ends."""


class Times(NamedTuple):
    """Processor time of the first process and of its children, and the elapsed time."""

    own: float
    children: float
    elapsed: float


def program(divisor: int) -> str:
    """A program of 80 lines."""
    functions = "".join(FUNCTION.format(number=number, divisor=divisor) for number in range(5))
    calls = " + ".join(f"f{number}({number}, {divisor})" for number in range(5))
    return f"#include <stdio.h>\n\n{functions}\nint main(void) {{\n    return ({calls}) & 1;\n}}\n"


def measured(words: Sequence[str], folder: Path) -> Times:
    """The times of a command."""
    start = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", MEASURED, *words], cwd=folder, capture_output=True, text=True)
    elapsed = time.perf_counter() - start
    user, system, children_user, children_system = map(float, done.stderr.rpartition("\n")[2].split())
    return Times(user + system, children_user + children_system, elapsed)


def counted(words: Sequence[str], folder: Path) -> list[float]:
    """The instructions that a command executes, in billions: of the first process, and of its children."""
    with tempfile.TemporaryDirectory() as counts:
        valgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}/%p", "--zero-before=getppid"]
        environment = {**os.environ, "PYTHONHASHSEED": "0"}
        command = [*valgrind, sys.executable, "-c", COUNTED, *words]
        subprocess.run(command, cwd=folder, capture_output=True, env=environment)
        texts = [path.read_text() for path in sorted(Path(counts).iterdir(), key=lambda path: int(path.name))]
    found = [re.search(r"^totals: (\d+)", text, re.MULTILINE) for text in texts]
    return [int(each[1]) / 1e9 for each in found if each]


def row_of_instructions(command: Sequence[str], jobs: int, folder: Path) -> str:
    """The row of the table for a command."""
    files = sorted(path.name for path in folder.glob("*.c"))
    counted([*command, *files[:1]], folder)  # so that modules are compiled
    [alone], [first, *workers] = (counted([*command, *each, *files], folder) for each in ([], ["-j", str(jobs)]))
    cells = [f"`{' '.join(command)}`", *(f"{each:.2f}" for each in (alone, first, max(workers)))]
    return f"| {' | '.join(cells)} | {alone / (first + max(workers)):.2f} |"


def fastest(runs: Sequence[Times]) -> Times:
    """The least time of each kind."""
    return Times(*map(min, zip(*runs, strict=True)))


def row(command: Sequence[str], jobs: int, repeat: int, folder: Path, with_seconds: bool) -> str:
    """The row of the table for a command."""
    files = sorted(path.name for path in folder.glob("*.c"))
    turns = [
        [measured([*command, *option, *files], folder) for option in ([], ["-j", str(jobs)])] for _ in range(repeat)
    ]
    alone, together = map(fastest, zip(*turns, strict=True))
    ratio = alone.own / (together.own + together.children / jobs)
    cells = [f"`{' '.join(command)}`", f"{alone.own:.2f} s", f"{together.own:.2f} s", f"{together.children:.2f} s"]
    cells += [f"{ratio:.2f}", *([f"{alone.elapsed:.2f} s", f"{together.elapsed:.2f} s"] if with_seconds else [])]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", type=int, default=2, help="the number of workers (2)")
    parser.add_argument("--files", type=int, default=60, help="the number of files (60)")
    parser.add_argument("--repeat", type=int, default=9, help="the number of runs (9)")
    parser.add_argument("--seconds", action="store_true", help="print elapsed times, too")
    parser.add_argument("--instructions", action="store_true", help="count instructions instead of time")
    given = parser.parse_args()
    if given.instructions and shutil.which("valgrind") is None:
        sys.exit("valgrind, which counts the instructions, is not installed")
    workers = "largest worker" if given.instructions else "workers"
    titles = ["command", "without `-j`", "first process", workers, "times as fast"]
    titles += ["elapsed without", "elapsed with"] if given.seconds else []
    print(f"| {' | '.join(titles)} |\n|---|{'--:|' * (len(titles) - 1)}")
    with tempfile.TemporaryDirectory() as folder:
        for number in range(given.files):
            Path(folder, f"p{number:03}.c").write_text(program(number + 2), encoding="utf-8")
        for command in COMMANDS:
            if given.instructions:
                print(row_of_instructions(command, given.jobs, Path(folder)), flush=True)
            else:
                print(row(command, given.jobs, given.repeat, Path(folder), given.seconds), flush=True)


if __name__ == "__main__":
    main()
