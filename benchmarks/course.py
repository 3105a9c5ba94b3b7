"""Measures the commands in the lessons of the course, and in the notes for instructors: all together, and the slowest.

    python benchmarks/course.py --rounds 3

Prints a Markdown table with a row for each lesson. Each command runs in a new process, as typed in a shell, in a folder
with the programs of its lesson. The times are processor times (user and system), the medians of the rounds after a
first one, which fills the caches. On an idle machine, the elapsed time is about the same.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage

ROOT = Path(__file__).parent.parent
COURSE = ROOT / "docs" / "course"
PAGES = [*sorted(COURSE.glob("[0-9]*.md"), key=lambda page: int(page.name.split("-")[0])), COURSE / "instructor.md"]


def seconds(command: str, folder: Path) -> float:
    """The processor time of a command."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    start = getrusage(RUSAGE_CHILDREN)
    subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True)
    end = getrusage(RUSAGE_CHILDREN)
    return end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime


def prepared(folder: Path, text: str) -> Path:
    """The folder, with the examples, the course, the programs in the text, and a command `cpsconv`."""
    for part in ("examples", "docs/course"):
        shutil.copytree(ROOT / part, folder / part)
    for block in re.findall(r"^```(?:c|cps)\n(// .*?)^```$", text, re.DOTALL | re.MULTILINE):
        (folder / block.split()[1]).write_text(block, encoding="utf-8")
    command = folder / "bin" / "cpsconv"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m cpsconv "$@"\n')
    command.chmod(0o755)
    return folder


def main() -> None:
    """Print a row of a table for each lesson that has commands."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="number of timed runs; the median counts")
    rounds = parser.parse_args().rounds
    print("| lesson | commands | all | slowest | |\n|--:|--:|--:|--:|---|")
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        blocks = re.findall(r"^```(?:console|sh)\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)
        commands = [
            command
            for block in blocks
            for command in re.findall(r"^(?:\$ )?(cpsconv .*|sed .*|printf .*|cp .*)$", block, re.MULTILINE)
        ]
        with tempfile.TemporaryDirectory() as name:
            folder = prepared(Path(name), text)
            runs = [[seconds(command, folder) for command in commands] for _ in range(rounds + 1)]
        medians = [statistics.median(times) for times in zip(*runs[1:], strict=True)]
        if medians:
            slowest = max(range(len(commands)), key=medians.__getitem__)
            number = page.stem.split("-")[0]
            times = f"{sum(medians):.1f} s | {medians[slowest]:.2f} s"
            print(f"| {number} | {len(commands)} | {times} | `{commands[slowest].split(' | ')[0]}` |")


if __name__ == "__main__":
    main()
