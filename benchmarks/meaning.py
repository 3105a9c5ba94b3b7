"""Compares runs of modules of LLVM IR, which `cpsconv run` takes as programs, with those of native code.

    python benchmarks/meaning.py                                       # the C programs of this project with a `main`
    python benchmarks/meaning.py --options="-O1 -Xclang -disable-llvm-passes" --engine machine
    python benchmarks/meaning.py mine.c mine.ll

A C or C++ file is compiled by ``clang -O0`` first. The module is compiled to native code as well; both run with the
arguments and input that comments of the file state (`testing/expectations.py`). Their output and status must be equal.
Where native code ends by a signal, ours may report the error, and may have written more, since it does not lose what is
in a buffer. The programs that differ follow, with the first line of standard error.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cpsconv.engines import ENGINES
from testing.expectations import ROOT, expected_runs, has_main, standard_input
from testing.mem2reg import CLANG, compiled

FOLDERS = ("examples", "tests/corpus", "tests/c_library", "benchmarks/engines", "benchmarks/memory")
_SECONDS = 120


def main() -> None:
    """Print how many programs agree, and those that differ."""
    options = argparse.ArgumentParser(description=str(__doc__).partition("\n")[0])
    options.add_argument("files", nargs="*", type=Path)
    options.add_argument("--options", default="", help="further options of clang, such as -O1")
    options.add_argument("--engine", choices=[*ENGINES], default="python")
    given = options.parse_args()
    own = [each for folder in FOLDERS for each in sorted((ROOT / folder).glob("*.c"))]
    count: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        for file in given.files or [each for each in own if has_main(each.read_text(errors="replace"))]:
            result = compared(file, Path(folder), given.options.split(), given.engine)
            kind, _, what = result.partition(": ")
            count[kind] += 1
            if what:
                print(f"{file.name}: {result}", flush=True)
    print("; ".join(f"{kind}: {number}" for kind, number in count.most_common()))


def compared(file: Path, folder: Path, options: Sequence[str], engine: str) -> str:
    """``agrees``, or how the runs differ, or that clang rejects the source."""
    module, program = folder / "module.ll", folder / "program"
    if file.suffix == ".ll":
        module = file
    else:
        try:
            compiled(file, module, "-fwrapv", "-D__NO_CTYPE", *options)
        except subprocess.CalledProcessError:
            return "rejected by clang"
    subprocess.run([str(CLANG), "-w", str(module), "-o", str(program), "-lm", "-lstdc++"], check=True)
    text = file.read_text(errors="replace")
    for arguments in [run.arguments for run in expected_runs(text)] or [()]:
        command = [sys.executable, "-m", "cpsconv", "run", "--engine", engine, str(module), *arguments]
        theirs, ours = (_observed(each, standard_input(text)) for each in ([str(program), *arguments], command))
        if difference := _difference(theirs, ours):
            return f"differs: {difference}"
    return "agrees"


End = subprocess.CompletedProcess[bytes]


def _difference(theirs: End | None, ours: End | None) -> str:
    """How the end of our run differs from that of native code; the text is empty if it does not."""
    if theirs is None or ours is None:
        return f"{'native code' if theirs is None else 'the run'} takes more than {_SECONDS} s"
    if theirs.returncode < 0 and ours.returncode in (3, 128 - theirs.returncode):
        return "" if ours.stdout.startswith(theirs.stdout) else "in what precedes the error"
    if (theirs.returncode, theirs.stdout) == (ours.returncode, ours.stdout):
        return ""
    first = ours.stderr.decode(errors="replace").partition("\n")[0]
    return f"status {theirs.returncode}, ours {ours.returncode}: {first or 'other output'}"


def _observed(command: Sequence[str], given: bytes) -> End | None:
    """The end of a process; None if it takes too long."""
    try:
        return subprocess.run(command, input=given, capture_output=True, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return None


if __name__ == "__main__":
    main()
