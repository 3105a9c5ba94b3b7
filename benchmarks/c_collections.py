"""Compares cpsconv with gcc on collections of C programs.

    python benchmarks/c_collections.py DIR... --sample 100 --engine llvm

A program is a file of DIR that defines ``main``. It is compiled by ``gcc -O0 -fwrapv -w`` with the options that its
comments state (``dg-options``), and run in an empty folder. Its standard input is the file of the same name with the
suffix ``.in``, ``.stdin`` or ``.0``, or else some numbers. ``cpsconv run`` must give the same output and exit status.

Not compared are files that gcc does not compile alone, and programs that exceed ``--seconds`` or end by a signal. A
program that differs counts as invalid if it does not behave alike in a second run, and in the code of ``RIVALS``, or
if valgrind finds an error, such as a decision that depends on uninitialised values.
The command prints the counts of each DIR, and the causes of the differences, each with examples.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

GCC = ("gcc", "-w", "-O0", "-fwrapv")

RIVALS = (
    GCC,
    ("gcc", "-w", "-O2", "-fwrapv"),
    ("clang", "-w", "-O1", "-fwrapv"),
    (*GCC, "-ftrivial-auto-var-init=pattern"),
    (*GCC, "-fsanitize=address,undefined", "-fno-sanitize=shift,alignment", "-fno-sanitize-recover=all"),
)
"""Compilations that do not change a valid, portable program."""

FAULTY = 119
VALGRIND = ("valgrind", "-q", f"--error-exitcode={FAULTY}")

NUMBERS = "".join(f"{number}\n" for number in [5, 3, 8, 1, 9, 2, 7, 4, 6, 10] * 3).encode()
MEMORY = 12_000_000_000
COMPILATION = 60
"""The seconds of processor time after which a compiler is stopped."""
EXCEEDED = {signal.SIGKILL, signal.SIGXCPU, signal.SIGXFSZ}

SAME, INVALID = "same", "invalid"
REFUSED, SIGNAL, LONG = "not compiled by gcc", "ends by a signal", "exceeds the time limit with gcc"

_MAIN = re.compile(rb"\bmain\s*\(")
_OPTIONS = re.compile(r"dg-(?:additional-)?options\s+[\"{]*([^\"}\n]*)")
_MEANING = ("-D", "-I", "-U", "-std=", "-include")
_DIAGNOSTIC = re.compile(r"^(?:.*?(?:\d: |cpsconv: ))?((?:runtime |internal )?error: .*)$", re.MULTILINE)
_DETAIL = re.compile(r"`[^`]*`|\b\d+\b")


class Run(NamedTuple):
    """What a program did: its output, its status, negative for a signal, and its messages."""

    output: bytes
    status: int
    messages: str = ""


def options_of(file: Path) -> list[str]:
    """The options for the compiler that comments of the program state, as far as they concern its meaning."""
    words = " ".join(_OPTIONS.findall(file.read_text("latin-1"))).split()
    return [word for word in words if word.startswith(_MEANING)]


def input_of(file: Path) -> bytes:
    """The standard input of the program."""
    candidates = (file.with_suffix(suffix) for suffix in (".in", ".stdin", ".0"))
    return next((path.read_bytes() for path in candidates if path.is_file()), NUMBERS)


def execute(command: Sequence[str | Path], given: bytes, seconds: int, memory: int | None = MEMORY) -> Run | None:
    """Run a command in an empty folder. Returns None if it exceeds a limit."""
    limits = [f"--cpu={seconds}", "--fsize=16000000", "--core=0", *([f"--as={memory}"] if memory else [])]
    with (
        tempfile.TemporaryDirectory() as folder,
        tempfile.TemporaryFile() as output,
        tempfile.TemporaryFile() as errors,
    ):
        run = partial(subprocess.run, input=given, stdout=output, stderr=errors, cwd=folder, timeout=10 * seconds)
        try:
            status = run(["prlimit", *limits, *command]).returncode
        except subprocess.TimeoutExpired:
            return None
        for stream in (output, errors):
            stream.seek(0)
        return None if -status in EXCEEDED else Run(output.read(), status, errors.read().decode("latin-1"))


def expected(compiler: Sequence[str], file: Path, seconds: int, tool: Sequence[str] = ()) -> Run | str:
    """What the program does, run by a tool, or why that is not known."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "program"
        command = [*compiler, *options_of(file), str(file), "-o", str(program), "-lm"]
        limited = ["prlimit", f"--cpu={COMPILATION}", *command]
        if subprocess.run(limited, capture_output=True, cwd=file.parent).returncode:
            return REFUSED
        memory = None if any("sanitize" in word for word in compiler) else MEMORY  # sanitizers reserve terabytes
        end = execute([*tool, program], input_of(file), seconds, memory)
    return end._replace(messages="") if end else LONG


def observed(file: Path, engine: str, seconds: int) -> Run | str:
    """What the program does under cpsconv, or the error that it ends with."""
    options = [word for word in options_of(file) if not word.startswith("-std")]
    access = ("--allow-files", "--allow-clock", "--allow-environment", "-idirafter", "/")
    command = [sys.executable, "-m", "cpsconv", "run", "-w", "--engine", engine, *access, *options, str(file)]
    end = execute(command, input_of(file), seconds)
    if end is None:
        return "time limit"
    messages = _DIAGNOSTIC.findall(end.messages)
    if messages:
        return _DETAIL.sub("…", str(messages[0]))
    if "Traceback" in end.messages:
        return "internal error: " + end.messages.strip().splitlines()[-1]
    return Run(end.output, end.status)


def compare(file: Path, engine: str, seconds: int) -> str:
    """How the comparison of a program ends: one of the words above, or the cause of a difference."""
    wanted = expected(GCC, file, seconds)
    if isinstance(wanted, str):
        return wanted
    if wanted.status < 0 and wanted.status != -6:
        return SIGNAL
    got = observed(file, engine, 15 * seconds)
    if not isinstance(got, str):
        got = "another result" if got != wanted._replace(status=134 if wanted.status == -6 else wanted.status) else SAME
    return got if got == SAME or is_valid(file, wanted, seconds) else INVALID


def is_valid(file: Path, wanted: Run, seconds: int) -> bool:
    """Whether all compilations of the program that succeed behave as expected, and valgrind finds no error."""
    others = (expected(compiler, file, 10 * seconds) for compiler in RIVALS)
    return all(other in (REFUSED, LONG, wanted) for other in others) and not is_faulty(file, seconds)


def is_faulty(file: Path, seconds: int) -> bool:
    """Whether valgrind, if it is installed, finds an error in the run of the program."""
    end = expected(GCC, file, 30 * seconds, VALGRIND) if shutil.which(VALGRIND[0]) else LONG
    return isinstance(end, Run) and end.status == FAULTY


def programs(folder: Path, number: int | None, seed: int) -> list[Path]:
    """The programs of a folder, or a sample of them."""
    found = sorted(file for file in folder.resolve().rglob("*.c") if file.is_file() and _MAIN.search(file.read_bytes()))
    return found if number is None or number >= len(found) else sorted(random.Random(seed).sample(found, number))


def main() -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--engine", default="llvm", help="the engine of cpsconv (llvm)")
    parser.add_argument("--sample", type=int, help="number of programs of each DIR, chosen at random (all)")
    parser.add_argument("--seed", type=int, default=1, help="the sample (1)")
    parser.add_argument(
        "--seconds", type=int, default=2, help="processor time of a program of gcc (2); cpsconv: 15 times"
    )
    parser.add_argument("--examples", type=int, default=3, help="number of examples of each cause (3)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="number of processes (one per processor)")
    options = parser.parse_args()
    check = partial(compare, engine=options.engine, seconds=options.seconds)
    causes: defaultdict[str, list[Path]] = defaultdict(list)
    print("| collection | programs | not compared | invalid | compared | same | share |\n|---|--:|--:|--:|--:|--:|--:|")
    for folder in options.folders:
        files = programs(folder, options.sample, options.seed)
        with ThreadPoolExecutor(options.jobs) as pool:
            ends = list(pool.map(check, files))
        for file, end in zip(files, ends, strict=True):
            causes[end].append(file)
        print(row(folder.name, Counter(ends)), flush=True)
    print("\n| programs | cause | examples |\n|--:|---|---|")
    for cause, files in sorted(causes.items(), key=lambda item: -len(item[1])):
        if cause != SAME:
            print(
                f"| {len(files)} | {cause.replace('|', '&#124;')} | {' '.join(map(str, files[: options.examples]))} |"
            )


def row(name: str, ends: Counter[str]) -> str:
    """A row of the table of collections."""
    skipped = sum(ends[word] for word in (REFUSED, SIGNAL, LONG))
    valid = ends.total() - skipped - ends[INVALID]
    share = f"{100 * ends[SAME] / valid:.1f} %" if valid else "–"
    return f"| {name} | {ends.total()} | {skipped} | {ends[INVALID]} | {valid} | {ends[SAME]} | {share} |"


if __name__ == "__main__":
    main()
