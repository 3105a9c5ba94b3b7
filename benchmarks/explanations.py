"""Measures time and peak memory of the commands that explain a conversion, on programs of growing size.

    python benchmarks/explanations.py
    python benchmarks/explanations.py --commands explain,compare --shapes choices,ifs --most 100

For each command and shape: a row of a Markdown table with the size of the source in kB, the seconds of the processor,
the peak memory and the size of the output in MB, for `n`, `4n` and `16n`, and the exponent of the growth of the time
between the last two, start-up excluded. `--most` is the limit of the source's size in kB.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from benchmarks.arguments import names  # noqa: E402
from benchmarks.shapes import SHAPES  # noqa: E402

COMMANDS = {
    "explain": ["explain", "{}"],
    "json": ["explain", "--json", "{}"],
    "html": ["explain", "--html", "-", "{}"],
    "why": ["why", "{}:f"],
    "compare": ["compare", "--repeat", "1", "{}"],
    "graph": ["graph", "{}"],
}


def choices(n: int) -> str:
    """`n` variables, each of which one of `n` cases changes: `n` parameters with `n` arguments each."""
    declared = "".join(f"int v{i}={i};" for i in range(n))
    changed = "".join(f"case {i}:v{i}++;break;" for i in range(n))
    return f"int f(int x){{{declared}switch(x){{{changed}}}return {'+'.join(f'v{i}' for i in range(n))};}}\n"


def fors(n: int) -> str:
    """`n` loops in each other, with a variable each."""
    opened = "".join(f"for(int i{k}=0;i{k}<x;i{k}++){{a+=i{k};" for k in range(n))
    return f"int f(int x){{int a=0;{opened}{'}' * n}return a;}}\n"


FAMILIES = {**SHAPES, "choices": choices, "fors": fors}
SIZES = {"choices": 30, "fors": 20, "ifs": 60, "straight": 60, "variables": 60, "nested_ifs": 60}
SIZES |= {"mesh": 30, "functions": 60}
"""The smallest size of each shape."""


def measured(command: list[str], output: Path) -> tuple[int, float, float, float]:
    """The exit status of a command, its seconds, its peak memory and the size of its output in MB."""
    with output.open("wb") as out:
        process = subprocess.Popen([sys.executable, "-m", "cpsconv", *command], cwd=ROOT, stdout=out, stderr=out)
        _, status, usage = os.wait4(process.pid, 0)
    seconds = usage.ru_utime + usage.ru_stime
    return os.waitstatus_to_exitcode(status), seconds, usage.ru_maxrss / 1024, output.stat().st_size / 1e6


def row(command: str, shape: str, most: float, folder: Path) -> str:
    """The cells for `n`, `4n` and `16n`, and the exponent."""
    cells, times = [], []
    for n in (SIZES[shape], 4 * SIZES[shape], 16 * SIZES[shape]):
        source = folder / f"{shape}.c"
        source.write_text(FAMILIES[shape](n))
        size = source.stat().st_size / 1000
        if size > most:
            cells.append("")
            continue
        words = [word.format(source) for word in COMMANDS[command]]
        status, seconds, memory, written = measured(words, folder / "output")
        times.append(seconds)
        failed = "" if status == 0 else " (refused)"
        cells.append(f"{size:.0f} kB: {seconds:.1f} s, {memory:.0f} MB, {written:.1f} MB{failed}")
    start = measured(["--version"], folder / "output")[1]
    earlier, last = [max(seconds - start, 0.01) for seconds in times[-2:]]
    return f"| {command} | {shape} | {' | '.join(cells)} | {math.log(last / earlier, 4):.2f} |"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commands", type=names(COMMANDS), default=",".join(COMMANDS))
    parser.add_argument("--shapes", type=names(FAMILIES), default=",".join(SIZES))
    parser.add_argument("--most", type=float, default=100, metavar="KB")
    given = parser.parse_args()
    print("| command | shape | n | 4n | 16n | exponent |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for command in given.commands:
            for shape in given.shapes:
                print(row(command, shape, given.most, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
